"""Every source: what is asked in how many calls, and what its records hold."""

from tests.evidence.helpers import gather, ref, statuses
from tests.evidence.sources.conftest import MIND, STENT, Bench
from tests.fakes import faults
from veriscite.domain import Found, NoAbstract, Reference
from veriscite.evidence.sources.source import FinderSource
from veriscite.ports import SearchRequest

NAMED = {
    "semantic_scholar": "doi",
    "openalex": "doi",
    "crossref": "doi",
    "europe_pmc": "pmid",
    "arxiv": "arxiv",
}


def named(bench: Bench) -> list[Reference]:
    """The corpus as a list that names the identifier of each."""
    kind = NAMED[bench.name]
    return [
        ref(work.title, work.authors[0][1], work.year, id=f"r{n}", **{kind: getattr(work, kind)})
        for n, work in enumerate((STENT, MIND))
    ]


async def test_identifiers_are_asked_for_in_one_call(bench: Bench) -> None:
    found = await gather(FinderSource(bench.finder()).lookup(named(bench)))
    assert statuses(found, ["r0", "r1"]) == ["found", "found"]
    assert len(bench.server.requests) == 1
    evidence = found["r0"]
    assert isinstance(evidence, Found)
    assert evidence.evidence.source == bench.name
    assert evidence.evidence.year == 2014
    assert [author.family for author in evidence.evidence.authors] == ["Gómez", "Ito"]
    assert evidence.evidence.sentences[-1].startswith("Restenosis was 4.2 %")


async def test_words_find_what_has_no_identifier(bench: Bench) -> None:
    cited = ref(MIND.title, "Zhang W", 2018)
    found = await gather(FinderSource(bench.finder()).lookup([cited]))
    assert found["r1"].status == "found"
    assert len(bench.server.requests) == 1


async def test_a_record_without_an_abstract(bench: Bench) -> None:
    cited = ref("Kinetics of silent enzymes in yeast cells", "Poe D", 2001)
    answer = (await gather(FinderSource(bench.finder()).lookup([cited])))["r1"]
    assert isinstance(answer, NoAbstract)
    assert answer.record.identifiers.any(), "what the next source is asked by"


async def test_nothing_known_is_not_found_and_kept(bench: Bench) -> None:
    kind = NAMED[bench.name]
    value = {"doi": "10.9999/none", "pmid": "77", "arxiv": "2001.99999"}[kind]
    lost = ref("Unheard matters of no renown whatever", "Nobody N", 2000, **{kind: value})
    for _ in range(2):
        found = await gather(FinderSource(bench.finder(cached=True)).lookup([lost]))
        assert found["r1"].status == "not_found"
    asked = len(bench.server.requests)
    assert asked <= 4
    await gather(FinderSource(bench.finder(cached=True)).lookup([lost]))
    assert len(bench.server.requests) == asked


async def test_evidence_and_checks_share_what_was_asked(bench: Bench) -> None:
    finder = bench.finder(cached=True)
    references = named(bench)
    await gather(FinderSource(finder).lookup(references))
    records = await bench.finder(cached=True).by_identifier(references)
    assert {key: len(found) for key, found in records.items()} == {"r0": 1, "r1": 1}
    assert len(bench.server.requests) == 1


async def test_a_reference_without_use_here_is_left_out(bench: Bench) -> None:
    assert await bench.finder().by_identifier([ref("A title", "Author A", 2000)]) == {}
    assert bench.server.requests == []


async def test_one_bad_identifier_does_not_harm_the_batch(bench: Bench) -> None:
    kind = NAMED[bench.name]
    good = named(bench)
    bad = ref(
        "Unheard matters of no renown",
        "Nobody N",
        2000,
        id="bad",
        **{kind: {"doi": "10.9999/b-a-d", "pmid": "66", "arxiv": "2001.66666"}[kind]},
    )
    needle = {"doi": "b-a-d", "pmid": "66", "arxiv": "2001.66666"}[kind]

    def holds(request: object) -> bool:
        query, body = request.raw_query, request.body.decode()  # type: ignore[attr-defined]
        return needle in query or needle in body

    bench.server.script(faults.json_answer({"error": "bad request"}, status=400), when=holds, forever=True)
    answers = await bench.finder().identified([*good, bad])
    assert [len(getattr(answers[key], "records", ())) for key in ("r0", "r1", "bad")] == [1, 1, 0]


async def test_the_planner_may_search(bench: Bench) -> None:
    request = SearchRequest(
        ref("Another matter altogether of note", "Nobody N", 1999), "sleep plaque mice loss growth in"
    )
    found = await FinderSource(bench.finder()).search(request)
    assert isinstance(found, Found)
    assert not found.evidence.of_cited_work
