"""What the tests of step 2 share."""

from collections.abc import Callable, Iterator

import pytest

from tests.fakes.semantic_scholar import FakeSemanticScholar, paper
from veriscite.evidence.http import Network
from veriscite.evidence.sources.semantic_scholar import SemanticScholar
from veriscite.evidence.sources.source import FinderSource
from veriscite.settings import EvidenceSettings, SemanticScholarSettings

STENT = (
    "Background: Drug-eluting stents reduce restenosis. Methods: We randomised 400 patients to two stents. "
    "Results: Restenosis was 4.2 % with the new stent and 9.8 % with the old one. "
    "Conclusions: The new stent halves restenosis."
)
MIND = (
    "We followed 120 mice with impaired sleep for two years. Sleep loss was associated with plaque growth "
    "in the hippocampus. No effect on memory was seen."
)


@pytest.fixture
def corpus() -> list[dict[str, object]]:
    """Four papers: two with an abstract, one without, one elided."""
    return [
        paper(
            "a" * 40,
            "A new stent for narrow coronary arteries: a randomised trial",
            ["Ana Gómez", "B. Ito"],
            2014,
            STENT,
            externalIds={"DOI": "10.1000/STENT.1", "PubMed": 2468},
        ),
        paper("b" * 40, "Sleep loss and plaque growth in mice", ["Wei Zhang", "C. Roe"], 2018, MIND),
        paper(
            "c" * 40,
            "Kinetics of silent enzymes in yeast cells",
            ["D. Poe"],
            2001,
            None,
            externalIds={"DOI": "10.1000/yeast"},
        ),
        paper(
            "d" * 40,
            "Withheld words in closed journals",
            ["E. Quine"],
            2020,
            None,
            externalIds={"ArXiv": "2001.00001"},
            openAccessPdf={
                "disclaimer": "Notice: these paper fields have been elided by the publisher: {'abstract'}."
            },
        ),
    ]


@pytest.fixture
def server(corpus: list[dict[str, object]]) -> Iterator[FakeSemanticScholar]:
    """The fake, running."""
    with FakeSemanticScholar(corpus) as running:
        yield running


MakeSource = Callable[..., FinderSource]


@pytest.fixture
def make_source(server: FakeSemanticScholar) -> MakeSource:
    """Sources that ask the fake, with delays too small to notice."""

    def make(
        *,
        attempts: int = 3,
        timeout_s: float = 10.0,
        max_wait_s: float = 1.0,
        key: str | None = None,
        backoff_s: float = 0.01,
    ) -> FinderSource:
        network = Network(
            EvidenceSettings(timeout_s=timeout_s, attempts=attempts, max_wait_s=max_wait_s),
            backoff_s=backoff_s,
        )
        options = SemanticScholarSettings(api_url=server.url, api_key=key, requests_per_second=10_000)
        return FinderSource(SemanticScholar(options, network))

    return make
