import pytest

from models.agreement import error_correlation


def test_the_same_errors_correlate_wholly() -> None:
    found = error_correlation([0, 0, 1, 1], [0, 1, 1, 0], [0, 2, 1, 2])
    assert found["phi"] == pytest.approx(1)
    assert found["both_wrong"] == 0.5
    assert found["agree"] == 0.5
    assert found["accuracy_where_agreed"] == 1


def test_opposite_errors_correlate_negatively() -> None:
    assert error_correlation([0, 0], [0, 1], [1, 0])["phi"] == pytest.approx(-1)


def test_a_model_without_errors_has_no_correlation() -> None:
    found = error_correlation([0, 0], [0, 0], [1, 1])
    assert found["phi"] is None
    assert found["accuracy_where_agreed"] is None
