"""Events: every step, and every tool call of the agent, the moment it happens.

`run_id`, `seq` and `at` are set by the run when the event is sent; steps leave them at their defaults.
"""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from veriscite.domain.attribution import Attribution
from veriscite.domain.base import Frozen
from veriscite.domain.evidence import EvidenceLookup
from veriscite.domain.manuscript import Manuscript, SkippedMarker
from veriscite.domain.reference_check import ReferenceCheck
from veriscite.domain.report import Failure, Provenance, RunStatus, Summary
from veriscite.domain.verdicts import AgentAction, AgentStep, FinalVerdict, VerifierOutcome


class BaseEvent(Frozen):
    """What all events carry."""

    run_id: str = ""
    seq: int = 0
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))


class RunStarted(BaseEvent):
    """Before anything is read."""

    type: Literal["run_started"] = "run_started"
    source_name: str
    provenance: Provenance


class ManuscriptRead(BaseEvent):
    """Step 1: file or text is read."""

    type: Literal["manuscript_read"] = "manuscript_read"
    title: str | None
    characters: int
    sections: int
    references: int
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, manuscript: Manuscript) -> "ManuscriptRead":
        """Tell of a manuscript, or of a list, that was read."""
        return cls(
            title=manuscript.title,
            characters=len(manuscript.text),
            sections=len(manuscript.sections),
            references=len(manuscript.references),
            notes=tuple(note.message for note in manuscript.notes),
        )


class MarkerSkipped(BaseEvent):
    """Step 1: a marker, or a part of one, gave no claim."""

    type: Literal["marker_skipped"] = "marker_skipped"
    skipped: SkippedMarker


class Paired(BaseEvent):
    """Step 1 is done."""

    type: Literal["paired"] = "paired"
    markers: int
    citances: int
    claims: int
    skipped: int
    cited_references: int


class RetrievalStarted(BaseEvent):
    """Step 2 begins, once for all distinct references."""

    type: Literal["retrieval_started"] = "retrieval_started"
    references: int
    sources: tuple[str, ...]


class Waiting(BaseEvent):
    """A source asks us to wait, or our own limit does."""

    type: Literal["waiting"] = "waiting"
    source: str
    seconds: float
    reason: str


class RetrievalProgress(BaseEvent):
    """Step 2 goes on: how far it is, told now and then.

    Attributes:
        source: The source that is asked now.
        done: References that have their answer.
        total: References in all.
        answered: References that this source has answered for.
        asked: References that it is asked about.
        seconds_left: About how long this source will still take, by its pace so far.
    """

    type: Literal["retrieval_progress"] = "retrieval_progress"
    source: str
    done: int
    total: int
    answered: int
    asked: int
    seconds_left: float | None = None


class ModelLoading(BaseEvent):
    """A model is being loaded (and, the first time, its base weights converted)."""

    type: Literal["model_loading"] = "model_loading"
    role: str
    name: str


class ModelReady(BaseEvent):
    """A model is loaded."""

    type: Literal["model_ready"] = "model_ready"
    role: str
    name: str
    seconds: float


class ReferenceLookedUp(BaseEvent):
    """Step 2: one reference has its answer."""

    type: Literal["reference_looked_up"] = "reference_looked_up"
    lookup: EvidenceLookup
    cached: bool = False


class ReferenceChecked(BaseEvent):
    """The state of one reference is known; `done` of `total` are through."""

    type: Literal["reference_checked"] = "reference_checked"
    check: ReferenceCheck
    done: int
    total: int


class ClaimUnresolved(BaseEvent):
    """No evidence, no verdict."""

    type: Literal["claim_unresolved"] = "claim_unresolved"
    claim_id: str
    reference_id: str
    status: str
    reason: str


class ClaimStarted(BaseEvent):
    """Step 3 begins for a claim."""

    type: Literal["claim_started"] = "claim_started"
    claim_id: str
    reference_id: str
    claim: str
    evidence_title: str


class VerifierAnswered(BaseEvent):
    """Step 3: one verifier is done with a claim."""

    type: Literal["verifier_answered"] = "verifier_answered"
    claim_id: str
    outcome: VerifierOutcome


class Compared(BaseEvent):
    """Step 3: the two answers are laid side by side."""

    type: Literal["compared"] = "compared"
    claim_id: str
    agreed: bool
    needs_agent: bool
    detail: str


class AgentActionStarted(BaseEvent):
    """Step 4: the planner has chosen a tool."""

    type: Literal["agent_action_started"] = "agent_action_started"
    claim_id: str
    index: int
    action: AgentAction
    arguments: dict[str, str] = Field(default_factory=dict)
    thought: str = ""
    actions_left: int


class AgentActed(BaseEvent):
    """Step 4: the tool has answered."""

    type: Literal["agent_acted"] = "agent_acted"
    claim_id: str
    step: AgentStep


class ClaimSettled(BaseEvent):
    """A claim has its final verdict, or none if every verifier abstained."""

    type: Literal["claim_settled"] = "claim_settled"
    claim_id: str
    final: FinalVerdict | None
    reason: str = ""


class Attributed(BaseEvent):
    """Step 5: the deciding words of a claim, or why there are none."""

    type: Literal["attributed"] = "attributed"
    claim_id: str
    attribution: Attribution | None
    reason: str = ""


class ClaimFailed(BaseEvent):
    """A claim broke; the rest goes on."""

    type: Literal["claim_failed"] = "claim_failed"
    failure: Failure


class ClaimDone(BaseEvent):
    """A claim is through, whatever came of it: what progress is counted by."""

    type: Literal["claim_done"] = "claim_done"
    claim_id: str
    done: int
    total: int


class RunFinished(BaseEvent):
    """Step 6: the report is ready."""

    type: Literal["run_finished"] = "run_finished"
    status: RunStatus
    summary: Summary


class RunFailed(BaseEvent):
    """The run could not go on; nothing can be reported but why."""

    type: Literal["run_failed"] = "run_failed"
    code: str
    message: str
    advice: str = ""


Event = Annotated[
    RunStarted
    | ManuscriptRead
    | MarkerSkipped
    | Paired
    | RetrievalStarted
    | Waiting
    | RetrievalProgress
    | ModelLoading
    | ModelReady
    | ReferenceLookedUp
    | ReferenceChecked
    | ClaimUnresolved
    | ClaimStarted
    | VerifierAnswered
    | Compared
    | AgentActionStarted
    | AgentActed
    | ClaimSettled
    | Attributed
    | ClaimFailed
    | ClaimDone
    | RunFinished
    | RunFailed,
    Field(discriminator="type"),
]
"""Any event."""

event_adapter: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads an event back from JSON."""
