"""The way from a PDF's bytes to a document."""

import re
from collections import Counter

from veriscite.domain import ReadingNote, Span
from veriscite.errors import TooLargeError
from veriscite.reading.document import Document, sections_of
from veriscite.reading.headings import bare_heading, is_known_heading
from veriscite.reading.pdf.blocks import blocks_of
from veriscite.reading.pdf.compose import Composed, compose, line_text
from veriscite.reading.pdf.fallback import read_with_pypdf
from veriscite.reading.pdf.furniture import Furniture, strip_furniture
from veriscite.reading.pdf.glyphs import CannotOpenError, PdfWords, no_text_layer, read_words
from veriscite.reading.pdf.ligatures import count_unknown, resolve_ligatures, widths
from veriscite.reading.pdf.lines import TextLine, common_gutters, find_gutters, fragments_of, order_lines

_MIN_LETTERS = 20
_ABSTRACT = re.compile(
    r"(?:abstract|summary|introduction|background|zusammenfassung|résumé|resumen)", re.IGNORECASE
)
_MAX_FRONT = 6_000
_PROSE = 500
"""A paragraph of this length before the first heading is an abstract, not an address."""
_FILE_TITLE = re.compile(
    r"\.(?:docx?|pdf|tex|dvi|indd|qxd|fm|rtf)\b|^microsoft|^untitled|^\d+$|^pii:|^doi:", re.IGNORECASE
)


def read_pdf(
    content: bytes, name: str, *, max_pages: int = 1_000, max_characters: int = 10_000_000
) -> Document:
    """Read a PDF.

    Args:
        content: The file.
        name: Its name, for messages.
        max_pages: The most pages that are accepted.
        max_characters: The most characters that are accepted.

    Raises:
        UnreadableFileError: It is broken.
        NoTextLayerError: It holds pictures of text only.
        PasswordRequiredError: It opens only with a password.
        TooLargeError: It exceeds a limit.
    """
    try:
        words = read_words(content, name, max_pages=max_pages, max_characters=max_characters)
    except CannotOpenError:
        return read_with_pypdf(content, name, max_pages=max_pages, max_characters=max_characters)
    letters = sum(len(word.text) for page in words.pages for word in page.words)
    if letters < _MIN_LETTERS:
        raise no_text_layer(name)
    body_height = _body_height(words)
    lines, furniture = _lines(words, body_height)
    notes = _notes(words, furniture)
    _write_lines(lines, notes)
    blocks = blocks_of(lines, body_height)
    composed = compose(blocks)
    if len(composed.text) > max_characters:
        raise TooLargeError(
            f"{name} holds {len(composed.text):,} characters; the limit is {max_characters:,}.",
            advice="Split it, or raise VERISCITE_READING_MAX_CHARACTERS.",
        )
    notes.extend(
        ReadingNote(message="Small print of the first page was left out.", raw=text[:300])
        for text in composed.small_print
    )
    front = _front_matter(composed)
    begin = front[0].end if front else 0
    headings = [heading for heading in composed.headings if heading.start >= begin]
    return Document(
        format="pdf",
        text=composed.text,
        title=_title(words.title, lines, body_height),
        sections=sections_of(composed.text, headings, begin=begin),
        excluded=front,
        notes=tuple(notes),
    )


def _body_height(words: PdfWords) -> float:
    """The height of most letters; of two that are nearly as common, the larger (lists are set smaller)."""
    weights: Counter[float] = Counter()
    for page in words.pages:
        for word in page.words:
            weights[round(word.height * 4) / 4] += len(word.text)
    most = weights.most_common(1)[0][1]
    common = [height for height, weight in weights.items() if weight >= 0.33 * most]
    return max(common)


def _lines(words: PdfWords, body_height: float) -> tuple[list[TextLine], Furniture]:
    pages = [(page, fragments_of(page)) for page in words.pages]
    kept, furniture = strip_furniture(pages, body_height)
    lines: list[TextLine] = []
    gutters = [find_gutters(fragments, page.width) for (page, _), fragments in zip(pages, kept, strict=True)]
    usual = common_gutters(gutters)
    for (page, _), fragments, found in zip(pages, kept, gutters, strict=True):
        lines.extend(order_lines(fragments, page.number, found or usual))
    return lines, furniture


def _write_lines(lines: list[TextLine], notes: list[ReadingNote]) -> None:
    # A bold font's glyphs are wider.
    unknown: dict[bool, Counter[float]] = {False: Counter(), True: Counter()}
    for line in lines:
        line.text = line_text(line)
        unknown[line.bold].update(widths(line.text))
    total = sum(sum(counts.values()) for counts in unknown.values())
    if not total:
        return
    narrowest = {bold: _narrowest(counts) for bold, counts in unknown.items()}
    for line in lines:
        if count_unknown(line.text):
            line.text = resolve_ligatures(line.text, narrowest[line.bold])
    notes.append(
        ReadingNote(message=f"{total} ligatures (fi, fl, ff) have no letters in the file; they were guessed.")
    )


def _narrowest(counts: Counter[float]) -> float:
    """The width of the narrowest glyph that occurs more than by chance."""
    total = sum(counts.values())
    return min((width for width, count in counts.items() if count >= 0.02 * total), default=0.4)


def _notes(words: PdfWords, furniture: Furniture) -> list[ReadingNote]:
    notes = []
    if furniture.repeated:
        message = f"{furniture.repeated} running heads, feet and page numbers were left out."
        notes.append(ReadingNote(message=message))
    if furniture.line_numbers:
        notes.append(ReadingNote(message=f"{furniture.line_numbers} line numbers were left out."))
    notes.extend(
        ReadingNote(message="The side-bar of the first page was left out.", raw=text[:300])
        for text in furniture.side_bars
    )
    empty = [page.number + 1 for page in words.pages if not page.words]
    if empty:
        listed = ", ".join(map(str, empty[:20])) + (", …" if len(empty) > 20 else "")
        notes.append(ReadingNote(message=f"Pages without text were left out: {listed}."))
    return notes


def _front_matter(composed: Composed) -> tuple[Span, ...]:
    """What stands before the abstract: title, authors, addresses. Prose without a heading is none of it."""
    end = None
    for heading in composed.headings:
        if heading.start > _MAX_FRONT:
            break
        if _ABSTRACT.fullmatch(bare_heading(heading.text)):
            end = heading.start
            break
    if not end:
        return ()
    position = 0
    for paragraph in composed.text[:end].split("\n\n"):
        if len(paragraph) >= _PROSE and paragraph.rstrip().endswith((".", "!", "?")):
            end = position
            break
        position += len(paragraph) + 2
    return (Span(start=0, end=end),) if end else ()


def _title(metadata: str, lines: list[TextLine], body_height: float) -> str | None:
    """Take the metadata's title if the first page bears it, else the first page's largest lines."""
    first_page = [line for line in lines if line.page == 0]
    given = " ".join(metadata.split())
    if len(given) >= 10 and len(given.split()) >= 2 and not _FILE_TITLE.search(given):
        start = " ".join(line.text for line in first_page)[:3_000].casefold()
        found = sum(1 for word in given.casefold().split() if word in start)
        if found >= 0.7 * len(given.split()):
            return given[:300]
    largest = max((line.height for line in first_page), default=0.0)
    if largest < 1.15 * body_height:
        return None
    title = []
    for line in first_page:
        if line.height > 0.93 * largest:
            title.append(line)
        elif title:
            break
    text = " ".join(" ".join(line.text for line in title).split())
    if not 10 <= len(text) <= 300 or len(text.split()) < 2 or is_known_heading(text):
        return None
    return text


__all__ = ["read_pdf"]
