"""Entries of a list without labels: by blank lines, by indents, and by how an entry begins and ends."""

import re
from collections import Counter
from itertools import pairwise

from veriscite.linking.references.lines import DATED, Line, lines_of
from veriscite.linking.text import name_key

_ENDS = re.compile(
    r"(?:[.)\]!?”\"]|\d|10\.\d{4,9}/\S+|https?://\S+|[a-z]/|CrossRef|Crossref|Medline|PubMed|"
    r"Google Scholar|Web of Science)\s*$"
)
_FIRST_WORD = re.compile(r"[\W\d_]*([^\W\d_]+)")
_THRESHOLD = 3.0
_MAX_ENTRY = 3_000


def split_unlabelled(text: str) -> list[tuple[int, int]]:
    """Split a list without labels.

    Args:
        text: The list, or the part of it that has no labels.

    Returns:
        Offsets of the entries, in order, without white space at their ends.
    """
    lines = lines_of(text)
    if not lines:
        return []
    starts = _starts(lines)
    spans = []
    for i, first in enumerate(starts):
        last = (starts[i + 1] if i + 1 < len(starts) else len(lines)) - 1
        a, b = lines[first].start, lines[last].end
        while a < b and text[a].isspace():
            a += 1
        while b > a and text[b - 1].isspace():
            b -= 1
        spans.append((a, b))
    return spans


def _starts(lines: list[Line]) -> list[int]:
    blocks = [i for i, line in enumerate(lines) if i == 0 or line.blank_before]
    if len(blocks) > 1 and _blocks_are_entries(lines, blocks):
        return blocks
    if _whole_lines(lines):
        return list(range(len(lines)))
    layout = _Layout(lines)
    starts = [0]
    entry_length = len(lines[0].text)
    dated = bool(DATED.search(lines[0].text))
    for i in range(1, len(lines)):
        line = lines[i]
        score = layout.score(i, lines[starts[-1]], dated=dated)
        if score >= _THRESHOLD or entry_length > _MAX_ENTRY:
            starts.append(i)
            entry_length, dated = 0, False
        entry_length += len(line.text)
        dated = dated or bool(DATED.search(line.text))
    return starts


def _blocks_are_entries(lines: list[Line], blocks: list[int]) -> bool:
    """Whether blank lines part entries: most blocks begin and are dated as an entry is."""
    good = 0
    for i, first in enumerate(blocks):
        last = blocks[i + 1] if i + 1 < len(blocks) else len(lines)
        block = lines[first:last]
        begins = block[0].begins_like_entry >= 1
        dates = sum(bool(DATED.search(line.text)) for line in block)
        beginnings = sum(line.begins_like_entry == 2 for line in block)
        good += begins and dates >= 1 and not (len(block) > 3 and beginnings > 0.6 * len(block) and dates > 2)
    return good >= 0.6 * len(blocks)


class _Layout:
    """What the list as a whole tells: indents, line width, order."""

    def __init__(self, lines: list[Line]) -> None:
        self._lines = lines
        indents = Counter(line.indent for line in lines)
        self._base = min(indents)
        # Hanging: lines at the margin open entries, the others go on with them.
        outer = sum(n for indent, n in indents.items() if indent <= self._base + 1)
        outer_begin = [
            line for line in lines if line.indent <= self._base + 1 and line.begins_like_entry == 2
        ]
        inner_begin = [line for line in lines if line.indent > self._base + 1 and line.begins_like_entry == 2]
        self._hanging = 0.15 * len(lines) <= outer <= 0.75 * len(lines) and len(outer_begin) > len(
            inner_begin
        )
        lengths = sorted(len(line.text.rstrip()) for line in lines)
        self._width = lengths[int(0.9 * (len(lengths) - 1))]
        self._sorted = _share_sorted(lines) >= 0.7
        self._one_line_each = _one_line_each(lines)
        strong = sum(line.begins_like_entry == 2 for line in lines)
        dated = sum(bool(DATED.search(line.text)) for line in lines)
        # Where entries open with authors, a line that only begins with a capital goes on with one.
        self._authored = strong >= 0.6 * dated

    def score(self, i: int, first: Line, *, dated: bool) -> float:
        """Score how much speaks for an entry that begins at line `i`; `first` opens the entry before."""
        line, before = self._lines[i], self._lines[i - 1]
        begins = line.begins_like_entry
        score = float(begins) - (2.0 if begins == 1 and self._authored else 0.0)
        score += 1.5 if _ENDS.search(before.text) else -1.0
        score += 1.0 if dated else -1.5
        if line.blank_before:
            score += 1.5
        if len(before.text.rstrip()) < 0.75 * self._width:
            score += 1.0
        if self._hanging:
            score += 1.5 if line.indent <= self._base + 1 else -2.5
        if self._sorted and begins > 0:
            score += 0.5 if _in_order(first, line) else -1.5
        if self._one_line_each:
            score += 1.5
        return score


def _one_line_each(lines: list[Line]) -> bool:
    """Whether each line is an entry by itself: nearly all begin and are dated as one."""
    good = sum(line.begins_like_entry >= 1 and bool(DATED.search(line.text)) for line in lines)
    return good >= 0.85 * len(lines)


def _whole_lines(lines: list[Line]) -> bool:
    """Whether no entry was broken into lines, as where a list was pasted from a page or a word processor.

    Nearly all lines then begin and end as an entry does, most are dated, and their lengths differ as those of
    entries do: broken lines are filled up to one width, but for the last of each entry.
    """
    if len(lines) < 4:
        return False
    begin = sum(line.begins_like_entry >= 1 for line in lines)
    strong = sum(line.begins_like_entry == 2 for line in lines)
    end = sum(bool(_ENDS.search(line.text)) for line in lines)
    dated = sum(bool(DATED.search(line.text)) for line in lines)
    lengths = sorted(len(line.text.strip()) for line in lines)
    full = sum(length >= 0.85 * lengths[int(0.9 * (len(lengths) - 1))] for length in lengths)
    return (
        begin >= 0.95 * len(lines)
        and strong >= 0.5 * len(lines)
        and end >= 0.95 * len(lines)
        and dated >= 0.7 * len(lines)
        and full <= 0.5 * len(lines)
    )


def _first_word(line: Line) -> str:
    m = _FIRST_WORD.match(line.text)
    return name_key(m[1]) if m else ""


def _in_order(first: Line, line: Line) -> bool:
    a, b = _first_word(first), _first_word(line)
    return not a or not b or a[:3] <= b[:3]


def _share_sorted(lines: list[Line]) -> float:
    words = [w for line in lines if line.begins_like_entry == 2 and (w := _first_word(line))]
    pairs = list(pairwise(words))
    return sum(a <= b for a, b in pairs) / len(pairs) if pairs else 0.0
