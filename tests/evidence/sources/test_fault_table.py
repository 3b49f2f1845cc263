"""For every source and fault: what the user sees, how long it takes at most, that nobody else is harmed."""

import time

import pytest

from tests.evidence.helpers import gather, ref, statuses
from tests.evidence.sources.conftest import Bench
from tests.fakes import faults
from tests.fakes.faults import LASTING_FAULTS, Answer
from tests.fakes.server import Request
from veriscite.domain import Found, LookupFailed
from veriscite.domain.events import Event, Waiting
from veriscite.evidence.sources.source import FinderSource

STENT = ref(
    "A new stent for narrow coronary arteries: a randomised trial",
    "Gómez A",
    2014,
    id="named",
    doi="10.1000/stent.1",
    arxiv="1402.00001",
)
MICE = ref("Sleep loss and plaque growth in mice", "Zhang W", 2018, id="words")

FAULTS: dict[str, Answer] = {
    **{name: make() for name, make in LASTING_FAULTS.items()},
    "slow": faults.slow(faults.empty_object(), 30),
    "slow drip": faults.drip(faults.json_answer({"padding": "x" * 4_000}), 0.05),
    "redirect": Answer(status=302, headers={"Location": "http://203.0.113.9/x"}, name="redirect"),
    "refused key": faults.json_answer({"error": "no"}, status=403),
    "HTML 404": faults.html(404),
    "deep nesting": Answer(body=b"[" * 200_000),
    "not UTF-8": Answer(body=b"\xff\xfe<"),
    "a list": faults.json_answer([]),
    "a number": faults.json_answer(7),
    "null": faults.json_answer(None),
}
TITLES = {
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "europe_pmc": "Europe PMC",
    "arxiv": "arXiv",
}
RETRIED = {"429", "429 Retry-After", "500", "502", "503", "slow", "slow drip"}
LIMITED = {"429", "429 Retry-After"}
FINAL = {"redirect", "refused key"}


def about_mice(request: Request) -> bool:
    return "plaque" in request.raw_query


@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_a_fault_of_one_search(bench: Bench, fault: str) -> None:
    bench.server.script(FAULTS[fault], when=about_mice, forever=True)
    events: list[Event] = []
    finder = bench.finder(timeout_s=0.5 if "slow" in fault else 5.0, cached=True)
    began = time.monotonic()
    found = await gather(FinderSource(finder).lookup([STENT, MICE], events.append))
    assert time.monotonic() - began < 30, "a drip alone would take 200 s"
    assert statuses(found, ["named", "words"]) == ["found", "lookup_failed"]
    failure = found["words"]
    assert isinstance(failure, LookupFailed)
    assert failure.source == bench.name
    assert failure.message.startswith(TITLES[bench.name])
    assert "\n" not in failure.message
    assert "http" not in failure.message
    assert failure.code == (
        "rate_limited" if fault in LIMITED else "source_refused" if fault in FINAL else "source_failed"
    )
    assert failure.retryable == (fault not in FINAL)
    waits = [event for event in events if isinstance(event, Waiting)]
    assert bool(waits) == (fault in RETRIED)
    # After the outage a rerun asks only for what is missing.
    await finder.aclose()
    bench.server.clear_script()
    before = len(bench.server.requests)
    again = await gather(FinderSource(bench.finder(cached=True)).lookup([STENT, MICE]))
    assert statuses(again, ["named", "words"]) == ["found", "found"]
    assert all(about_mice(request) for request in bench.server.requests[before:])


@pytest.mark.parametrize("fault", sorted([*LASTING_FAULTS, "redirect", "slow drip"]))
async def test_a_fault_of_the_batch_call_says_nothing_of_the_works(bench: Bench, fault: str) -> None:
    def batch(request: Request) -> bool:
        return not about_mice(request)

    bench.server.script(FAULTS[fault], when=batch, forever=True)
    finder = bench.finder(timeout_s=0.5 if "slow" in fault else 5.0, attempts=1)
    found = await gather(FinderSource(finder).lookup([MICE, STENT]))
    assert found["named"].status == "lookup_failed"
    if fault not in FINAL:
        assert found["words"].status == "found"


async def test_nobody_there(bench: Bench) -> None:
    finder = bench.finder(url="http://127.0.0.1:9")
    found = await gather(FinderSource(finder).lookup([STENT, MICE]))
    for failure in found.values():
        assert isinstance(failure, LookupFailed)
        assert "could not be reached" in failure.message
        assert failure.retryable


async def test_a_wait_longer_than_allowed_is_not_begun(bench: Bench) -> None:
    bench.server.script(faults.rate_limited(3600), forever=True)
    began = time.monotonic()
    found = await gather(FinderSource(bench.finder(max_wait_s=1.0)).lookup([STENT, MICE]))
    assert time.monotonic() - began < 20
    assert statuses(found, ["named", "words"]) == ["lookup_failed", "lookup_failed"]
    assert len(bench.server.requests) == 1
    failure = found["named"]
    assert isinstance(failure, LookupFailed)
    assert failure.code == "rate_limited"
    assert "3600 s" in failure.message


async def test_a_passing_fault_is_not_noticed(bench: Bench) -> None:
    bench.server.script(faults.unavailable(0.01), faults.rate_limited())
    found = await gather(FinderSource(bench.finder(attempts=4, max_wait_s=5)).lookup([STENT, MICE]))
    assert statuses(found, ["named", "words"]) == ["found", "found"]


async def test_a_redirect_is_not_followed_and_the_secrets_stay(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    bench.server.script(FAULTS["redirect"], path="", when=about_mice, forever=True)
    finder = bench.finder(key="k3y-s3cret", email="someone@example.org", cached=True)
    events: list[Event] = []
    found = await gather(FinderSource(finder).lookup([STENT, MICE], events.append))
    assert isinstance(found["named"], Found)
    await finder.aclose()
    told = [answer.model_dump_json() for answer in found.values()]
    told += [event.model_dump_json() for event in events]
    told += [finder.component().model_dump_json(), caplog.text, repr(vars(bench.finder))]
    told += [path.read_bytes().decode("latin-1") for path in bench.folder.iterdir()]
    told += [f"{request.path}?{request.raw_query}" for request in bench.server.requests]
    for secret in ("k3y-s3cret", "someone@example.org", "someone%40example.org"):
        assert not any(secret in text for text in told)
    if bench.name not in ("semantic_scholar",):
        assert "mailto:someone@example.org" in bench.server.requests[0].headers["user-agent"]


async def test_an_outage_is_found_out_once_not_for_each_reference(bench: Bench) -> None:
    bench.server.script(faults.unavailable(), forever=True)
    many = [ref(f"Matter number {n} of many words", "Nobody N", 2000, id=f"r{n}") for n in range(40)]
    found = await gather(FinderSource(bench.finder(attempts=2)).lookup(many))
    assert {answer.status for answer in found.values()} == {"lookup_failed"}
    assert len(bench.server.requests) <= 2 * 7
