"""Blocks -> the manuscript's text: superscripts, hyphens at line ends, paragraphs, floats moved aside."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from statistics import median

from veriscite.reading.document import Heading
from veriscite.reading.pdf.blocks import Block, Kind, ends_sentence
from veriscite.reading.pdf.glyphs import LINE_END_HYPHEN, Word
from veriscite.reading.pdf.lines import TextLine

_SUPERSCRIPTS = {
    **dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True)),
    **dict.fromkeys("-–−‐", "⁻"),
    "+": "⁺",
    "(": "⁽",
    ")": "⁾",
    ",": ",",
    ";": ",",
}
_RAISED_DIGITS = re.compile(r"[\d,;()+–−‐*†‡§-]*\d[\d,;()+–−‐*†‡§-]*")
_ACCENTS = {
    "´": "\u0301",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "ˇ": "\u030c",
    "˚": "\u030a",
    "`": "\u0300",
}
_ACCENT = re.compile(r"([´¨ˆ˜ˇ˚])([A-Za-zı])|(?<=[A-Za-z])(`)([aeiou])")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[" + "".join(_LIGATURES) + "]")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_URL_TAIL = re.compile(r"(?:https?://|www\.|doi\.org/|10\.\d{4,9}/)\S*$")
_KEEPS_HYPHEN = frozenset(
    {
        *("self", "well", "half", "quasi", "all", "cross", "high", "low", "long", "short", "large", "small"),
        *("time", "dose", "cost", "risk", "case", "evidence", "data", "state", "real", "single", "double"),
        *("two", "three", "four", "five", "six", "first", "second", "third", "end", "non"),
    }
)
_LABEL = re.compile(r"(?:[\[(](\d{1,4})[\])]|(\d{1,4})[.)]?)\s")
_ENTRY_START = re.compile(r"(?:\[?\d{1,4}[\].)]?\s|[^\W\d_a-z][^\W\d_]*[,.\s])")


@dataclass
class Composed:
    """The text put together, and where its headings stand.

    Attributes:
        small_print: What was left out as the first page's small print.
        moved: How many captions, tables and footnotes were moved behind the sentence they interrupted.
    """

    text: str
    headings: list[Heading]
    small_print: list[str] = field(default_factory=list)
    moved: int = 0


def line_text(line: TextLine) -> str:
    """Write a line's words, with raised numbers as superscript digits (`bias¹⁴,¹⁵`)."""
    parts: list[str] = []
    previous: Word | None = None
    raised_before = False
    for word in line.words:
        raised = _is_raised(word, line)
        text = _raise(word.text) if raised else word.text
        glued = word.glued
        if previous is not None and (raised or raised_before):
            gap = word.x0 - previous.x1
            glued = gap < (0.3 if raised else 0.12) * line.height
        if parts and not glued:
            parts.append(" ")
        parts.append(text)
        previous, raised_before = word, raised
    text = "".join(parts)
    if _LIGATURE.search(text):
        text = _LIGATURE.sub(lambda match: _LIGATURES[match.group()], text)
    if _ACCENT.search(text):
        text = _ACCENT.sub(_accented, text)
    # A plus set above a minus.
    text = text.replace("+−", "±").replace("A˚", "Å")
    body, hyphen = (text[:-1], text[-1]) if text.endswith(LINE_END_HYPHEN) else (text, "")
    return body.replace(LINE_END_HYPHEN, "-") + hyphen


def _is_raised(word: Word, line: TextLine) -> bool:
    return (
        word.height < 0.82 * line.height
        and word.bottom > line.bottom + 0.2 * line.height
        and bool(_RAISED_DIGITS.fullmatch(word.text))
    ) or (
        word.height < 0.82 * line.height
        and word.bottom > line.bottom + 0.2 * line.height
        and word.text in {",", "–", "-", "−"}
    )


def _raise(text: str) -> str:
    return "".join(_SUPERSCRIPTS.get(char, char) for char in text)


def _accented(match: re.Match[str]) -> str:
    accent = match.group(1) or match.group(3)
    letter = (match.group(2) or match.group(4)).replace("ı", "i")
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    return composed if len(composed) == 1 else match.group()


def compose(blocks: list[Block]) -> Composed:
    """Put a document's blocks together.

    Each line of the page stays a line of the text; an empty line parts paragraphs. Captions, tables and
    footnotes that stand inside a sentence are moved behind it; the first page's small print is left out.

    Args:
        blocks: In reading order, classified.
    """
    vocabulary = _vocabulary(blocks)
    writer = _Writer(vocabulary)
    entries = _EntryStarts(blocks)
    result = Composed("", [])
    waiting: list[Block] = []
    for position, block in enumerate(blocks):
        if block.kind is Kind.SMALL_PRINT:
            result.small_print.append(" ".join(line.text for line in block.lines))
        elif block.kind is Kind.HEADING:
            result.moved += _write_waiting(writer, waiting)
            writer.heading(block)
        elif block.kind in (Kind.FLOAT, Kind.FOOTNOTE):
            if writer.in_list:
                # Nothing may come between two entries: it is written after the list.
                waiting.append(block)
            elif writer.open_sentence():
                waiting.append(block)
            else:
                writer.paragraph(block)
        else:
            for index, line in enumerate(block.lines):
                fresh = entries.starts(line) if block.kind is Kind.REFERENCE else None
                if fresh is None:
                    fresh = writer.begins_paragraph(line, first_of_block=index == 0)
                if fresh and waiting and block.kind is Kind.TEXT:
                    result.moved += _write_waiting(writer, waiting)
                writer.line(line, fresh=fresh)
            following = blocks[position + 1] if position + 1 < len(blocks) else None
            if waiting and block.kind is Kind.TEXT and following is not None and not writer.open_sentence():
                result.moved += _write_waiting(writer, waiting)
    result.moved += _write_waiting(writer, waiting)
    result.text, result.headings = writer.finish()
    return result


def _write_waiting(writer: "_Writer", waiting: list[Block]) -> int:
    count = len(waiting)
    for block in waiting:
        writer.paragraph(block)
    waiting.clear()
    return count


class _EntryStarts:
    """Tells where the entries of a reference list begin: by their numbers, or by hanging indents."""

    def __init__(self, blocks: list[Block]) -> None:
        lines = [line for block in blocks if block.kind is Kind.REFERENCE for line in block.lines]
        self._numbered = _numbered_lines(lines)
        self._indent: float | None = None
        indents = [line.x0 - line.left for line in lines]
        deep = [indent for indent in indents if indent > 4]
        if not self._numbered and len(lines) >= 4 and 0.2 * len(lines) <= len(deep) <= 0.9 * len(lines):
            usual = median(deep)
            at_margin = [line for line, indent in zip(lines, indents, strict=True) if indent < 0.45 * usual]
            starting = sum(1 for line in at_margin if _ENTRY_START.match(line.text))
            if at_margin and starting >= 0.8 * len(at_margin) and lines[0] is at_margin[0]:
                self._indent = usual

    def starts(self, line: TextLine) -> bool | None:
        """Whether an entry begins with this line; None where neither numbers nor layout tell."""
        if self._numbered:
            return id(line) in self._numbered
        if self._indent is None:
            return None
        return line.x0 - line.left < 0.45 * self._indent


def _numbered_lines(lines: list[TextLine]) -> set[int]:
    """The ids of the lines that carry the next number of a list; empty if it is not numbered.

    A number out of turn at a line's beginning (a page, a year) is none. The count may begin anew once.
    """
    found: set[int] = set()
    expected = None
    for line in lines:
        match = _LABEL.match(line.text)
        number = int(match.group(1) or match.group(2)) if match else None
        if number is not None and (number == expected or (number == 1 and expected is None) or number == 1):
            found.add(id(line))
            expected = number + 1
    if len(found) < 2 or len(found) * 12 < len(lines):
        return set()
    return found if lines and id(lines[0]) in found else set()


class _Writer:
    """Collects paragraphs of lines and joins words that line ends cut."""

    def __init__(self, vocabulary: Counter[str]) -> None:
        self._vocabulary = vocabulary
        self._paragraphs: list[tuple[list[str], int]] = []
        self.last: TextLine | None = None
        self.in_list = False

    def open_sentence(self) -> bool:
        """Whether the last line breaks off inside a sentence."""
        return self.last is not None and not ends_sentence(self.last.text)

    def begins_paragraph(self, line: TextLine, *, first_of_block: bool) -> bool:
        """Whether a line begins a paragraph. A sentence that goes on is hardly ever parted."""
        last = self.last
        if last is None:
            return True
        same_column = (last.page, last.column) == (line.page, line.column)
        width = last.right - last.left
        if not ends_sentence(last.text):
            if not (same_column and line.text[:1].isupper()):
                return False
            # A short line by itself is a title; a gap parts the items of a list, an address.
            title = len(self._paragraphs[-1][0]) == 1 and last.x1 < last.right - 0.3 * width
            return title or (first_of_block and last.bottom - line.bottom > 2.2 * line.height)
        if same_column and first_of_block:
            return True
        indent = line.x0 - line.left
        return 0.5 * line.height < indent < 5 * line.height or last.x1 < last.right - 0.12 * width

    def heading(self, block: Block) -> None:
        """Write a heading as its own paragraph."""
        text = " ".join(_plain(line.text) for line in block.lines)
        level = 1 if not re.match(r"\d{1,2}\.\d", text) else text.split()[0].rstrip(".").count(".") + 1
        self._paragraphs.append(([text], level))
        self.last = None
        self.in_list = False

    def paragraph(self, block: Block) -> None:
        """Write a block as a paragraph of its own, without touching the sentence before it."""
        lines: list[str] = []
        for line in block.lines:
            self._append(lines, line.text)
        self._paragraphs.append((lines, 0))
        self.last = None

    def line(self, line: TextLine, *, fresh: bool) -> None:
        """Write a line, in a new paragraph or in the last one."""
        if fresh or self.last is None or not self._paragraphs:
            self._paragraphs.append(([], 0))
        self._append(self._paragraphs[-1][0], line.text)
        self.last = line

    def finish(self) -> tuple[str, list[Heading]]:
        """Return the text and its headings."""
        parts: list[str] = []
        headings: list[Heading] = []
        offset = 0
        for lines, level in self._paragraphs:
            text = "\n".join(_plain(line) for line in lines)
            if not text.strip():
                continue
            if parts:
                parts.append("\n\n")
                offset += 2
            if level:
                headings.append(Heading(offset, offset + len(text), level, text))
            parts.append(text)
            offset += len(text)
        return "".join(parts), headings

    def _append(self, lines: list[str], text: str) -> None:
        if not lines or not text:
            lines.append(text)
            return
        before = lines[-1]
        hyphen = before[-1:] in (LINE_END_HYPHEN, "-", "‐")
        if hyphen and len(before) > 1 and before[-2].isalnum() and text[0].isalnum():
            head, _, rest = text.partition(" ")
            lines[-1] = self._joined(before, head)
            if rest:
                lines.append(rest)
            return
        if _goes_on_in_url(before, text):
            head, _, rest = text.partition(" ")
            lines[-1] = before + head
            if rest:
                lines.append(rest)
            return
        lines.append(text)

    def _joined(self, before: str, head: str) -> str:
        """Join a word cut at a line end: the document's own words tell whether the hyphen is part of it."""
        stem = before[:-1]
        if _URL_TAIL.search(before):
            return f"{stem}-{head}"
        first = re.search(r"[^\W_]+(?:-[^\W_]+)*$", stem)
        second = re.match(r"[^\W_]+", head)
        if first is None or second is None:
            return f"{stem}-{head}"
        left, right = first.group(), second.group()
        chained = head[second.end() : second.end() + 1] == "-"
        if _keeps_hyphen(left, right, self._vocabulary, chained=chained):
            return f"{stem}-{head}"
        return stem + head


def _goes_on_in_url(before: str, text: str) -> bool:
    """Whether a line end cuts an address or a DOI."""
    if before.endswith(("https:", "http:")):
        return text.startswith("//")
    return bool(_URL_TAIL.search(before)) and before[-1] in "/_=&?" and bool(re.match(r"[\w%~]", text))


def _keeps_hyphen(left: str, right: str, vocabulary: Counter[str], *, chained: bool) -> bool:
    last = left.rsplit("-", 1)[-1]
    joined = vocabulary[(last + right).lower()]
    hyphened = vocabulary[f"{last}-{right}".lower()]
    if joined or hyphened:
        return hyphened > joined
    if chained:
        return True
    if not last.isalpha() or not right.isalpha() or right[0].isupper() or len(last) == 1 or last.isupper():
        return True
    if last.lower() in _KEEPS_HYPHEN and len(right) > 3:
        return True
    # Two words of the document's own, of some length, are rather a compound than one word's halves.
    return (
        len(last) >= 4
        and len(right) >= 4
        and vocabulary[last.lower()] > 0
        and vocabulary[right.lower()] > 0
        and last.lower()
        not in {"over", "under", "inter", "with", "there", "where", "some", "them", "every", "anti"}
    )


def _vocabulary(blocks: list[Block]) -> Counter[str]:
    """Count the document's words, those at line ends apart, which may be halves."""
    words: Counter[str] = Counter()
    for block in blocks:
        cut = False
        for line in block.lines:
            text = line.text
            if cut:
                text = text.partition(" ")[2]
            cut = text[-1:] in (LINE_END_HYPHEN, "-")
            if cut:
                text = text.rpartition(" ")[0]
            for match in _WORD.finditer(text):
                word = match.group().lower()
                words[word] += 1
                if "-" in word:
                    words.update(word.split("-"))
    return words


def _plain(text: str) -> str:
    return text.replace(LINE_END_HYPHEN, "-").strip()
