"""Every source with its look-alike."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fakes.scholarly import FAKES, FakeScholar, FakeSource, Work
from veriscite.evidence.cache import AnswerCache
from veriscite.evidence.http import Network
from veriscite.evidence.sources.arxiv import ArXiv
from veriscite.evidence.sources.crossref import Crossref
from veriscite.evidence.sources.europe_pmc import EuropePmc
from veriscite.evidence.sources.finder import NetworkFinder
from veriscite.evidence.sources.openalex import OpenAlex
from veriscite.evidence.sources.semantic_scholar import SemanticScholar
from veriscite.settings import (
    ArxivSettings,
    CrossrefSettings,
    EuropePmcSettings,
    EvidenceSettings,
    OpenAlexSettings,
    SemanticScholarSettings,
)

KINDS: Mapping[str, tuple[Callable[..., NetworkFinder], Callable[..., object]]] = {
    "semantic_scholar": (SemanticScholar, SemanticScholarSettings),
    "openalex": (OpenAlex, OpenAlexSettings),
    "crossref": (Crossref, CrossrefSettings),
    "europe_pmc": (EuropePmc, EuropePmcSettings),
    "arxiv": (ArXiv, ArxivSettings),
}

STENT = Work(
    "A new stent for narrow coronary arteries: a randomised trial",
    [("Ana", "Gómez"), ("B.", "Ito")],
    2014,
    "Drug-eluting stents reduce restenosis of narrow coronary arteries. We randomised 400 patients to two "
    "stents. Restenosis was 4.2 % with the new stent and 9.8 % with the old one.",
    doi="10.1000/stent.1",
    pmid="2468",
    arxiv="1402.00001",
)
MIND = Work(
    "Sleep loss and plaque growth in mice",
    [("Wei", "Zhang"), ("C.", "Roe")],
    2018,
    "We followed 120 mice with impaired sleep for two years. Sleep loss was associated with plaque growth in "
    "the hippocampus. No effect on memory was seen.",
    doi="10.1000/mice",
    pmid="1357",
    arxiv="1801.00002",
)
YEAST = Work(
    "Kinetics of silent enzymes in yeast cells",
    [("D.", "Poe")],
    2001,
    None,
    doi="10.1000/yeast",
    pmid="9753",
    arxiv="0101.00003",
)


@dataclass
class Bench:
    """One source, its look-alike, and ways to make the source."""

    name: str
    server: FakeSource | FakeScholar
    folder: Path

    def finder(
        self,
        *,
        attempts: int = 2,
        timeout_s: float = 10.0,
        max_wait_s: float = 1.0,
        key: str | None = None,
        email: str | None = None,
        cached: bool = False,
        url: str | None = None,
    ) -> NetworkFinder:
        make, options = KINDS[self.name]
        evidence = EvidenceSettings(
            timeout_s=timeout_s, attempts=attempts, max_wait_s=max_wait_s, email=email
        )
        cache = AnswerCache(self.folder, evidence) if cached else None
        given = options(api_url=url or self.server.url, api_key=key, requests_per_second=10_000)
        return make(given, Network(evidence, backoff_s=0.01), cache)


@pytest.fixture(params=sorted(KINDS))
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """Each of the sources in turn."""
    with FAKES[request.param]([STENT, MIND, YEAST]) as server:
        yield Bench(request.param, server, tmp_path)
