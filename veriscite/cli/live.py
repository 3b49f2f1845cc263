"""A run as it happens, in the terminal. The views know events and nothing else."""

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Protocol, Self, TextIO

from rich.console import Console
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from veriscite.cli.lines import Line, Tone, lines_of
from veriscite.domain.events import (
    ClaimDone,
    ClaimStarted,
    Event,
    ManuscriptRead,
    ModelLoading,
    ModelReady,
    Paired,
    ReferenceChecked,
    RetrievalStarted,
    RunFinished,
)

STYLES = {
    Tone.PLAIN: "",
    Tone.QUIET: "dim",
    Tone.GOOD: "green",
    Tone.BAD: "bold red",
    Tone.UNSURE: "yellow",
    Tone.HEADING: "bold",
}


class View(Protocol):
    """Shows events; a context manager, so that the terminal is left as it was found."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, event: Event) -> None:
        """Show one event."""
        ...


class _Base:
    """Views that hold nothing open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None


class SilentView(_Base):
    """Shows nothing."""

    def show(self, event: Event) -> None:
        """Drop the event."""


class PlainView(_Base):
    """A line for each event: for files, pipes, and terminals without colour or motion."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, event: Event) -> None:
        """Print the event's lines, each at once."""
        for line in lines_of(event):
            self._print(str(line))
        if isinstance(event, ReferenceChecked) and event.done in (event.total, *range(0, event.total, 25)):
            self._print(f"  [{event.done}/{event.total}] references checked")
        if isinstance(event, ClaimDone):
            self._print(f"  [{event.done}/{event.total}] claims done")

    def _print(self, text: str) -> None:
        print(text, file=self._out, flush=True)


class JsonView(_Base):
    """One JSON event a line, as it happens: for programs."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, event: Event) -> None:
        """Write the event as one line of JSON."""
        self._out.write(event.model_dump_json() + "\n")
        self._out.flush()


class LiveView:
    """A progress bar over claims with the remaining time, and above it a line for each event.

    Texts are put into `rich.text.Text`, so that nothing read from outside is ever taken for markup.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left:", markup=False),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            expand=True,
        )
        self._task = self._progress.add_task("Reading the manuscript", total=None)
        self._claims = False

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, event: Event) -> None:
        """Print the event's lines above the bar and move the bar on."""
        for line in lines_of(event):
            self._console.print(_styled(line), highlight=False)
        if isinstance(event, ReferenceChecked) and not self._claims:
            self._progress.update(
                self._task, total=event.total, completed=event.done, description="Checking references"
            )
        if isinstance(event, Paired):
            self._claims = True
            self._progress.update(self._task, total=event.claims)
        if isinstance(event, ClaimDone):
            self._progress.update(self._task, total=event.total, completed=event.done)
        phase = phase_of(event)
        if phase:
            self._progress.update(self._task, description=phase)


def phase_of(event: Event) -> str | None:
    """Return what the run is about from this event on; None if that stays the same."""
    if isinstance(event, ModelLoading):
        return "Loading models"
    return _PHASES.get(type(event))


_PHASES: dict[type, str] = {
    ManuscriptRead: "Pairing claims with references",
    RetrievalStarted: "Retrieving abstracts",
    ModelReady: "Judging claims",
    ClaimStarted: "Judging claims",
    RunFinished: "Finished",
}


def _styled(line: Line) -> Padding:
    text = Text(f"{line.symbol} {line.text}", style=STYLES[line.tone])
    return Padding(text, (0, 0, 0, 2 * line.indent), expand=False)  # keeps the indent of a line that wraps


def choose_view(
    out: TextIO, *, quiet: bool, json_events: bool, environment: Mapping[str, str] = os.environ
) -> View:
    """Return the view that fits what was asked for and what `out` can show."""
    if json_events:
        return JsonView(out)
    if quiet:
        return SilentView()
    if out.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb":
        return LiveView(Console(file=out, highlight=False))
    return PlainView(out)
