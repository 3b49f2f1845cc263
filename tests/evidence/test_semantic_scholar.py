"""The real client against the fake service: what is asked, and what comes of it."""

import asyncio
import logging
from pathlib import Path

import pytest

from tests.evidence.conftest import MakeSource
from tests.evidence.helpers import gather, ref, statuses
from tests.fakes import faults
from tests.fakes.semantic_scholar import FakeSemanticScholar, ids_of, paper
from veriscite.domain import Ambiguous, Found, NoAbstract, NotFound
from veriscite.errors import SettingsError
from veriscite.evidence.http import Network
from veriscite.evidence.sources.semantic_scholar import SemanticScholar, record_of_paper
from veriscite.ports import SearchRequest
from veriscite.settings import EvidenceSettings, SemanticScholarSettings

STENT_TITLE = "A new stent for narrow coronary arteries: a randomised trial"


async def test_identifiers_are_asked_for_in_one_call(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    references = [
        ref(STENT_TITLE, "Gómez A", 2014, id="doi", doi="10.1000/stent.1"),
        ref(STENT_TITLE, "Gómez A", 2014, id="pmid", pmid="2468"),
        ref("Withheld words in closed journals", "Quine E", 2020, id="arxiv", arxiv="2001.00001"),
        ref("Kinetics of silent enzymes in yeast cells", "Poe D", 2001, id="none", doi="10.1000/yeast"),
    ]
    found = await gather(make_source().lookup(references))
    assert len(server.requests) == 1
    assert ids_of(server.requests[0]) == [
        "DOI:10.1000/stent.1",
        "PMID:2468",
        "ARXIV:2001.00001",
        "DOI:10.1000/yeast",
    ]
    assert statuses(found, ["doi", "pmid", "arxiv", "none"]) == [
        "found",
        "found",
        "no_abstract",
        "no_abstract",
    ]
    evidence = found["doi"]
    assert isinstance(evidence, Found)
    assert evidence.evidence.record_id == "a" * 40
    assert evidence.evidence.sentences[2].startswith("Results: Restenosis was 4.2 %")
    assert evidence.evidence.identifiers.doi == "10.1000/stent.1"
    elided, empty = found["arxiv"], found["none"]
    assert isinstance(elided, NoAbstract)
    assert "publisher" in elided.detail
    assert isinstance(empty, NoAbstract)
    assert "no abstract" in empty.detail


async def test_five_hundred_identifiers_a_call(server: FakeSemanticScholar, make_source: MakeSource) -> None:
    server.papers = [
        paper(
            f"{n:040x}",
            f"Study number {n} of many kinds of garden snails",
            ["A. Bee"],
            2000,
            f"Garden snails of kind {n} were counted in many gardens by hand.",
            externalIds={"DOI": f"10.1/{n}"},
        )
        for n in range(1, 1002)
    ]
    references = [
        ref(f"Study number {n} of many kinds of garden snails", "Bee A", 2000, id=f"r{n}", doi=f"10.1/{n}")
        for n in range(1, 1002)
    ]
    found = await gather(make_source(timeout_s=20).lookup(references))
    assert [len(ids_of(request)) for request in server.requests] == [500, 500, 1]
    assert {answer.status for answer in found.values()} == {"found"}


async def test_positions_not_ids_tie_batch_answers_to_references(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    server.script(
        faults.json_answer(
            [
                {
                    "paperId": "a",
                    "title": "A",
                    "year": None,
                    "authors": [],
                    "abstract": None,
                    "externalIds": {},
                },
                None,
                {"paperId": "new-c", "title": "C", "year": None, "authors": [], "abstract": None},
            ]
        ),
        path="/batch",
    )
    references = [
        ref(id="a", raw="DOI:10.9999/a", doi="10.9999/a"),
        ref(id="b", raw="DOI:10.9999/b", doi="10.9999/b"),
        ref(id="c", raw="", semantic_scholar="old-c"),
    ]
    found = await gather(make_source().lookup(references))
    assert statuses(found, ["a", "b", "c"]) == ["no_abstract", "not_found", "no_abstract"]
    moved = found["c"]
    assert isinstance(moved, NoAbstract)
    assert moved.record.record_id == "new-c"


async def test_an_unknown_identifier_falls_through_to_a_search(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    found = await gather(make_source().lookup([ref(STENT_TITLE, "Gomez A; Ito B", 2014, doi="10.9999/typo")]))
    answer = found["r1"]
    assert isinstance(answer, Found)
    assert answer.evidence.record_id == "a" * 40
    assert answer.queries[0] == "DOI:10.9999/typo"
    assert answer.queries[1].startswith("A new stent for narrow coronary")


async def test_an_identifier_of_another_paper_is_not_believed(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    wrong = ref("Glaciers and their slow retreat in the western Alps", "Gómez A", 2014, doi="10.1000/stent.1")
    answer = (await gather(make_source().lookup([wrong])))["r1"]
    assert isinstance(answer, NotFound)
    assert "new stent" in answer.detail
    assert answer.nearest[0].record_id == "a" * 40


@pytest.mark.parametrize(
    "title",
    [
        "Search & Rescue: “smart” drones — an end-to-end study.",
        "Search & rescue 'smart' drones - an end-to-end study",
        "<i>Search</i> &amp; Rescue: {S}mart drones: an end-to-end study?",
    ],
)
async def test_titles_with_signs_that_spoil_addresses(
    server: FakeSemanticScholar, make_source: MakeSource, title: str
) -> None:
    server.papers.append(
        paper(
            "e" * 40,
            "Search & Rescue: 'Smart' Drones - An End-to-End Study",
            ["Kim Lee"],
            2021,
            "Drones searched for lost walkers in forests. Rescue took eleven minutes on average.",
        )
    )
    answer = (await gather(make_source().lookup([ref(title, "Lee, K", 2021)])))["r1"]
    assert isinstance(answer, Found)
    assert len(server.requests) <= 2
    for request in server.requests:
        query = request.query["query"][0]
        assert "rescue smart drones" in query.lower()
        assert not set(":-“”—{}<>") & set(query)


async def test_a_reference_without_parsed_fields_is_found_by_its_raw_text(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    raw = (
        "[7] Zhang W, Roe C (2018) Sleep loss and plaque growth in mice. J Sleep 3:1-9. https://example.org/x"
    )
    answer = (await gather(make_source().lookup([ref(raw=raw)])))["r1"]
    assert isinstance(answer, Found)
    assert answer.evidence.record_id == "b" * 40
    assert "example" not in answer.queries[0]


async def test_no_hit_is_not_found_with_what_was_asked(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    answer = (
        await gather(make_source().lookup([ref("Quantum coconuts and their reasoning", "Example A", 2025)]))
    )["r1"]
    assert isinstance(answer, NotFound)
    assert answer.asked == ("semantic_scholar",)
    assert [r.path.rsplit("/", 1)[1] for r in server.requests] == ["match", "search", "search"]
    assert answer.queries == (
        "Quantum coconuts and their reasoning",
        "Example 2025 Quantum coconuts and their reasoning",
        "Quantum coconuts and their reasoning",
    )


async def test_an_empty_match_is_no_crash(server: FakeSemanticScholar, make_source: MakeSource) -> None:
    server.script(faults.json_answer({"data": []}), path="/match")
    answer = (
        await gather(make_source().lookup([ref("Quantum coconuts and their reasoning", "Example A", 2025)]))
    )["r1"]
    assert isinstance(answer, NotFound)


async def test_two_works_that_fit_equally_are_both_named(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    for n, author in (("1", "Jane Moe"), ("2", "Rita Sun")):
        server.papers.append(
            paper(
                n * 40,
                "Soil and water in dry river valleys",
                [author],
                2010,
                f"Soil and water of valley {n} were measured for five dry years in a row.",
            )
        )
    answer = (
        await gather(make_source().lookup([ref("Soil and water in dry river valleys", "", 2010, raw="x")]))
    )["r1"]
    assert isinstance(answer, Ambiguous)
    assert {c.record_id for c in answer.candidates} == {"1" * 40, "2" * 40}


async def test_nonsense_inside_records_does_not_crash(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    good = server.papers[1]
    server.script(
        faults.json_answer(
            {
                "total": 5,
                "data": [
                    "text",
                    {"paperId": None, "title": 7, "authors": "x", "year": "soon"},
                    {
                        "paperId": "z",
                        "title": None,
                        "authors": [None, {"name": None}, "A. B"],
                        "externalIds": [1],
                        "url": "javascript:alert(1)",
                        "abstract": {"x": 1},
                        "openAccessPdf": "no",
                    },
                    good,
                ],
            }
        ),
        path="/search",
    )
    answer = (await gather(make_source().lookup([ref(good["title"], "Zhang W", 2018)])))["r1"]
    assert isinstance(answer, Found)


def test_an_address_that_runs_code_is_dropped() -> None:
    record = record_of_paper(
        {"paperId": "z", "url": "javascript:alert(1)", "year": 99999, "title": " A \n B "}
    )
    assert record is not None
    assert (record.url, record.year, record.title) == (None, None, "A B")


async def test_the_planner_gets_another_work_marked_as_such(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    source = make_source()
    cited = ref("Kinetics of silent enzymes in yeast cells", "Poe D", 2001)
    other = await source.search(SearchRequest(cited, "plaque growth: mice – sleep."))
    assert isinstance(other, Found)
    assert (other.evidence.record_id, other.evidence.of_cited_work) == ("b" * 40, False)
    same = await source.search(SearchRequest(ref(STENT_TITLE, "Gómez A", 2014), "stent restenosis coronary"))
    assert isinstance(same, Found)
    assert same.evidence.of_cited_work
    nothing = await source.search(SearchRequest(cited, "“ ” : -"))
    assert isinstance(nothing, NotFound)


async def test_answers_come_as_they_are_known(server: FakeSemanticScholar, make_source: MakeSource) -> None:
    hang = faults.slow(faults.json_answer({"total": 0}), 30)
    server.script(hang, path="/search", when=lambda r: "Kinetics" in r.raw_query)
    answers = make_source(timeout_s=60).lookup(
        [
            ref("Kinetics of silent enzymes in yeast cells", "Poe D", 2001, id="slow"),
            ref("Sleep loss and plaque growth in mice", "Zhang W", 2018, id="quick"),
        ]
    )
    first = await asyncio.wait_for(anext(answers), 5)
    assert (first.reference_id, first.status) == ("quick", "found")
    await asyncio.wait_for(answers.aclose(), 2)  # type: ignore[attr-defined]


async def test_the_key_is_sent_and_shown_nowhere(
    server: FakeSemanticScholar, make_source: MakeSource, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    key = "s3cret-key-value"
    source = make_source(key=key, attempts=1)
    server.script(faults.json_answer({"message": "Forbidden"}, status=403), path="/search")
    server.script(faults.no_answer(), path="/search")
    refused = (await gather(source.lookup([ref("Sleep loss and plaque growth in mice", "Zhang W", 2018)])))[
        "r1"
    ]
    dropped = (
        await gather(
            make_source(key=key).lookup([ref("Sleep loss and plaque growth in mice", "Zhang W", 2018)])
        )
    )["r1"]
    assert server.requests[0].headers["x-api-key"] == key
    assert refused.status == dropped.status == "lookup_failed"
    assert "SEMANTIC_SCHOLAR_API_KEY" in refused.message
    assert not refused.retryable
    assert dropped.retryable
    shown = (
        caplog.text
        + refused.model_dump_json()
        + dropped.model_dump_json()
        + source.component().model_dump_json()
    )
    assert key not in shown
    assert "with a key" in source.component().detail
    assert len(logging.getLogger().handlers) == len(
        [h for h in logging.getLogger().handlers if h is not None]
    )


@pytest.mark.parametrize(
    ("url", "key"),
    [("ftp://x", None), ("nowhere", None), ("https://x.org", "two\nlines"), ("https://x.org", "ключ")],
)
def test_settings_that_cannot_work_are_refused_early(url: str, key: str | None) -> None:
    with pytest.raises(SettingsError) as refused:
        SemanticScholar(SemanticScholarSettings(api_url=url, api_key=key), Network(EvidenceSettings()))
    assert key is None or key not in str(refused.value)


def test_one_source_serves_several_loops(make_source: MakeSource) -> None:
    source = make_source()

    async def once() -> str:
        found = await gather(source.lookup([ref("Sleep loss and plaque growth in mice", "Zhang W", 2018)]))
        await source.aclose()
        return found["r1"].status

    assert [asyncio.run(once()), asyncio.run(once())] == ["found", "found"]


def test_importing_the_source_leaves_logging_and_time_alone() -> None:
    import subprocess
    import sys

    code = (
        "import sys, logging; import veriscite.evidence.sources.semantic_scholar as s;"
        "assert 'semanticscholar' not in sys.modules;"
        "from veriscite.evidence.sources.s2_client import Client; Client('http://127.0.0.1:1', None, 1.0);"
        "assert not logging.getLogger().handlers"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root, timeout=60)


async def test_without_authors_a_search_comes_before_the_one_best_title(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    """Several works may carry the title; the best match alone would hide it."""
    title = "Foundations of measurement in small samples"
    for letter, name in (("e", "A. One"), ("f", "B. Two")):
        server.papers.append(paper(letter * 40, title, [name], 1990, None))
    answer = (await gather(make_source().lookup([ref(title, "", 1990)])))["r1"]
    assert isinstance(answer, Ambiguous)
    assert [r.path.rsplit("/", 1)[1] for r in server.requests] == ["search"]
