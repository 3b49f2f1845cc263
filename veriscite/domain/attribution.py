"""Which words decided."""

from pydantic import model_validator

from veriscite.domain.base import Frozen, Span
from veriscite.domain.verdicts import Label


class TokenScore(Frozen):
    """A token, where it stands in its text, and how much it speaks for the target label.

    Attributes:
        span: Offsets into the claim's text or the decisive sentence.
        score: Positive speaks for the target label, negative against it; in units of the model's
            output (a logit or its margin), not normalised.
    """

    text: str
    span: Span
    score: float


class Attribution(Frozen):
    """Integrated Gradients of one verdict over claim and decisive sentence.

    Attributes:
        target: The label that was explained.
        claim: Tokens of the claim, in order.
        evidence: Tokens of the decisive sentence, in order.
        sentence_index: Index (0-based) of that sentence in `Evidence.sentences`.
        baseline: What the integral starts from, in words.
        steps: Number of steps of the integral.
        convergence_delta: Sum of attributions minus the difference of the outputs at input and baseline.
        output_difference: That difference, so that the delta can be judged relative to it.
        model: The model that was explained.
    """

    target: Label
    claim_text: str
    sentence: str
    claim: tuple[TokenScore, ...]
    evidence: tuple[TokenScore, ...]
    sentence_index: int
    baseline: str
    steps: int
    convergence_delta: float
    output_difference: float
    model: str

    @model_validator(mode="after")
    def _spans_lie_inside(self) -> "Attribution":
        for tokens, text in ((self.claim, self.claim_text), (self.evidence, self.sentence)):
            if any(t.span.end > len(text) for t in tokens):
                raise ValueError("a token lies outside its text")
        return self

    @property
    def relative_delta(self) -> float | None:
        """The convergence delta as a share of the output difference; None if that is near zero."""
        if abs(self.output_difference) < 1e-6:
            return None
        return abs(self.convergence_delta / self.output_difference)
