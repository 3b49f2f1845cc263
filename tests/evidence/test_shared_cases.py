"""Hard cases of the service's answers, run through the real client (skipped where the cases are absent)."""

from typing import Any

import pytest

from tests.evidence.conftest import MakeSource
from tests.evidence.helpers import gather
from tests.evidence.shared import cases
from tests.fakes import faults
from tests.fakes.semantic_scholar import FakeSemanticScholar
from veriscite.domain import EvidenceLookup, Found, Identifiers, NoAbstract, Reference
from veriscite.evidence.records import parse_name

CASES = cases("D")


def _reference(given: dict[str, Any]) -> list[Reference]:
    if "batch_ids" in given:
        return [
            Reference(
                id=wanted,
                raw=wanted,
                identifiers=Identifiers(doi=wanted.removeprefix("DOI:"))
                if wanted.startswith("DOI:")
                else Identifiers(semantic_scholar=wanted),
            )
            for wanted in given["batch_ids"]
        ]
    author, title, year = given.get("first_author"), given.get("title"), given.get("year")
    raw = ". ".join(str(part) for part in (author, year, title, given.get("venue"), given.get("url")) if part)
    return [
        Reference(
            id="r",
            raw=raw,
            title=title,
            authors=(parse_name(author),) if author else (),
            year=year,
            venue=given.get("venue"),
            url=given.get("url"),
            identifiers=Identifiers(doi=given.get("doi")),
        )
    ]


def _script(server: FakeSemanticScholar, answers: list[dict[str, Any]]) -> None:
    """Put the scripted answers where this client asks."""
    for given in answers:
        when, response = given["when"], given["response"]
        reply = faults.json_answer(response["body"], response["status"])
        if when.startswith("GET /paper/"):
            # Single look-ups are batch calls here, of which an unknown id is a null.
            body = [response["body"] if response["status"] == 200 else None]
            server.script(faults.json_answer(body), path="/batch")
        elif when.startswith("POST"):
            server.script(reply, path="/batch")
        elif "match" in when:
            server.script(reply, path="/search/match", forever=True)
        elif when == "any":
            server.script(reply, forever=True)
        else:
            server.script(reply, path="/search", when=lambda r: r.path.endswith("/search"), forever=True)
    for path in ("/search/match", "/search"):
        server.script(faults.json_answer({"total": 0, "offset": 0}), path=path, forever=True)


def _matched(answer: EvidenceLookup) -> str | None:
    if isinstance(answer, Found):
        return answer.evidence.record_id
    return answer.record.record_id if isinstance(answer, NoAbstract) else None


@pytest.mark.skipif(not CASES, reason="the hard cases are not here (set VERISCITE_SHARED)")
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
async def test_hard_case(case: dict[str, Any], server: FakeSemanticScholar, make_source: MakeSource) -> None:
    server.papers = []
    _script(server, case["input"]["api"])
    answers = await gather(make_source().lookup(_reference(case["input"]["reference"])))
    expected = case["expected"]
    matched = {reference_id: _matched(answer) for reference_id, answer in answers.items()}
    told = " ".join(answer.model_dump_json() for answer in answers.values()).lower()
    assert "fabricated" not in told
    assert "hallucinated" not in told
    assert all(answer.status != "lookup_failed" for answer in answers.values())
    if isinstance(expected.get("matched"), dict):
        assert matched == expected["matched"]
        return
    assert matched["r"] == expected.get("matched")
    assert matched["r"] not in expected.get("must_not", ())
    if case["id"] == "D10":
        # No sentence of a misfiled abstract may reach a verifier.
        assert isinstance(answers["r"], NoAbstract)
        assert "another paper" in answers["r"].detail
    if "NOT_FOUND" in expected.get("status", ""):
        assert answers["r"].status in ("not_found", "ambiguous")
