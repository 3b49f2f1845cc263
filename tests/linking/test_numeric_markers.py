"""Numbers in brackets, parentheses, superscripts and words; and what only looks like them."""

import pytest

from tests.linking.helpers import NUMBERED, links, pair
from veriscite.domain import MarkerStyle, SkipReason


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Silt settles fast [1].", [("[1]", [1])]),
        ("Silt settles fast [1, 3-5].", [("[1, 3-5]", [1, 3, 4, 5])]),
        ("Silt settles fast [1,3–5; 7].", [("[1,3–5; 7]", [1, 3, 4, 5, 7])]),
        ("Silt settles fast [2]–[5].", [("[2]–[5]", [2, 3, 4, 5])]),
        ("Silt settles fast [1], [3].", [("[1], [3]", [1, 3])]),
        ("Silt settles fast [1][4].", [("[1][4]", [1, 4])]),
        ("Silt settles fast [1] and [4].", [("[1] and [4]", [1, 4])]),
        ("Silt settles fast [see 3, p. 12].", [("[see 3, p. 12]", [3])]),
        ("Silt settles fast [3, Theorem 2.1].", [("[3, Theorem 2.1]", [3])]),
        ("Silt settles fast [3 and references therein].", [("[3 and references therein]", [3])]),
        ("Silt settles\nfast [1,\n2].", [("[1,\n2]", [1, 2])]),
        ("Sand [1], silt [2] and clay [3].", [("[1]", [1]), ("[2]", [2]), ("[3]", [3])]),
        (
            "In severe condition [4], at this level [5], a group [6].",
            [("[4]", [4]), ("[5]", [5]), ("[6]", [6])],
        ),
        (
            "A drift is seen in ref. 2. It follows Refs. 3 and 4.",
            [("ref. 2", [2]), ("Refs. 3 and 4", [3, 4])],
        ),
        ("Losses are neglected in Refs. [5–7].", [("Refs. [5–7]", [5, 6, 7])]),
        ("Copper is toxic (1, 2). Zinc is not (3).", [("(1, 2)", [1, 2]), ("(3)", [3])]),
        ("Copper is toxic (1–3). Smith et al. (4) found zinc.", [("(1–3)", [1, 2, 3]), ("(4)", [4])]),
        ("Silt settles¹ in lakes²,³ and rivers⁴⁻⁶.", [("¹", [1]), ("²,³", [2, 3]), ("⁴⁻⁶", [4, 5, 6])]),
        ("Silt settles(¹ – ³).", [("¹ – ³", [1, 2, 3])]),
        ("Work of 2019¹² and 2020¹³ agree.", [("¹²", [12]), ("¹³", [13])]),
    ],
)
def test_markers_are_found_and_tied(text: str, expected: list[tuple[str, list[int]]]) -> None:
    assert links(pair(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "As Fig. [3] and Table [2] show.",
        "The effect was large (F [1, 7] = 4.2).",
        "Values lie in the interval [1, 5] and the range [2, 3].",
        "Set x[3] to zero and w_i[2] to one.",
        "A half-open set [0, 1] is used.",
        "Uptake of [3H]thymidine and [Fe(CN)6]3− was blocked.",
        "See [here](https://example.org/2).",
    ],
)
def test_false_friends_of_brackets(text: str) -> None:
    assert links(pair("Silt settles fast [1]. " + text)) == [("[1]", [1])]


@pytest.mark.parametrize(
    "text",
    [
        "Substituting into Eq. (1) gives the rate.",
        "We tested that (1) light matters, (2) heat matters, and (3) neither does.",
        "Plots were sown in autumn (2020).",
        "The function f(3) is smooth.",
        "Group (4) was left out.",
    ],
)
def test_false_friends_of_parentheses(text: str) -> None:
    assert links(pair("Copper is toxic (1, 2). Zinc is not (3). " + text))[2:] == []


@pytest.mark.parametrize(
    "text",
    [
        "The plot is 5 m² large.",
        "It fell by 10⁻³.",
        "The R² was high.",
        "Ca²⁺ enters.",
        "We used ³H and ¹⁴C-urea.",
    ],
)
def test_exponents_charges_and_isotopes_are_no_markers(text: str) -> None:
    assert links(pair("Silt settles⁷,⁸ in lakes⁹. " + text))[2:] == []


def test_an_intervals_brackets_are_read_as_markers_where_nothing_speaks_for_an_interval() -> None:
    assert links(pair("Silt settles fast [1, 5]."))[0][1] == [1, 5]


def test_parentheses_are_no_markers_in_a_document_of_brackets() -> None:
    pairing = pair("Sand [1], silt [2], clay [3] and loam [4]. The rate is given by (5). Peat is wet [6].")
    assert [raw for raw, _ in links(pairing)] == ["[1]", "[2]", "[3]", "[4]", "[6]"]


def test_superscripts_lost_in_a_paste_are_read_where_they_run_through_the_list() -> None:
    references = "\n".join(f"{n}. Author A. Title {n} of it. J Test. 2001;{n}:1-9." for n in range(1, 9))
    text = (
        "Silt settles fast in lakes.1 It carries lead,2,3 and bias4 is known. Mud dries slowly.5–7 One of "
        "2 3 groups died.8 The exon2 variant and V.2 are left."
    )
    assert links(pair(text, references)) == [
        ("1", [1]), ("2,3", [2, 3]), ("4", [4]), ("5–7", [5, 6, 7]), ("8", [8]),
    ]  # fmt: skip


def test_numbers_in_plain_text_are_no_markers_where_brackets_are() -> None:
    pairing = pair("Silt settles [1]. Mud dries [2]. Peat burns [3,4]. We used model5 and level6.")
    assert [raw for raw, _ in links(pairing)] == ["[1]", "[2]", "[3,4]"]


def test_styles_are_named() -> None:
    assert pair("Silt settles [1].").markers[0].style is MarkerStyle.NUMERIC
    assert pair("Silt settles fast¹,².").markers[0].style is MarkerStyle.SUPERSCRIPT


def test_a_number_without_an_entry_is_reported() -> None:
    pairing = pair("Silt settles fast [3, 99].")
    assert links(pairing) == [("[3, 99]", [3])]
    (skipped,) = pairing.skipped
    assert (skipped.part, skipped.reason, skipped.candidates) == ("99", SkipReason.NO_ENTRY, ())


def test_what_a_range_lacks_is_reported_as_a_range() -> None:
    pairing = pair("Silt settles fast [18-23].")
    assert links(pairing)[0][1] == [18, 19, 20]
    assert [s.part for s in pairing.skipped] == ["21-23"]


def test_a_huge_range_costs_nothing_and_a_backward_one_is_reported() -> None:
    pairing = pair("Silt settles [1]. Mud dries [5-99999999]. Peat burns [7-2].")
    assert [s.reason for s in pairing.skipped] == [SkipReason.NO_ENTRY, SkipReason.NO_ENTRY]
    assert [s.part for s in pairing.skipped] == ["21-99999999", "7-2"]


def test_two_entries_of_one_number_are_ambiguous() -> None:
    references = (
        "[1] A. Ode. One. J Test, 2001.\n[2] B. Pim. Two. J Test, 2002.\n[2] C. Rau. Three. J Test, 2003."
    )
    made = pair("Silt settles [1].", references)
    assert len(made.claims) == 1
    numbered = (
        "[1] A. Ode. One. J Test, 2001.\n[2] (a) B. Pim. J. Test 2002, 1, 2. (b) C. Rau. J. Test 2003, 3, 4."
    )
    parts = pair("Silt settles [1]. Mud dries [2].", numbered)
    assert links(parts)[1] == ("[2]", [2, 3])


def test_without_a_list_every_marker_says_so() -> None:
    pairing = pair("Silt settles [1]. Mud dries [2, 3].", "")
    assert {s.reason for s in pairing.skipped} == {SkipReason.NO_REFERENCE_LIST}
    assert pairing.claims == ()


def test_an_unnumbered_list_answers_by_place() -> None:
    references = "Ode, A. (2001). One thing. J Test.\nPim, B. (2002). Two things. J Test."
    assert links(pair("Silt settles [2]. Mud dries [1].", references)) == [("[2]", [2]), ("[1]", [1])]


_GLUED_TEXT = (
    "Bees sleep.1 They nap at night,2 and in winter.3 Others rest.4 Wasps do not.5 Flies may.6 Ants wait.7 "
)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Many had CBT. We gave CBT and more CBT and studied CBT8.", [("8", [8])]),
        ("Cells with CD4 and CD8 were counted.", []),
        ("We counted CD4 cells, CD4 cells and CD cells in CD.", []),
        ("This was shown by12 and refined in9.", [("12", [12]), ("9", [9])]),
        ("Baker et al11 agree.", [("11", [11])]),
        ("It reached 50%13,14.", [("13,14", [13, 14])]),
        ("It raised lipid levels8,9.", [("8,9", [8, 9])]),
        ("We deleted exon2 in Stage1-4.", []),
    ],
)
def test_lost_superscripts_after_short_words_acronyms_and_percentages(
    sentence: str, found: list[tuple[str, list[int]]]
) -> None:
    first = [(str(n), [n]) for n in range(1, 8)]
    references = "\n".join(NUMBERED.split("\n")[:15])
    assert links(pair(_GLUED_TEXT + sentence, references)) == first + found


def test_lost_superscripts_of_a_list_in_the_order_of_names() -> None:
    order = [9, 4, 7, 2, 8, 1, 6, 3, 5, 10]
    text = " ".join(f"Bees sleep well.{n} " for n in order)
    references = "\n".join(NUMBERED.split("\n")[:10])
    assert links(pair(text, references)) == [(str(n), [n]) for n in order]
    # Half of the list out of order is no more than chance.
    assert links(pair(" ".join(f"Bees sleep well.{n} " for n in (9, 4, 7, 2, 1)), references)) == []
