"""A check from the command line: watched, stopped on Ctrl-C, its report written and told."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Protocol, TextIO

import typer

from veriscite.api import Run, stream, stream_references
from veriscite.cli.leaving import EXIT_CONTRADICTED, EXIT_INTERRUPTED, EXIT_OK, leave
from veriscite.cli.live import View, choose_view
from veriscite.cli.options import CONTRADICT
from veriscite.cli.summing_up import tell_report
from veriscite.domain import Label, Report, RunStatus
from veriscite.ports import ManuscriptInput
from veriscite.reporting import check_folder, write_report
from veriscite.settings import Settings

_SHOW_CURSOR = "\x1b[?25h"


class After(Protocol):
    """What more is done with a report."""

    def __call__(self, report: Report, out: TextIO, *, quiet: bool) -> None:
        """Do it; say on `out` what was done."""
        ...


@dataclass(frozen=True)
class Job:
    """One check as asked for on the command line.

    Attributes:
        fail_on: What makes the exit code 1: `contradict`, or a finding on a reference.
        references_only: Whether `manuscript` is a reference list that alone is checked.
        after: Called with the report of a run that was not stopped, to do more with it.
    """

    manuscript: Path | ManuscriptInput
    settings: Settings
    output: Path
    formats: tuple[str, ...]
    references: Path | None = None
    library: tuple[Path, ...] = ()
    quiet: bool = False
    json_events: bool = False
    fail_on: frozenset[str] = frozenset()
    references_only: bool = False
    after: After | None = None


def run_job(job: Job) -> int:
    """Check, show each step, write the reports and return the exit code.

    Raises:
        InputError: The input or the folder cannot be used.
        VeriSciteError: The run could not go on.
    """
    check_folder(job.output)  # before the work, not after it
    # What has been imported stays, so the collector need not look through it; what the run makes may go.
    gc.freeze()
    gc.enable()
    if job.references_only:
        run = stream_references(job.manuscript, library=job.library, settings=job.settings)
    else:
        run = stream(job.manuscript, references=job.references, library=job.library, settings=job.settings)
    view = choose_view(sys.stdout, quiet=job.quiet, json_events=job.json_events)
    report, paths, interrupted = _watch(run, view, job)
    if report is None:
        typer.echo("Stopped before there was anything to report.", err=True)
        return EXIT_INTERRUPTED
    tell_report(
        report, paths, sys.stderr if job.json_events else sys.stdout, paths_only=job.quiet or job.json_events
    )
    if interrupted or report.status is RunStatus.CANCELLED:
        return EXIT_INTERRUPTED
    if job.after is not None:
        job.after(report, sys.stderr if job.json_events else sys.stdout, quiet=job.quiet)
    return EXIT_CONTRADICTED if _fails(report, job.fail_on) else EXIT_OK


def _watch(run: Run, view: View, job: Job) -> tuple[Report | None, dict[str, Path], bool]:
    """Show a run to its end and write its report; also says whether Ctrl-C was pressed."""
    with view, _stopping_on_interrupt(run) as interrupted:
        for event in run:
            view.show(event)
        report = run.report
        paths = write_report(report, job.output, job.formats) if report is not None else {}
    return report, paths, interrupted.is_set()


def _fails(report: Report, fail_on: frozenset[str]) -> bool:
    if CONTRADICT in fail_on and _contradicted(report):
        return True
    return bool(fail_on & report.summary.reference_findings.keys())


def _contradicted(report: Report) -> bool:
    return any(result.final and result.final.label is Label.CONTRADICT for result in report.results)


@contextmanager
def _stopping_on_interrupt(run: Run) -> Iterator[threading.Event]:
    """Let the first Ctrl-C cancel the run, so that what was done is reported; the second one leaves."""
    interrupted = threading.Event()

    def handle(_signal: int, _frame: FrameType | None) -> None:
        # A handler can break in anywhere, so nothing here takes a lock or a buffer that may be in use.
        if interrupted.is_set():
            _say(_SHOW_CURSOR if sys.stdout.isatty() else "")
            leave(EXIT_INTERRUPTED)
        interrupted.set()
        run.cancel()
        _say("Stopping: what is done by now is reported. Ctrl-C again leaves at once.\n")

    if threading.current_thread() is not threading.main_thread():
        yield interrupted  # Python delivers signals to the main thread only
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)


def _say(text: str) -> None:
    with suppress(OSError):
        os.write(2, text.encode())
