"""Superscripts that a paste has left as plain digits after a blank."""

import pytest

from tests.linking.helpers import links, pair

STYLE = (
    "Silt settles in calm lakes 1. Sand is carried away 2, 3 and clay stays afloat 4 in salt water. "
    "As Olu et al. 5 showed, mud dries. 6 Peat burns slowly 7– 9, but loess is blown away 10. "
    "Gravel rolls 11, 12 over rock (in floods) 13. Chalk dissolves 14 , marl swells 15 and tuff floats 16."
)


def test_numbers_that_run_through_the_list_are_markers() -> None:
    read = [number for _, numbers in links(pair(STYLE)) for number in numbers]
    assert read == list(range(1, 17))


@pytest.mark.parametrize(
    "friend",
    [
        "It was weighed on day 4 of the trial.", "Figure 3 and Table 2 show it.", "We took 12 samples.",
        "There were 5 to 8 of them.", "The pots were kept at 4 °C.", "Of those, 7 were lost.",
        "Group 2 was larger, 3 of it old.", "It took 10 months.", "In type 2 diabetes it fell by 5%.",
        "Three aims were set: 1) to dig; 2) to fill.",
    ],
)  # fmt: skip
def test_false_friends_beside_them_are_none(friend: str) -> None:
    assert links(pair(f"{STYLE} {friend}")) == links(pair(STYLE))


@pytest.mark.parametrize(
    "text",
    [
        "We took samples 1, 2 and 3. Rivers 4 and 5 were dry. Lakes 6, 7, 8 were not.",
        "Ponds 20 of the north hold fish 18. Pools 12 and lakes 9 do not, nor do bogs 7 or fens 3, 2.",
        "Silt settles 3. Sand moves 9.",
    ],
)
def test_numbers_that_do_not_run_through_the_list_are_none(text: str) -> None:
    assert links(pair(text)) == []


def test_other_styles_do_not_read_them() -> None:
    text = "Silt settles [1, 2]. Sand moves [3-10]. Clay stays 11. Mud dries 12, and peat burns 13."
    assert [raw for raw, _ in links(pair(text))] == ["[1, 2]", "[3-10]"]
