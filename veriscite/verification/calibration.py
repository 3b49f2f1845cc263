"""From window margins to calibrated probabilities: one temperature and two fitted thresholds."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from veriscite.domain import Frozen, Label, LabelProbabilities
from veriscite.errors import ModelNotFoundError
from veriscite.verification.windows import (
    WINDOW_SENTENCES,
    WINDOW_STRIDE,
    closest,
    window_spans,
)

FILE_NAME = "calibration.json"


class Calibration(Frozen):
    """How window margins become probabilities.

    The margin of a label in a window is its logit minus that of NOT_ENOUGH_INFO. With the largest margin over
    all windows, the document's logits are `(margin - threshold) / temperature` for SUPPORT and CONTRADICT and
    0 for
    NOT_ENOUGH_INFO: temperature scaling (Guo et al., 2017) with the decision thresholds as biases, so that
    the most probable label is always the one decided for.

    Attributes:
        temperature: Divisor of the margins, above 0.
        support_threshold: Margin at which SUPPORT is as probable as NOT_ENOUGH_INFO.
        contradict_threshold: The same for CONTRADICT.
        window: Sentences in a window.
        stride: Sentences between window starts.
        extracts: Sizes of the extracts that are read instead of windows: the closest sentences, so many of
            them in each premise. Empty reads windows.
        max_length: Tokens of a pair at most.
        labels: Names of the classifier's outputs, in order.
        fitted_on: The data that the three numbers were fitted on; empty if they were not fitted.
        fitted_pairs: How many claim-abstract pairs these are.
        known: Verdicts on these pairs, for an error budget: by label, confidence and whether it was right.
        holds_for_claims: Whether these pairs are like the claims judged here. Numbers fitted on general NLI
            decide well enough, but as confidence in a verdict on a scientific claim they would mislead.
    """

    temperature: float = Field(default=1.0, gt=0)
    support_threshold: float = 0.0
    contradict_threshold: float = 0.0
    window: int = Field(default=WINDOW_SENTENCES, ge=1, le=50)
    stride: int = Field(default=WINDOW_STRIDE, ge=1, le=50)
    extracts: tuple[int, ...] = ()
    max_length: int = Field(default=256, ge=16, le=4096)
    labels: tuple[str, ...] = ()
    fitted_on: str = ""
    fitted_pairs: int = 0
    holds_for_claims: bool = True
    known: dict[Label, tuple[tuple[float, bool], ...]] = Field(default_factory=dict)

    @property
    def is_fitted(self) -> bool:
        """Whether probabilities made with this may be shown as confidence."""
        return bool(self.fitted_on) and self.holds_for_claims

    def premises(self, claim: str, sentences: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """What is read for this claim: indices of the sentences of each premise, in reading order."""
        if self.extracts:
            chosen = (closest(claim, sentences, size) for size in self.extracts)
            return tuple(dict.fromkeys(chosen))
        spans = window_spans(len(sentences), self.window, self.stride)
        return tuple(tuple(range(start, stop)) for start, stop in spans)

    def probabilities(self, support_margin: float, contradict_margin: float) -> LabelProbabilities:
        """Probabilities of the three labels.

        Args:
            support_margin: Largest SUPPORT margin over the windows; minus infinity for a label never given.
            contradict_margin: Largest CONTRADICT margin over the windows.
        """
        logits = (
            (support_margin - self.support_threshold) / self.temperature,
            (contradict_margin - self.contradict_threshold) / self.temperature,
            0.0,
        )
        top = max(logits)
        weights = [math.exp(value - top) for value in logits]
        total = sum(weights)
        return LabelProbabilities(
            support=weights[0] / total, contradict=weights[1] / total, not_enough_info=weights[2] / total
        )


def load_calibration(folder: Path) -> Calibration | None:
    """Read the calibration beside a model; None where there is none.

    Raises:
        ModelNotFoundError: The file is there but cannot be used.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return None
    try:
        return Calibration.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise ModelNotFoundError(
            f"{path} cannot be used: {error}", advice="Take the file from the release again, or remove it."
        ) from error
