"""How far a run is, folded from its events one by one."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from veriscite.domain.events import (
    AgentActed,
    Attributed,
    ClaimDone,
    ClaimFailed,
    ClaimStarted,
    ClaimUnresolved,
    Compared,
    Event,
    ManuscriptRead,
    Paired,
    ReferenceLookedUp,
    RetrievalStarted,
    RunFailed,
    RunFinished,
    RunStarted,
)
from veriscite_app.texts import count, t

STEPS = ("pair", "retrieve", "verify", "resolve", "attribute", "summarise")


class StepStatus(StrEnum):
    """Where a step stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    STOPPED = "stopped"


@dataclass(frozen=True)
class StepState:
    """One of the six steps as shown: its key, where it stands, and how much is done in words."""

    key: str
    status: StepStatus
    note: str = ""


@dataclass
class Progress:
    """Counts that grow with each event; `add` takes constant time.

    Attributes:
        claims: None until the manuscript is paired.
        references: None until the references are known that will be looked up.
    """

    started_at: datetime | None = None
    claims: int | None = None
    references: int | None = None
    looked_up: int = 0
    unresolved: int = 0
    failed: int = 0
    judging_since: datetime | None = None
    started: int = 0
    compared: int = 0
    disagreements: int = 0
    actions: int = 0
    explained: int = 0
    attribution_seen: int = 0
    done: int = 0
    last_at: datetime | None = None
    read: bool = False
    ended: bool = False
    finished: bool = False
    _done_when_judging: int = field(default=0, repr=False)

    def add(self, event: Event) -> None:  # noqa: C901 - one flat case for each kind of event
        """Count an event."""
        self.last_at = event.at
        match event:
            case RunStarted():
                self.started_at = event.at
            case ManuscriptRead():
                self.read = True
            case Paired():
                self.claims = event.claims
            case RetrievalStarted():
                self.references = event.references
            case ReferenceLookedUp():
                self.looked_up += 1
            case ClaimUnresolved():
                self.unresolved += 1
            case ClaimStarted():
                if self.judging_since is None:
                    self.judging_since = event.at
                    self._done_when_judging = self.done
                self.started += 1
            case Compared():
                self.compared += 1
                self.disagreements += event.needs_agent
            case AgentActed():
                self.actions += 1
            case Attributed():
                self.attribution_seen += 1
                self.explained += event.attribution is not None
            case ClaimFailed():
                self.failed += 1
            case ClaimDone():
                self.done = max(self.done, event.done)
            case RunFinished():
                self.ended = self.finished = True
            case RunFailed():
                self.ended = True
            case _:
                pass

    @property
    def share(self) -> float:
        """Share of the claims that are through, 0 to 1; 0 while their number is unknown."""
        if self.finished:
            return 1.0
        if not self.claims:
            return 0.0
        return min(1.0, self.done / self.claims)

    def remaining_s(self, now: datetime) -> float | None:
        """Estimate the seconds left from the pace since the first claim was judged; None if unknown."""
        if self.ended or self.claims is None or self.judging_since is None:
            return None
        through = self.done - self._done_when_judging
        left = self.claims - self.done
        elapsed = (now - self.judging_since).total_seconds()
        if through < 2 or left <= 0 or elapsed <= 0:
            return None
        return elapsed / through * left

    def steps(self, *, stopped: bool = False) -> tuple[StepState, ...]:
        """Return the six steps; `stopped` tells that the run came to an early end."""
        last = StepStatus.RUNNING if self._through() and self.claims else StepStatus.WAITING
        if self.finished:
            last = StepStatus.DONE
        states = (
            self._pair(),
            self._retrieve(),
            self._verify(),
            self._resolve(),
            self._attribute(),
            StepState("summarise", last),
        )
        if not stopped:
            return states
        early = (StepStatus.RUNNING, StepStatus.WAITING)
        return tuple(
            StepState(s.key, StepStatus.STOPPED if s.status in early else s.status, s.note) for s in states
        )

    def _pair(self) -> StepState:
        if self.claims is not None:
            return StepState("pair", StepStatus.DONE, count("claim", self.claims))
        return StepState("pair", StepStatus.RUNNING if self.started_at else StepStatus.WAITING)

    def _retrieve(self) -> StepState:
        if self.references is None:
            return StepState("retrieve", self._not_begun())
        done = self._retrieved() or self.finished
        note = t("step.references", done=self.looked_up, references=count("reference", self.references))
        return StepState("retrieve", StepStatus.DONE if done else StepStatus.RUNNING, note)

    def _verify(self) -> StepState:
        if self.started == 0:
            # Between the last abstract and the first claim the models are loaded.
            loading = self._retrieved() and self.unresolved < (self.claims or 0) and not self.finished
            return StepState("verify", StepStatus.RUNNING if loading else self._not_begun())
        total = max(self.started, (self.claims or 0) - self.unresolved)
        note = t("step.of", done=self.compared, claims=count("claim", total))
        done = self.compared + self.failed >= total or self.finished
        return StepState("verify", StepStatus.DONE if done else StepStatus.RUNNING, note)

    def _resolve(self) -> StepState:
        if self.disagreements == 0:
            return StepState("resolve", self._not_begun())
        note = t(
            "step.cases",
            disagreements=count("disagreement", self.disagreements),
            actions=count("action", self.actions),
        )
        return StepState("resolve", StepStatus.DONE if self._through() else StepStatus.RUNNING, note)

    def _attribute(self) -> StepState:
        if self.attribution_seen == 0:
            return StepState("attribute", self._not_begun())
        note = t("step.explained", n=self.explained)
        return StepState("attribute", StepStatus.DONE if self._through() else StepStatus.RUNNING, note)

    def _retrieved(self) -> bool:
        return self.references is not None and self.looked_up >= self.references

    def _through(self) -> bool:
        return self.finished or (self.claims is not None and self.done >= self.claims)

    def _not_begun(self) -> StepStatus:
        return StepStatus.SKIPPED if self.finished else StepStatus.WAITING
