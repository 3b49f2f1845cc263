"""Lines -> blocks, and what each is: heading, text, caption or table, footnote, small print."""

import re
from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from statistics import median

from veriscite.reading.headings import is_known_heading, is_list_heading, is_tail_heading
from veriscite.reading.pdf.lines import TextLine

_CAPTION = re.compile(
    r"(?:Supplementary |Extended Data |Appendix )?"
    r"(?:Figure|Fig\.?|FIGURE|FIG\.?|Table|TABLE|Scheme|Algorithm|Listing|Box|Plate)"
    r"\s{0,3}(?:[A-Z]{0,2}\d{1,3}|[IVX]{1,5})(?:\.\d{1,3})?[a-z]?(?P<mark>\s?[.:|–—]|\s*$)?"
)
_SMALL_PRINT = re.compile(
    r"(?:©|\bcopyright\b|\blicen[sc]e|creative\s+commons|open[\s-]access|\bcorrespond|e-?mail|\S@\S|\breceived\b|\baccepted\b"
    r"|\bpublished\b|\bdepartment\b|\buniversit|\binstitute\b|\bhospital\b|\bfaculty\b|\bschool\s+of\b|\bdoi\b|\bissn\b|\borcid\b"
    r"|contributed\s+equally|competing\s+interest|conflicts?\s+of\s+interest|how\s+to\s+cite|cite\s+(?:this|as)\b"
    r"|all\s+rights\s+reserved|permission|edited\s+by|reviewed\s+by|\babbreviations?\b|\beditor\b|preprint|proceedings\s+of)",
    re.IGNORECASE,
)
_NOTE_MARK = re.compile(r"[*†‡§¶#∗]|[¹²³⁰⁴-⁹]")
_ENDS_SENTENCE = re.compile(r"[.!?:;][\"'”’)\]]{0,3}(?:\s?[\[(][\d,\s–-]{1,40}[\])])?[⁰¹²³⁴-⁹,⁻]{0,20}$")
_NUMBERED = re.compile(r"(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+[A-Z]")
_ENTRY_SIGN = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20\d\d)(?!\d)|10\.\d{4,9}/|https?://|arxiv", re.IGNORECASE)
_LABELLED = re.compile(r"[\[(]?\d{1,4}[\]).]?\s")
_SAME_SIZE = 0.07
_PARAGRAPH_GAP = 1.4


class Kind(Enum):
    """What a block is."""

    TEXT = "text"
    HEADING = "heading"
    FLOAT = "float"
    FOOTNOTE = "footnote"
    SMALL_PRINT = "small print"
    REFERENCE = "reference"


@dataclass(slots=True)
class Block:
    """Lines of one column and one size that stand together."""

    lines: list[TextLine]
    kind: Kind = Kind.TEXT

    @property
    def height(self) -> float:
        """Size of its letters."""
        return median(line.height for line in self.lines)

    @property
    def text(self) -> str:
        """Its lines, joined by spaces."""
        return " ".join(line.text for line in self.lines)


def ends_sentence(text: str) -> bool:
    """Whether a line ends where a sentence may end."""
    return bool(_ENDS_SENTENCE.search(text.rstrip()))


def blocks_of(lines: list[TextLine], body_height: float) -> list[Block]:
    """Divide a document's lines into blocks and tell what each is.

    Args:
        lines: All lines in reading order, with their final text.
        body_height: The height of most of the running text.
    """
    pitches = _pitches(lines)
    blocks: list[Block] = []
    for line in lines:
        if blocks and _together(blocks[-1].lines[-1], line, pitches):
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line]))
    blocks = _with_split_headings(blocks, body_height)
    _classify(blocks, body_height)
    return blocks


def _pitches(lines: list[TextLine]) -> dict[float, float]:
    """The usual distance between base lines, by size."""
    distances: dict[float, list[float]] = defaultdict(list)
    for above, below in pairwise(lines):
        if above.page == below.page and above.column == below.column:
            distance = above.bottom - below.bottom
            if (
                abs(above.height - below.height) < _SAME_SIZE * above.height
                and 0 < distance < 4 * above.height
            ):
                distances[round(above.height)].append(distance)
    return {height: sorted(values)[len(values) // 3] for height, values in distances.items()}


def _together(above: TextLine, below: TextLine, pitches: dict[float, float]) -> bool:
    if (above.page, above.column) != (below.page, below.column):
        return False
    if abs(above.height - below.height) > 0.1 * above.height or above.bold != below.bold:
        return False
    pitch = pitches.get(round(above.height), 1.3 * above.height)
    return above.bottom - below.bottom <= _PARAGRAPH_GAP * pitch


def _with_split_headings(blocks: list[Block], body_height: float) -> list[Block]:
    """Part a heading from the paragraph that follows it without a gap."""
    result = []
    for block in blocks:
        start = 0
        for index, line in enumerate(block.lines):
            text = line.text
            alone = is_list_heading(text) or (is_known_heading(text) and text[:1].isupper())
            if alone and len(block.lines) > 1 and (index == 0 or ends_sentence(block.lines[index - 1].text)):
                if index > start:
                    result.append(Block(block.lines[start:index]))
                result.append(Block([line]))
                start = index + 1
        if start < len(block.lines):
            result.append(Block(block.lines[start:]))
    return result


def _classify(blocks: list[Block], body_height: float) -> None:
    in_list = False
    for index, block in enumerate(blocks):
        text = block.lines[0].text
        if len(block.lines) == 1 and is_list_heading(text) and _entries_follow(blocks, index):
            block.kind = Kind.HEADING
            in_list = True
        elif in_list:
            tail = len(block.lines) <= 2 and is_tail_heading(text, blank_before=True)
            if tail and not _CAPTION.match(text) and not _LABELLED.match(text):
                in_list = False
                block.kind = Kind.HEADING
            else:
                block.kind = Kind.FLOAT if _is_caption(block, body_height) else Kind.REFERENCE
        elif _is_caption(block, body_height):
            block.kind = Kind.FLOAT
        elif _is_heading(block, blocks[index + 1] if index + 1 < len(blocks) else None, body_height):
            block.kind = Kind.HEADING
        elif block.height < 0.88 * body_height:
            block.kind = Kind.FLOAT
    _mark_notes(blocks, body_height)


def _entries_follow(blocks: list[Block], index: int) -> bool:
    """Whether entries follow a reference list's heading, rather than a table of contents."""
    lines = [line.text for block in blocks[index + 1 : index + 12] for line in block.lines][:12]
    return sum(1 for line in lines if _ENTRY_SIGN.search(line)) >= 1


def _is_caption(block: Block, body_height: float) -> bool:
    first = block.lines[0]
    match = _CAPTION.match(first.text)
    if not match:
        return False
    styled = first.words[0].bold or block.height < 0.96 * body_height
    return bool(match.group("mark")) or styled


def _is_heading(block: Block, following: Block | None, body_height: float) -> bool:
    """Whether a block is a heading: short, and told apart by its words, weight or size."""
    text = block.text.strip()
    first = block.lines[0]
    if len(block.lines) > 3 or len(text) > 140 or following is None or not any(map(str.isalpha, text)):
        return False
    if is_known_heading(text) or is_list_heading(text):
        return text[0].isupper() or text[0].isdigit()
    if block.height < 0.93 * body_height:
        return False
    if text[-1] in ".,;:" or not (text[0].isupper() or text[0].isdigit()):
        return False
    larger = block.height > 1.06 * body_height
    weight = first.bold and not following.lines[0].bold
    if len(block.lines) == 1 and _NUMBERED.match(text) and (larger or weight or first.bold):
        return True
    words = re.findall(r"[^\W\d_]{2,}", text)
    if not words:
        return False
    return (larger and len(words) >= 1 and len(text) > 3) or (weight and len(block.lines) <= 2)


def _mark_notes(blocks: list[Block], body_height: float) -> None:
    """Find small print and footnotes: smaller blocks at the bottom of a column."""
    by_column: dict[tuple[int, int], list[Block]] = defaultdict(list)
    for block in blocks:
        by_column[block.lines[0].page, block.lines[0].column].append(block)
    for (page, _), members in by_column.items():
        for block in reversed(members):
            if block.kind in (Kind.REFERENCE, Kind.HEADING) or block.height > 0.93 * body_height:
                break
            if _is_caption(block, body_height):
                break
            if page == 0 and _SMALL_PRINT.search(block.text):
                block.kind = Kind.SMALL_PRINT
            elif page == 0 and _SMALL_PRINT.search(" ".join(item.text for item in members)):
                block.kind = Kind.SMALL_PRINT if len(block.lines) <= 6 else block.kind
            elif _NOTE_MARK.match(block.lines[0].text) and len(block.lines) <= 12:
                block.kind = Kind.FOOTNOTE
