"""Sampling a path where it turns."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.attribution.quadrature import Effort, Integral, Sample, first_points, integrate


class Path:
    """A path whose output and slope are known; counts what it is asked."""

    def __init__(self, output: Callable[[float], float], slope: Callable[[float], float]) -> None:
        self.output, self.slope = output, slope
        self.asked: list[int] = []

    def __call__(self, points: Sequence[float]) -> list[Sample]:
        self.asked.append(len(points))
        return [
            Sample(a, self.output(a), np.array([0.25, 0.75]) * self.slope(a), self.slope(a)) for a in points
        ]


def turn(at: float, height: float = 1.0, steepness: float = 60.0) -> Path:
    def logistic(a: float) -> float:
        return 1 / (1 + math.exp(-steepness * (a - at)))

    return Path(
        lambda a: height * logistic(a),
        lambda a: height * steepness * logistic(a) * (1 - logistic(a)),
    )


def even(path: Path, points: int) -> float:
    return sum(path.slope((k + 0.5) / points) for k in range(points)) / points


@pytest.mark.parametrize("stretches", [1, 2, 8, 33])
def test_first_points_rise_from_end_to_end(stretches: int) -> None:
    points = first_points(stretches)
    assert points == sorted(points)
    assert (len(points), points[0], points[-1]) == (stretches + 1, 0, 1)


@pytest.mark.parametrize("at", [0.2, 0.47, 0.5, 0.81])
def test_a_turn_is_found_wherever_it_lies(at: float) -> None:
    path = turn(at, height=5)
    found = integrate(path, Effort())
    assert abs(found.delta) <= 0.2 * 5
    assert found.scores.sum() == pytest.approx(found.difference + found.delta)
    assert found.scores[1] == pytest.approx(3 * found.scores[0])
    assert found.samples == sum(path.asked)


def test_it_takes_fewer_points_than_even_ones_for_the_same_delta() -> None:
    path = turn(0.46, height=5, steepness=300)
    found = integrate(path, Effort(max_relative_delta=0.02))
    assert abs(found.delta) <= 0.02 * 5
    # From how many even points on the delta is as small; fewer may hit it by luck.
    enough = max(n for n in range(4, 400) if abs(even(path, n) - found.difference) > 0.1) + 1
    assert found.samples < enough / 2


def test_errors_that_cancel_are_not_taken_for_none() -> None:
    # Two turns against each other: the ends differ by nothing, and coarse points see nothing of either.
    up, down = turn(0.44, 4, 200), turn(0.56, 4, 200)
    path = Path(lambda a: up.output(a) - down.output(a), lambda a: up.slope(a) - down.slope(a))
    careless = integrate(path, Effort(first=2, max_relative_error=1e9))
    assert careless.samples == 3
    careful = integrate(path, Effort(first=2, max_relative_error=0.5, most=200))
    assert careful.samples > 10
    assert abs(careful.delta) < 0.1


@given(st.floats(0.05, 0.95), st.floats(-20, 20), st.floats(1, 2000), st.integers(1, 20), st.integers(1, 60))
def test_the_budget_is_kept_and_the_sum_is_what_the_delta_says(
    at: float, height: float, steepness: float, first: int, most: int
) -> None:
    path = Path(
        lambda a: height * math.tanh(steepness * (a - at)),
        lambda a: height * steepness * (1 - math.tanh(steepness * (a - at)) ** 2),
    )
    found: Integral = integrate(path, Effort(first=first, most=most))
    assert found.samples <= max(most, first + 1)
    assert float(found.scores.sum()) == pytest.approx(found.difference + found.delta, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("wrong", [math.nan, math.inf])
def test_numbers_that_are_not_finite_are_refused(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        integrate(Path(lambda a: a, lambda _a: wrong), Effort())
