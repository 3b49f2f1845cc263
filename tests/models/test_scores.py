import random

import pytest

from models.calibrate import fit, weights_of
from models.predict import predictions
from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, Document
from models.scores import (
    area_under_roc,
    bootstrap_interval,
    expected_calibration_error,
    f1_by_label,
    macro_f1,
)
from veriscite.verification.aggregate import PairScore
from veriscite.verification.calibration import Calibration


def test_macro_f1_by_hand() -> None:
    gold, predicted = [0, 0, 1, 2], [0, 1, 1, 0]
    assert f1_by_label(gold, predicted) == pytest.approx([0.5, 2 / 3, 0.0])
    assert macro_f1(gold, predicted) == pytest.approx((0.5 + 2 / 3) / 3)


def test_the_interval_holds_the_score_and_shrinks_with_more_items() -> None:
    rng = random.Random(0)
    gold = [rng.randrange(3) for _ in range(900)]
    predicted = [g if rng.random() < 0.7 else rng.randrange(3) for g in gold]

    def interval(count: int) -> tuple[float, float]:
        def score(indices):
            return macro_f1([gold[i] for i in indices], [predicted[i] for i in indices])

        return bootstrap_interval(score, count, draws=200)

    low, high = interval(900)
    assert low < macro_f1(gold, predicted) < high
    wide = interval(60)
    assert wide[1] - wide[0] > high - low


def test_calibration_error_by_hand() -> None:
    assert expected_calibration_error([0.95, 0.95], [True, False]) == pytest.approx(0.45)
    assert expected_calibration_error([1.0, 1.0], [True, True]) == 0
    assert expected_calibration_error([0.55, 0.95], [True, True]) == pytest.approx(0.25)


def test_area_under_roc() -> None:
    assert area_under_roc([0.9, 0.8, 0.1], [True, True, False]) == 1
    assert area_under_roc([0.5, 0.5], [True, False]) == 0.5
    assert area_under_roc([0.1, 0.9], [True, False]) == 0
    assert area_under_roc([0.5], [True]) is None


def documents(count: int, seed: int) -> tuple[list[Document], list[list[PairScore]]]:
    """Scores whose margins are too large by 3 and shifted by 4: what the fit has to find."""
    rng = random.Random(seed)
    made, scores = [], []
    for _ in range(count):
        support, contradict = rng.gauss(0, 2), rng.gauss(0, 2)
        weights = [2.718281828**v for v in (support, contradict, 0.0)]
        label = rng.choices([SUPPORT, CONTRADICT, NOT_ENOUGH_INFO], weights)[0]
        made.append(Document("c", ("s",), label, "check-covid", "g"))
        scores.append([PairScore(-90, -90), PairScore(support * 3 + 4, contradict * 3 - 1)])
    return made, scores


def test_the_fit_finds_temperature_and_thresholds() -> None:
    made, scores = documents(4_000, 1)
    fitted = fit(scores, [d.label for d in made], [1 / len(made)] * len(made), Calibration())
    assert fitted.temperature == pytest.approx(3, abs=0.4)
    assert fitted.support_threshold == pytest.approx(4, abs=0.4)
    assert fitted.contradict_threshold == pytest.approx(-1, abs=0.4)
    other, others = documents(2_000, 2)
    labels, probabilities = predictions(others, fitted)
    correct = [d.label == p for d, p in zip(other, labels, strict=True)]
    assert expected_calibration_error([max(p) for p in probabilities], correct) < 0.05


def test_weights_balance_labels_and_sources() -> None:
    made = [Document("c", ("s",), SUPPORT, "check-covid", "g")] * 3
    made += [Document("c", ("s",), CONTRADICT, "check-covid", "g")]
    made += [Document("c", ("s",), SUPPORT, "evidence-inference", "g")] * 2
    weights = weights_of(made)
    assert sum(weights) == pytest.approx(1)
    assert sum(weights[:3]) == pytest.approx(weights[3])
    assert sum(weights[:4]) == pytest.approx(0.5 / 0.8)
