"""Nothing outside of the manuscript's own folder is read, whatever a manuscript of any format asks for."""

# ruff: noqa: E501

import io
import socket
import zipfile
from pathlib import Path

import pytest

from tests.reading.docx_builder import docx, p
from tests.reading.test_endnote import LIST as ENDNOTE
from tests.reading.test_jats import article
from veriscite.domain import Manuscript
from veriscite.errors import InputError
from veriscite.linking import PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader, read_references

SECRET = "@article{secret, author={Secret, S.}, title={SECRET}, year=2001}"
FRAME = "\\documentclass{a}\n\\begin{document}\nMoss \\cite{secret}. %s\n\\end{document}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A manuscript's folder with a link out of it, and a file beside it that is not to be read."""
    inside = tmp_path / "paper"
    inside.mkdir()
    for suffix in ("tex", "bib", "bbl"):
        (tmp_path / f"secret.{suffix}").write_text(SECRET)
        (inside / f"link.{suffix}").symlink_to(tmp_path / f"secret.{suffix}")
    (inside / "linked").symlink_to(tmp_path)
    return inside


def read(content: str | bytes, name: str, root: Path | None = None) -> Manuscript:
    content = content.encode() if isinstance(content, str) else content
    return DocumentReader(PlainListParser()).read(ManuscriptInput(content, name, root=root))


def told(manuscript: Manuscript) -> str:
    """All that was read."""
    return manuscript.model_dump_json()


@pytest.mark.parametrize("command", [
    "\\input{%s}", "\\include{%s}", "\\subfile{%s}", "\\import{.}{%s}", "\\input %s\n", "\\bibliography{%s}",
    "\\addbibresource{%s.bib}", "\\newcommand{\\i}{\\input}\\i{%s}", "\\input{link}\\input{%s}", "\\nobibliography{%s}",
    "\\verbatiminput{%s}", "\\lstinputlisting{%s}", "\\includegraphics{%s}", "\\openin1=%s \\read1 to \\x \\x",
])  # fmt: skip
@pytest.mark.parametrize(
    "named",
    ["../secret", "sub/../../secret", "{FOLDER}/../secret", "link", "linked/secret", "./linked/secret"],
)
def test_latex(folder: Path, command: str, named: str) -> None:
    tex = FRAME % (command % named.replace("{FOLDER}", str(folder)))
    manuscript = read(tex, "main.tex", folder)
    assert "SECRET" not in told(manuscript)
    assert manuscript.text.startswith("Moss [secret].")


def test_the_bbl_beside_a_manuscript_may_be_no_link(folder: Path) -> None:
    (folder / "main.bbl").symlink_to(folder.parent / "secret.bbl")
    assert "SECRET" not in told(read(FRAME % "", "main.tex", folder))


@pytest.mark.parametrize(
    "named", ["../secret.bib", "link.bib", "linked/secret.bib", "/etc/hostname", "~/x.bib"]
)
def test_the_list_that_markdown_names(folder: Path, named: str) -> None:
    manuscript = read(f"---\nbibliography: {named}\n---\n# Moss\n\nGrows [@secret].", "a.md", folder)
    assert "SECRET" not in told(manuscript)
    assert any(named in note.message for note in manuscript.notes)


@pytest.mark.parametrize("declared", [
    '<!DOCTYPE article SYSTEM "{FILE}">', '<!DOCTYPE article [<!ENTITY e SYSTEM "{FILE}">]>',
    '<!DOCTYPE article [<!ENTITY % p SYSTEM "{FILE}"> %p;]>', '<!DOCTYPE article PUBLIC "-//x" "{FILE}" [<!ENTITY e "SE&#67;RET">]>',
    '<?xml-stylesheet href="{FILE}"?>', '<!DOCTYPE article [<!NOTATION n SYSTEM "{FILE}"><!ENTITY e SYSTEM "{FILE}" NDATA n>]>',
])  # fmt: skip
def test_xml(tmp_path: Path, declared: str) -> None:
    (tmp_path / "secret").write_text("SECRET")
    address = (tmp_path / "secret").as_uri()
    body = (
        f'<p>Moss &e; grows <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{address}" parse="text"/>'
        f'<inline-graphic xlink:href="{address}"/>.</p>'
    )
    text = article(body).partition("?>")[2].partition(">")[2]
    manuscript = read(declared.replace("{FILE}", address) + text, "a.xml")
    assert "SECRET" not in told(manuscript)
    listed = ENDNOTE.partition("?>")[2].replace("Moss on walls", "Moss &e;")
    parsed = read_references(
        (declared.replace("article", "xml").replace("{FILE}", address) + listed).encode(),
        "a.xml",
        PlainListParser(),
    )
    assert "SECRET" not in str(parsed)


def test_word_documents_ask_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.xml").write_text("<w:document>SECRET</w:document>")
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_more: asked.append(args))
    content = io.BytesIO(docx(p("Moss grows [1].") + '<w:altChunk r:id="r1" xmlns:r="x"/>'))
    relation = '<Relationship Id="r1" Type="x/%s" TargetMode="External" Target="%s"/>'
    targets = (
        (tmp_path / "secret.xml").as_uri(),
        "http://example.org/x",
        "../../secret.xml",
        "\\\\host\\share",
    )
    for kind, part in (
        ("officeDocument", "_rels/.rels"),
        ("attachedTemplate", "word/_rels/document.xml.rels"),
    ):
        with zipfile.ZipFile(content, "a") as archive:
            archive.writestr(
                part, f"<Relationships>{''.join(relation % (kind, t) for t in targets)}</Relationships>"
            )
    manuscript = read(content.getvalue(), "a.docx")
    assert manuscript.text == "Moss grows [1]."
    assert asked == []


def test_a_part_of_a_word_document_takes_in_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SECRET")
    address = (tmp_path / "secret").as_uri()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(
            "word/document.xml",
            f'<!DOCTYPE a [<!ENTITY e SYSTEM "{address}">]><w:document xmlns:w="http://schemas.openxmlformats.org/'
            'wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Moss &e; grows.</w:t></w:r></w:p></w:body></w:document>',
        )
    try:
        manuscript = read(content.getvalue(), "a.docx")
    except InputError as error:
        assert "SECRET" not in str(error)  # noqa: PT017
    else:
        assert "SECRET" not in told(manuscript)
