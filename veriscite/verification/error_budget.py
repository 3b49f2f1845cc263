"""An error budget: from which confidence on a label is shown, so that at most a given share of it is wrong.

Learn then Test (Angelopoulos, Bates, Candes, Jordan and Lei, 2021) with fixed-sequence testing. Each
threshold is a hypothesis, *more than the budget of what it lets through is wrong*, tested by the binomial
tail on claims with known labels that were not trained on. Thresholds are tested from strict to lax,
beginning at a few starts fixed beforehand which share the failure probability, and each sequence ends at
the first that cannot be rejected.

With probability 1 - `failure` over the draw of those claims, the share of wrong verdicts among those shown
is at most the budget, for claims drawn as they were. Claims of other kinds, abstracts of other fields and a
choice among the verdicts (only those that another verifier agrees with, say) are not covered.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from veriscite.domain import FinalVerdict, Label
from veriscite.errors import SettingsError

#: A verdict on a claim with a known label: confidence, and whether it was right.
Known = tuple[float, bool]

_STARTS = (0.9, 0.8, 0.7)
_STEP = 0.02
FAILURE = 0.1


def threshold(known: Sequence[Known], max_error: float, failure: float = FAILURE) -> float | None:
    """The lowest confidence from which on the budget is kept.

    Args:
        known: Verdicts of one label on claims with known labels.
        max_error: Share of wrong verdicts that may be shown, above 0 and below 1.
        failure: Probability that the bound does not hold.

    Returns:
        The threshold; None if no tested threshold keeps the budget, so that nothing may be shown.
    """
    kept: list[float] = []
    for start in _STARTS:
        level = start
        while level > 1 / 3 and _tail(known, level, max_error) <= failure / len(_STARTS):
            kept.append(level)
            level = round(level - _STEP, 4)
    return min(kept, default=None)


def _tail(known: Sequence[Known], level: float, max_error: float) -> float:
    """Probability of so few wrong verdicts, or fewer, if the share of wrong ones were `max_error`."""
    shown = [right for confidence, right in known if confidence >= level]
    wrong = shown.count(False)
    return sum(
        math.comb(len(shown), k) * max_error**k * (1 - max_error) ** (len(shown) - k)
        for k in range(wrong + 1)
    )


class ErrorBudget:
    """Withholds verdicts that the budget does not allow. Implements `veriscite.ports.Gate`."""

    def __init__(self, known: Mapping[Label, Sequence[Known]], max_error: float) -> None:
        """Choose the thresholds.

        Args:
            known: Verdicts on claims with known labels, for SUPPORT and CONTRADICT.
            max_error: Share of wrong verdicts of each label that may be shown.

        Raises:
            SettingsError: The budget is not between 0 and 1, or there is nothing to choose thresholds by.
        """
        if not 0 < max_error < 1:
            raise SettingsError(
                f"An error budget of {max_error:g} cannot be kept.",
                advice="Give the share of wrong verdicts you can bear, such as 0.1 for one in ten.",
            )
        if not any(known.values()):
            raise SettingsError(
                "This NLI model comes without verdicts on claims with known labels, so no error budget can "
                "be kept with it.",
                advice="Leave --max-error out, or use the adapter that ships with VeriScite.",
            )
        self._max_error = max_error
        self.thresholds = {
            label: threshold(known.get(label, ()), max_error) for label in (Label.SUPPORT, Label.CONTRADICT)
        }

    def withheld(self, final: FinalVerdict) -> str:
        """Why a verdict is not shown; empty if it is. NOT_ENOUGH_INFO is always shown."""
        if final.label is Label.NOT_ENOUGH_INFO:
            return ""
        least = self.thresholds[final.label]
        said = f"Withheld by the error budget of {self._max_error:.0%}: the verdict would be {final.label}"
        if least is None:
            return f"{said}, but no confidence keeps that budget for it."
        if final.confidence is None:
            return f"{said}, whose confidence was not measured, since the verifiers did not agree at once."
        if final.confidence < least:
            return f"{said} with a confidence of {final.confidence:.0%}, and {least:.0%} is needed."
        return ""
