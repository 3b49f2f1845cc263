"""Labels, verdicts of verifiers, the agent's steps, and what was concluded."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from veriscite.domain.base import Frozen
from veriscite.domain.evidence import Evidence


class Label(StrEnum):
    """The three answers; foreign labels are mapped to these once, at the border."""

    SUPPORT = "SUPPORT"
    CONTRADICT = "CONTRADICT"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"


class LabelProbabilities(Frozen):
    """A probability for each label; they sum to 1."""

    support: float = Field(ge=0, le=1)
    contradict: float = Field(ge=0, le=1)
    not_enough_info: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _sums_to_one(self) -> Self:
        total = self.support + self.contradict + self.not_enough_info
        if abs(total - 1) > 0.01:
            raise ValueError(f"probabilities sum to {total:.3f}, not to 1")
        return self

    def of(self, label: Label) -> float:
        """Return the probability of `label`."""
        return {
            Label.SUPPORT: self.support,
            Label.CONTRADICT: self.contradict,
            Label.NOT_ENOUGH_INFO: self.not_enough_info,
        }[label]


class Tokens(Frozen):
    """Tokens that a chat model was given and gave back."""

    input: int = 0
    output: int = 0


class Verdict(Frozen):
    """A verifier's judgement of one claim against one piece of evidence.

    Attributes:
        verifier: The role: `nli`, `blind`, `second_opinion`.
        probabilities: None if the verifier gives none.
        calibrated: Whether `probabilities` were calibrated on held-out data. Confidence that is not
            calibrated is never shown.
        rationale: Indices (0-based) into `Evidence.sentences` that decided, most decisive first.
        quotes: Verbatim quotes from the evidence, each found there.
        model: Name of the model, as a person should read it.
        revision: What pins the model: commit, hash of the weights, or the API's model id.
        prompt_hash: First 12 hex digits of the prompt file's SHA-256; None without a prompt.
        notes: Remarks for the reader (truncated input, dropped quotes).
    """

    kind: Literal["verdict"] = "verdict"
    verifier: str
    label: Label
    probabilities: LabelProbabilities | None = None
    calibrated: bool = False
    rationale: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    justification: str = ""
    model: str
    revision: str = ""
    prompt_hash: str | None = None
    tokens: Tokens | None = None
    notes: tuple[str, ...] = ()

    @property
    def confidence(self) -> float | None:
        """The calibrated probability of the label; None where none was measured."""
        if self.probabilities is None or not self.calibrated:
            return None
        return self.probabilities.of(self.label)


class Abstention(Frozen):
    """A verifier that could not answer, and why."""

    kind: Literal["abstention"] = "abstention"
    verifier: str
    code: str
    reason: str
    model: str = ""
    revision: str = ""
    prompt_hash: str | None = None
    tokens: Tokens | None = None


VerifierOutcome = Annotated[Verdict | Abstention, Field(discriminator="kind")]
"""What a verifier answers."""


class AgentAction(StrEnum):
    """The planner's three tools."""

    SEARCH_AGAIN = "search_again"
    SECOND_OPINION = "second_opinion"
    CONCLUDE = "conclude"


class AgentStep(Frozen):
    """One action of the planner and what came of it.

    Attributes:
        index: 1-based; an action that failed counts too.
        arguments: As the planner gave them.
        thought: The planner's reason for the action, in a sentence.
        observation: What came back, as text.
        evidence: What a search found.
        outcomes: Verdicts that the action brought about.
        duration_s: Seconds.
    """

    index: int
    action: AgentAction
    arguments: dict[str, str] = Field(default_factory=dict)
    thought: str = ""
    observation: str = ""
    evidence: Evidence | None = None
    outcomes: tuple[VerifierOutcome, ...] = ()
    started_at: datetime
    duration_s: float = 0.0
    tokens: Tokens | None = None


class DecidedBy(StrEnum):
    """What the final verdict rests on."""

    AGREEMENT = "agreement"
    AGENT = "agent"
    SINGLE_VERIFIER = "single_verifier"


class FinalVerdict(Frozen):
    """The label a reader is shown, and what it rests on."""

    label: Label
    confidence: float | None = None
    decided_by: DecidedBy
    justification: str = ""
