"""The chain over real finders: later sources fill in, each one's word is kept, progress is told."""

from collections.abc import AsyncIterator, Sequence

from tests.evidence.helpers import gather, ref
from tests.evidence.sources.conftest import MIND, STENT
from tests.fakes import faults
from tests.fakes.scholarly import FakeCrossref, FakeOpenAlex, FakeScholar, Work
from veriscite.domain import Component, EvidenceLookup, Found, LookupFailed, NotFound, Reference
from veriscite.domain.events import Event, RetrievalProgress
from veriscite.evidence.chain import EvidenceChain
from veriscite.evidence.http import Network
from veriscite.evidence.sources.crossref import Crossref
from veriscite.evidence.sources.openalex import OpenAlex
from veriscite.evidence.sources.semantic_scholar import SemanticScholar
from veriscite.evidence.sources.source import FinderSource
from veriscite.ports import Emit, SearchRequest, silent
from veriscite.settings import (
    CrossrefSettings,
    EvidenceSettings,
    OpenAlexSettings,
    SemanticScholarSettings,
)


def bare(work: Work) -> Work:
    return Work(work.title, work.authors, work.year, None, doi=work.doi, pmid=work.pmid)


def chain(*servers: object) -> EvidenceChain:
    network = Network(EvidenceSettings(attempts=1, timeout_s=5), backoff_s=0.01)
    kinds = (
        (FakeScholar, SemanticScholar, SemanticScholarSettings),
        (FakeOpenAlex, OpenAlex, OpenAlexSettings),
        (FakeCrossref, Crossref, CrossrefSettings),
    )
    sources = []
    for server in servers:
        for fake, finder, options in kinds:
            if isinstance(server, fake):
                given = options(api_url=server.url, requests_per_second=10_000)  # type: ignore[call-arg]
                sources.append(FinderSource(finder(given, network)))  # type: ignore[arg-type]
    return EvidenceChain((), sources)


async def test_a_missing_abstract_is_filled_by_the_identifiers_that_were_found() -> None:
    cited = ref(STENT.title, "Gómez A", 2014)
    with FakeScholar([bare(STENT)]) as scholar, FakeOpenAlex([STENT]) as openalex:
        found = (await gather(chain(scholar, openalex).lookup([cited])))["r1"]
        assert [request.query["filter"] for request in openalex.requests] == [["doi:10.1000/stent.1"]]
    assert isinstance(found, Found)
    assert found.evidence.source == "openalex"
    assert [(one.source, one.status) for one in found.answers] == [
        ("semantic_scholar", "no_abstract"),
        ("openalex", "found"),
    ]
    assert found.answers[0].record is not None
    assert found.answers[0].record.identifiers.doi == STENT.doi


async def test_an_outage_of_one_source_is_told_beside_what_another_found() -> None:
    cited = [
        ref(STENT.title, "Gómez A", 2014, id="a"),
        ref("Unheard matters of no renown", "No N", 1990, id="b"),
    ]
    with FakeScholar([STENT]) as scholar, FakeOpenAlex([STENT]) as openalex:
        scholar.script(faults.unavailable(), forever=True)
        found = await gather(chain(scholar, openalex).lookup(cited))
    assert isinstance(found["a"], Found)
    assert [one.status for one in found["a"].answers] == ["lookup_failed", "found"]
    assert isinstance(found["b"], LookupFailed), "the source that could not be asked might have had it"
    assert [one.status for one in found["b"].answers] == ["lookup_failed", "not_found"]


async def test_all_sources_know_nothing() -> None:
    lost = ref("Unheard matters of no renown whatever", "Nobody N", 2000)
    with FakeScholar([STENT]) as scholar, FakeOpenAlex([]) as openalex, FakeCrossref([MIND]) as crossref:
        found = (await gather(chain(scholar, openalex, crossref).lookup([lost])))["r1"]
    assert isinstance(found, NotFound)
    assert found.asked == ("semantic_scholar", "openalex", "crossref")
    assert {one.status for one in found.answers} == {"not_found"}


async def test_the_planners_search_goes_through_all_sources() -> None:
    cited = ref(STENT.title, "Gómez A", 2014)
    with FakeScholar([MIND]) as scholar, FakeOpenAlex([STENT]) as openalex:
        found = await chain(scholar, openalex).search(SearchRequest(cited, STENT.title))
        assert scholar.requests
    assert isinstance(found, Found)
    assert found.evidence.source == "openalex"
    assert [one.source for one in found.answers] == ["semantic_scholar", "openalex"]


class Slow:
    """A source that answers once every three seconds of a clock of its own."""

    name = "crossref"

    def __init__(self) -> None:
        self.now = 0.0

    def component(self) -> Component:
        return Component(role="evidence source", name=self.name)

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        for reference in references:
            self.now += 3.0
            yield NotFound(reference_id=reference.id, asked=(self.name,))

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        raise AssertionError


async def test_progress_tells_how_long_it_will_take() -> None:
    slow, events = Slow(), list[Event]()
    references = [ref(f"Title number {n}", id=f"r{n}") for n in range(10)]
    await gather(EvidenceChain((), [slow], clock=lambda: slow.now).lookup(references, events.append))
    told = [event for event in events if isinstance(event, RetrievalProgress)]
    assert [(one.answered, one.seconds_left) for one in told] == [(2, 24), (4, 18), (6, 12), (8, 6), (10, 0)]
    assert all(one.total == one.asked == 10 and one.source == "crossref" for one in told)
    assert [one.done for one in told] == [2, 4, 6, 8, 10]
