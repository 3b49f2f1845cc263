"""What every run has in common: its events as they happen, its cancellation, and its report."""

import asyncio
import contextlib
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from veriscite.domain import Provenance, Report, RunStatus
from veriscite.domain.events import Event, RunFailed, RunFinished, RunStarted
from veriscite.errors import RunCancelledError, VeriSciteError
from veriscite.ports import Closeable, Emit


class StreamedRun(ABC):
    """A run in a task of its own.

    Args:
        source_name: What is checked.
        provenance: Who takes part.
        closing: What is closed when the run ends.

    Attributes:
        report: The result once the run has ended; a cancelled run's holds what was done by then.
    """

    def __init__(self, source_name: str, provenance: Provenance, closing: Sequence[Closeable]) -> None:
        self.run_id = uuid.uuid4().hex[:12]
        self.report: Report | None = None
        self.started_at = datetime.now(UTC)
        self._source_name = source_name
        self._provenance = provenance
        self._closing = tuple(closing)
        self._seq = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._cancelled = False

    @abstractmethod
    async def _drive(self, emit: Emit) -> None:
        """Do the work, sending events."""

    @abstractmethod
    def _assemble(self, status: RunStatus) -> Report | None:
        """Put together what was done; None if that is nothing to report."""

    def cancel(self) -> None:
        """Stop as soon as possible; may be called from any thread, more than once, at any time."""
        self._cancelled = True
        if self._loop is not None and self._task is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the run is over already
                self._loop.call_soon_threadsafe(self._task.cancel)

    async def events(self) -> AsyncIterator[Event]:
        """Run, yielding each event the moment it happens. To be iterated once.

        Raises:
            VeriSciteError: The run could not go on; a `RunFailed` event was yielded before.
        """
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._drive(queue.put_nowait))
        self._task.add_done_callback(lambda _task: queue.put_nowait(None))
        if self._cancelled:
            self._task.cancel()
        yield self._stamp(RunStarted(source_name=self._source_name, provenance=self._provenance))
        try:
            while (event := await queue.get()) is not None:
                yield self._stamp(event)
            yield self._stamp(self._ended())
            if self._task.cancelled() and self.report is None:
                raise RunCancelledError("The run was cancelled before it had anything to report.")
            if not self._task.cancelled() and (error := self._task.exception()) is not None:
                raise error
        finally:
            # Whoever stops listening stops the run, too.
            self._task.cancel()
            await asyncio.wait([self._task])
            for part in self._closing:
                await part.aclose()

    def _ended(self) -> Event:
        assert self._task is not None
        error = None if self._task.cancelled() else self._task.exception()
        if error is not None:
            if isinstance(error, VeriSciteError):
                return RunFailed(code=error.code, message=error.message, advice=error.advice)
            return RunFailed(code="internal", message=f"{type(error).__name__}: {error}"[:500])
        status = RunStatus.CANCELLED if self._task.cancelled() else RunStatus.FINISHED
        self.report = self._assemble(status)
        if self.report is None:
            return RunFailed(code=RunCancelledError.code, message="The run was cancelled.")
        return RunFinished(status=status, summary=self.report.summary)

    def _stamp(self, event: Event) -> Event:
        self._seq += 1
        return event.model_copy(update={"run_id": self.run_id, "seq": self._seq})
