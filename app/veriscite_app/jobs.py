"""Runs in worker threads, kept by an unguessable id so that a reloaded page finds them again.

The registry is a module's state, shared by all sessions of the server; nothing here touches Streamlit.
"""

import logging
import secrets
import tempfile
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from veriscite.domain import Report, RunStatus
from veriscite.domain.events import Event, RunFailed
from veriscite.errors import InputError, RunCancelledError, VeriSciteError
from veriscite_app import library
from veriscite_app.progress import Progress
from veriscite_app.submission import Submission
from veriscite_app.texts import t

log = logging.getLogger(__name__)


class RunLike(Protocol):
    """What a run of the API offers: its events one by one, then its report."""

    @property
    def report(self) -> Report | None:
        """The report, once the events are through; None if it was cancelled before there was anything."""
        ...

    def __iter__(self) -> Iterator[Event]:
        """Yield each event the moment it happens."""
        ...

    def cancel(self) -> None:
        """Ask the run to come to an early end; safe from another thread."""
        ...


Starter = Callable[[Submission, Path], RunLike]
"""Starts a run; the folder is there for its files and goes when it ends."""


def start_run(submission: Submission, folder: Path) -> RunLike:
    """Start a real run."""
    run: RunLike = library.api().stream(
        submission.as_input(), library=submission.library(folder), settings=submission.settings()
    )
    return run


class JobState(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


@dataclass(frozen=True)
class Problem:
    """Why a run gave no report, and what to do."""

    message: str
    advice: str = ""
    code: str = ""
    of_input: bool = False
    retryable: bool = False


@dataclass(frozen=True)
class JobView:
    """A job as it stood at one moment."""

    id: str
    state: JobState
    submission: Submission
    events: tuple[Event, ...]
    progress: Progress
    report: Report | None
    problem: Problem | None
    cancelling: bool
    created_at: datetime


@dataclass
class _Job:
    id: str
    submission: Submission
    created_at: datetime
    state: JobState = JobState.QUEUED
    events: list[Event] = field(default_factory=list)
    progress: Progress = field(default_factory=Progress)
    report: Report | None = None
    problem: Problem | None = None
    cancelling: bool = False
    run: RunLike | None = None


class TooManyJobsError(VeriSciteError):
    """All places for runs are taken by runs that have not ended."""

    code = "too_many_runs"
    retryable = True


class JobRegistry:
    """Starts jobs, at most `running` at a time, and keeps the last `keep` of them.

    Safe to use from several threads.
    """

    def __init__(self, *, keep: int = 20, running: int = 2, starter: Starter | None = None) -> None:
        self._keep = keep
        self._max_running = running
        self._starter = starter
        self._jobs: OrderedDict[str, _Job] = OrderedDict()
        self._queue: deque[_Job] = deque()
        self._running = 0
        self._lock = threading.Lock()

    def submit(self, submission: Submission) -> str:
        """Take a job; return its id at once.

        Raises:
            TooManyJobsError: As many jobs as are kept are still at work.
        """
        with self._lock:
            self._make_room()
            job = _Job(secrets.token_urlsafe(16), submission, datetime.now(UTC))
            self._jobs[job.id] = job
            self._queue.append(job)
            self._start_next()
            return job.id

    def view(self, job_id: str) -> JobView | None:
        """Return the job as it stands now, or None if it is not kept any more."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None:
                return None
            return JobView(
                id=job.id,
                state=job.state,
                submission=job.submission,
                events=tuple(job.events),
                progress=copy(job.progress),
                report=job.report,
                problem=job.problem,
                cancelling=job.cancelling and not job.state.ended,
                created_at=job.created_at,
            )

    def cancel(self, job_id: str) -> None:
        """Ask a job to come to an early end; does nothing if it has ended."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.state.ended:
                return
            job.cancelling = True
            run = job.run
            if job.state is JobState.QUEUED:
                self._queue.remove(job)
                job.state = JobState.CANCELLED
        if run is not None:
            run.cancel()

    def _make_room(self) -> None:
        while len(self._jobs) >= self._keep:
            oldest = next((j for j in self._jobs.values() if j.state.ended), None)
            if oldest is None:
                raise TooManyJobsError(t("form.busy_title"), advice=t("form.busy_text"))
            del self._jobs[oldest.id]

    def _start_next(self) -> None:
        while self._queue and self._running < self._max_running:
            job = self._queue.popleft()
            job.state = JobState.RUNNING
            self._running += 1
            # A daemon: closing the server must not wait for a run.
            threading.Thread(target=self._work, args=(job,), name=f"run-{job.id[:6]}", daemon=True).start()

    def _work(self, job: _Job) -> None:
        state = JobState.FAILED
        problem: Problem | None = Problem(t("problem.unexpected"), t("problem.unexpected_advice"))
        report: Report | None = None
        try:
            report = self._follow(job)
            cancelled = report.status is RunStatus.CANCELLED
            state, problem = (JobState.CANCELLED if cancelled else JobState.FINISHED), None
        except RunCancelledError:
            state, problem = JobState.CANCELLED, None
        except VeriSciteError as error:
            problem = self._explain(job, error)
        finally:
            # Any other exception goes on to the thread's hook, which logs it; the job still ends.
            with self._lock:
                job.state, job.problem, job.report, job.run = state, problem, report, None
                self._running -= 1
                self._start_next()

    def _follow(self, job: _Job) -> Report:
        with tempfile.TemporaryDirectory(prefix="veriscite-app-") as folder:
            run = (self._starter or start_run)(job.submission, Path(folder))
            with self._lock:
                job.run = run
                cancelled_before = job.cancelling
            if cancelled_before:
                run.cancel()
            for event in run:
                with self._lock:
                    job.events.append(event)
                    job.progress.add(event)
            report = run.report
            if report is None:
                raise RunCancelledError(t("problem.nothing"))
            return report

    def _explain(self, job: _Job, error: VeriSciteError) -> Problem:
        last = job.events[-1] if job.events else None
        advice = error.advice or (last.advice if isinstance(last, RunFailed) else "")
        return Problem(
            message=error.message,
            advice=advice,
            code=error.code,
            of_input=isinstance(error, InputError),
            retryable=error.retryable,
        )


_REGISTRY = JobRegistry()


def registry() -> JobRegistry:
    """Return the jobs of this server."""
    return _REGISTRY
