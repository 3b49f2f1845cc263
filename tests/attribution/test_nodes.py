"""Where the integral is sampled."""

import math

import pytest

from veriscite.attribution.nodes import centred_nodes


@pytest.mark.parametrize("steps", [1, 2, 7, 16, 64])
def test_nodes_rise_within_the_path_and_weights_sum_to_one(steps: int) -> None:
    weights, nodes = centred_nodes(steps)
    assert len(weights) == len(nodes) == steps
    assert nodes == sorted(nodes)
    assert nodes[0] > 0
    assert nodes[-1] < 1
    assert sum(weights) == pytest.approx(1)
    assert min(weights) > 0


def test_a_turn_half_way_is_integrated_better_than_by_as_many_even_steps() -> None:
    def turn(alpha: float) -> float:  # the derivative of a logistic step in the middle of the path
        z = 1 / (1 + math.exp(-60 * (alpha - 0.47)))
        return 60 * z * (1 - z)

    weights, nodes = centred_nodes(16)
    centred = sum(w * turn(a) for w, a in zip(weights, nodes, strict=True))
    even = sum(turn((k + 0.5) / 16) for k in range(16)) / 16
    assert abs(centred - 1) < 0.01
    assert abs(centred - 1) < abs(even - 1) / 2


def test_a_smooth_integrand_is_no_worse_off() -> None:
    weights, nodes = centred_nodes(32)
    assert sum(w * math.sin(a) for w, a in zip(weights, nodes, strict=True)) == pytest.approx(
        1 - math.cos(1), abs=2e-3
    )
