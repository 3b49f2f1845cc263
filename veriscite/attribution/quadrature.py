"""Where on the path the integral is sampled: where the output turns, found as it goes.

On the straight line from a baseline to the input an encoder's output is flat nearly everywhere and turns
within a short stretch. Evenly laid points, and Gauss-Legendre nodes even more, spend most of their work on
the flat parts. But the integrand is the derivative of an output that is known at every point sampled, so
the error of each stretch is known too: what its ends say the output gained, less what the trapezoid rule
gives. Stretches with the largest error are halved until little of it is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from veriscite.domain import MAX_RELATIVE_DELTA

#: Slope of the first points' spacing half way: there they lie 1/slope times as dense as evenly laid ones.
_SLOPE = 0.5


@dataclass(frozen=True)
class Sample:
    """What the model says at one point of the path.

    Attributes:
        alpha: Where: 0 is the baseline, 1 the input.
        output: The model's output there.
        slopes: How much each token adds to the output's derivative along the path (anything that adds and
            multiplies as a vector).
        slope: The derivative itself, their sum.
    """

    alpha: float
    output: float
    slopes: Any
    slope: float


@dataclass(frozen=True)
class Integral:
    """The sum over the path.

    Attributes:
        scores: The integral of `Sample.slopes`.
        samples: Points that were sampled.
        delta: The integral of `Sample.slope`, less what the output gained from end to end.
        difference: What the output gained from end to end.
        output: The output at the input.
    """

    scores: Any
    samples: int
    delta: float
    difference: float
    output: float


@dataclass(frozen=True)
class Effort:
    """How hard to try.

    Attributes:
        first: Stretches to begin with, at least 1.
        most: Points to sample at most.
        at_once: Stretches that are halved, and points that run through the model, at once: bounds memory.
        max_relative_delta: Delta, as a share of the difference, that is good enough; a difference below one
            unit counts as one.
        max_relative_error: The same for the sum of the stretches' errors regardless of their signs: a small
            delta may be large errors that happen to cancel.
    """

    first: int = 5
    most: int = 32
    at_once: int = 2
    max_relative_delta: float = MAX_RELATIVE_DELTA
    max_relative_error: float = 1.5


def first_points(stretches: int) -> list[float]:
    """Points from 0 to 1, densest half way.

    Returns:
        `stretches + 1` rising numbers.
    """
    shifted = [k / stretches - 0.5 for k in range(stretches + 1)]
    inner = [0.5 + _SLOPE * u + (4 - 4 * _SLOPE) * u**3 for u in shifted]
    return [0.0, *inner[1:-1], 1.0]


def integrate(sample: Callable[[Sequence[float]], list[Sample]], effort: Effort) -> Integral:
    """Sample the path where it matters and sum up.

    Args:
        sample: Gives the samples at some points, in their order; it is asked for few at a time.
        effort: When to stop.

    Raises:
        ValueError: An output or slope is not a finite number.
    """
    points = first_points(max(1, effort.first))
    known: list[Sample] = []
    while points:
        for start in range(0, len(points), max(1, 3 * effort.at_once)):
            known += sample(points[start : start + max(1, 3 * effort.at_once)])
        known.sort(key=lambda s: s.alpha)
        points = _halves(known, effort)
    scores = sum(
        ((b.alpha - a.alpha) / 2 * (a.slopes + b.slopes) for a, b in _stretches(known)),
        start=0 * known[0].slopes,
    )
    errors = [_error(a, b) for a, b in _stretches(known)]
    end = known[-1].output
    return Integral(scores, len(known), sum(errors), end - known[0].output, end)


def _stretches(known: Sequence[Sample]) -> list[tuple[Sample, Sample]]:
    return list(pairwise(known))


def _error(a: Sample, b: Sample) -> float:
    return (b.alpha - a.alpha) * (a.slope + b.slope) / 2 - (b.output - a.output)


def _halves(known: Sequence[Sample], effort: Effort) -> list[float]:
    """Points to sample next; none when the sum is good enough, or nothing more may be spent."""
    stretches = _stretches(known)
    errors = [_error(a, b) for a, b in stretches]
    total = sum(abs(e) for e in errors)
    if not total < float("inf"):
        raise ValueError("the output or its gradient is not finite")
    unit = max(abs(known[-1].output - known[0].output), 1.0)
    if abs(sum(errors)) <= effort.max_relative_delta * unit and total <= effort.max_relative_error * unit:
        return []
    room = min(effort.at_once, effort.most - len(known))
    worst = sorted(range(len(errors)), key=lambda i: -abs(errors[i]))[: max(0, room)]
    # Little is to be had from stretches that are nearly right already.
    worth = [i for i in worst if abs(errors[i]) > 0.1 * abs(errors[worst[0]])]
    return sorted((stretches[i][0].alpha + stretches[i][1].alpha) / 2 for i in worth)
