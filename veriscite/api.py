"""The one way in for every surface: `check` and `stream`, sync and async; `read` for reading only.

`check_references` and its kin check a reference list alone; `fix_references` corrects a `.bib` by the report.

A `Path` is a file to read; a `str` is the text itself.
"""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from pathlib import Path

from veriscite.domain import Manuscript, Pairing, Report
from veriscite.domain.events import Event
from veriscite.errors import InputError, RunCancelledError
from veriscite.evidence.checks import Correction, corrections
from veriscite.ports import ManuscriptInput
from veriscite.reading.bibliography.bib_edit import BibChange, edit_bibtex
from veriscite.reading.files import read_file
from veriscite.settings import Settings
from veriscite.wiring import build, build_references, reading
from veriscite.workflow import ReferenceRun, RunOptions, StreamedRun, WorkflowRun

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
    chosen = settings or Settings()

    def make() -> StreamedRun:
        source = _source(manuscript, references, chosen.reading.max_bytes)
        run = chosen.run
        options = RunOptions(
            max_claims=run.max_claims,
            concurrency=run.concurrency,
            actions=run.actions,
            check_not_findings=run.check_not_findings,
            claim_timeout_s=run.claim_timeout_s,
            references_timeout_s=run.references_timeout_s,
        )
        return WorkflowRun(build(chosen, tuple(library)), source, options)

    return AsyncRun(make)


def check_references(
    references: Given, *, library: Sequence[Path] = (), settings: Settings | None = None
) -> Report:
    """Check the references themselves and wait for the report; no claim is judged.

    Args:
        references: A reference list (BibTeX, RIS, CSL-JSON, EndNote XML, JSONL or plain text), or a
            manuscript whose list is taken: a file, or the text itself.
        library: Files with entries to compare with.
        settings: Defaults come from the environment.

    Returns:
        A report whose `reference_checks` tell of each reference; it holds no claims.

    Raises:
        InputError: The input cannot be used; the message says what to do.
        VeriSciteError: The run could not go on.
    """
    run = stream_references(references, library=library, settings=settings)
    for _event in run:
        pass
    return _finished(run.report)


async def acheck_references(
    references: Given, *, library: Sequence[Path] = (), settings: Settings | None = None
) -> Report:
    """Do as `check_references`, without blocking the event loop."""
    run = astream_references(references, library=library, settings=settings)
    async for _event in run:
        pass
    return _finished(run.report)


def stream_references(
    references: Given, *, library: Sequence[Path] = (), settings: Settings | None = None
) -> "Run":
    """Check references and hear of every event as it happens; see `check_references`."""
    return Run(astream_references(references, library=library, settings=settings))


def astream_references(
    references: Given, *, library: Sequence[Path] = (), settings: Settings | None = None
) -> "AsyncRun":
    """Do as `stream_references`, for `async for`."""
    chosen = settings or Settings()

    def make() -> StreamedRun:
        source = _source(references, None, chosen.reading.max_bytes)
        return ReferenceRun(build_references(chosen, source, tuple(library)), source.name)

    return AsyncRun(make)


def fix_references(bib: bytes, report: Report) -> tuple[bytes, tuple[Correction, ...]]:
    """Correct a `.bib` file by what a check of it found.

    Only what is serious and certain is changed: a missing DOI is added, a wrong part replaced by the
    record's, the published version of a preprint noted. Every other byte stays.

    Args:
        bib: The file that was checked.
        report: What `check_references` gave for it.

    Returns:
        The corrected file, and the corrections that were made.

    Raises:
        InputError: The file cannot be corrected.
    """
    checks = {check.reference_id: check for check in report.reference_checks}
    wanted = [
        correction
        for reference in report.manuscript.references
        if reference.id in checks
        for correction in corrections(reference, checks[reference.id])
    ]
    changes = {
        BibChange(key=one.reference_id, part=one.part, value=one.value, adds=one.adds): one for one in wanted
    }
    fixed, made = edit_bibtex(bib, tuple(changes))
    return fixed, tuple(changes[change] for change in made)


class AsyncRun:
    """A run in the making; iterate over it once for its events.

    Args:
        make: Reads the input and chooses the adapters; called once, off the event loop.

    Attributes:
        report: The result once the iteration has ended; a cancelled run's holds what was done.
    """

    def __init__(self, make: Callable[[], StreamedRun]) -> None:
        self._make = make
        self._run: StreamedRun | None = None
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
        self._run = await asyncio.to_thread(self._make)
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
