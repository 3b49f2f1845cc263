"""ZIP archives of TeX sources: read like a folder, and never out of it."""

import io
import stat
import zipfile

import pytest

from tests.reading.zip_builder import packed
from veriscite.domain import Manuscript
from veriscite.errors import InputError, PasswordRequiredError, TooLargeError, UnreadableFileError
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader, read_references, source_archive
from veriscite.reading.source_archive import is_source_archive

MAIN = "\\documentclass{article}\n\\begin{document}\nMoss grows \\citep{moss}. \\input{parts/one}\n\\bibliography{refs}\n\\end{document}"  # noqa: E501
REFS = "@article{moss, author={Moss, Ann}, title={Green}, year=2001}"


def pack(**files: str | bytes) -> bytes:
    """An archive; `__` in a name is a slash, `_` a dot."""
    return packed({name.replace("__", "/").replace("_", "."): content for name, content in files.items()})


def read(content: bytes, **limits: int) -> Manuscript:
    return DocumentReader(PlainListParser(), **limits).read(ManuscriptInput(content, "paper.zip"))


@pytest.mark.parametrize("folder", ["", "ms/", "a/b/"])
def test_main_file_parts_and_list(folder: str) -> None:
    manuscript = read(
        packed(
            {
                f"{folder}main.tex": MAIN,
                f"{folder}parts/one.tex": "Ferns too \\citep{moss}.",
                f"{folder}refs.bib": REFS,
                f"{folder}plot.png": b"\x89PNG",
                "__MACOSX/._main.tex": b"\0\1",
            }
        )
    )
    assert manuscript.text.strip() == "Moss grows (Moss 2001). Ferns too (Moss 2001)."
    assert (manuscript.format, manuscript.source_name) == ("latex", "paper.zip")
    assert [note.message for note in manuscript.notes] == [
        f"The manuscript was read from {folder}main.tex in paper.zip."
    ]
    assert [claim.reference_id for claim in CitationPairer().pair(manuscript).claims] == ["moss", "moss"]


def test_the_bbl_beside_the_main_file() -> None:
    bbl = "\\begin{thebibliography}{1}\\bibitem{moss} A. Moss. Green. 2001.\\end{thebibliography}"
    manuscript = read(pack(ms_tex=MAIN, ms_bbl=bbl))
    assert [reference.id for reference in manuscript.references] == ["moss"]


@pytest.mark.parametrize(
    ("files", "main"),
    [
        ({"a.tex": "Moss.", "z.tex": MAIN}, "z.tex"),
        ({"a.tex": MAIN, "sub/main.tex": MAIN}, "a.tex"),
        ({"a.tex": MAIN, "paper.tex": MAIN}, "paper.tex"),
        ({"a.tex": "% \\documentclass{a}\nMoss.", "b.tex": MAIN}, "b.tex"),
        ({"a.tex": MAIN.replace("{article}", "[main]{subfiles}"), "sub/b.tex": MAIN}, "sub/b.tex"),
        ({"a.tex": "\\documentclass{a}\\usepackage{b}", "b.tex": MAIN}, "b.tex"),
        ({"cover.tex": MAIN, "text.tex": MAIN + "%" + "x" * 900}, "text.tex"),
        ({"only.tex": "Moss \\cite{moss} grows.", "a.bib": REFS}, "only.tex"),
        ({"A.TEX": MAIN}, "A.TEX"),
        ({"m.ltx": MAIN.replace("\\documentclass", "\\documentclass\n[a,\nb]")}, "m.ltx"),
    ],
)
def test_which_file_is_the_main_one(files: dict[str, str | bytes], main: str) -> None:
    assert read(packed(files)).notes[0].message == f"The manuscript was read from {main} in paper.zip."


def test_without_a_main_file() -> None:
    with pytest.raises(UnreadableFileError, match="none of them with"):
        read(pack(a_tex="Moss.", b_tex="Fern."))
    with pytest.raises(UnreadableFileError, match="a ZIP archive, which"):
        read(pack(a_csv="1,2"))
    assert not is_source_archive(packed({"[Content_Types].xml": "", "word/document.xml": "", "a.tex": "x"}))
    with pytest.raises(InputError):
        read_references(pack(a_tex=MAIN), "refs.zip", PlainListParser())


@pytest.mark.parametrize(
    "named",
    ["../secret", "/secret", "/etc/hostname", "sub/../../secret", "..\\secret", "C:/secret", "a\\0b", "link"],
)
def test_no_path_leads_out_of_the_archive(named: str) -> None:
    buffer = io.BytesIO(
        packed(
            {"main.tex": MAIN.replace("parts/one", named), "../secret.tex": "SECRET", "/secret.tex": "SECRET"}
        )
    )
    with zipfile.ZipFile(buffer, "a") as archive:
        link = zipfile.ZipInfo("link.tex")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
    manuscript = read(buffer.getvalue())
    assert "SECRET" not in manuscript.text
    assert manuscript.text.strip() == "Moss grows [moss]."
    assert any("3 files of the archive" in note.message for note in manuscript.notes)
    problem = next(note.message for note in manuscript.notes if note.line is not None)
    assert "not in its archive" in problem or "does not exist" in problem


def test_a_path_may_climb_within_the_archive() -> None:
    files: dict[str, str | bytes] = {
        "tex/main.tex": MAIN.replace("parts/one", "../shared"),
        "shared.tex": "Shared.",
    }
    assert read(packed(files)).text.strip().endswith("Shared.")


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = {"main.tex": MAIN, "parts/one.tex": b"\\a " * 1_000_000}
    manuscript = read(packed(bomb), max_bytes=100_000)
    assert any("holds more than" in note.message for note in manuscript.notes)
    with pytest.raises(TooLargeError, match="holds more than"):
        read(packed({"main.tex": MAIN + " " * 200_000}), max_bytes=100_000)
    monkeypatch.setattr(source_archive, "MAX_MEMBERS", 3)
    with pytest.raises(TooLargeError, match="5 files"):
        read(packed({"main.tex": MAIN, **{f"{n}.tex": "" for n in range(4)}}))


def test_encrypted_and_broken_archives() -> None:
    content = bytearray(pack(main_tex=MAIN))
    flagged = bytearray(content)
    flagged[flagged.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(PasswordRequiredError):
        read(bytes(flagged))
    content[50:60] = b"\xff" * 10
    with pytest.raises(UnreadableFileError, match="damaged"):
        read(bytes(content))
    with pytest.raises(UnreadableFileError):
        read(bytes(content[:100]))
