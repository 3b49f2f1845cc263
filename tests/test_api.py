"""The one way in: sync and async give the same, errors arrive, whoever leaves stops the run."""

import threading
import time
from pathlib import Path

import pytest

from tests.fakes.parts import ScriptedReader, ScriptedVerifier, parts
from veriscite import acheck, api, astream, check, stream
from veriscite.domain import Label, Report, RunStatus
from veriscite.errors import InputError, TooLargeError, UnreadableFileError
from veriscite.settings import ReadingSettings, RunSettings, Settings
from veriscite.workflow import Parts


def scripted(claims: int, delay_s: float = 0.0) -> Parts:
    answers = {f"Claim number {n}.": Label.SUPPORT for n in range(1, claims + 1)}
    return parts(
        claims,
        nli=ScriptedVerifier("nli", answers, delay_s=delay_s),
        blind=ScriptedVerifier("blind", answers),
    )


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Parts:
    made = scripted(3)
    monkeypatch.setattr(api, "build", lambda _settings, _library: made)
    return made


def without_times(report: Report) -> dict[str, object]:
    dump = report.model_dump(exclude={"run_id", "started_at", "finished_at"})
    for result in dump["results"]:
        del result["duration_s"]
    return dump


async def test_sync_and_async_give_the_same_report(given: Parts) -> None:
    one, two = check("text [1]"), await acheck("text [1]")
    assert without_times(one) == without_times(two)
    assert one.summary.judged == 3


async def test_sync_and_async_stream_the_same_events(given: Parts) -> None:
    sync = [event.type for event in stream("text")]
    run = astream("text")
    later = [event.type async for event in run]
    assert sorted(sync) == sorted(later)
    assert run.report is not None


def test_works_inside_a_running_event_loop_of_the_caller(given: Parts) -> None:
    import asyncio

    async def caller() -> Report:
        return check("text")  # notebooks have a loop running

    assert asyncio.run(caller()).status is RunStatus.FINISHED


def test_cancel_from_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    made = scripted(50, delay_s=0.05)
    monkeypatch.setattr(api, "build", lambda _settings, _library: made)
    run = stream("text", settings=Settings(run=RunSettings(concurrency=2)))
    events = []
    for event in run:
        events.append(event)
        if event.type == "claim_done":
            threading.Thread(target=run.cancel).start()
            break_at = time.monotonic()
    assert run.report is not None
    assert run.report.status is RunStatus.CANCELLED
    assert run.report.summary.not_reached > 0
    assert time.monotonic() - break_at < 30


def test_leaving_the_loop_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made = scripted(50, delay_s=0.05)
    monkeypatch.setattr(api, "build", lambda _settings, _library: made)
    for event in stream("text", settings=Settings(run=RunSettings(concurrency=1))):
        if event.type == "claim_done":
            break
    assert not [t for t in threading.enumerate() if t.name == "veriscite-run" and t.is_alive()]


def test_errors_arrive_in_the_callers_thread(given: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Parts(**{**given.__dict__, "reader": ScriptedReader(UnreadableFileError("not a PDF"))})
    monkeypatch.setattr(api, "build", lambda _settings, _library: broken)
    with pytest.raises(UnreadableFileError, match="not a PDF"):
        check("text")


def test_a_file_that_is_missing_or_too_large_is_bad_input(given: Parts, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="no file"):
        check(tmp_path / "none.md")
    with pytest.raises(UnreadableFileError, match="folder"):
        check(tmp_path)
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * 2000)
    with pytest.raises(TooLargeError):
        check(large, settings=Settings(reading=ReadingSettings(max_bytes=1000)))


def test_a_file_name_given_as_text_is_told_apart(given: Parts, tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("text [1]")
    with pytest.raises(InputError, match="Path"):
        check(str(paper))
    with pytest.raises(InputError, match="Path"):
        check("text [1]", references=str(paper))


async def test_a_run_is_iterated_over_once(given: Parts) -> None:
    run = astream("text")
    assert [event async for event in run]
    with pytest.raises(RuntimeError):
        _ = [event async for event in run]


def test_parts_with_connections_are_closed_when_a_run_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Connection:
        async def aclose(self) -> None:
            closed.append("closed")

    made = Parts(**{**scripted(1).__dict__, "closing": (Connection(),)})
    monkeypatch.setattr(api, "build", lambda _settings, _library: made)
    check("text")
    assert closed == ["closed"]
