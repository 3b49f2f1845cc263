"""Foreign label names mapped once, at the border, to SUPPORT, CONTRADICT and NOT_ENOUGH_INFO."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from veriscite.domain import Label
from veriscite.errors import LabelMappingError

_NAMES: dict[str, Label] = {
    "entailment": Label.SUPPORT,
    "entails": Label.SUPPORT,
    "entail": Label.SUPPORT,
    "support": Label.SUPPORT,
    "supports": Label.SUPPORT,
    "supported": Label.SUPPORT,
    "contradiction": Label.CONTRADICT,
    "contradicts": Label.CONTRADICT,
    "contradict": Label.CONTRADICT,
    "refute": Label.CONTRADICT,
    "refutes": Label.CONTRADICT,
    "refuted": Label.CONTRADICT,
    "neutral": Label.NOT_ENOUGH_INFO,
    "nei": Label.NOT_ENOUGH_INFO,
    "notenoughinfo": Label.NOT_ENOUGH_INFO,
    "notenoughinformation": Label.NOT_ENOUGH_INFO,
    "noinfo": Label.NOT_ENOUGH_INFO,
    # Two-class models: what is not entailed may be contradicted or merely unsaid, so only the weaker is
    # claimed.
    "notentailment": Label.NOT_ENOUGH_INFO,
    "notentailed": Label.NOT_ENOUGH_INFO,
    "nonentailment": Label.NOT_ENOUGH_INFO,
}


@dataclass(frozen=True)
class LabelMap:
    """Which output of a classifier stands for which label.

    Attributes:
        support: Index of SUPPORT.
        not_enough_info: Index of NOT_ENOUGH_INFO.
        contradict: Index of CONTRADICT; None for a two-class model, which never gives it.
    """

    support: int
    not_enough_info: int
    contradict: int | None

    def index(self, label: Label) -> int | None:
        """Index of `label` in the classifier's output, or None if it has no such output."""
        return {
            Label.SUPPORT: self.support,
            Label.CONTRADICT: self.contradict,
            Label.NOT_ENOUGH_INFO: self.not_enough_info,
        }[label]


def map_labels(names: Mapping[int, str], model: str) -> LabelMap:
    """Map a checkpoint's own label names.

    Args:
        names: The config's `id2label`.
        model: What to call the checkpoint in an error.

    Raises:
        LabelMappingError: A name is not known (`LABEL_0` and the like say nothing of their meaning), a label
            comes twice, or SUPPORT or its opposite is missing.
    """
    found: dict[Label, int] = {}
    for index, name in sorted(names.items()):
        label = _NAMES.get(re.sub(r"[^a-z]", "", str(name).lower()))
        if label is None or label in found:
            raise LabelMappingError(
                f"{model} has labels {', '.join(str(n) for _, n in sorted(names.items()))}, "
                "which cannot be mapped to SUPPORT, CONTRADICT and NOT_ENOUGH_INFO.",
                advice="Choose a checkpoint trained on NLI, or name its labels in its config.json.",
            )
        found[label] = index
    if Label.SUPPORT not in found or Label.NOT_ENOUGH_INFO not in found:
        raise LabelMappingError(
            f"{model} has no output for entailment, or none for its absence.",
            advice="Choose a checkpoint with entailment, neutral and contradiction, "
            "or with entailment and not_entailment.",
        )
    return LabelMap(found[Label.SUPPORT], found[Label.NOT_ENOUGH_INFO], found.get(Label.CONTRADICT))
