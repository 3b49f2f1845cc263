import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.domain import Label
from veriscite.errors import ModelNotFoundError
from veriscite.verification.aggregate import PairScore, aggregate
from veriscite.verification.calibration import Calibration, load_calibration

FITTED = Calibration(temperature=2.0, support_threshold=1.0, contradict_threshold=0.5, fitted_on="a fold")


def test_the_strongest_window_decides() -> None:
    result = aggregate([PairScore(-3, -4), PairScore(5, -2), PairScore(2, -9)], FITTED)
    assert result.label is Label.SUPPORT
    assert result.window == 1
    assert result.opposing_window is None


def test_below_both_thresholds_is_not_enough_info() -> None:
    result = aggregate([PairScore(0.9, 0.4)], FITTED)
    assert result.label is Label.NOT_ENOUGH_INFO
    assert result.window is None


def test_windows_that_disagree_are_told() -> None:
    result = aggregate([PairScore(4, -5), PairScore(-5, 6)], FITTED)
    assert result.label is Label.CONTRADICT
    assert (result.window, result.opposing_window) == (1, 0)


def test_at_its_threshold_a_label_is_as_probable_as_no_information() -> None:
    p = FITTED.probabilities(1.0, -math.inf)
    assert p.support == pytest.approx(0.5)
    assert p.not_enough_info == pytest.approx(0.5)
    assert p.contradict == 0


def test_a_model_without_contradiction_gives_it_no_probability() -> None:
    result = aggregate([PairScore(3.0, -math.inf)], Calibration())
    assert result.probabilities.contradict == 0
    assert result.label is Label.SUPPORT


margins = st.floats(-50, 50)


@given(st.lists(st.tuples(margins, margins), min_size=1, max_size=12), st.floats(0.1, 10), margins, margins)
def test_the_label_is_always_the_most_probable(
    pairs: list[tuple[float, float]], temperature: float, support: float, contradict: float
) -> None:
    calibration = Calibration(
        temperature=temperature, support_threshold=support, contradict_threshold=contradict
    )
    result = aggregate([PairScore(*p) for p in pairs], calibration)
    values = [result.probabilities.of(label) for label in Label]
    assert sum(values) == pytest.approx(1)
    assert result.probabilities.of(result.label) == max(values)


def test_log_odds_are_against_both_other_labels() -> None:
    score = PairScore(math.log(3), math.log(2))  # weights 3 : 2 : 1
    assert score.log_odds(Label.SUPPORT) == pytest.approx(math.log(3 / 3))
    assert score.log_odds(Label.CONTRADICT) == pytest.approx(math.log(2 / 4))


def test_nothing_to_aggregate_is_refused() -> None:
    with pytest.raises(ValueError, match="no windows"):
        aggregate([], Calibration())


def test_calibration_file(tmp_path) -> None:
    assert load_calibration(tmp_path) is None
    (tmp_path / "calibration.json").write_text(FITTED.model_dump_json())
    assert load_calibration(tmp_path) == FITTED
    (tmp_path / "calibration.json").write_text('{"temperature": 0}')
    with pytest.raises(ModelNotFoundError):
        load_calibration(tmp_path)


def test_unfitted_numbers_are_never_called_calibrated() -> None:
    assert not Calibration().is_fitted
    assert FITTED.is_fitted
    assert not FITTED.model_copy(update={"holds_for_claims": False}).is_fitted
