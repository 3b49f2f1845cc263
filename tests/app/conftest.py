"""The app's modules as Streamlit sees them, and runs that follow a script."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

pytest.importorskip("streamlit", reason="the app needs the extra `app`")

APP = Path(__file__).resolve().parent.parent.parent / "app"
# Streamlit puts the script's folder there; the tests import the same modules.
sys.path.insert(0, str(APP))

from veriscite_app import jobs, sidebar, submission  # noqa: E402
from veriscite_app.submission import NamedFile, Submission  # noqa: E402

from veriscite.domain import Provenance, Report  # noqa: E402
from veriscite.domain.events import Event  # noqa: E402
from veriscite.settings import Settings  # noqa: E402


class ScriptedRun:
    """A run that sends what it was given; `hold_at` stops it before that event until `go` is set."""

    def __init__(
        self,
        events: Sequence[Event] = (),
        report: Report | None = None,
        *,
        error: BaseException | None = None,
        hold_at: int | None = None,
        when_cancelled: Report | None = None,
    ) -> None:
        self.report: Report | None = None
        self.go = threading.Event()
        self.cancelled = threading.Event()
        self._events = events
        self._outcome = report
        self._error = error
        self._hold_at = hold_at
        self._when_cancelled = when_cancelled

    def cancel(self) -> None:
        self.cancelled.set()
        self.go.set()

    def __iter__(self) -> Iterator[Event]:
        for number, event in enumerate(self._events):
            if number == self._hold_at:
                assert self.go.wait(90), "nobody let the run go on"
            if self.cancelled.is_set():
                self.report = self._when_cancelled
                return
            yield event
        if self._error is not None:
            raise self._error
        self.report = self._outcome


Runs = Callable[..., None]


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[Submission]:
    """Give the app a registry of its own whose runs are scripted; return what was handed in."""
    seen: list[Submission] = []
    monkeypatch.setattr(jobs, "_REGISTRY", jobs.JobRegistry())
    monkeypatch.setattr(submission, "_DRAFTS", submission.Drafts())
    return seen


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, submitted: list[Submission]) -> Iterator[Runs]:
    """Return a function that says which runs the next submissions get, in order."""
    waiting: list[ScriptedRun] = []
    all_runs: list[ScriptedRun] = []

    def start(given: Submission, folder: Path) -> ScriptedRun:
        assert folder.is_dir()
        assert waiting, "a run was started that nobody scripted"
        submitted.append(given)
        return waiting.pop(0)

    monkeypatch.setattr(jobs, "start_run", start)

    def add(*runs: ScriptedRun) -> None:
        waiting.extend(runs)
        all_runs.extend(runs)

    yield add
    for run in all_runs:
        run.go.set()


@pytest.fixture
def describe(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Settings], Provenance]], None]:
    """Return a function that sets what the sidebar is told to be active."""
    import veriscite.wiring

    def put(answer: Callable[[Settings], Provenance]) -> None:
        monkeypatch.setattr(veriscite.wiring, "describe", answer)
        monkeypatch.setattr(sidebar, "_ACTIVE", sidebar.Active())

    return put


@pytest.fixture
def manuscript() -> Submission:
    return Submission(manuscript=NamedFile("paper.md", b"Water is wet [1].\n\n# References\n\n1. A. B."))
