"""Where the entries of a list without labels begin: a small log-linear model over its lines.

Each line is either the first of an entry or goes on with one; how likely depends on the line, on its
neighbours, on the list, and on the entry that it would end. The most likely way to divide the whole list is
searched for. The weights come from `tests.benchmarks.linking.train_starts`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from veriscite.linking.references.line_features import Described, describe, history
from veriscite.linking.references.lines import Line

_WEIGHTS = "entry_starts.json"
_MOST_OPEN = 10
"""Ways to divide the list that are kept in mind at each line."""
_MAX_LOGIT = 30.0


@cache
def shipped_weights() -> Mapping[str, float]:
    """Return the weights that come with the package."""
    text = files("veriscite.linking.references").joinpath(_WEIGHTS).read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights


@dataclass(slots=True)
class _Open:
    """A way to divide the list so far: its last entry is still open."""

    first: int
    score: float
    dated: bool
    length: int
    before: "_Open | None"


def entry_starts(lines: Sequence[Line], weights: Mapping[str, float] | None = None) -> list[int]:
    """Return the indices of the lines that entries begin with.

    Args:
        lines: Of a list without labels, in order.
        weights: One for each feature's name; those that come with the package if None.
    """
    if not lines:
        return []
    weights = shipped_weights() if weights is None else weights
    described, is_sorted, usual = describe(lines)
    ways = [_Open(0, 0.0, described[0].dates > 0, described[0].length, None)]
    for i in range(1, len(lines)):
        here = described[i]
        base = sum(weights.get(name, 0.0) for name in here.features)
        begun: _Open | None = None
        for way in ways:
            told = history(described[way.first], way.dated, i - way.first, way.length, here, is_sorted, usual)
            logit = base + sum(weights.get(name, 0.0) for name in told)
            logit = max(-_MAX_LOGIT, min(_MAX_LOGIT, logit))
            score = way.score - math.log1p(math.exp(-logit))
            if begun is None or score > begun.score:
                begun = _Open(i, score, False, 0, way)
            way.score -= math.log1p(math.exp(logit))
        if begun is not None:
            ways.append(begun)
        ways.sort(key=lambda way: -way.score)
        del ways[_MOST_OPEN:]
        for way in ways:
            way.dated = way.dated or here.dates > 0
            way.length += here.length
    best: _Open | None = ways[0]
    starts: list[int] = []
    while best is not None:
        starts.append(best.first)
        best = best.before
    return starts[::-1]


def taught(lines: Sequence[Line], starts: Sequence[int]) -> list[tuple[tuple[str, ...], bool]]:
    """Return, for each line but the first, its features and whether an entry begins there.

    Args:
        lines: Of a list without labels.
        starts: The lines that entries begin with.
    """
    described, is_sorted, usual = describe(lines)
    true = set(starts)
    first, dated, length = 0, described[0].dates > 0, described[0].length
    rows = []
    for i in range(1, len(lines)):
        here: Described = described[i]
        told = history(described[first], dated, i - first, length, here, is_sorted, usual)
        rows.append(((*here.features, *told), i in true))
        if i in true:
            first, dated, length = i, False, 0
        dated = dated or here.dates > 0
        length += here.length
    return rows
