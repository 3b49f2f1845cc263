"""Sentences that carry markers, the claims they make, and the sentence before."""

import pytest

from tests.linking.helpers import claims, manuscript, pair, section
from veriscite.domain import SkipReason, Span
from veriscite.linking import CitationPairer


@pytest.mark.parametrize(
    ("text", "citances"),
    [
        ("Moss absorbs lead from rain.[2] Further tests used lichens.[1,3] Lichens grow slowly.",
         ["Moss absorbs lead from rain.[2]", "Further tests used lichens.[1,3]"]),
        ("It grows in E. coli.¹² This is new.¹³", ["It grows in E. coli.¹²", "This is new.¹³"]),
        ("Silt settles. [2] Mud dries.", ["Silt settles. [2]"]),
        ("Silt settles. [2] showed that mud dries.", ["[2] showed that mud dries."]),
        ("Rain fell. As Fig. 3 of ref. 1 shows, noise wins. Snow fell.",
         ["As Fig. 3 of ref. 1 shows, noise wins."]),
        ("The work of J. T. Brandt on peat, cf. Fig. 2, is old [4]. Peat is wet.",
         ["The work of J. T. Brandt on peat, cf. Fig. 2, is old [4]."]),
        ("Smith et al. weighed silt [4]. They used approx. 3 g of it. Mud is wet [5].",
         ["Smith et al. weighed silt [4].", "Mud is wet [5]."]),
        ("Ropes are of hemp. New ones are of silk [1].", ["New ones are of silk [1]."]),
        ("It grew in one strain. Flax is grown in a bed. DNA was found [1].",
         ["DNA was found [1]."]),
        ("Salmonella enterica subsp. Enterica grows [1].",
         ["Salmonella enterica subsp. Enterica grows [1]."]),
        ("Silt is rare (in 3%)4. Both are wet [1].", ["Both are wet [1]."]),
        ("It was small (p < 0.05).[3] We ask why.", ["It was small (p < 0.05).[3]"]),
        ("Sand is old [1]; silt is\nyoung [2]. Clay is not.", ["Sand is old [1]; silt is young [2]."]),
        ("One line [1].\n\nAnother line without stop\n\nA third one [2].", ["One line [1].",
         "A third one [2]."]),
    ],
)  # fmt: skip
def test_the_sentence_of_a_marker(text: str, citances: list[str]) -> None:
    pairing = pair(text)
    assert [c.text for c in pairing.citances] == citances
    for citance in pairing.citances:
        assert " ".join(citance.span.of(text).split()) == citance.text


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Silt settles fast [1].", "Silt settles fast."),
        ("Silt settles fast.[1]", "Silt settles fast."),
        ("Silt settles¹,² fast³.", "Silt settles fast."),
        ("Silt is approved for clinical use [1].", "Silt is approved for clinical use."),
        ("Silt [1], sand [2, 3], and clay [4] settle.", "Silt, sand, and clay settle."),
        ("Silt settles fast (see [1, 2]).", "Silt settles fast."),
        ("Silt settles fast (e.g., [1]; for a review, see [2]).", "Silt settles fast."),
        ("Silt settles fast, see [1].", "Silt settles fast."),
        ("Silt settles fast (Fig. 2) [1], unlike mud.", "Silt settles fast (Fig. 2), unlike mud."),
        ("Smith et al. [3] weighed silt.", "Smith et al. weighed silt."),
        ("Silt settles  \n fast [1] .", "Silt settles fast."),
        ("[3] showed that silt settles.", "AuthorC showed that silt settles."),
        ("A drift is visible in ref. 2.", "A drift is visible in AuthorB."),
    ],
)
def test_the_marker_leaves_the_claim_cleanly(text: str, claim: str) -> None:
    assert claims(pair(text)) == [claim]


NAMES = "Smith, A., Olu, T., & Rao, V. (2020). Silt budgets. Mud J.\nHolm, S. (2006). Mood. Media J."


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Smith et al. (2020) weighed the silt.", "Smith et al. weighed the silt."),
        ("Holm's (2006) essay is short.", "Holm's essay is short."),
        ("Silt was weighed (Smith et al., 2020; Holm, 2006).", "Silt was weighed."),
        ("According to Holm (2006, p. 3), mood fades.", "According to Holm, mood fades."),
        ("Mood fades (see Holm, 2006, for details) in towns.", "Mood fades in towns."),
    ],
)
def test_a_narrative_marker_keeps_its_subject(text: str, claim: str) -> None:
    assert claims(pair(text, NAMES)) == [claim]


def test_one_claim_for_each_reference_of_a_citance_however_often_cited() -> None:
    pairing = pair("Sand is old [1, 2], and sand is yellow [2].")
    assert [c.reference_id for c in pairing.claims] == ["ref-1", "ref-2"]
    assert {c.citance_id for c in pairing.claims} == {"s1"}
    assert [c.id for c in pairing.claims] == ["c1", "c2"]
    assert pairing.citances[0].marker_ids == ("m1", "m2")


def test_a_sentence_that_says_nothing_gives_no_claim() -> None:
    pairing = pair("Silt settles [1]. [2].")
    assert [c.reference_id for c in pairing.claims] == ["ref-1"]
    assert [(s.marker_id, s.reason) for s in pairing.skipped] == [("m2", SkipReason.NO_CLAIM_TEXT)]


@pytest.mark.parametrize(
    ("opening", "needed"),
    [
        ("This effect", True), ("These", True), ("It", True), ("They", True), ("Such losses", True),
        ("However, this", True), ("Their loss", True), ("The latter", True),
        ("Thistles", False), ("Italy", False),
        ("It is known that silt", False),
        ("It should also be possible that silt", False),
        ("It was shown that silt", False), ("In this study silt",
         False),
        ("Silt", False), ("In these rivers silt", False), ("With this silt", False),
    ],
)  # fmt: skip
def test_the_sentence_before_is_kept_where_it_is_pointed_to(opening: str, needed: bool) -> None:
    pairing = pair(f"Mud slows the river. {opening} was seen in lakes [3].")
    assert pairing.claims[-1].context == ("Mud slows the river." if needed else None)


@pytest.mark.parametrize(("opening", "needed"), [("This effect", True), ("It", False), ("This", False)])
def test_a_sentence_before_that_cites_is_context_only_where_it_is_named(opening: str, needed: bool) -> None:
    pairing = pair(f"Mud slows the river [5]. {opening} was seen in lakes [3].")
    assert pairing.claims[-1].context == ("Mud slows the river." if needed else None)


def test_context_does_not_cross_a_paragraph() -> None:
    assert pair("Mud slows the river.\n\nThis effect was seen in lakes [3].").claims[0].context is None


def test_a_heading_is_no_part_of_a_citance() -> None:
    text = "Introduction\nSilt settles in lakes [1].\nMethods\nMud was dried [2]."
    sections = (section("Introduction", 13, 39), section("Methods", 48, len(text)))
    pairing = CitationPairer().pair(manuscript(text, sections=sections))
    assert [c.text for c in pairing.citances] == ["Silt settles in lakes [1].", "Mud was dried [2]."]
    assert [c.section for c in pairing.citances] == ["Introduction", "Methods"]


def test_a_running_header_inside_a_sentence_is_left_out() -> None:
    text = "Silt settles in\nJ Test 2020 page 7\ncalm lakes [1]."
    header = Span(start=text.index("J Test"), end=text.index("\ncalm"))
    pairing = CitationPairer().pair(manuscript(text, fmt="pdf", excluded=(header,)))
    assert pairing.citances[0].text == "Silt settles in calm lakes [1]."
    assert pairing.claims[0].text == "Silt settles in calm lakes."


def test_a_sentence_goes_on_over_the_end_of_a_pdf_page() -> None:
    text = "Silt settles in\n\ncalm lakes [1]."
    assert (
        CitationPairer().pair(manuscript(text, fmt="pdf")).citances[0].text
        == "Silt settles in calm lakes [1]."
    )
    assert pair(text).citances[0].text == "calm lakes [1]."


def test_each_line_of_unwrapped_text_is_a_paragraph() -> None:
    line = "Mud is a mixture of soil and water that " + "slowly " * 30 + "dries"
    pairing = pair(f"{line}\nSilt settles [1].\n{line} [2].")
    assert [c.text[:12] for c in pairing.citances] == ["Silt settles", "Mud is a mix"]
