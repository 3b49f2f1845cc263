from typing import Any

from models.card import card
from veriscite.verification.calibration import Calibration

SCORES: dict[str, Any] = {
    "revision": "0123456789ab",
    "scifact_dev_pairs": 340,
    "scifact_dev_accuracy": 0.7,
    "scifact_dev_macro_f1": 0.695,
    "scifact_dev_macro_f1_95": [0.639, 0.749],
    "scifact_dev_f1_support": 0.7,
    "scifact_dev_f1_contradict": 0.6,
    "scifact_dev_f1_not_enough_info": 0.5,
    "scifact_dev_ece": 0.102,
}


def stage(adapter: str, *, commercial: bool = True, **more: Any) -> dict[str, Any]:
    line = {
        "source": "rows",
        "licence": "MIT",
        "commercial_use": commercial,
        "train": 10,
        "held_out": 1,
        "dropped_as_in_dev": 2,
        "labels": {"0": 5, "1": 3, "2": 2},
    }
    recipe = {
        "adapter": adapter,
        "rank": 16,
        "alpha": 32,
        "first_layer": 6,
        "batch": 16,
        "learning_rate": 3e-4,
        "seed": 13,
        "epochs": 1,
    }
    return {
        "recipe": recipe | more.pop("recipe", {}),
        "rows": 10,
        "steps": 1,
        "weights": 9,
        "data": [line],
        **more,
    }


def test_the_stages_are_told_in_order_and_can_be_run_again() -> None:
    training = stage("science-2", before=stage("science"))
    text = card("science", training, Calibration(), SCORES)
    assert text.index("`--adapter science`") < text.index("`--adapter science-2`")
    first, second = "`python -m models.train --adapter science`", "--start-from runs/science/adapter"
    assert text.index(first) < text.index(second)
    assert "All rows allow commercial use." in text
    assert "esearch" not in text
    assert ".svg" not in text
    shown = card("science", training, Calibration(), SCORES, pictures=["training-science-2.svg"])
    assert "training-science-2.svg" in shown
    assert "training-science.svg" not in shown


def test_rows_without_commercial_use_are_named_whatever_stage_had_them() -> None:
    late = stage("science-research", commercial=False, before=stage("science"), recipe={"epochs": 2})
    early = stage("other", before=stage("science", commercial=False))
    for training in (late, early):
        text = card("science-research", training, Calibration(), SCORES)
        assert "**For research only**" in text
        assert "All rows allow commercial use" not in text
    text = card("science-research", late, Calibration(), SCORES)
    assert "--epochs 2" in text
    assert "10 rows twice through" in text


def test_an_average_says_what_it_is_made_of_and_how_its_share_was_chosen() -> None:
    training = stage("science-3", before=stage("science"), recipe={"first_layer": 0})
    training["averaged"] = {"share": 0.75, "log_loss": {"0.5": 0.702, "0.75": 0.7}}
    text = card("science", training, Calibration(), SCORES)
    assert "0.75 to 0.25" in text
    assert "0.702 with 0.5, 0.700 with 0.75" in text
    assert f"rank {2 * training['recipe']['rank']}, alpha {2 * training['recipe']['rank']}" in text
    assert "--first-layer 0" in text


def test_scores_are_those_given() -> None:
    text = card("science", stage("science"), Calibration(), SCORES)
    assert "| SciFact dev | 340 | 0.700 | 0.695 (0.639 to 0.749) | 0.70 / 0.60 / 0.50 | 0.102 |" in text
    assert "Check-COVID dev" not in text
    assert "reliability.svg" not in text
    bins = {"scifact": [{"pairs": 340, "confidence": 0.7, "accuracy": 0.7}]}
    assert "reliability.svg" in card(
        "science", stage("science"), Calibration(), SCORES | {"reliability": bins}
    )
