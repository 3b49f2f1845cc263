"""Whatever the text: no crash, spans that hold, claims that say something."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.linking.helpers import NUMBERED, manuscript
from veriscite.domain import Reference
from veriscite.linking import CitationPairer, PlainListParser

AUTHOR_YEAR = """\
Smith, A. B. (2020). Tides and mud. Mud J.
Smith, A. B., Olu, T., & Rao, V. (2020a). Silt budgets. Mud J.
World Health Organization. (n.d.). Guidelines on smoke. Author.
van den Berg, H. (1999). Polders. Water J."""
LISTS = st.sampled_from([NUMBERED, AUTHOR_YEAR, ""])

PIECES = st.sampled_from([
    "[1]", "[1, 3-5]", "[2]–[5]", "[", "]", "(", ")", "(1)", "(1, 2)", "[99]", "[5-2]", "[0, 1]", "¹",
    "²,³", "⁻",
    "ref. 2", "Refs. 3 and 4", "Smith", "Smith et al.", "(Smith, 2020)", "Smith (2020a)", "(ibid.)",
    "van den Berg",
    "(see", "1999", "in press", "n.d.", "WHO", "[WHO]", "@key", "[@key; @k2, p. 3]", "[-@key]", "@",
    "\\@", "a@b.c",
    "https://x.org/(1)", "[a](b)", "![x](y)", "[^1]", "`[1]`", "*", "_", "Fig.", "Eq. (1)", "et al.", "e.g.",
    ".", ",", ";", ":", "?", " ", "\n", "\n\n", "\t", "The silt settles", "This effect", "coli.12 This",
    "and", "&",
    "’s", "'", "“", "\ue000", "\ue001", "\ue010", "\x1d", "\u2028", "中文", "Ünal", "𝔘", "e\u0301", "\x00",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, references=LISTS, fmt=st.sampled_from(["text", "markdown", "pdf"]))
def test_pairing_holds_together(text: str, references: str, fmt: str) -> None:
    given_text = manuscript(text, references, fmt)
    pairing = CitationPairer().pair(given_text)
    known = {r.id for r in given_text.references}

    ends = 0
    for n, marker in enumerate(pairing.markers, start=1):
        assert marker.id == f"m{n}"
        assert marker.span.of(text) == marker.raw
        assert ends <= marker.span.start < marker.span.end
        assert set(marker.reference_ids) <= known
        ends = marker.span.end
    markers = {m.id: m for m in pairing.markers}
    citances = {c.id: c for c in pairing.citances}
    assert list(citances) == [f"s{n}" for n in range(1, len(citances) + 1)]
    for citance in pairing.citances:
        assert citance.marker_ids
        for marker_id in citance.marker_ids:
            assert citance.span.start <= markers[marker_id].span.start < citance.span.end
    assert [c.id for c in pairing.claims] == [f"c{n}" for n in range(1, len(pairing.claims) + 1)]
    for claim in pairing.claims:
        citance = citances[claim.citance_id]
        assert claim.text.strip() == claim.text != ""
        assert citance.span.start <= claim.span.start < claim.span.end <= citance.span.end
        assert claim.reference_id in {r for m in citance.marker_ids for r in markers[m].reference_ids}
    assert len({(c.citance_id, c.reference_id) for c in pairing.claims}) == len(pairing.claims)
    # Nothing is lost: each marker stands in a citance, and gives a claim or is reported.
    assert {m for c in pairing.citances for m in c.marker_ids} == set(markers)
    reported = {s.marker_id for s in pairing.skipped}
    claimed = {(m, c.reference_id) for c in pairing.claims for m in citances[c.citance_id].marker_ids}
    for marker in pairing.markers:
        missing = [r for r in marker.reference_ids if (marker.id, r) not in claimed]
        if missing or not marker.reference_ids:
            (citance,) = (c for c in pairing.citances if marker.id in c.marker_ids)
            assert reported & set(citance.marker_ids)


ENTRY_PIECES = st.sampled_from([
    "[1] ", "[2] ", "1. ", "2. ", "(1) ", "3 ", "[Smi20] ", "Smith, A. ", "Smith AB, ", "A. B. Smith",
    " and ", "et al.",
    "———", "(2020)", "2020;12:3-4", "(n.d.)", ". ", ", ", ": ", "“", "”", '"', "Silt budgets", "J Test",
    "In: ", "\n",
    "\n\n", "    ", "doi:10.1000/x.\n12", "https://x.org/a-\nb", "arXiv:1706.03762", "(a) ", "(b) ",
    "References",
    "World Health Organization", "王伟", "—", "\u2028", "\x0c", "[", "(", "pp. 1-9", "?", "!",
])  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(
    text=st.lists(ENTRY_PIECES, max_size=50).map("".join) | st.text(max_size=200), offset=st.integers(0, 9)
)
def test_lists_are_parsed_without_loss(text: str, offset: int) -> None:
    parsed = PlainListParser().parse(text, offset=offset)
    whole = "x" * offset + text
    taken: list[tuple[int, int]] = []
    for n, reference in enumerate(parsed.references, start=1):
        assert reference.id == f"ref-{n}"
        assert reference.span is not None
        assert reference.span.of(whole) == reference.raw != ""
        assert reference.title is None or reference.title.strip()
        taken.append((reference.span.start, reference.span.end))
    for note in parsed.notes:
        assert note.span is not None
        assert note.span.of(whole) == note.raw
        taken.append((note.span.start, note.span.end))
    taken.sort()
    assert all(a[1] <= b[0] for a, b in pairwise(taken))
    if text.strip():
        covered = sum(b - a for a, b in taken)
        assert covered >= len("".join(text.split())) - sum(text.count(c) for c in "()[]. abcdefgh")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([NUMBERED, AUTHOR_YEAR]), min_size=1, max_size=2).map("\n".join))
def test_fields_come_from_the_entry(text: str) -> None:
    def letters(value: str) -> str:
        return "".join(c for c in value if c.isalnum()).casefold()

    references: tuple[Reference, ...] = PlainListParser().parse(text).references
    for reference in references:
        raw = letters(reference.raw)
        assert all(letters(a.family) in raw for a in reference.authors)
        assert reference.year is None or str(reference.year) in raw
        assert reference.title is None or letters(reference.title) in raw
