"""pandoc's keys, and labels that the list prints."""

import pytest

from tests.linking.helpers import claims, links, manuscript, pair
from veriscite.domain import Author, MarkerStyle, Reference, SkipReason, Span
from veriscite.linking import CitationPairer

REFERENCES = tuple(
    Reference(id=key, raw=key, authors=(Author(family=family),))
    for key, family in [
        ("lin", "Lin"), ("rau2012", "Rau"), ("tey_1999", "Tey"), ("van-Dam.2005", "van Dam"),
        ("doi:10.1234/abc.2019(4)77", "Doe"), ("url:https://example.org/a?c=1", "Web"),
    ]
)  # fmt: skip


def pair_keys(text: str, fmt: str = "markdown", excluded: tuple[Span, ...] = ()):
    given = manuscript(text, "", fmt, excluded).model_copy(update={"references": REFERENCES})
    return CitationPairer().pair(given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Moss stores carbon [@rau2012].", [("[@rau2012]", ("rau2012",))]),
        (
            "Moss stores [@rau2012; @tey_1999, p. 3].",
            [("[@rau2012; @tey_1999, p. 3]", ("rau2012", "tey_1999"))],
        ),
        ("@lin [p. 2] weighed moss.", [("@lin [p. 2]", ("lin",))]),
        ("Rau [-@rau2012] weighed moss.", [("[-@rau2012]", ("rau2012",))]),
        (
            "Moss [see @lin, pp. 33-35 and *passim*] dries.",
            [("[see @lin, pp. 33-35 and *passim*]", ("lin",))],
        ),
        ("Moss dries, says @van-Dam.2005.", [("@van-Dam.2005", ("van-Dam.2005",))]),
        ("Moss dries [@{rau2012}].", [("[@{rau2012}]", ("rau2012",))]),
        ("Moss dries [@lin{}, 99 years later].", [("[@lin{}, 99 years later]", ("lin",))]),
        (
            "Moss dries [@doi:10.1234/abc.2019(4)77].",
            [("[@doi:10.1234/abc.2019(4)77]", ("doi:10.1234/abc.2019(4)77",))],
        ),
        (
            "Moss dries [@url:https://example.org/a?c=1].",
            [("[@url:https://example.org/a?c=1]", ("url:https://example.org/a?c=1",))],
        ),
        ("Moss (Table 2) [@lin] dries.", [("[@lin]", ("lin",))]),
    ],
)
def test_keys_are_found_and_tied(text: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    pairing = pair_keys(text)
    assert [(m.raw, m.reference_ids) for m in pairing.markers] == expected
    assert {m.style for m in pairing.markers} == {MarkerStyle.KEY}
    assert pairing.skipped == ()


@pytest.mark.parametrize(
    "text",
    [
        "Write to ann@rau2012 or lin@example.org.",
        r"A literal \@lin stays.",
        "See [lin](https://example.org/@lin) and [^lin].",
        "As @fig:one and @tbl:two show.",
    ],
)
def test_no_keys(text: str) -> None:
    assert pair_keys(text).markers == ()


def test_excluded_spans_hold_no_markers() -> None:
    text = "Write `[@lin]` to cite moss. Moss dries [@lin]."
    code = Span(start=6, end=14)
    assert code.of(text) == "`[@lin]`"
    pairing = pair_keys(text, excluded=(code,))
    assert [m.span.start for m in pairing.markers] == [text.rindex("[@lin]")]


def test_an_unknown_key_is_reported_in_markdown_only() -> None:
    pairing = pair_keys("Moss dries [@lin; @nokey].")
    assert [(s.part, s.reason) for s in pairing.skipped] == [("nokey", SkipReason.NO_ENTRY)]
    assert pair("We follow @somebody on moss.").markers == ()


def test_a_key_that_is_a_word_of_its_sentence_gives_way_to_the_authors() -> None:
    assert claims(pair_keys("@lin [p. 2] weighed moss.")) == ["Lin weighed moss."]
    assert claims(pair_keys("Rau [-@rau2012] weighed moss.")) == ["Rau weighed moss."]


def test_marks_of_markdown_leave_the_claim() -> None:
    text = "Moss *really* stores **much** `carbon` per [year](https://example.org) [@lin]."
    assert claims(pair_keys(text)) == ["Moss really stores much carbon per year."]


def test_emphasis_does_not_hide_authors() -> None:
    references = "Smith, A., Olu, T., & Rao, V. (2020). Silt budgets. Mud J."
    assert links(pair("Smith *et al.* (2020) weighed silt.", references, "markdown")) == [
        ("Smith *et al.* (2020)", [1])
    ]


def test_printed_labels() -> None:
    references = "[Smi20] Smith, A. Silt. Mud J, 2020.\n[ABC+19] Abel, A. et al. Mud. Mud J, 2019."
    pairing = pair("Silt settles [Smi20]. Mud dries [ABC+19, Smi20]. We note [sic] this.", references)
    assert links(pairing) == [("[Smi20]", [1]), ("[ABC+19, Smi20]", [2, 1])]


def test_notes_in_the_text_are_prose() -> None:
    text = "Moss grows^[See @lin, p. 3, for silt, and [@lin; @rau2012] for mud.].\n\n[^n]: Mud dries [@lin]."
    found = [marker.raw for marker in pair_keys(text).markers]
    assert found == ["@lin", "[@lin; @rau2012]", "[@lin]"]


def test_each_narrative_key_of_a_sentence_gives_way_to_its_own_authors() -> None:
    text = "As @rau2012 and @van-Dam.2005 found, naps are short. @van-Dam.2005 found more than @lin did."
    assert [c.text for c in pair_keys(text).claims] == [
        "As Rau and van Dam found, naps are short.",
        "As Rau and van Dam found, naps are short.",
        "Van Dam found more than Lin did.",
        "Van Dam found more than Lin did.",
    ]
