"""Jobs: what becomes of a run in its worker thread."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from veriscite_app.jobs import JobRegistry, JobState, TooManyJobsError
from veriscite_app.submission import NamedFile, Submission

from tests import builders
from tests.app.conftest import ScriptedRun
from veriscite.errors import ChatUnavailableError, NoReferencesError

REPORT = builders.full_report()
EVENTS = builders.events_of(REPORT)


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.005)


def registry_of(*runs: ScriptedRun, **limits: int) -> JobRegistry:
    waiting = list(runs)
    return JobRegistry(starter=lambda _submission, _folder: waiting.pop(0), **limits)


def state(registry: JobRegistry, job_id: str) -> JobState:
    view = registry.view(job_id)
    assert view is not None
    return view.state


def test_a_finished_run_keeps_its_events_and_report(manuscript: Submission) -> None:
    registry = registry_of(ScriptedRun(EVENTS, REPORT))
    job_id = registry.submit(manuscript)
    wait_for(lambda: state(registry, job_id).ended)
    view = registry.view(job_id)
    assert view is not None
    assert view.state is JobState.FINISHED
    assert list(view.events) == EVENTS
    assert view.report == REPORT
    assert view.problem is None
    assert view.progress.finished


def test_events_are_seen_before_the_run_ends(manuscript: Submission) -> None:
    run = ScriptedRun(EVENTS, REPORT, hold_at=5)
    registry = registry_of(run)
    job_id = registry.submit(manuscript)
    wait_for(lambda: len(registry.view(job_id).events) == 5)  # type: ignore[union-attr]
    assert state(registry, job_id) is JobState.RUNNING
    run.go.set()
    wait_for(lambda: state(registry, job_id) is JobState.FINISHED)


def test_cancel_keeps_the_report_of_what_was_done(manuscript: Submission) -> None:
    partial = builders.cancelled_report()
    run = ScriptedRun(EVENTS, REPORT, hold_at=8, when_cancelled=partial)
    registry = registry_of(run)
    job_id = registry.submit(manuscript)
    wait_for(lambda: len(registry.view(job_id).events) == 8)  # type: ignore[union-attr]
    registry.cancel(job_id)
    wait_for(lambda: state(registry, job_id).ended)
    view = registry.view(job_id)
    assert view is not None
    assert (view.state, view.report, view.problem) == (JobState.CANCELLED, partial, None)
    assert not view.cancelling


def test_cancel_before_there_is_anything_to_report(manuscript: Submission) -> None:
    run = ScriptedRun(EVENTS, REPORT, hold_at=0)
    registry = registry_of(run)
    job_id = registry.submit(manuscript)
    registry.cancel(job_id)
    wait_for(lambda: state(registry, job_id).ended)
    view = registry.view(job_id)
    assert view is not None
    assert (view.state, view.report, view.problem) == (JobState.CANCELLED, None, None)


def test_bad_input_is_told_with_its_advice(manuscript: Submission) -> None:
    error = NoReferencesError("There is no reference list.", advice="Paste it.")
    registry = registry_of(ScriptedRun(EVENTS[:2], error=error))
    job_id = registry.submit(manuscript)
    wait_for(lambda: state(registry, job_id).ended)
    view = registry.view(job_id)
    assert view is not None
    assert view.state is JobState.FAILED
    assert view.problem is not None
    assert (view.problem.message, view.problem.advice) == ("There is no reference list.", "Paste it.")
    assert view.problem.of_input
    assert not view.problem.retryable
    assert view.submission == manuscript


def test_an_outage_may_be_tried_again(manuscript: Submission) -> None:
    registry = registry_of(ScriptedRun(error=ChatUnavailableError("No answer.")))
    job_id = registry.submit(manuscript)
    wait_for(lambda: state(registry, job_id).ended)
    problem = registry.view(job_id).problem  # type: ignore[union-attr]
    assert problem is not None
    assert problem.retryable
    assert not problem.of_input


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_ours_ends_the_job_and_frees_its_place(manuscript: Submission) -> None:
    registry = registry_of(
        ScriptedRun(EVENTS[:3], error=RuntimeError("secret detail")), ScriptedRun(EVENTS, REPORT), running=1
    )
    broken, next_one = registry.submit(manuscript), registry.submit(manuscript)
    wait_for(lambda: state(registry, next_one) is JobState.FINISHED)
    view = registry.view(broken)
    assert view is not None
    assert view.state is JobState.FAILED
    assert view.problem is not None
    assert "secret" not in view.problem.message + view.problem.advice


def test_two_run_at_once_and_the_third_waits(manuscript: Submission) -> None:
    runs = [ScriptedRun(EVENTS, REPORT, hold_at=1) for _ in range(3)]
    registry = registry_of(*runs)
    ids = [registry.submit(manuscript) for _ in runs]
    assert len(set(ids)) == 3
    wait_for(lambda: all(len(registry.view(i).events) == 1 for i in ids[:2]))  # type: ignore[union-attr]
    assert [state(registry, i) for i in ids] == [JobState.RUNNING, JobState.RUNNING, JobState.QUEUED]
    runs[1].go.set()
    wait_for(lambda: state(registry, ids[2]) is JobState.RUNNING)
    # Two threads take the scripts, in either order: one of both runs has ended, whichever it was.
    assert sorted(state(registry, i) for i in ids[:2]) == [JobState.FINISHED, JobState.RUNNING]
    runs[0].go.set()
    runs[2].go.set()
    wait_for(lambda: all(state(registry, i) is JobState.FINISHED for i in ids))


def test_a_queued_run_can_be_cancelled_without_ever_starting(manuscript: Submission) -> None:
    first = ScriptedRun(EVENTS, REPORT, hold_at=1)
    registry = registry_of(first, running=1)
    running, queued = registry.submit(manuscript), registry.submit(manuscript)
    registry.cancel(queued)
    assert state(registry, queued) is JobState.CANCELLED
    first.go.set()
    wait_for(lambda: state(registry, running) is JobState.FINISHED)
    assert registry.view(queued).events == ()  # type: ignore[union-attr]


def test_the_oldest_ended_run_makes_room_but_a_running_one_never_does(manuscript: Submission) -> None:
    held = ScriptedRun(EVENTS, REPORT, hold_at=1)
    registry = registry_of(held, *(ScriptedRun(EVENTS, REPORT) for _ in range(3)), keep=2)
    running = registry.submit(manuscript)
    wait_for(lambda: len(registry.view(running).events) == 1)  # type: ignore[union-attr]
    second = registry.submit(manuscript)
    wait_for(lambda: state(registry, second).ended)
    third = registry.submit(manuscript)
    assert registry.view(second) is None
    assert registry.view(running) is not None
    wait_for(lambda: state(registry, third).ended)
    held.go.set()


def test_when_all_places_are_at_work_a_submission_is_refused(manuscript: Submission) -> None:
    runs = [ScriptedRun(EVENTS, REPORT, hold_at=1) for _ in range(2)]
    registry = registry_of(*runs, keep=2)
    for _ in runs:
        registry.submit(manuscript)
    with pytest.raises(TooManyJobsError) as caught:
        registry.submit(manuscript)
    assert caught.value.advice
    for run in runs:
        run.go.set()


def test_the_folder_of_a_run_holds_its_library_and_goes_with_it() -> None:
    seen: list[tuple[Path, bytes]] = []
    done = threading.Event()

    def start(submission: Submission, folder: Path) -> ScriptedRun:
        (path,) = submission.library(folder)
        seen.append((path, path.read_bytes()))
        return ScriptedRun(EVENTS, REPORT)

    registry = JobRegistry(starter=start)
    job_id = registry.submit(
        Submission(
            manuscript=NamedFile("a.md", b"x"),
            library_files=(NamedFile("../../etc/pass wd<1>.bib", b"@article{a}"),),
        )
    )
    wait_for(lambda: state(registry, job_id).ended)
    done.set()
    ((path, content),) = seen
    assert path.name == "pass wd_1_.bib"
    assert content == b"@article{a}"
    assert not path.exists()


def test_an_unknown_job_is_not_there() -> None:
    registry = JobRegistry()
    assert registry.view("nope") is None
    registry.cancel("nope")
