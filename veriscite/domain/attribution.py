"""Which words decided, and whether that can be relied on."""

from pydantic import model_validator

from veriscite.domain.base import Frozen
from veriscite.domain.verdicts import Label
from veriscite.domain.words import TokenScore, WordScore, words_of

MAX_RELATIVE_DELTA = 0.2
"""Convergence delta, relative to what is explained, up to which an attribution can be relied on."""


class DeletionTest(Frozen):
    """What the label loses without the words that an attribution names, and without others.

    Attributes:
        k: Number of words left out.
        top_drop: How far the label's log-odds (natural logarithm) fall without the words that speak most for
            it; negative if they rise.
        random_drop: The mean of the same for as many words drawn at random from the rest.
    """

    k: int
    top_drop: float
    random_drop: float

    @property
    def words(self) -> str:
        """The words left out, in words."""
        if self.k == 1:
            return "the word that speaks most for the label"
        return f"the {self.k} words that speak most for the label"


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
        deletion: Whether the label hangs on the words named; None where it was not tested.
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
    deletion: DeletionTest | None = None

    @model_validator(mode="after")
    def _spans_lie_inside(self) -> "Attribution":
        for tokens, text in ((self.claim, self.claim_text), (self.evidence, self.sentence)):
            if any(t.span.end > len(text) for t in tokens):
                raise ValueError("a token lies outside its text")
        return self

    @property
    def claim_words(self) -> tuple[WordScore, ...]:
        """The claim's words, in order."""
        return words_of(self.claim_text, self.claim)

    @property
    def evidence_words(self) -> tuple[WordScore, ...]:
        """The decisive sentence's words, in order."""
        return words_of(self.sentence, self.evidence)

    @property
    def relative_delta(self) -> float:
        """The convergence delta as a share of the output difference; below one unit it counts as one."""
        return abs(self.convergence_delta) / max(1.0, abs(self.output_difference))

    @property
    def trusted(self) -> bool:
        """Whether its scores add up and the label hangs on the words that it names; see `doubts`."""
        return not self.doubts

    @property
    def doubts(self) -> tuple[str, ...]:
        """Why it is not to be relied on, in sentences; empty if it is trusted."""
        found = []
        change, delta = self.output_difference, abs(self.convergence_delta)
        # Asked this way round, numbers that are none count as failures.
        if not self.relative_delta <= MAX_RELATIVE_DELTA:
            found.append(
                f"The scores should add up to the change in the model's output, {change:.2f}, "
                f"but miss it by {delta:.2f}."
            )
        test = self.deletion
        if test is None:
            found.append("Whether the verdict hangs on these words was not tested.")
        elif not test.top_drop > 0:
            found.append(f"Without {test.words}, the model is no less sure of it.")
        elif not test.top_drop > test.random_drop:
            found.append(f"Leaving out {test.words} costs it no more than leaving out words at random.")
        return tuple(found)
