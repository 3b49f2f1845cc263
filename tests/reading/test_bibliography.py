"""Bibliography files of each format become references; what cannot be read becomes a note."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.fakes import LineParser
from veriscite.errors import InputError, TooLargeError, UnreadableFileError
from veriscite.ports import ParsedList
from veriscite.reading.bibliography import read_references
from veriscite.reading.bibliography.bibtex import read_bibtex
from veriscite.reading.bibliography.csl_json import read_csl_json, read_json_lines
from veriscite.reading.bibliography.latex import latex_to_unicode
from veriscite.reading.bibliography.ris import read_ris

BIB = r"""% a comment
@string{jt = "J Test"}
@comment{skip @article{x, title={No}} }
@InCollection{  bro:fam:1997,
 author = {Brow, Anne S. and {Test Group} and others}, title = {Kin and {\'E}tudes}, crossref = {hal:1997}}
@Article{HoSp-87 ,
author = {H{\"o}ff, K. and van der Berg, J.}, title = {{{NMR}} of $\alpha$-ice},
 journal = jt # " B", year = 1987,
 doi = {https://doi.org/10.9999/ABC.1}, abstract = {It rose by 50% in \emph{all} cases.},
}
@book(hal:1997, editor = {Hal, David D.}, title = {Lived Faith}, year = {1997})
@misc{dup, title={First}, year=2000}
@misc{dup, title={Second}, year=2001}
stray text
@article{broken, title = {No end
@article{twice, title={One}, title={Two}, journal = undefinedmacro, date = {2011-05-02}}
@online{pre, author={{World Wide Test}}, title="Pandas, 50\% off", eprint={1706.03762}, eprinttype={arxiv},
 url={https://example.org/a\_b}}
@misc{orphan, title={Alone}, crossref={gone}}
"""


def _by_id(parsed: ParsedList) -> dict[str, object]:
    return {reference.id: reference for reference in parsed.references}


def test_bibtex_entries_keep_their_keys_and_order() -> None:
    keys = [reference.id for reference in read_bibtex(BIB).references]
    assert keys == ["bro:fam:1997", "HoSp-87", "hal:1997", "dup", "twice", "pre", "orphan"]


def test_bibtex_fields_are_decoded_and_resolved() -> None:
    entry = next(r for r in read_bibtex(BIB).references if r.id == "HoSp-87")
    assert entry.title == "NMR of α-ice"
    assert entry.year == 1987
    assert entry.venue == "J Test B"
    assert entry.identifiers.doi == "10.9999/abc.1"
    assert entry.abstract == "It rose by 50% in all cases."
    assert [(author.family, author.given) for author in entry.authors] == [
        ("Höff", "K."),
        ("van der Berg", "J."),
    ]
    assert entry.raw.startswith("@Article{HoSp-87")


def test_bibtex_crossref_fills_what_is_missing() -> None:
    entry = next(r for r in read_bibtex(BIB).references if r.id == "bro:fam:1997")
    assert entry.title == "Kin and Études"
    assert entry.year == 1997
    assert entry.venue == "Lived Faith"
    assert [(author.family, author.corporate) for author in entry.authors] == [
        ("Brow", False),
        ("Test Group", True),
    ]


def test_bibtex_of_a_doubled_key_or_field_the_first_stays_with_a_note() -> None:
    parsed = read_bibtex(BIB)
    entries = {r.id: r for r in parsed.references}
    assert entries["dup"].title == "First"
    assert entries["twice"].title == "One"
    assert entries["twice"].year == 2011
    messages = [(note.line, note.message) for note in parsed.notes]
    assert (13, "The key 'dup' occurs again; its first entry is used.") in messages
    assert (16, "A field occurs twice (title); its first value is used.") in messages


def test_bibtex_failures_are_notes_with_their_line() -> None:
    notes = read_bibtex(BIB).notes
    assert any(note.line == 14 and "outside of any entry" in note.message for note in notes)
    assert any(note.line == 15 and "could not be read" in note.message for note in notes)
    assert any("undefinedmacro" in note.message for note in notes)
    assert any("'gone'" in note.message for note in notes)
    assert [note.line for note in notes] == sorted(note.line or 0 for note in notes)


def test_biblatex_identifiers() -> None:
    entry = next(r for r in read_bibtex(BIB).references if r.id == "pre")
    assert entry.identifiers.arxiv == "1706.03762"
    assert entry.url == "https://example.org/a_b"
    assert entry.title == "Pandas, 50% off"
    pubmed = read_bibtex("@article{a, title={T}, eprint={123}, eprinttype={pubmed}}").references[0]
    assert pubmed.identifiers.pmid == "123"


def test_a_crossref_to_itself_ends() -> None:
    assert read_bibtex("@misc{a, title={T}, crossref={a}}").references[0].title == "T"


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        ("plain", "plain"),
        (r"{\'E}tudes", "Études"),
        (r"Erd{\H o}s", "Erdős"),
        (r"50\% of {DNA}", "50% of DNA"),
        ("50% of rats died, 20% lived", "50% of rats died, 20% lived"),
        ("It cost $5 then and $7 now", "It cost $5 then and $7 now"),
        (r"$\beta$-carotene", "β-carotene"),
        ("pages 1--9", "pages 1–9"),
        ("a~b\n  c", "a b c"),
        ("unbalanced { brace", "unbalanced brace"),
    ],
)
def test_tex_becomes_what_a_reader_sees(tex: str, text: str) -> None:
    assert latex_to_unicode(tex) == text


def test_deep_nesting_is_not_followed() -> None:
    assert latex_to_unicode("{" * 5000 + "x" + "}" * 5000) == "x"


def test_ris_records() -> None:
    text = (
        "TY  - JOUR\nID  - moss1\nAU  - Ash, A. B.\nAU  - The Moss Group\nTI  - Moss on walls\n"
        "JO  - J Test Bot\nPY  - 2001/03/02\nDO  - https://doi.org/10.9999/MOSS\nAB  - It grows.\n  Slowly.\n"
        "UR  - https://example.org/moss\nER  - \n\n"
        "TY  - BOOK\nA1  - Birk, B.\nT1  - Lime\nY1  - 2002\nER  -\n"
    )
    parsed = read_ris(text)
    first, second = parsed.references
    assert (first.id, first.title, first.year, first.venue) == ("moss1", "Moss on walls", 2001, "J Test Bot")
    assert first.identifiers.doi == "10.9999/moss"
    assert first.abstract == "It grows. Slowly."
    assert first.url == "https://example.org/moss"
    assert [author.family for author in first.authors] == ["Ash", "Group"]
    assert (second.id, second.title, second.year) == ("ref-2", "Lime", 2002)
    assert parsed.notes == ()


@pytest.mark.parametrize("before", ["A2  - Fern, C.", "AU  - Moss, A.", "KW  - moss", "TI  - On", "N1  - a"])
def test_a_line_without_a_tag_goes_on_the_line_before(before: str) -> None:
    parsed = read_ris(f"TY  - JOUR\nAU  - Oak, B.\n{before}\n  walls\nTI (( walls\nPY  - 2001\nER  - \n")
    assert [reference.year for reference in parsed.references] == [2001]
    assert "walls" in parsed.references[0].raw


def test_a_ris_record_without_an_end_is_kept() -> None:
    parsed = read_ris("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\nER  - \nstray\n")
    assert [reference.title for reference in parsed.references] == ["One", "Two"]
    assert [note.line for note in parsed.notes] == [3, 6]


def test_csl_json_items() -> None:
    items = [
        {
            "id": "moss",
            "title": "<i>Moss</i> &amp; walls",
            "author": [
                {"family": "Beethoven", "given": "L.", "non-dropping-particle": "van"},
                {"literal": "Moss Group"},
            ],
            "issued": {"date-parts": [[2001, 3]]},
            "container-title": "J Test Bot",
            "DOI": "10.9999/MOSS",
            "PMID": 123,
            "abstract": "<jats:p>It grows.</jats:p>",
        },
        {"title": "Lime", "authors": ["Birk, B.", "Carla Cole"], "year": "2002", "doi": "10.9999/lime"},
        "nonsense",
        {"id": "moss", "title": "Again"},
    ]
    parsed = read_csl_json(json.dumps(items), "refs.json")
    first, second = parsed.references
    assert (first.title, first.year, first.venue, first.abstract) == (
        "Moss & walls",
        2001,
        "J Test Bot",
        "It grows.",
    )
    assert first.identifiers.pmid == "123"
    assert [(author.family, author.corporate) for author in first.authors] == [
        ("van Beethoven", False),
        ("Moss Group", True),
    ]
    assert (second.id, second.year, second.identifiers.doi) == ("ref-2", 2002, "10.9999/lime")
    assert [(author.family, author.given) for author in second.authors] == [("Birk", "B."), ("Cole", "Carla")]
    assert len(parsed.notes) == 2


def test_json_lines_note_the_line_that_is_broken() -> None:
    parsed = read_json_lines(
        '{"title": "One", "year": 2001, "abstract": "A."}\n\n{broken\n{"title": "Two"}\n'
    )
    assert [(r.id, r.title) for r in parsed.references] == [("ref-1", "One"), ("ref-2", "Two")]
    assert parsed.references[0].abstract == "A."
    assert [note.line for note in parsed.notes] == [3]


@pytest.mark.parametrize("text", ["[1, 2", '{"a": 1}', '"text"', "[" * 5000, '{"a":' * 5000])
def test_json_that_is_no_list_is_refused(text: str) -> None:
    with pytest.raises(UnreadableFileError):
        read_csl_json(text, "refs.json")


def test_each_format_is_told_by_content() -> None:
    parser = LineParser()
    assert read_references(BIB.encode(), "refs.txt", parser).references[0].id == "bro:fam:1997"
    assert read_references(b"TY  - JOUR\nTI  - A\nER  - \n", "refs", parser).references[0].title == "A"
    assert read_references(b'[{"title": "A"}]', "refs", parser).references[0].title == "A"
    assert read_references(b'{"title": "A"}\n{"title": "B"}', "refs", parser).references[1].title == "B"
    assert parser.calls == []


def test_plain_text_goes_to_the_parser_without_heading_and_offset() -> None:
    parser = LineParser()
    parsed = read_references(b"References\n\n1. Ash. Moss. 2001.\n2. Birk. Lime. 2002.\n", "refs.txt", parser)
    assert [reference.year for reference in parsed.references] == [2001, 2002]
    assert parser.calls == [("1. Ash. Moss. 2001.\n2. Birk. Lime. 2002.", None)]


def test_limits_and_wrong_kinds_are_told() -> None:
    with pytest.raises(TooLargeError, match="2 references"):
        read_references(b'[{"title": "A"}, {"title": "B"}]', "r", LineParser(), max_references=1)
    with pytest.raises(TooLargeError, match="references"):
        read_references(b"TY  - JOUR\nER  - \n" * 30, "r", LineParser(), max_references=10)
    with pytest.raises(UnreadableFileError, match="is a PDF"):
        read_references(b"%PDF-1.4", "r", LineParser())
    with pytest.raises(UnreadableFileError, match="LaTeX"):
        read_references(b"\\documentclass{a}\\begin{document} A.", "r", LineParser())
    with pytest.raises(InputError, match="empty"):
        read_references(b" ", "r", LineParser())


@given(st.text(alphabet="@article{}(),=\"#\\'% \n\tAZaz01$~-", max_size=300))
def test_any_bibtex_gives_references_and_notes(text: str) -> None:
    parsed = read_bibtex(text)
    ids = [reference.id for reference in parsed.references]
    assert len(ids) == len(set(ids))
    assert all(note.line is None or note.line >= 1 for note in parsed.notes)


@given(
    st.lists(
        st.sampled_from(
            ["TY  - JOUR", "ER  - ", "TI  - A", "AU  - ", "ID  - x", "PY  - 2001", "", "zz", "UR  - ;"]
        )
    )
)
def test_any_ris_gives_references_and_notes(lines: list[str]) -> None:
    parsed = read_ris("\n".join(lines))
    ids = [reference.id for reference in parsed.references]
    assert len(ids) == len(set(ids))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "title", "author", "issued", "date-parts", "family", "DOI", "year", "items", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON)
def test_any_json_gives_references_or_an_input_error(value: object) -> None:
    text = json.dumps(value)
    try:
        parsed = read_csl_json(text, "refs.json")
    except InputError:
        return
    ids = [reference.id for reference in parsed.references]
    assert len(ids) == len(set(ids))


def test_a_damaged_bib_file_still_gives_what_is_whole() -> None:
    """Cut a file at random places: entries before the cut stay."""
    generator = random.Random(7)
    for _ in range(50):
        cut = generator.randrange(len(BIB))
        whole = BIB[:cut].count("\n}\n")
        assert len(read_bibtex(BIB[:cut]).references) >= whole
