"""Sources in order; missing and could-not-look are different answers."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.evidence.conftest import MakeSource
from tests.evidence.helpers import gather, ref, statuses
from tests.fakes import faults
from tests.fakes.semantic_scholar import FakeSemanticScholar
from veriscite.domain import (
    Ambiguous,
    Candidate,
    Component,
    Evidence,
    EvidenceLookup,
    Found,
    LookupFailed,
    NoAbstract,
    NotFound,
    Reference,
)
from veriscite.errors import SourceError
from veriscite.evidence.cache import AnswerCache, CachedSource
from veriscite.evidence.chain import EvidenceChain
from veriscite.evidence.library import LibrarySource
from veriscite.ports import Emit, SearchRequest, silent
from veriscite.settings import EvidenceSettings

CANDIDATE = Candidate(source="s", record_id="1", title="T", score=0.5)


def answer(kind: str, source: str) -> EvidenceLookup:
    match kind:
        case "found" | "other":
            evidence = Evidence(
                source=source,
                record_id=kind,
                title="T",
                sentences=("S.",),
                retrieved_at=datetime.now(UTC),
                of_cited_work=kind == "found",
            )
            return Found(reference_id="r1", evidence=evidence, queries=(source,))
        case "not_found":
            return NotFound(
                reference_id="r1",
                asked=(source,),
                detail=f"nothing in {source}",
                queries=(source,),
                nearest=(CANDIDATE,),
            )
        case "ambiguous":
            return Ambiguous(reference_id="r1", candidates=(CANDIDATE,), queries=(source,), detail="two fit")
        case "no_abstract":
            return NoAbstract(reference_id="r1", record=CANDIDATE, queries=(source,), detail="empty")
        case _:
            return LookupFailed(
                reference_id="r1", source=source, code="source_failed", message="down", queries=(source,)
            )


class Fake:
    """A source with one answer; `silent` gives none, `raises` breaks."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self.asked: list[str] = []
        self.closed = False

    def component(self) -> Component:
        return Component(role="evidence source", name=self.name)

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        for reference in references:
            self.asked.append(reference.id)
            if self.kind == "raises":
                raise SourceError("broke")
            if self.kind != "silent":
                yield answer(self.kind, self.name).model_copy(update={"reference_id": reference.id})

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        if self.kind == "raises":
            raise SourceError("broke")
        return answer(self.kind, self.name)

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("found", "found", "found"),
        ("not_found", "found", "found"),
        ("no_abstract", "found", "found"),
        ("ambiguous", "found", "found"),
        ("lookup_failed", "found", "found"),
        ("not_found", "not_found", "not_found"),
        ("not_found", "lookup_failed", "lookup_failed"),
        ("lookup_failed", "not_found", "lookup_failed"),
        ("no_abstract", "lookup_failed", "lookup_failed"),
        ("no_abstract", "not_found", "no_abstract"),
        ("not_found", "no_abstract", "no_abstract"),
        ("ambiguous", "not_found", "ambiguous"),
        ("ambiguous", "no_abstract", "no_abstract"),
        ("not_found", "silent", "lookup_failed"),
        ("not_found", "raises", "lookup_failed"),
        ("raises", "found", "found"),
    ],
)
async def test_what_two_sources_say_is_weighed(first: str, second: str, status: str) -> None:
    one, two = Fake("library", first), Fake("semantic_scholar", second)
    found = (await gather(EvidenceChain([one], [two]).lookup([ref("T")])))["r1"]
    assert found.status == status
    assert two.asked == ([] if first == "found" else ["r1"])


async def test_not_found_names_all_who_answered() -> None:
    chain = EvidenceChain([Fake("library", "not_found")], [Fake("semantic_scholar", "not_found")])
    found = (await gather(chain.lookup([ref("T")])))["r1"]
    assert isinstance(found, NotFound)
    assert found.asked == ("library", "semantic_scholar")
    assert found.queries == ("library", "semantic_scholar")
    assert found.detail == ("the library: nothing in library; Semantic Scholar: nothing in semantic_scholar")
    assert found.nearest == (CANDIDATE,)


async def test_offline_no_network_is_asked_and_the_answer_says_so() -> None:
    network = Fake("semantic_scholar", "found")
    chain = EvidenceChain([Fake("library", "not_found")], [network], offline=True)
    found = (await gather(chain.lookup([ref("T")])))["r1"]
    assert isinstance(found, NotFound)
    assert found.asked == ("library",)
    assert found.detail.endswith("offline: Semantic Scholar was not asked")
    assert network.asked == []
    assert chain.sources == ("library",)
    assert "offline" in chain.component().detail
    assert isinstance(await chain.search(SearchRequest(ref("T"), "q")), NotFound)
    await chain.aclose()
    assert network.closed


async def test_offline_without_any_source() -> None:
    chain = EvidenceChain([], [Fake("semantic_scholar", "found")], offline=True)
    found = (await gather(chain.lookup([ref("T")])))["r1"]
    assert found == NotFound(reference_id="r1", detail="offline: Semantic Scholar was not asked")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("other", "found", "found"),
        ("other", "not_found", "other"),
        ("other", "raises", "other"),
        ("not_found", "other", "other"),
        ("not_found", "lookup_failed", "lookup_failed"),
        ("not_found", "not_found", "not_found"),
        ("not_found", "raises", "lookup_failed"),
    ],
)
async def test_searching_prefers_the_cited_work(first: str, second: str, expected: str) -> None:
    chain = EvidenceChain([Fake("library", first)], [Fake("semantic_scholar", second)])
    found = await chain.search(SearchRequest(ref("T"), "q"))
    assert (found.evidence.record_id if isinstance(found, Found) else found.status) == expected


GLASS = "Glass fibres were cooled to four kelvin. Light slowed down by a factor of three."


async def test_library_cache_and_service_together(
    server: FakeSemanticScholar, make_source: MakeSource, tmp_path: Path
) -> None:
    own = [
        ref("Slow light in cold glass fibres", "Iqbal S", 2019, id="glass", abstract=GLASS),
        ref("Sleep loss and plaque growth in mice", "Zhang W", 2018, id="mice"),
        ref("Quantum coconuts and their reasoning", "Example A", 2025, id="invented"),
    ]
    cache = AnswerCache(tmp_path, EvidenceSettings())

    def chain() -> EvidenceChain:
        return EvidenceChain(
            [LibrarySource(own, own_list=True)], [CachedSource(make_source(attempts=1), cache)]
        )

    server.script(faults.unavailable(), path="search", forever=True)
    outage = await gather(chain().lookup(own))
    assert statuses(outage, ["glass", "mice", "invented"]) == ["found", "lookup_failed", "lookup_failed"]
    server.clear_script()
    after = await gather(chain().lookup(own))
    assert statuses(after, ["glass", "mice", "invented"]) == ["found", "found", "not_found"]
    asked = len(server.requests)
    again = await gather(chain().lookup(own))
    assert (again["mice"], again["invented"]) == (after["mice"], after["invented"])
    assert len(server.requests) == asked, "a second run asks for nothing"


async def test_leaving_early_cancels_requests(server: FakeSemanticScholar, make_source: MakeSource) -> None:
    server.script(faults.slow(faults.empty_object(), 30), path="search", forever=True)
    own = [ref("Slow light in cold glass fibres", "Iqbal S", 2019, id="glass", abstract=GLASS)]
    references = [*own, *(ref(f"Matter {n} of many words", "N N", 2000, id=f"r{n}") for n in range(5))]
    chain = EvidenceChain([LibrarySource(own, own_list=True)], [make_source(timeout_s=60)])
    stream = chain.lookup(references)
    assert (await anext(stream)).reference_id == "glass"
    waiting = asyncio.create_task(anext(stream))  # type: ignore[arg-type]
    await asyncio.sleep(0.3)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await asyncio.sleep(0)
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
