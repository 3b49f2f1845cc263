"""One run: its events as they happen, its cancellation, and its report."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

from veriscite.domain import Report, RunStatus
from veriscite.domain.events import Event, RunFailed, RunFinished, RunStarted
from veriscite.errors import RunCancelledError, VeriSciteError
from veriscite.ports import ManuscriptInput
from veriscite.reporting.summary import summarise
from veriscite.workflow.build import build_run_graph
from veriscite.workflow.parts import Parts, RunOptions

# Super-steps of one claim: open, verify, compare, three times plan and act, settle, attribute, close, and
# the run's own; LangGraph counts them together.
_RECURSION_LIMIT = 60


class WorkflowRun:
    """Checks one manuscript.

    Args:
        parts: The adapters.
        source: The manuscript.
        options: The bounds.

    Attributes:
        report: The result once the run has ended; a cancelled run's holds what was done by then.
    """

    def __init__(self, parts: Parts, source: ManuscriptInput, options: RunOptions | None = None) -> None:
        self.run_id = uuid.uuid4().hex[:12]
        self.report: Report | None = None
        self._parts = parts
        self._source = source
        self._options = options or RunOptions()
        self._state: dict[str, Any] = {"results": [], "unresolved": [], "failures": []}
        self._started_at = datetime.now(UTC)
        self._seq = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._cancelled = False

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
        self._task = asyncio.create_task(self._drive(queue))
        self._task.add_done_callback(lambda _task: queue.put_nowait(None))
        if self._cancelled:
            self._task.cancel()
        yield self._stamp(RunStarted(source_name=self._source.name, provenance=self._parts.provenance))
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
            for part in self._parts.closing:
                await part.aclose()

    async def _drive(self, queue: "asyncio.Queue[Event | None]") -> None:
        graph = build_run_graph(self._parts, self._options)
        stream = graph.astream(
            {"source": self._source},
            {"max_concurrency": self._options.concurrency, "recursion_limit": _RECURSION_LIMIT},
            stream_mode=["updates", "custom"],
            subgraphs=True,
            version="v2",
        )
        async for part in stream:
            chunk: dict[str, Any] = dict(part)
            if chunk["type"] == "custom":
                queue.put_nowait(chunk["data"])
            elif not chunk["ns"]:
                self._collect(chunk["data"])

    def _collect(self, updates: dict[str, dict[str, Any] | None]) -> None:
        """Keep what the nodes gave, so that a cancelled run can report what is done."""
        for update in updates.values():
            for key, value in (update or {}).items():
                if isinstance(self._state.get(key), list):
                    self._state[key] = [*self._state[key], *value]
                else:
                    self._state[key] = value

    def _ended(self) -> Event:
        assert self._task is not None
        error = None if self._task.cancelled() else self._task.exception()
        if error is not None:
            if isinstance(error, VeriSciteError):
                return RunFailed(code=error.code, message=error.message, advice=error.advice)
            return RunFailed(code="internal", message=f"{type(error).__name__}: {error}"[:500])
        if "pairing" not in self._state:
            return RunFailed(code=RunCancelledError.code, message="The run was cancelled.")
        self.report = self._assemble(RunStatus.CANCELLED if self._task.cancelled() else RunStatus.FINISHED)
        return RunFinished(status=self.report.status, summary=self.report.summary)

    def _assemble(self, status: RunStatus) -> Report:
        state = self._state
        order = {claim.id: place for place, claim in enumerate(state["pairing"].claims)}
        by_claim = {
            key: tuple(sorted(state[key], key=lambda one: order[one.claim_id]))
            for key in ("results", "unresolved", "failures")
        }
        return Report(
            run_id=self.run_id,
            status=status,
            started_at=self._started_at,
            finished_at=datetime.now(UTC),
            manuscript=state["manuscript"],
            pairing=state["pairing"],
            lookups=tuple(state.get("lookups", ())),
            **by_claim,
            summary=state.get("summary")
            or summarise(manuscript=state["manuscript"], pairing=state["pairing"], **by_claim),
            provenance=self._parts.provenance,
        )

    def _stamp(self, event: Event) -> Event:
        self._seq += 1
        return event.model_copy(update={"run_id": self.run_id, "seq": self._seq})
