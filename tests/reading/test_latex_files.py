"""LaTeX manuscripts of several files: only the manuscript's own folder is read, within limits."""

from pathlib import Path

import pytest

from veriscite.domain import Manuscript
from veriscite.linking import PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader
from veriscite.reading.latex import assemble


def read(tex: str, root: Path | None, **limits: int) -> Manuscript:
    frame = f"\\documentclass{{article}}\n\\begin{{document}}\nMoss.\n{tex}\n\\end{{document}}\n"
    return DocumentReader(PlainListParser(), **limits).read(
        ManuscriptInput(frame.encode(), "main.tex", root=root)
    )


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_parts_are_taken_in(tmp_path: Path) -> None:
    write(
        tmp_path,
        one_tex="One \\input{sub/two} after.\\endinput Never.",
        sub__two_tex="% note\ntwo",
        three_tex="\\documentclass[main]{subfiles}\\usepackage{x}\\begin{document}Three.\\end{document}Never.",
        sub__four_tex="Four.",
    )
    manuscript = read("\\input one\n\\subfile{three.tex}\\include{sub/two}\\import{sub/}{four}", tmp_path)
    assert manuscript.text.split("\n\n") == ["Moss. One two after.", "Three.", "two", "Four.", ""]
    assert [note.message for note in manuscript.notes] == ["No reference list was found."]


def test_parts_count_for_the_hash(tmp_path: Path) -> None:
    write(tmp_path, one_tex="One.")
    first = read("\\input{one}", tmp_path).content_hash
    write(tmp_path, one_tex="Two.")
    assert read("\\input{one}", tmp_path).content_hash != first


@pytest.mark.parametrize(
    "named", ["../secret", "/etc/hostname.txt", "link", "sub/../../secret", "a\\0b", "none"]
)
def test_nothing_outside_of_the_folder_is_read(tmp_path: Path, named: str) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path / "secret.tex").write_text("SECRET")
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    manuscript = read(f"\\input{{{named}}}", folder)
    assert "SECRET" not in manuscript.text
    note = manuscript.notes[0]
    assert note.line == 4
    assert (
        "not in its folder" in note.message
        or "does not exist" in note.message
        or "cannot be read" in note.message
    )


def test_an_absolute_path_into_the_folder_is_refused_too(tmp_path: Path) -> None:
    write(tmp_path, one_tex="One.")
    assert "not in its folder" in read(f"\\input{{{tmp_path}/one}}", tmp_path).notes[0].message


def test_other_kinds_of_files_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    assert "KEY" not in read("\\input{.env}", tmp_path).text


def test_without_a_folder_the_parts_are_told_of() -> None:
    manuscript = read("\\input{one}\n\\bibliography{refs}", None)
    assert [(note.line, note.raw) for note in manuscript.notes[:2]] == [(4, "one"), (None, "refs.bib")]
    assert "not given along" in manuscript.notes[0].message


def test_cycles_depth_count_and_size_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, one_tex="One \\input{two}", two_tex="two \\input{one}")
    manuscript = read("\\input{one}", tmp_path)
    assert manuscript.text.split() == ["Moss.", "One", "two"]
    assert manuscript.notes[0].message.startswith("two.tex, line 1: one.tex takes itself in")
    for n in range(30):
        write(tmp_path, **{f"d{n}_tex": f"\\input{{d{n + 1}}}"})
    assert any("files deep" in note.message for note in read("\\input{d0}", tmp_path).notes)
    monkeypatch.setattr(assemble, "MAX_FILES", 3)
    write(tmp_path, x_tex="x")
    many = read("\\input{x} " * 5, tmp_path)
    assert many.text.split() == ["Moss.", "x", "x", "x"]
    assert any("More than 3 files" in note.message for note in many.notes)
    write(tmp_path, big_tex="y" * 900)
    large = read("\\input{big}", tmp_path, max_characters=500)
    assert "y" not in large.text
    assert any("limit" in note.message for note in large.notes)


def test_a_part_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "bin.tex").write_bytes(b"\0\1\2\3" * 100)
    manuscript = read("\\input{bin} Green.", tmp_path)
    assert manuscript.text.split() == ["Moss.", "Green."]
    assert "bin.tex was not taken in" in manuscript.notes[0].message


def test_named_lists_are_read(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_bib="@article{moss, author={Moss, A}, title={G}, year=2001}",
        b_bib="@article{fern, author={Fern, B}, title={T}, year=2002}",
    )
    for named in ("\\bibliography{a,b}", "\\addbibresource{a.bib}\\addbibresource[x=1]{b.bib}"):
        manuscript = read(f"It grows \\citep{{moss,fern}}. {named}", tmp_path)
        assert [reference.id for reference in manuscript.references] == ["moss", "fern"]
        assert manuscript.text == "Moss. It grows (Moss 2001; Fern 2002).\n\n"


def test_the_bbl_beside_stands_in_for_a_list_that_is_not_there(tmp_path: Path) -> None:
    write(
        tmp_path,
        main_bbl="\\begin{thebibliography}{1}\\bibitem{m} A. Moss. Green. 2001.\\end{thebibliography}",
    )
    manuscript = read("It grows \\citep{m}.\\bibliography{gone}", tmp_path)
    assert [reference.id for reference in manuscript.references] == ["m"]
    assert [note.message for note in manuscript.notes] == [
        "The reference list was read from main.bbl.",
        "The manuscript names gone.bib as its reference list, which does not exist.",
    ]
    taken_in = read("It grows \\citep{m}.\\input{main.bbl}", tmp_path)
    assert [reference.id for reference in taken_in.references] == ["m"]
