"""The one way in for every surface: `check` and `stream`, sync and async; `read` for reading only.

A `Path` is a file to read; a `str` is the text itself.
"""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Generator, Sequence
from pathlib import Path

from veriscite.domain import Manuscript, Pairing, Report
from veriscite.domain.events import Event
from veriscite.errors import InputError, RunCancelledError
from veriscite.ports import ManuscriptInput
from veriscite.reading.files import read_file
from veriscite.settings import Settings
from veriscite.wiring import build, reading
from veriscite.workflow import RunOptions, WorkflowRun

Given = Path | str | ManuscriptInput


def read(
    manuscript: Given, *, references: Path | str | None = None, settings: Settings | None = None
) -> tuple[Manuscript, Pairing]:
    """Read a manuscript and pair its markers, as `check` would; loads no model and asks nobody.

    Args:
        manuscript: As for `check`.
        references: As for `check`.
        settings: Defaults come from the environment.

    Returns:
        What was read, and its claims with the references they cite.

    Raises:
        InputError: The input cannot be used; the message says what to do.
    """
    settings = settings or Settings()
    reader, pairer = reading(settings)
    read_in = reader.read(_source(manuscript, references, settings.reading.max_bytes))
    return read_in, pairer.pair(read_in)


def check(
    manuscript: Given,
    *,
    references: Path | str | None = None,
    library: Sequence[Path] = (),
    settings: Settings | None = None,
) -> Report:
    """Check a manuscript and wait for its report.

    Args:
        manuscript: A file, or the text itself.
        references: The reference list when it comes apart: a file (plain text, BibTeX, RIS, CSL-JSON or
            JSONL), or plain text or BibTeX itself.
        library: Files with abstracts of the cited works, asked before any other source.
        settings: Defaults come from the environment.

    Returns:
        The report; the same for the same input from every surface.

    Raises:
        InputError: The input cannot be used; the message says what to do.
        VeriSciteError: The run could not go on.
    """
    run = stream(manuscript, references=references, library=library, settings=settings)
    for _event in run:
        pass
    return _finished(run.report)


async def acheck(
    manuscript: Given,
    *,
    references: Path | str | None = None,
    library: Sequence[Path] = (),
    settings: Settings | None = None,
) -> Report:
    """Do as `check`, without blocking the event loop."""
    run = astream(manuscript, references=references, library=library, settings=settings)
    async for _event in run:
        pass
    return _finished(run.report)


def stream(
    manuscript: Given,
    *,
    references: Path | str | None = None,
    library: Sequence[Path] = (),
    settings: Settings | None = None,
) -> "Run":
    """Check a manuscript and hear of every event as it happens; iterate over what this returns.

    Nothing is read before the iteration begins. See `check` for the arguments and errors.
    """
    return Run(astream(manuscript, references=references, library=library, settings=settings))


def astream(
    manuscript: Given,
    *,
    references: Path | str | None = None,
    library: Sequence[Path] = (),
    settings: Settings | None = None,
) -> "AsyncRun":
    """Do as `stream`, for `async for`."""
    return AsyncRun(manuscript, references, tuple(library), settings or Settings())


class AsyncRun:
    """A run in the making; iterate over it once for its events.

    Attributes:
        report: The result once the iteration has ended; a cancelled run's holds what was done.
    """

    def __init__(
        self,
        manuscript: Given,
        references: Path | str | None,
        library: tuple[Path, ...],
        settings: Settings,
    ) -> None:
        self._given = (manuscript, references, library)
        self._settings = settings
        self._run: WorkflowRun | None = None
        self._cancelled = False

    @property
    def report(self) -> Report | None:
        """The report, once there is one."""
        return self._run.report if self._run else None

    def cancel(self) -> None:
        """Stop as soon as possible; may be called from any thread."""
        self._cancelled = True
        if self._run is not None:
            self._run.cancel()

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Yield the events; raises what `check` raises."""
        if self._run is not None:
            raise RuntimeError("a run can be iterated over once")
        manuscript, references, library = self._given
        limit = self._settings.reading.max_bytes
        source = await asyncio.to_thread(_source, manuscript, references, limit)
        parts = await asyncio.to_thread(build, self._settings, library)
        run = self._settings.run
        self._run = WorkflowRun(
            parts,
            source,
            RunOptions(
                max_claims=run.max_claims,
                concurrency=run.concurrency,
                actions=run.actions,
                check_not_findings=run.check_not_findings,
                claim_timeout_s=run.claim_timeout_s,
            ),
        )
        if self._cancelled:
            self._run.cancel()
        async for event in self._run.events():
            yield event


class Run:
    """The same run for callers without an event loop: it works in a thread of its own."""

    def __init__(self, run: AsyncRun) -> None:
        self._run = run

    @property
    def report(self) -> Report | None:
        """The report, once there is one."""
        return self._run.report

    def cancel(self) -> None:
        """Stop as soon as possible; may be called from any thread."""
        self._run.cancel()

    def __iter__(self) -> Generator[Event, None, None]:
        """Yield the events; raises what `check` raises."""
        items: queue.SimpleQueue[Event | BaseException | None] = queue.SimpleQueue()

        async def drive() -> None:
            async for event in self._run:
                items.put(event)

        def work() -> None:
            try:
                asyncio.run(drive())
            except BaseException as error:  # noqa: BLE001 - carried over to the caller's thread, whatever it is
                items.put(error)
            else:
                items.put(None)

        thread = threading.Thread(target=work, name="veriscite-run", daemon=True)
        thread.start()
        try:
            while (item := items.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            # A caller that stops listening (break, Ctrl-C) stops the run.
            self._run.cancel()
            thread.join(timeout=10)


def _source(manuscript: Given, references: Path | str | None, limit: int) -> ManuscriptInput:
    if isinstance(manuscript, ManuscriptInput):
        return manuscript
    if isinstance(manuscript, Path):
        content, name, root = read_file(manuscript, limit), manuscript.name, manuscript.parent
    else:
        _refuse_path(manuscript)
        content, name, root = manuscript.encode("utf-8", "surrogatepass"), "pasted text", None
    if isinstance(references, Path):
        return ManuscriptInput(content, name, read_file(references, limit), references.name, root)
    if references is not None:
        _refuse_path(references)
        return ManuscriptInput(
            content, name, references.encode("utf-8", "surrogatepass"), "pasted references", root
        )
    return ManuscriptInput(content, name, root=root)


def _refuse_path(text: str) -> None:
    """Tell a caller who passed a file name as a string, rather than judge the name as a text."""
    if len(text) < 4096 and "\n" not in text and "\0" not in text:
        try:
            is_file = Path(text).is_file()
        except OSError:
            return
        if is_file:
            raise InputError(
                f"'{text}' was given as text, but is a file's name.", advice="Pass it as a pathlib.Path."
            )


def _finished(report: Report | None) -> Report:
    if report is None:
        raise RunCancelledError("The run was cancelled before it had anything to report.")
    return report
