"""The check of one manuscript: the graph driven, and its report put together."""

from datetime import UTC, datetime
from typing import Any

from veriscite.domain import ReferenceCheck, Report, RunStatus
from veriscite.domain.events import ReferenceChecked
from veriscite.ports import Emit, ManuscriptInput
from veriscite.reporting.summary import summarise
from veriscite.workflow.build import build_run_graph
from veriscite.workflow.parts import Parts, RunOptions
from veriscite.workflow.streamed import StreamedRun

# Super-steps of one claim: open, verify, compare, three times plan and act, settle, attribute, close, and
# the run's own; LangGraph counts them together.
_RECURSION_LIMIT = 60


class WorkflowRun(StreamedRun):
    """Checks one manuscript.

    Args:
        parts: The adapters.
        source: The manuscript.
        options: The bounds.
    """

    def __init__(self, parts: Parts, source: ManuscriptInput, options: RunOptions | None = None) -> None:
        super().__init__(source.name, parts.provenance, parts.closing)
        self._parts = parts
        self._source = source
        self._options = options or RunOptions()
        self._state: dict[str, Any] = {"results": [], "unresolved": [], "failures": []}
        self._checks: dict[str, ReferenceCheck] = {}

    async def _drive(self, emit: Emit) -> None:
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
                event = chunk["data"]
                if isinstance(event, ReferenceChecked):
                    # Kept one by one: a cancelled run reports those that were done.
                    self._checks[event.check.reference_id] = event.check
                emit(event)
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

    def _assemble(self, status: RunStatus) -> Report | None:
        state = self._state
        if "pairing" not in state:
            return None
        order = {claim.id: place for place, claim in enumerate(state["pairing"].claims)}
        by_claim = {
            key: tuple(sorted(state[key], key=lambda one: order[one.claim_id]))
            for key in ("results", "unresolved", "failures")
        }
        checks = tuple(
            self._checks[reference.id]
            for reference in state["manuscript"].references
            if reference.id in self._checks
        )
        return Report(
            run_id=self.run_id,
            status=status,
            started_at=self.started_at,
            finished_at=datetime.now(UTC),
            manuscript=state["manuscript"],
            pairing=state["pairing"],
            lookups=tuple(state.get("lookups", ())),
            reference_checks=checks,
            **by_claim,
            summary=state.get("summary")
            or summarise(
                manuscript=state["manuscript"], pairing=state["pairing"], reference_checks=checks, **by_claim
            ),
            provenance=self._parts.provenance,
        )
