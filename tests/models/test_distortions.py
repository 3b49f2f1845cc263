import random

import pytest

from models.distortions import (
    change_number,
    change_population,
    claim_cause,
    flip_direction,
    negate,
    paraphrase,
    plain_claim,
    swap_entity,
)
from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT

RNG = random.Random(0)


def test_a_claim_is_the_sentence_as_others_report_it() -> None:
    assert (
        plain_claim("In conclusion, we found that aspirin (100 mg) reduced mortality (p < 0.05).")
        == "Aspirin reduced mortality."
    )
    assert plain_claim("mRNA levels rose.") == "mRNA levels rose."


@pytest.mark.parametrize(
    ("edit", "sentence", "expected", "label"),
    [
        (flip_direction, "Aspirin reduced mortality.", "Aspirin increased mortality.", CONTRADICT),
        (negate, "Aspirin was effective in adults.", "Aspirin was not effective in adults.", CONTRADICT),
        (negate, "There was no significant difference.", "There was a significant difference.", CONTRADICT),
        (change_population, "Weight fell in obese mice.", "Weight fell in obese patients.", NOT_ENOUGH_INFO),
        (claim_cause, "Sugar was associated with caries.", "Sugar causes caries.", NOT_ENOUGH_INFO),
    ],
)
def test_each_kind_of_edit(edit, sentence: str, expected: str, label: int) -> None:
    found = edit(sentence, RNG)
    assert (found.text, found.label) == (expected, label)


@pytest.mark.parametrize(
    "sentence",
    ["Aspirin reduced mortality and increased bleeding.", "Aspirin did not reduce mortality.", "It rained."],
)
def test_ambiguous_directions_are_left_alone(sentence: str) -> None:
    assert flip_direction(sentence, RNG) is None


def test_a_number_changes_by_a_third_at_least_and_keeps_its_decimals() -> None:
    for seed in range(40):
        found = change_number("Mortality fell by 12.5% in 2015.", random.Random(seed))
        assert found is not None
        assert "2015" in found.text
        number = float(found.text.split(" by ")[1].split("%")[0])
        assert abs(number - 12.5) >= 12.5 / 3
        assert len(found.text.split(" by ")[1].split("%")[0].split(".")[1]) == 1


def test_years_and_missing_numbers_give_nothing() -> None:
    assert change_number("The survey was held in 2015 and repeated.", RNG) is None


def test_paraphrases_keep_the_direction() -> None:
    found = paraphrase("Aspirin significantly reduced mortality in patients.", random.Random(2))
    assert found.label == SUPPORT
    assert "increase" not in found.text
    assert found.text != "Aspirin significantly reduced mortality in patients."


def test_a_swapped_entity_comes_from_elsewhere() -> None:
    found = swap_entity("TNF was raised.", RNG, ["TNF", "EGFR"])
    assert found.text == "EGFR was raised."
    assert swap_entity("It was raised.", RNG, ["EGFR"]) is None
