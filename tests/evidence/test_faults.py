"""For every fault of the service: what is seen, that siblings are unharmed, that time is bounded."""

import time
from itertools import pairwise

import pytest

from tests.evidence.conftest import MakeSource
from tests.evidence.helpers import gather, ref, statuses
from tests.fakes import faults
from tests.fakes.faults import LASTING_FAULTS
from tests.fakes.semantic_scholar import FakeSemanticScholar
from tests.fakes.server import Request
from veriscite.domain import LookupFailed
from veriscite.domain.events import Event, Waiting

STENT = ref(
    "A new stent for narrow coronary arteries: a randomised trial",
    "Gómez A",
    2014,
    id="id",
    doi="10.1000/stent.1",
)
YEAST = ref(
    "Kinetics of silent enzymes in yeast cells",
    "Poe D",
    2001,
    id="yeast",
    raw="Poe D. Kinetics",
    doi="10.1000/yeast",
)
MICE = ref("Sleep loss and plaque growth in mice", "Zhang W", 2018, id="words")
RETRIED = {"429", "429 Retry-After", "500", "502", "503"}


def about_mice(request: Request) -> bool:
    return "plaque" in request.raw_query


@pytest.mark.parametrize("fault", sorted(LASTING_FAULTS))
async def test_a_lasting_fault_of_one_search(
    server: FakeSemanticScholar, make_source: MakeSource, fault: str
) -> None:
    server.script(LASTING_FAULTS[fault](), when=about_mice, forever=True)
    events: list[Event] = []
    began = time.monotonic()
    found = await gather(make_source(attempts=3).lookup([STENT, MICE, YEAST], events.append))
    assert time.monotonic() - began < 20
    assert statuses(found, ["id", "words", "yeast"]) == ["found", "lookup_failed", "no_abstract"]
    failure = found["words"]
    assert isinstance(failure, LookupFailed)
    assert failure.source == "semantic_scholar"
    assert failure.retryable
    assert failure.code == ("rate_limited" if fault.startswith("429") else "source_failed")
    assert failure.message.startswith("Semantic Scholar")
    assert "\n" not in failure.message
    asked = sum(about_mice(r) for r in server.requests)
    assert asked == (3 if fault in RETRIED else 1)
    waits = [event for event in events if isinstance(event, Waiting)]
    assert len(waits) == asked - 1
    if fault == "429 Retry-After":
        assert all(wait.seconds == pytest.approx(0.01) for wait in waits)
        assert "asks us to wait" in waits[0].reason


@pytest.mark.parametrize("fault", sorted(LASTING_FAULTS))
async def test_a_lasting_fault_of_the_batch_call(
    server: FakeSemanticScholar, make_source: MakeSource, fault: str
) -> None:
    server.script(LASTING_FAULTS[fault](), path="/batch", forever=True)
    found = await gather(make_source(attempts=2).lookup([STENT, MICE, YEAST]))
    # Nothing is said about works that could not be looked for, and what needs no batch is found.
    assert statuses(found, ["id", "words", "yeast"]) == ["lookup_failed", "found", "lookup_failed"]
    assert not any("search" in r.path and b"stent" in r.raw_query.encode() for r in server.requests)


@pytest.mark.parametrize("fault", sorted(RETRIED))
async def test_a_passing_fault_is_not_noticed(
    server: FakeSemanticScholar, make_source: MakeSource, fault: str
) -> None:
    server.script(LASTING_FAULTS[fault](), LASTING_FAULTS[fault]())
    found = await gather(make_source(attempts=3).lookup([STENT, MICE]))
    assert statuses(found, ["id", "words"]) == ["found", "found"]


@pytest.mark.parametrize("silent_status", [502, 503])
async def test_silent_gateways_are_never_not_found(
    server: FakeSemanticScholar, make_source: MakeSource, silent_status: int
) -> None:
    for body in (b"{}", b"[]", b""):
        server.clear_script()
        server.script(faults.server_error(silent_status, body), forever=True)
        found = await gather(make_source(attempts=1).lookup([STENT, MICE]))
        assert statuses(found, ["id", "words"]) == ["lookup_failed", "lookup_failed"]


async def test_a_wait_longer_than_allowed_is_not_begun(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    server.script(faults.rate_limited(3600), forever=True)
    began = time.monotonic()
    found = await gather(make_source(max_wait_s=1.0).lookup([STENT, MICE]))
    assert time.monotonic() - began < 20
    assert statuses(found, ["id", "words"]) == ["lookup_failed", "lookup_failed"]
    failure = found["id"]
    assert isinstance(failure, LookupFailed)
    assert failure.code == "rate_limited"
    assert "3600 s" in failure.message
    assert len(server.requests) == 1, "the search is not even tried: the whole service asked us to wait"


async def test_retry_after_as_a_date_is_understood(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    server.script(faults.rate_limited("Wed, 21 Oct 2015 07:28:00 GMT"))
    found = await gather(make_source().lookup([MICE]))
    assert found["words"].status == "found"


async def test_the_pause_holds_all_requests_of_the_host(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    others = [
        ref(f"Unknown matter number {n} of many words", "Nobody N", 2000 + n, id=f"o{n}") for n in range(3)
    ]
    server.script(faults.rate_limited(0.4))
    await gather(make_source().lookup([MICE, *others]))
    first_times = sorted(r.at for r in server.requests)
    # Up to four requests may have left before the answer came; after it there is a pause.
    assert max(b - a for a, b in pairwise(first_times)) > 0.3


async def test_slow_answers_time_out_and_are_retried(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    hang = faults.slow(faults.empty_object(), 30)
    server.script(hang, hang, when=about_mice)
    began = time.monotonic()
    found = await gather(make_source(attempts=2, timeout_s=0.3).lookup([MICE]))
    assert time.monotonic() - began < 20
    failure = found["words"]
    assert isinstance(failure, LookupFailed)
    assert "within 0.3 s" in failure.message


async def test_a_drip_of_bytes_times_out_too(server: FakeSemanticScholar, make_source: MakeSource) -> None:
    dripping = faults.drip(faults.json_answer({"data": [], "padding": "x" * 4_000}), 0.05)
    server.script(dripping, path="/search", forever=True)
    began = time.monotonic()
    found = await gather(make_source(attempts=1, timeout_s=0.4).lookup([MICE]))
    assert time.monotonic() - began < 20, "the whole drip takes 200 s"
    assert found["words"].status == "lookup_failed"


async def test_an_outage_is_found_out_once_not_for_each_reference(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    server.script(faults.unavailable(), forever=True)
    many = [ref(f"Matter number {n} of many words", "Nobody N", 2000, id=f"r{n}") for n in range(40)]
    source = make_source(attempts=3)
    found = await gather(source.lookup(many))
    assert {answer.status for answer in found.values()} == {"lookup_failed"}
    assert len(server.requests) <= 3 * 7, "a few failures in a row, then silence"
    assert sum("not asked any more" in getattr(answer, "message", "") for answer in found.values()) >= 30
    # After the outage a rerun finds what it can.
    server.clear_script()
    assert (await gather(make_source().lookup([MICE])))["words"].status == "found"


async def test_a_redirect_to_another_host_is_not_followed(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    server.script(
        faults.Answer(status=302, headers={"Location": "http://203.0.113.9/x"}, body=b""),
        path="/search",
        forever=True,
    )
    failure = (await gather(make_source(key="k3y").lookup([MICE])))["words"]
    assert isinstance(failure, LookupFailed)
    assert not failure.retryable
    assert "another address" in failure.message


async def test_404_pages_are_failures_and_404_json_is_not(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    server.script(faults.html(404), path="/search")
    assert (await gather(make_source().lookup([MICE])))["words"].status == "lookup_failed"
    server.script(
        faults.json_answer({"error": "Title match not found"}, status=404), path="/search", forever=True
    )
    assert (await gather(make_source().lookup([MICE])))["words"].status == "not_found"


async def test_a_batch_without_any_known_id_is_an_answer(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    lost = ref("Matter of many words and no end", "Nobody N", 2000, doi="10.9999/none")
    found = await gather(make_source().lookup([lost]))
    assert found["r1"].status == "not_found"


async def test_deep_nesting_and_huge_numbers_are_broken_json(
    server: FakeSemanticScholar, make_source: MakeSource
) -> None:
    for body in (b"[" * 200_000, b"\xff\xfe", b'{"total": 1' + b"0" * 6000 + b"}"):
        server.clear_script()
        server.script(faults.Answer(body=body), path="/search", forever=True)
        assert (await gather(make_source().lookup([MICE])))["words"].status == "lookup_failed"


async def test_nobody_there() -> None:
    from veriscite.evidence.http import Network
    from veriscite.evidence.sources.semantic_scholar import SemanticScholar
    from veriscite.evidence.sources.source import FinderSource
    from veriscite.settings import EvidenceSettings, SemanticScholarSettings

    options = SemanticScholarSettings(api_url="http://127.0.0.1:9", requests_per_second=1000)
    source = FinderSource(SemanticScholar(options, Network(EvidenceSettings(timeout_s=2))))
    failure = (await gather(source.lookup([MICE])))["words"]
    assert isinstance(failure, LookupFailed)
    assert "could not be reached" in failure.message
