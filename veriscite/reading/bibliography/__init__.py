"""Reference lists apart: BibTeX, RIS, CSL-JSON, EndNote XML, JSON lines, `.bbl`, plain text."""

from veriscite.domain import ReadingNote
from veriscite.errors import UnreadableFileError
from veriscite.ports import ParsedList, ReferenceListParser
from veriscite.reading.bibliography.bibtex import read_bibtex
from veriscite.reading.bibliography.csl_json import read_csl_json, read_json_lines
from veriscite.reading.bibliography.endnote import read_endnote_xml
from veriscite.reading.bibliography.ris import read_ris
from veriscite.reading.decoding import decode
from veriscite.reading.formats import TextKind, is_docx, is_pdf, reference_list_kind
from veriscite.reading.latex import read_latex_list
from veriscite.reading.plain_list import limit_references, parse_spans
from veriscite.reading.reference_list import list_in
from veriscite.reading.xml_safe import as_utf8

_MAX_LINES = 1_000_000


def read_references(
    content: bytes,
    name: str,
    parser: ReferenceListParser,
    *,
    max_characters: int = 10_000_000,
    max_references: int = 10_000,
) -> ParsedList:
    """Read a reference list whose format is found by its content.

    Args:
        content: The file.
        name: Its name, for messages.
        parser: Splits and parses a list in plain text.
        max_characters: The most characters that are accepted.
        max_references: The most entries that are accepted.

    Raises:
        InputError: It is empty, too large, or of a kind that cannot be read.
    """
    binary = "a Word document" if is_docx(content) else "a PDF" if is_pdf(content, name) else None
    if binary is not None:
        raise UnreadableFileError(
            f"{name} is {binary}; a reference list that comes apart must be text.",
            advice="Give BibTeX, RIS, CSL-JSON, EndNote XML, JSON lines or plain text.",
        )
    decoded = decode(as_utf8(content), name, max_characters=max_characters, max_lines=_MAX_LINES)
    kind = reference_list_kind(decoded.text, name)
    # Counted before parsing, which takes its time for each: `@string` and comments are counted along.
    marks = {TextKind.BIBTEX: "\n@", TextKind.RIS: "\nTY  -", TextKind.JSON_LINES: "\n{"}
    if kind in marks:
        limit_references(decoded.text.count(marks[kind]) // 2, name, max_references)
    if kind is TextKind.BIBTEX:
        parsed = read_bibtex(decoded.text)
    elif kind is TextKind.RIS:
        parsed = read_ris(decoded.text)
    elif kind is TextKind.CSL_JSON:
        parsed = read_csl_json(decoded.text, name, max_references=max_references)
    elif kind is TextKind.ENDNOTE_XML:
        parsed = read_endnote_xml(decoded.text, name, max_references=max_references)
    elif kind is TextKind.JSON_LINES:
        parsed = read_json_lines(decoded.text)
    elif kind is TextKind.LATEX:
        parsed = read_latex_list(
            decoded.text, name, parser, max_characters=max_characters, max_references=max_references
        )
    else:
        parsed = parse_spans(decoded.text, list_in(decoded.text), parser, apart=True)
    limit_references(len(parsed.references), name, max_references)
    notes = parsed.notes if decoded.note is None else (ReadingNote(message=decoded.note), *parsed.notes)
    return ParsedList(references=parsed.references, notes=notes)
