"""What a file is, by its content; its name is a hint only."""

import json
import re
from enum import StrEnum
from itertools import islice
from pathlib import PurePath

from veriscite.errors import PasswordRequiredError, UnreadableFileError

_HEAD = 4096
_READABLE = (
    "PDF, Word (.docx), LaTeX (also as a ZIP archive of its sources), JATS XML, Markdown and plain text"
)
_READABLE_LISTS = "BibTeX, RIS, CSL-JSON, EndNote XML, JSON lines, thebibliography and plain text"

_BINARY_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "an old Word document (.doc)"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\0", "a picture"),
    (b"MM\0*", "a picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"%!PS", "PostScript"),
    (b"{\\rtf", "a Rich Text document (.rtf)"),
)
_MARKDOWN_NAMES = {".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd", ".pandoc"}
_LATEX = re.compile(r"^[^%\n]{0,200}\\(?:documentclass|begin\{document\}|usepackage)", re.MULTILINE)
_LATEX_NAMES = {".tex", ".ltx", ".latex"}
_LATEX_LIST = re.compile(r"\\begin\{thebibliography\}|\\bibitem(?![A-Za-z])|\\endentry(?![A-Za-z])")
# What pasted LaTeX holds and other text does not; Markdown may hold a command or two.
_LATEX_SIGNS = re.compile(
    r"\\(?:(?:sub)*section|paragraph|[cC]ite[a-z]{0,10}|[a-z]{1,10}cite|label|ref|footnote|begin|emph)\*?"
    r"(?:\[[^\]\n]{0,200}\]){0,2}\{[^{}]{1,500}\}"
)
_MIN_SIGNS = 3
_BIBTEX = re.compile(
    r"^[ \t]{0,20}@[A-Za-z]{2,30}[ \t]{0,20}[{(][ \t]{0,20}[^\s,{}()=\"]{0,200}\s{0,20}[,=}]", re.MULTILINE
)
_RIS = re.compile(r"^\ufeff?TY  -", re.MULTILINE)
_MARKDOWN_SIGNS = re.compile(
    r"^(?:#{1,6}[ \t]+\S|```|~~~|\[[^\]\n]{1,200}\]:[ \t]+\S)"
    r"|\[[^\]\n]{0,300}\]\([^)\s]{1,500}\)|\[[^\]\n]{0,200}@[\w{][^\]\n]{0,200}\]|\*\*[^*\n]{1,200}\*\*",
    re.MULTILINE,
)
_ROOT = re.compile(r"<(?:[\w.-]{1,40}:)?([A-Za-z][\w.-]{0,60})(?=[\s/>])")
_PROLOGUE = (("<?", re.compile(r"\?>")), ("<!--", re.compile("-->")), ("<!DOCTYPE", re.compile(">")))
_SUBSET_END = re.compile(r"\]\s{0,20}>")
_ARTICLE = re.compile(r"<(?:[\w.-]{1,40}:)?article(?=[\s>])")
_ARTICLE_PART = re.compile(r"<(?:[\w.-]{1,40}:)?(?:front|article-meta|ref-list|journal-meta)(?=[\s/>])")
_JATS_SIGNS = re.compile(
    r"\bJATS\b|\bNLM//DTD|journal(?:publishing|archiving)|archivearticle|article-type=|dtd-version="
)
_ENDNOTE = re.compile(
    r"<records>\s{0,100}<record>|<record>\s{0,100}<(?:database|source-app|rec-number|ref-type)\b"
)
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[A-Za-z_][\w-]{0,50}:|#)")


class TextKind(StrEnum):
    """What a decoded text is."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "LaTeX"
    BIBTEX = "BibTeX"
    RIS = "RIS"
    CSL_JSON = "CSL-JSON"
    JSON_LINES = "JSON lines"
    JATS = "JATS XML"
    ENDNOTE_XML = "EndNote XML"


def is_docx(content: bytes) -> bool:
    """Whether the content is a Word document (.docx), by the names in its ZIP archive."""
    return content.startswith(b"PK\x03\x04") and (
        b"word/" in content[:_HEAD] or b"word/document" in content or b"word\\document" in content
    )


def is_pdf(content: bytes, name: str) -> bool:
    """Whether the content is a PDF.

    Raises:
        UnreadableFileError: The name says PDF and the content does not, or it is a binary format that
            cannot be read.
    """
    head = content[:1024]
    if b"%PDF-" in head:
        return True
    if content.startswith(b"\xd0\xcf\x11\xe0") and "EncryptedPackage".encode("utf-16-le") in content:
        raise PasswordRequiredError(
            f"{name} is a Word document that opens only with a password.",
            advice="Save it without one, or paste the text.",
        )
    for magic, kind in _BINARY_KINDS:
        if content.startswith(magic):
            raise _refused(name, kind)
    if content.startswith(b"PK\x03\x04"):
        raise _refused(name, _zip_kind(content))
    if PurePath(name).suffix.lower() == ".pdf" and content.strip():
        web_page = re.search(rb"<(?:!doctype\s+html|html|head|body)", head, re.IGNORECASE)
        what = (
            "it is a web page, perhaps a log-in page saved by mistake"
            if web_page
            else "it does not begin like one"
        )
        raise UnreadableFileError(
            f"{name} is no PDF: {what}.", advice="Download the PDF again, or paste the text."
        )
    return False


def manuscript_kind(text: str, name: str) -> TextKind:
    """Tell LaTeX, Markdown and JATS XML from plain text.

    Raises:
        UnreadableFileError: It is text of a kind that cannot be read as a manuscript.
    """
    if _is_jats(text):
        return TextKind.JATS
    kind = TextKind.ENDNOTE_XML if _is_endnote(text) else None
    if kind is None:
        _refuse_markup(text, name, readable=_READABLE)
        if _is_latex(text, name):
            return TextKind.LATEX
        kind = _list_kind(text)
    if kind is not None:
        raise UnreadableFileError(
            f"{name} is a reference list ({kind.value}), not a manuscript.",
            advice="Give the manuscript first and this file as its reference list.",
        )
    if PurePath(name).suffix.lower() in _MARKDOWN_NAMES or _FRONT_MATTER.match(text):
        return TextKind.MARKDOWN
    signs = _MARKDOWN_SIGNS.findall(text[:200_000])
    return TextKind.MARKDOWN if len(signs) >= 2 else TextKind.TEXT


def reference_list_kind(text: str, name: str) -> TextKind:
    """Tell which kind of reference list a text is.

    Raises:
        UnreadableFileError: It is markup that cannot be read as a reference list.
    """
    if _is_endnote(text):
        return TextKind.ENDNOTE_XML
    framed = _LATEX.search(text[:100_000]) is not None
    if not framed:
        kind = _list_kind(text)
        if kind is not None:
            return kind
    _refuse_markup(text, name, readable=_READABLE_LISTS)
    if _LATEX_LIST.search(text[:1_000_000]):
        return TextKind.LATEX
    if framed:
        raise _refused(name, "LaTeX without a reference list of its own", _READABLE_LISTS)
    return TextKind.TEXT


def _is_latex(text: str, name: str) -> bool:
    """Whether a text is LaTeX: by its frame, by its name, or by many of its commands."""
    if _LATEX.search(text[:100_000]) or _LATEX_LIST.search(text[:1_000_000]):
        return True
    suffix = PurePath(name).suffix.lower()
    if suffix in _LATEX_NAMES:
        return _list_kind(text) is None
    if suffix in _MARKDOWN_NAMES or _MARKDOWN_SIGNS.match(text):
        return False
    signs = islice(_LATEX_SIGNS.finditer(text[:200_000]), _MIN_SIGNS)
    return sum(1 for _ in signs) == _MIN_SIGNS


def _root(text: str) -> str | None:
    """Return the name of a text's outermost element, or None where it does not begin like XML."""
    at = 0
    for _ in range(50):
        while at < len(text) and text[at] in "\ufeff \t\n":
            at += 1
        end = next((end for begin, end in _PROLOGUE if text.startswith(begin, at)), None)
        if end is None:
            root = _ROOT.match(text, at)
            return root.group(1) if root else None
        if text.startswith("<!DOCTYPE", at) and "[" in text[at : text.find(">", at)]:
            at = text.find("[", at)
            end = _SUBSET_END
        closed = end.search(text, at)
        if closed is None:
            return None
        at = closed.end()
    return None


def _is_jats(text: str) -> bool:
    """Whether a text is an article in XML: by its root, or inside of what a server wraps around it."""
    root = _root(text)
    if root is None or root.lower() == "html":
        return False
    if root == "article" and _JATS_SIGNS.search(text[:_HEAD]):
        return True
    article = _ARTICLE.search(text[:200_000])
    return article is not None and _ARTICLE_PART.search(text, article.end()) is not None


def _is_endnote(text: str) -> bool:
    return _root(text) in ("xml", "records") and bool(_ENDNOTE.search(text[:_HEAD]))


def _list_kind(text: str) -> TextKind | None:
    start = text[:_HEAD].lstrip("\ufeff \t\n")
    if start.startswith(("[", "{")) and not start.startswith("{\\rtf"):
        json_kind = _json_kind(text)
        if json_kind is not None:
            return json_kind
    if _RIS.match(start) or (_RIS.search(text[:200_000]) and "\nER  -" in text):
        return TextKind.RIS
    if start.startswith(("@", "%")) and _BIBTEX.search(text[:1_000_000]):
        return TextKind.BIBTEX
    entries = _BIBTEX.findall(text[:1_000_000])
    # A manuscript may quote an entry; a list consists of them.
    if (
        entries
        and len(entries) * 4 >= text[:1_000_000].count("\n\n") + 1
        and not _MARKDOWN_SIGNS.match(start)
    ):
        return TextKind.BIBTEX
    return None


def _json_kind(text: str) -> TextKind | None:
    first = text.lstrip("\ufeff \t\n")[:200]
    if re.match(r"[\[{]\s*(?:[\"\[{\]}]|$)", first) is None:
        return None
    lines = [line for line in text.lstrip("\ufeff").split("\n", 50) if line.strip()][:2]
    if first.startswith("{") and len(lines) > 1 and lines[1].lstrip().startswith("{") and _is_json(lines[0]):
        return TextKind.JSON_LINES
    return TextKind.CSL_JSON


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_markup(text: str, name: str, *, readable: str) -> None:
    head = text[:_HEAD].lstrip("\ufeff \t\n")
    lowered = head[:1000].lower()
    if lowered.startswith(("<!doctype html", "<html")):
        raise _refused(name, "a web page (HTML)", readable)
    if _is_jats(text):
        raise _refused(name, "a JATS article (XML)", readable)
    if lowered.startswith("<?xml"):
        raise _refused(name, "XML", readable)


def _zip_kind(content: bytes) -> str:
    if b"application/vnd.oasis.opendocument" in content[:200]:
        return "an OpenDocument file (.odt)"
    if b"application/epub" in content[:200]:
        return "an EPUB book"
    return "a ZIP archive"


def _refused(name: str, kind: str, readable: str = _READABLE) -> UnreadableFileError:
    return UnreadableFileError(
        f"{name} is {kind}, which cannot be read yet.",
        advice=f"What can be read: {readable}. Export it to one of these, or paste the text.",
    )
