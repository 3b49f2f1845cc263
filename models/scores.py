"""Scores: macro-F1, bootstrap intervals, expected calibration error."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence


def f1_by_label(
    gold: Sequence[int], predicted: Sequence[int], labels: Sequence[int] = (0, 1, 2)
) -> list[float]:
    """F1 of each label; 0 where a label is neither there nor predicted."""
    scores = []
    for label in labels:
        true = sum(g == label and p == label for g, p in zip(gold, predicted, strict=True))
        total = sum(g == label for g in gold) + sum(p == label for p in predicted)
        scores.append(2 * true / total if total else 0.0)
    return scores


def macro_f1(gold: Sequence[int], predicted: Sequence[int]) -> float:
    """Mean F1 over the three labels."""
    return sum(f1_by_label(gold, predicted)) / 3


def bootstrap_interval(
    score: Callable[[Sequence[int]], float], count: int, draws: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """95% percentile interval of a score over resampled items.

    Args:
        score: Takes the indices drawn (with replacement) and returns the score.
        count: Number of items.
        draws: Number of resamples.
        seed: Seed of the draws.
    """
    rng = random.Random(seed)
    values = sorted(score(rng.choices(range(count), k=count)) for _ in range(draws))
    return values[int(0.025 * draws)], values[min(int(0.975 * draws), draws - 1)]


def expected_calibration_error(confidence: Sequence[float], correct: Sequence[bool], bins: int = 10) -> float:
    """Weighted mean gap between confidence and accuracy over equal-width bins (Naeini et al., 2015)."""
    return sum(
        line["pairs"] / len(confidence) * abs(line["confidence"] - line["accuracy"])
        for line in reliability(confidence, correct, bins)
    )


def reliability(
    confidence: Sequence[float], correct: Sequence[bool], bins: int = 10
) -> list[dict[str, float]]:
    """Mean confidence and accuracy in each equal-width bin that holds anything: a reliability diagram."""
    found = []
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [i for i, c in enumerate(confidence) if low < c <= high or (number == 0 and c == 0)]
        if inside:
            found.append(
                {
                    "pairs": len(inside),
                    "confidence": sum(confidence[i] for i in inside) / len(inside),
                    "accuracy": sum(correct[i] for i in inside) / len(inside),
                }
            )
    return found


def area_under_roc(score: Sequence[float], positive: Sequence[bool]) -> float | None:
    """Probability that a positive scores above a negative (ties: half); None if one kind is missing."""
    positives = [s for s, p in zip(score, positive, strict=True) if p]
    negatives = [s for s, p in zip(score, positive, strict=True) if not p]
    if not positives or not negatives:
        return None
    wins = sum((a > b) + 0.5 * (a == b) for a in positives for b in negatives)
    return wins / (len(positives) * len(negatives))
