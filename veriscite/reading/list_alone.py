"""A reference list that is all there is: read as a manuscript without text."""

import hashlib
from pathlib import PurePath

from veriscite.domain import Manuscript, Span
from veriscite.errors import InputError
from veriscite.ports import ManuscriptInput, ReferenceListParser
from veriscite.reading.bibliography import read_references
from veriscite.reading.decoding import decode
from veriscite.reading.formats import TextKind, is_docx, is_pdf, reference_list_kind
from veriscite.reading.reference_list import find_reference_list
from veriscite.reading.xml_safe import as_utf8

_MANUSCRIPTS = frozenset({".md", ".markdown", ".tex", ".latex", ".ltx", ".zip"})


def holds_manuscript(content: bytes, name: str) -> bool:
    """Whether a file is a manuscript whose list is to be taken, rather than a list.

    A plain text is one where a list with a heading follows other text. What cannot be told is taken for a
    list, whose reader says what is wrong with it.
    """
    if is_docx(content) or is_pdf(content, name) or PurePath(name).suffix.lower() in _MANUSCRIPTS:
        return True
    try:
        text = decode(as_utf8(content), name, max_characters=max(1, len(content))).text
    except InputError:
        return False
    try:
        kind = reference_list_kind(text, name)
    except InputError:
        return True  # JATS, which is no list, or what the manuscript's reader refuses with better reasons
    if kind is TextKind.LATEX:
        return "\\begin{document}" in text
    if kind is TextKind.TEXT:
        found = find_reference_list(text)
        return found is not None and found.heading is not None and bool(text[: found.start].strip())
    return False


def read_list_alone(
    source: ManuscriptInput, parser: ReferenceListParser, *, max_characters: int, max_references: int
) -> Manuscript:
    """Read a reference list of any format.

    Args:
        source: The list as the user handed it in.
        parser: Splits and parses lists in plain text.
        max_characters: The most characters that are accepted.
        max_references: The most entries that are accepted.

    Raises:
        InputError: It is empty, too large, or of a kind that cannot be read.
    """
    name = PurePath(source.name.replace("\\", "/")).name[:200] or "references"
    parsed = read_references(
        source.content, name, parser, max_characters=max_characters, max_references=max_references
    )
    digest = hashlib.sha256(source.content).hexdigest()
    return Manuscript(
        id=digest[:16],
        source_name=name,
        format="reference list",
        text="",
        body=Span(start=0, end=0),
        references=parsed.references,
        notes=parsed.notes,
        content_hash=digest,
    )
