"""From the scores of all windows to one label, and to the window that decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from veriscite.domain import Label, LabelProbabilities
from veriscite.verification.calibration import Calibration


@dataclass(frozen=True)
class PairScore:
    """The classifier's margins for one premise and the claim.

    Attributes:
        support: Logit of SUPPORT minus that of NOT_ENOUGH_INFO.
        contradict: The same for CONTRADICT; minus infinity if the model has no such output.
        truncated: Whether premise or claim was cut to the model's length.
    """

    support: float
    contradict: float
    truncated: bool = False

    def margin(self, label: Label) -> float:
        """Margin of SUPPORT or CONTRADICT over NOT_ENOUGH_INFO."""
        return self.support if label is Label.SUPPORT else self.contradict

    def log_odds(self, label: Label) -> float:
        """Log-odds of SUPPORT or CONTRADICT against the two other labels together."""
        other = self.contradict if label is Label.SUPPORT else self.support
        return self.margin(label) - _log_add(other, 0.0)


def _log_add(a: float, b: float) -> float:
    low, high = sorted((a, b))
    return high + math.log1p(math.exp(low - high))


@dataclass(frozen=True)
class Aggregate:
    """What all windows say together.

    Attributes:
        label: The most probable label.
        probabilities: Of the three labels, for the evidence as a whole.
        window: Index of the window that decided; None for NOT_ENOUGH_INFO.
        opposing_window: Index of a window that alone would decide for the opposite label, if there is one.
    """

    label: Label
    probabilities: LabelProbabilities
    window: int | None
    opposing_window: int | None = None


def aggregate(scores: Sequence[PairScore], calibration: Calibration) -> Aggregate:
    """Decide for SUPPORT or CONTRADICT by its largest margin, for NOT_ENOUGH_INFO when both stay below.

    Args:
        scores: One for each window, in reading order; at least one.
        calibration: Temperature and thresholds.

    Raises:
        ValueError: There are no scores.
    """
    if not scores:
        raise ValueError("no windows to aggregate")
    best = {
        label: max(range(len(scores)), key=lambda i: scores[i].margin(label))
        for label in (Label.SUPPORT, Label.CONTRADICT)
    }
    probabilities = calibration.probabilities(
        scores[best[Label.SUPPORT]].support, scores[best[Label.CONTRADICT]].contradict
    )
    label = max(Label, key=probabilities.of)
    if label is Label.NOT_ENOUGH_INFO:
        return Aggregate(label, probabilities, None)
    other = Label.CONTRADICT if label is Label.SUPPORT else Label.SUPPORT
    threshold = (
        calibration.contradict_threshold if other is Label.CONTRADICT else calibration.support_threshold
    )
    rival = best[other]
    opposing = rival if rival != best[label] and scores[rival].margin(other) > threshold else None
    return Aggregate(label, probabilities, best[label], opposing)
