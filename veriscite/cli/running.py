"""A check from the command line: watched, stopped on Ctrl-C, its report written and told."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import typer

from veriscite.api import Run, stream
from veriscite.cli.live import View, choose_view
from veriscite.cli.summing_up import tell_report
from veriscite.domain import Label, Report, RunStatus
from veriscite.ports import ManuscriptInput
from veriscite.reporting import check_folder, write_report
from veriscite.settings import Settings

EXIT_OK = 0
EXIT_CONTRADICTED = 1
EXIT_INTERRUPTED = 130


@dataclass(frozen=True)
class Job:
    """One check as asked for on the command line.

    Attributes:
        fail_on_contradict: Whether a contradicted claim makes the exit code 1.
    """

    manuscript: Path | ManuscriptInput
    settings: Settings
    output: Path
    formats: tuple[str, ...]
    references: Path | None = None
    library: tuple[Path, ...] = ()
    quiet: bool = False
    json_events: bool = False
    fail_on_contradict: bool = False


def run_job(job: Job) -> int:
    """Check, show each step, write the reports and return the exit code.

    Raises:
        InputError: The input or the folder cannot be used.
        VeriSciteError: The run could not go on.
    """
    check_folder(job.output)  # before the work, not after it
    run = stream(job.manuscript, references=job.references, library=job.library, settings=job.settings)
    view = choose_view(sys.stdout, quiet=job.quiet, json_events=job.json_events)
    with view, _stopping_on_interrupt(run, view) as interrupted:
        # Closed here, not by the garbage collector: a run nobody listens to any more must stop now.
        with closing(iter(run)) as events:
            for event in events:
                view.show(event)
        report = run.report
        paths = write_report(report, job.output, job.formats) if report is not None else {}
    if report is None:
        typer.echo("Stopped before there was anything to report.", err=True)
        return EXIT_INTERRUPTED
    tell_report(
        report, paths, sys.stderr if job.json_events else sys.stdout, paths_only=job.quiet or job.json_events
    )
    if interrupted.is_set() or report.status is RunStatus.CANCELLED:
        return EXIT_INTERRUPTED
    return EXIT_CONTRADICTED if job.fail_on_contradict and _contradicted(report) else EXIT_OK


def _contradicted(report: Report) -> bool:
    return any(result.final and result.final.label is Label.CONTRADICT for result in report.results)


@contextmanager
def _stopping_on_interrupt(run: Run, view: View) -> Iterator[threading.Event]:
    """Let the first Ctrl-C cancel the run, so that what was done is reported; the second one leaves."""
    interrupted = threading.Event()

    def handle(_signal: int, _frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()
        run.cancel()
        view.note(
            "Stopping: claims under way are let go, what is done is reported. Ctrl-C again leaves at once."
        )

    if threading.current_thread() is not threading.main_thread():
        yield interrupted  # Python delivers signals to the main thread only
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)
