"""The reader as a whole: what goes in, what manuscript comes out."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading.fakes import LineParser
from veriscite.domain import Manuscript
from veriscite.errors import InputError, TooLargeError, UnreadableFileError
from veriscite.ports import ManuscriptInput, ManuscriptReader
from veriscite.reading import DocumentReader

TEXT = """Moss on slate walls

Introduction

Moss covers walls within ten years [1].

References

1. Ash A. Moss. J Test. 2001.
2. Birk B. Lime. J Test. 2002.

Appendix

More moss of 2003.
"""
MARKDOWN = "---\ntitle: Moss\nbibliography: refs.bib\n---\n\n# Summary\n\nMoss grows [@ash2001].\n"
BIB = b"@article{ash2001, title={Moss}, author={Ash, A.}, year=2001, abstract={It grows.}}\n"


def _read(content: str | bytes, **given: object) -> Manuscript:
    raw = content.encode() if isinstance(content, str) else content
    return DocumentReader(LineParser()).read(ManuscriptInput(content=raw, **given))  # type: ignore[arg-type]


def test_the_reader_fills_the_port() -> None:
    reader: ManuscriptReader = DocumentReader(LineParser())
    assert reader.read(ManuscriptInput(content=TEXT.encode())).format == "text"


def test_the_list_at_the_end_is_read_and_is_no_body() -> None:
    manuscript = _read(TEXT, name="folder/paper.txt")
    assert manuscript.source_name == "paper.txt"
    assert manuscript.title == "Moss on slate walls"
    assert manuscript.text == TEXT
    assert manuscript.body.of(manuscript.text).rstrip().endswith("ten years [1].")
    assert [(reference.id, reference.year) for reference in manuscript.references] == [
        ("ref-1", 2001),
        ("ref-2", 2002),
    ]
    for reference in manuscript.references:
        assert reference.span is not None
        assert reference.span.of(manuscript.text) == reference.raw
    assert any("after the reference list" in note.message for note in manuscript.notes)


def test_identity_comes_from_all_bytes_that_were_read() -> None:
    alone = _read(TEXT)
    assert alone.content_hash == hashlib.sha256(TEXT.encode()).hexdigest()
    assert alone.id == alone.content_hash[:16]
    assert _read(TEXT, name="other.txt").id == alone.id
    assert _read(TEXT, references=BIB).id != alone.id
    assert _read(TEXT, references=BIB).id != _read(TEXT, references=BIB + b"\n").id


def test_a_list_given_apart_wins_and_its_own_is_no_body() -> None:
    manuscript = _read(TEXT, references=BIB, references_name="refs.bib")
    assert [reference.id for reference in manuscript.references] == ["ash2001"]
    assert manuscript.references[0].abstract == "It grows."
    assert "Ash A." not in manuscript.body.of(manuscript.text)
    assert any("was not used" in note.message for note in manuscript.notes)


def test_without_a_list_of_its_own_the_whole_text_is_body() -> None:
    text = "Moss grows [1].\n\n1. Ash A. 2001\n2. Birk B. 2002\n3. Cole C. 2003\n"
    manuscript = _read(text, references=b"1. Ash. Moss. 2001.")
    assert manuscript.body.of(text) == text
    assert manuscript.references[0].span is None


def test_no_list_at_all_is_noted() -> None:
    manuscript = _read("Moss grows on walls [1].")
    assert manuscript.references == ()
    assert any("No reference list" in note.message for note in manuscript.notes)


def test_the_list_that_front_matter_names_is_read_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_bytes(BIB)
    manuscript = _read(MARKDOWN, name="paper.md", root=tmp_path)
    assert [reference.id for reference in manuscript.references] == ["ash2001"]
    assert manuscript.format == "markdown"
    assert manuscript.title == "Moss"
    assert manuscript.id != _read(MARKDOWN, name="paper.md").id


def test_no_file_is_read_without_a_folder_or_outside_of_it(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_bytes(BIB)
    inner = tmp_path / "inner"
    inner.mkdir()
    assert _read(MARKDOWN, name="paper.md").references == ()
    for named in ("../refs.bib", str(tmp_path / "refs.bib"), "missing.bib", "\\0.bib", "."):
        text = MARKDOWN.replace("refs.bib", f"'{named}'")
        manuscript = _read(text, name="paper.md", root=inner)
        assert manuscript.references == ()
        assert any(named.strip("\\") in note.message or named == note.raw for note in manuscript.notes)
    (inner / "refs.bib").symlink_to(tmp_path / "refs.bib")
    assert _read(MARKDOWN, name="paper.md", root=inner).references == ()


def test_a_named_list_that_is_broken_is_noted(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_bytes(b"")
    manuscript = _read(MARKDOWN, name="paper.md", root=tmp_path)
    assert any("empty" in note.message for note in manuscript.notes)


def test_excluded_spans_and_sections_come_along() -> None:
    manuscript = _read("# Moss\n\nText `[@no]` here.\n\n## Growth\n\nMore [@a].\n", name="paper.md")
    assert [span.of(manuscript.text) for span in manuscript.excluded] == ["`[@no]`"]
    assert [section.heading for section in manuscript.sections] == ["Moss", "Growth"]


@pytest.mark.parametrize(
    ("content", "name", "error", "said"),
    [
        (b"", "paper.txt", InputError, "empty"),
        (b"\x00\x01\x02\x03" * 50, "paper.txt", UnreadableFileError, "text"),
        (b"<html>log in</html>", "paper.pdf", UnreadableFileError, "no PDF"),
        (b"\\documentclass{article}", "paper.tex", UnreadableFileError, "LaTeX"),
        (b"x" * 2_000, "paper.txt", TooLargeError, "bytes"),
    ],
)
def test_what_cannot_be_read_has_an_error_and_advice(
    content: bytes, name: str, error: type[InputError], said: str
) -> None:
    reader = DocumentReader(LineParser(), max_bytes=1_000)
    with pytest.raises(error, match=said) as caught:
        reader.read(ManuscriptInput(content=content, name=name))
    assert caught.value.advice


def test_limits_reach_the_list() -> None:
    reader = DocumentReader(LineParser(), max_bytes=1_000, max_characters=900, max_references=1)
    with pytest.raises(TooLargeError, match="references"):
        reader.read(ManuscriptInput(content=TEXT.encode()))
    with pytest.raises(TooLargeError, match="bytes"):
        reader.read(ManuscriptInput(content=b"Moss.", references=b"x" * 1_001))
    with pytest.raises(TooLargeError, match="characters"):
        reader.read(ManuscriptInput(content=b"x" * 901))


def test_further_lists_are_joined_under_new_ids() -> None:
    text = (
        "Moss [1].\n\nReferences\n1. Ash. Moss. 2001.\n2. Birk. Lime. 2002.\n\n"
        "Supplementary References\n1. Cole. Extra. 2003.\n"
    )
    manuscript = _read(text)
    assert [(r.id, r.label, r.year) for r in manuscript.references] == [
        ("ref-1", "1", 2001),
        ("ref-2", "2", 2002),
        ("ref-3", None, 2003),
    ]
    assert any("further list" in note.message for note in manuscript.notes)


@given(st.text(max_size=400), st.sampled_from(["x.txt", "x.md", "x.pdf", "x"]))
def test_any_text_gives_valid_offsets_or_an_input_error(text: str, name: str) -> None:
    _check(text.encode("utf-8", "surrogatepass"), name)


@given(
    st.lists(
        st.sampled_from(
            [
                "# A",
                "References",
                "1. Ash. 2001.",
                "2. Birk. 2002.",
                "",
                "```",
                "[1]",
                "Appendix",
                "---",
                "x: y",
            ]
        ),
        max_size=20,
    ),
    st.sampled_from(["x.txt", "x.md"]),
)
def test_any_structure_gives_valid_offsets(lines: list[str], name: str) -> None:
    _check("\n".join(lines).encode(), name)


def _check(content: bytes, name: str) -> None:
    try:
        manuscript = DocumentReader(LineParser()).read(ManuscriptInput(content=content, name=name))
    except InputError:
        return
    size = len(manuscript.text)
    spans = [manuscript.body, *manuscript.excluded, *(section.span for section in manuscript.sections)]
    spans += [note.span for note in manuscript.notes if note.span is not None]
    for span in spans:
        assert 0 <= span.start <= span.end <= size
    for reference in manuscript.references:
        assert reference.span is not None
        assert reference.span.of(manuscript.text) == reference.raw
        assert reference.span.start >= manuscript.body.end
