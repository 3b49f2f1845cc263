"""What a file is, is told by its content."""

import contextlib
import io
import zipfile

import pytest

from veriscite.errors import PasswordRequiredError, UnreadableFileError
from veriscite.reading.formats import TextKind, is_docx, is_pdf, manuscript_kind, reference_list_kind


def _zip(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


def test_a_pdf_is_told_by_its_first_bytes_whatever_its_name() -> None:
    assert is_pdf(b"%PDF-1.7\n...", "paper.txt")
    assert is_pdf(b"\n\n%PDF-1.4", "paper")
    assert not is_pdf(b"plain text", "paper.txt")


def test_a_word_document_is_told_by_what_its_archive_holds() -> None:
    assert is_docx(_zip("[Content_Types].xml", "word/document.xml"))
    assert not is_docx(_zip("content.xml"))
    assert not is_docx(b"word/document.xml")


def test_a_word_document_with_a_password_is_refused() -> None:
    content = b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(PasswordRequiredError, match="password"):
        is_pdf(content, "paper.docx")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS"><article></article>', True),
        ("<!-- a --><?x?><article article-type='x'><body/></article>", True),
        ("<OAI-PMH><j:article><j:front/></j:article></OAI-PMH>", True),
        ("<!DOCTYPE article [<!ENTITY a 'b>c'>]><article><front/></article>", True),
        ("<article><h1>A web log</h1></article>", False),
        ("Moss <article article-type='x'> is a tag.", False),
        ("<!--" * 50, False),
    ],
)
def test_an_article_is_told_by_its_root(text: str, expected: bool) -> None:
    kind = None
    with contextlib.suppress(UnreadableFileError):
        kind = manuscript_kind(text, "paper")
    assert (kind is TextKind.JATS) is expected


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"<!DOCTYPE html><html><body>Log in</body>", "paper.pdf", "web page"),
        (b"just some words", "paper.pdf", "no PDF"),
        (_zip("data.csv"), "paper.zip", "ZIP"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "paper.doc", "old Word document"),
        (b"\x89PNG\r\n", "scan.png", "picture"),
        (b"{\\rtf1\\ansi text}", "paper.rtf", "Rich Text"),
        (b"\x1f\x8b\x08", "paper.gz", "gzip"),
        (b"%!PS-Adobe-3.0", "paper.ps", "PostScript"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_name(content: bytes, name: str, said: str) -> None:
    with pytest.raises(UnreadableFileError, match=said) as caught:
        is_pdf(content, name)
    assert "paste the text" in caught.value.advice


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('<?xml version="1.0"?>\n<svg><path d="x"/></svg>', "XML"),
        ("<xml><records><record><rec-number>1</rec-number></record></records></xml>", "reference list"),
        ("<html><head></head><body><p>Text [1].</p></body></html>", "HTML"),
        ("@article{a, title={One}, year=2001}\n\n@article{b, title={Two}}\n", "reference list"),
        ("TY  - JOUR\nTI  - One\nER  - \n", "reference list"),
    ],
)
def test_a_manuscript_of_another_kind_is_refused(text: str, said: str) -> None:
    with pytest.raises(UnreadableFileError, match=said) as caught:
        manuscript_kind(text, "paper.txt")
    assert caught.value.advice


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Moss grows on walls [1].\n", "paper.md", TextKind.MARKDOWN),
        ("Moss grows on walls [1].\n", "paper.txt", TextKind.TEXT),
        ("# Title\n\nMoss [@moss2001].\n", "pasted text", TextKind.MARKDOWN),
        ("---\ntitle: Moss\n---\n\nMoss grows.\n", "paper.txt", TextKind.MARKDOWN),
        ("Moss grows (Smith, 2001).\n\nReferences\n\n1. Smith. Moss. 2001.\n", "x", TextKind.TEXT),
        ("\\documentclass{article}\n\\begin{document}\nHello \\cite{a}.\n", "x", TextKind.LATEX),
        ("Hello \\cite{a}.\n", "part.tex", TextKind.LATEX),
        ("\\section{One} As \\citet{a} says \\citep{b}.\n", "pasted text", TextKind.LATEX),
        ("See `\\cite{a}` for how this is written: \\citep is a macro.\n", "x", TextKind.TEXT),
    ],
)
def test_kinds_of_text_are_told_apart(text: str, name: str, kind: TextKind) -> None:
    assert manuscript_kind(text, name) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("% refs\n@article{a, title={One}}\n", TextKind.BIBTEX),
        ("@string{j = {J}}\n@book(b, title={Two})\n", TextKind.BIBTEX),
        ("\ufeffTY  - JOUR\r\nTI  - One\nER  - \n", TextKind.RIS),
        ('[{"title": "One"}]', TextKind.CSL_JSON),
        ('{"items": []}', TextKind.CSL_JSON),
        ('{"title": "One"}\n{"title": "Two"}\n', TextKind.JSON_LINES),
        ("[1] A. Key. One. 2001.\n[2] B. Key. Two. 2002.", TextKind.TEXT),
        ("Key A. One. 2001. e-mail: a@b.org {x}", TextKind.TEXT),
    ],
)
def test_a_reference_list_is_told_by_its_content(text: str, kind: TextKind) -> None:
    assert reference_list_kind(text, "references.txt") is kind
