"""The error budget: what it lets through, what it withholds, and that its bound holds."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.domain import DecidedBy, FinalVerdict, Label
from veriscite.errors import SettingsError
from veriscite.verification.error_budget import ErrorBudget, threshold

SURE = [(0.95, True)] * 200


def final(label: Label, confidence: float | None) -> FinalVerdict:
    return FinalVerdict(label=label, confidence=confidence, decided_by=DecidedBy.AGREEMENT, justification="")


def test_what_was_never_wrong_is_shown() -> None:
    assert threshold(SURE, 0.05) is not None


def test_too_few_known_verdicts_show_nothing() -> None:
    assert threshold(SURE[:40], 0.05) is None


def test_what_is_wrong_half_of_the_time_is_withheld() -> None:
    unsure = [(0.6, n % 2 == 0) for n in range(200)]
    found = threshold([*SURE, *unsure], 0.05)
    assert found is not None
    assert 0.6 < found <= 0.9


def test_a_larger_budget_never_shows_less() -> None:
    rng = random.Random(3)
    known = [(c, rng.random() < c) for c in (rng.uniform(0.34, 1) for _ in range(400))]
    found = [threshold(known, error) or 1.0 for error in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0]


def test_the_bound_holds_as_often_as_it_says() -> None:
    rng = random.Random(11)
    broken = shown = 0
    for _ in range(300):
        known = [(c, rng.random() < c) for c in (rng.uniform(0.34, 1) for _ in range(250))]
        least = threshold(known, 0.15)
        if least is not None:
            shown += 1
            # Confidence is the probability of being right here, so above `least` it is wrong this often:
            broken += (1 - least) / 2 > 0.15
    assert shown > 100
    assert broken / shown <= 0.1


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60), st.floats(0.001, 0.999))
def test_a_threshold_lies_between_chance_and_the_strictest_start(
    known: list[tuple[float, bool]], error: float
) -> None:
    found = threshold(known, error)
    assert found is None or 1 / 3 < found <= 0.9


def test_withheld_verdicts_say_why_and_silence_is_always_shown() -> None:
    unsure = [(0.6, n % 2 == 0) for n in range(200)]
    budget = ErrorBudget({Label.SUPPORT: [*SURE, *unsure], Label.CONTRADICT: [(0.9, False)] * 50}, 0.05)
    assert budget.withheld(final(Label.SUPPORT, 0.97)) == ""
    assert "is needed" in budget.withheld(final(Label.SUPPORT, 0.35))
    assert "not measured" in budget.withheld(final(Label.SUPPORT, None))
    assert "no confidence keeps" in budget.withheld(final(Label.CONTRADICT, 0.99))
    assert budget.withheld(final(Label.NOT_ENOUGH_INFO, 0.4)) == ""


@pytest.mark.parametrize("error", [0.0, 1.0, -0.5, float("nan")])
def test_budgets_that_are_none_are_refused(error: float) -> None:
    with pytest.raises(SettingsError, match="cannot be kept"):
        ErrorBudget({Label.SUPPORT: SURE}, error)


def test_a_model_without_known_verdicts_is_refused() -> None:
    with pytest.raises(SettingsError, match="without verdicts"):
        ErrorBudget({}, 0.1)
