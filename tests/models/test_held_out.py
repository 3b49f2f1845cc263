"""Held-out distortions, and the scores made of them."""

import pytest

from models.distortion_bench import recall_by_kind
from models.evaluate import budget_scores
from models.held_out import HeldOutEdit, held_out_edits
from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, Document, data_folder, is_reserved
from veriscite.domain import Label
from veriscite.verification.calibration import Calibration


def edit(kind: str, label: int) -> HeldOutEdit:
    return HeldOutEdit(f"distortion:{kind}", "before", Document("after", ("before",), label, "s", "g"))


def test_recall_is_counted_kind_by_kind() -> None:
    edits = [edit("number", CONTRADICT)] * 4 + [edit("paraphrase", SUPPORT)] * 2
    said = [CONTRADICT, CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, SUPPORT, CONTRADICT]
    table = recall_by_kind(edits, said)
    assert table["number"] == {"expected": "CONTRADICT", "edits": 4, "recall": 0.5, "caught": 0.75}
    assert table["paraphrase"]["recall"] == 0.5


def test_no_held_out_edit_is_of_an_abstract_that_was_trained_on() -> None:
    try:
        data = data_folder()
    except FileNotFoundError as error:
        pytest.skip(str(error))
    edits = held_out_edits(data, of_a_kind=15)
    assert {e.kind for e in edits} >= {"distortion:number", "distortion:direction", "distortion:hedge"}
    assert all(e.document.claim != e.original for e in edits if e.document.label != SUPPORT)
    # No source reads a reserved abstract: see test_data.
    assert all(is_reserved(e.document.group) for e in edits)


def test_the_budget_shows_what_the_fold_allows_and_tells_what_was_possible() -> None:
    calibration = Calibration(known={Label.SUPPORT: tuple([(0.95, True)] * 200)})
    predicted = [SUPPORT, SUPPORT, CONTRADICT, NOT_ENOUGH_INFO]
    found = budget_scores(predicted, [0.95, 0.4, 0.99, 0.5], [True, False, True, True], calibration)
    assert found["coverage_at_5"] == pytest.approx(2 / 3)  # no CONTRADICT is known, so none is shown
    assert found["error_at_5"] == pytest.approx(0.5)
    assert found["best_coverage_at_5"] == pytest.approx(2 / 3)
