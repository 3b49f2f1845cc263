"""Correcting `.bib` files: what is told is changed, every other byte stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.errors import UnreadableFileError
from veriscite.reading.bibliography.bib_edit import BibChange, edit_bibtex
from veriscite.reading.bibliography.bib_fields import bib_entries
from veriscite.reading.bibliography.bibtex import read_bibtex

BIB = """% My list, kept by hand
@string{jsr = "Journal of Sleep Research"}
@comment{@article{hidden, year = 1900}}

@Article{zhang18,
  Author   = {Zhang, Wei and {The Sleep {G}roup}},
  title    = "Sleep loss # and {\\"o}ther \\"things\\"",
  journal  = jsr,
  year     = 2008,   % sic
  keywords = {a, b = {c}},
}

@inproceedings(roe, title={Plaque growth}, year={2011}, note = {Best paper.})
@misc{broken, title = {never closed
@book{last,
\ttitle = {{A Title}}
}
"""


def fix(text: str, *changes: BibChange) -> str:
    return edit_bibtex(text.encode(), changes)[0].decode()


def test_one_field_is_replaced_and_nothing_else() -> None:
    fixed = fix(BIB, BibChange("zhang18", "year", "2018"))
    assert fixed == BIB.replace("2008,", "2018,")
    fixed = fix(BIB, BibChange("zhang18", "title", "Loss of sleep & growth: 5 %"))
    assert '"Loss of sleep \\& growth: 5 \\%"' in fixed
    assert fix(BIB, BibChange("last", "title", "B")).endswith("{{B}}\n}\n")
    assert "journal  = {Sleep}," in fix(BIB, BibChange("zhang18", "venue", "Sleep"))
    assert "Author   = {Roe, Clara and Li, X. and others}" in fix(
        BIB, BibChange("zhang18", "authors", "Roe, Clara; Li, X.; et al.")
    )


def test_a_field_is_added_in_the_layout_of_the_entry() -> None:
    doi = "10.1000/a_b"
    fixed = fix(BIB, *(BibChange(key, "doi", doi, adds=True) for key in ("zhang18", "roe", "last")))
    assert "  keywords = {a, b = {c}},\n  doi      = {10.1000/a_b},\n}" in fixed
    assert "note = {Best paper.}, doi = {10.1000/a_b})" in fixed
    assert "\ttitle = {{A Title}},\n\tdoi   = {10.1000/a_b}\n}" in fixed
    crlf = "@article{k,\r\n  title = {T}\r\n}\r\n"
    assert fix(crlf, BibChange("k", "doi", doi, adds=True)) == (
        "@article{k,\r\n  title = {T},\r\n  doi   = {10.1000/a_b}\r\n}\r\n"
    )


def test_a_note_goes_behind_the_one_that_is_there() -> None:
    note = BibChange("roe", "note", "Published version: Sleep, 2012", adds=True)
    fixed = fix(BIB, note)
    assert "note = {Best paper. Published version: Sleep, 2012})" in fixed
    assert fix(fixed, note) == fixed


@pytest.mark.parametrize(
    "change",
    [
        BibChange("hidden", "year", "2000"),
        BibChange("broken", "title", "X"),
        BibChange("nobody", "title", "X"),
        BibChange("roe", "venue", "Not its own field"),
        BibChange("zhang18", "year", "2018", adds=True),
    ],
    ids=lambda change: change.key + change.part,
)
def test_what_cannot_be_changed_is_left(change: BibChange) -> None:
    assert edit_bibtex(BIB.encode(), [change]) == (BIB.encode(), ())


def test_a_subtitle_of_its_own_keeps_the_title_as_it_is() -> None:
    text = "@article{k, title = {A}, subtitle = {B}}"
    assert fix(text, BibChange("k", "title", "A: C")) == text


def test_an_ascii_file_stays_ascii_and_other_bytes_stay_as_they_are() -> None:
    change = BibChange("k", "authors", "Müller, Jörg; Ødegård, Ås")
    plain, _ = edit_bibtex(b"@article{k, author = {X}}", [change])
    assert plain.isascii()
    (reference,) = read_bibtex(plain.decode()).references
    assert [a.family for a in reference.authors] == ["Müller", "Ødegård"]
    latin = "@article{k, author = {X}, note = {Zürich}}".encode("latin-1")
    fixed, made = edit_bibtex(latin, [change])
    assert len(made) == 1
    assert fixed.endswith(", note = {Z\xfcrich}}".encode("latin-1"))


def test_hostile_values_cannot_end_their_field() -> None:
    value = 'x}, year = {1000}}\n@article{evil, title={"'
    fixed = fix("@article{k, title = {T}, year = 2001}", BibChange("k", "title", value))
    (reference,) = read_bibtex(fixed).references
    assert (reference.id, reference.year) == ("k", 2001)


def test_utf_16_is_refused() -> None:
    with pytest.raises(UnreadableFileError):
        edit_bibtex(BIB.encode("utf-16"), [])


def test_many_broken_entries_take_no_quadratic_time() -> None:
    text = "@a{x, t={" * 200_000
    assert list(bib_entries(text)) == []
    assert list(bib_entries(" @a{x, t={\n" * 100_000)) == []
    assert list(bib_entries("@comment{" * 100_000)) == []


KEYS = st.from_regex(r"[a-z]{1,6}[0-9]{0,3}", fullmatch=True)
TEXT = st.text(st.characters(codec="utf-8", exclude_characters='{}\\"%@#$&_~^,='), min_size=1, max_size=30)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[str]]:
    keys = draw(st.lists(KEYS, min_size=1, max_size=4, unique=True))
    parts = []
    for key in keys:
        brace = draw(st.sampled_from(["{%s}", '"%s"', "{{%s}}"]))
        sep = draw(st.sampled_from([",\n  ", ", ", ",\r\n\t"]))
        fields = [f"title = {brace % draw(TEXT)}", f"year{draw(st.sampled_from([' ', '   ', '']))}= 2001"]
        tail = draw(st.sampled_from(["", ",", ",\n", "\n"]))
        parts.append("@article{" + key + sep + sep.join(fields) + tail + "}")
        parts.append(draw(st.sampled_from(["\n", "\n\n% a remark\n", "\r\n\r\n", "\n@comment{x}\n"])))
    return "".join(parts), keys


@given(files(), TEXT, st.data())
def test_a_corrected_file_parses_and_differs_only_where_told(
    given_file: tuple[str, list[str]], value: str, data: st.DataObject
) -> None:
    text, keys = given_file
    key = data.draw(st.sampled_from(keys))
    changes = [BibChange(key, "year", "1999"), BibChange(key, "doi", "10.1000/x", adds=True)]
    fixed, made = edit_bibtex(text.encode(), changes)
    assert len(made) == 2
    before = {r.id: r for r in read_bibtex(text).references}
    after = {r.id: r for r in read_bibtex(fixed.decode()).references}
    assert before.keys() == after.keys()
    assert (after[key].year, after[key].identifiers.doi) == (1999, "10.1000/x")
    assert after[key].title == before[key].title
    assert {k: v for k, v in after.items() if k != key} == {k: v for k, v in before.items() if k != key}
    assert edit_bibtex(fixed, changes) == (fixed, ())


@given(st.text(st.sampled_from('@{}"=,#\\ \nab1%')))
def test_any_text_is_read_without_harm(text: str) -> None:
    for entry in bib_entries(text):
        for field in entry.fields:
            assert 0 <= field.start < field.value <= field.end <= entry.close < len(text)
