"""Finding the reference list in a text: by its heading, or by its shape where it has none."""

import re
from dataclasses import dataclass

from veriscite.domain import ReadingNote, Span
from veriscite.reading.headings import (
    Line,
    bare_heading,
    heading_level,
    is_aside_heading,
    is_list_heading,
    is_tail_heading,
    is_vague_list_heading,
    lines_between,
    split_lines,
)

_LABEL = re.compile(r"[ \t]{0,20}(?:\[(\d{1,4})\]|\((\d{1,4})\)|(\d{1,4})[.)]?)[ \t]+\S")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20\d\d)(?!\d)|\bn\.\s?d\.|in press|forthcoming", re.IGNORECASE)
_ENTRY_SIGN = re.compile(
    r"(?<!\d)(?:1[5-9]\d\d|20\d\d)(?!\d)|10\.\d{4,9}/|https?://|arxiv|\bet al\b|in press", re.IGNORECASE
)
_AUTHOR_START = re.compile(
    r"[ \t]{0,8}(?:[*+-][ \t]{1,3})?[^\W\d_a-z][\w’'-]{1,30}(?:,[ \t][^\W\d_a-z]\b|[ \t][A-Z]{1,3}[,.:])"
)
_LOOK_AHEAD = 2_000
_MIN_UNHEADED = 3


@dataclass(frozen=True)
class FoundList:
    """Where the reference list stands.

    Attributes:
        start: Where the body ends: the heading's first character, or the list's.
        lists: The list proper, then further ones (supplementary, further reading), without headings.
        left_out: What stands after the list, or between lists, and belongs to neither them nor the body.
        heading: The heading as written, or None for a list found by its shape.
    """

    start: int
    lists: tuple[Span, ...]
    left_out: tuple[Span, ...]
    heading: str | None

    def notes(self, text: str) -> tuple[ReadingNote, ...]:
        """Tell what was found and what was left out."""
        notes = []
        if self.heading is None:
            notes.append(
                ReadingNote(
                    message="The reference list has no heading; it was found by its numbering.",
                    span=self.lists[0],
                )
            )
        for span in self.left_out:
            part = span.of(text).strip()
            notes.append(
                ReadingNote(
                    message=f"{len(part):,} characters after the reference list were not read as claims.",
                    raw=part.split("\n", 1)[0][:120],
                    span=span,
                )
            )
        return tuple(notes)


def find_reference_list(text: str, excluded: tuple[Span, ...] = ()) -> FoundList | None:
    """Find the reference list in a manuscript.

    The heading may be numbered, marked up, spaced out, and in one of some twenty languages. Of several
    headings that one counts which entries follow; a table of contents and mentions in sentences do not.
    Without a heading, a numbered list that runs to the end and whose entries bear years is taken.

    Args:
        text: The whole manuscript.
        excluded: Spans in which no heading is looked for (code, comments).

    Returns:
        The list, or None when there is none.
    """
    lines = split_lines(text)
    usable = _outside(lines, excluded)
    candidates = [
        index
        for index, line in enumerate(lines)
        if usable[index] and is_list_heading(line.text) and _entries_follow(text, lines, index)
    ]
    if not candidates:
        return _by_shape(text, lines, usable)
    chosen = _choose(candidates, lines, usable)
    return _measure(text, lines, usable, chosen)


def list_in(text: str) -> tuple[Span, ...]:
    """Find the list in a text that is given as a reference list: without its heading and what follows.

    Args:
        text: A file or pasted text; the heading may be missing.

    Returns:
        One or several spans; the whole text where neither heading nor shape tells more.
    """
    found = find_reference_list(text)
    if found is not None and (found.heading is not None or found.start > 0):
        return found.lists
    lines = split_lines(text)
    end = _end_of_list(lines, [True] * len(lines), 0, level=0)
    return (Span(start=0, end=lines[end - 1].end if end else len(text)),)


def _outside(lines: list[Line], excluded: tuple[Span, ...]) -> list[bool]:
    usable = []
    position = 0
    for line in lines:
        while position < len(excluded) and excluded[position].end <= line.start:
            position += 1
        inside = (
            position < len(excluded)
            and excluded[position].start <= line.start
            and line.end <= excluded[position].end
            and line.end > line.start
        )
        usable.append(not inside)
    return usable


def _entries_follow(text: str, lines: list[Line], index: int) -> bool:
    """Whether what follows a heading reads like entries, not like a table of contents or prose."""
    following = text[lines[index].end : lines[index].end + _LOOK_AHEAD]
    kept: list[str] = []
    for line in following.split("\n"):
        if kept and is_list_heading(line):
            break
        if line.strip():
            kept.append(line)
        if len(kept) == 12:
            break
    if not kept:
        return False
    signs = sum(bool(_ENTRY_SIGN.search(line)) for line in kept)
    labels = sum(bool(_LABEL.match(line)) for line in kept)
    if is_vague_list_heading(lines[index].text):
        # `Literature` may head a review of it: only what begins like entries counts.
        starts = sum(bool(_LABEL.match(line) or _AUTHOR_START.match(line)) for line in kept)
        return signs >= 1 and (labels >= 1 or starts >= 2)
    return signs >= 1 or labels >= 2


def _choose(candidates: list[int], lines: list[Line], usable: list[bool]) -> int:
    """Take the heading under which most entries stand; others head a chapter's or a supplement's own list."""
    main = [index for index in candidates if not is_aside_heading(lines[index].text)]
    if not main:
        return candidates[0]
    ends = [*main[1:], len(lines)]
    counts = []
    for index, end in zip(main, ends, strict=True):
        stop = min(end, _end_of_list(lines, usable, index + 1, level=heading_level(lines[index].text)))
        counts.append(sum(1 for line in lines[index + 1 : stop] if _ENTRY_SIGN.search(line.text)))
    most = max(counts)
    position = max(index for index, count in enumerate(counts) if count == most)
    while position > 0 and (_first_label(lines, main[position]) or 1) > 1:
        # Its numbers go on from an earlier list (one before and one after the methods).
        position -= 1
    return main[position]


def _first_label(lines: list[Line], heading: int) -> int | None:
    first = next((line.text for line in lines[heading + 1 : heading + 4] if line.text.strip()), "")
    return _label(first)


def _measure(text: str, lines: list[Line], usable: list[bool], heading: int) -> FoundList:
    spans: list[Span] = []
    start = heading + 1
    level = heading_level(lines[heading].text)
    while True:
        end = _end_of_list(lines, usable, start, level=level)
        span = _trimmed(text, lines[start].start if start < len(lines) else len(text), lines, start, end)
        if span is not None:
            spans.append(span)
        if end < len(lines) and is_list_heading(lines[end].text):
            start = end + 1
            continue
        # A further list may stand after an appendix or figure legends.
        further = next(
            (
                index
                for index in range(end, len(lines))
                if usable[index]
                and is_list_heading(lines[index].text)
                and _entries_follow(text, lines, index)
            ),
            None,
        )
        if further is None or len(spans) >= 5:
            break
        start = further + 1
    if not spans:
        spans = [Span(start=lines[heading].end, end=lines[heading].end)]
    return FoundList(
        start=lines[heading].start,
        lists=tuple(spans),
        left_out=_left_out(text, spans, lines),
        heading=bare_heading(lines[heading].text),
    )


def _left_out(text: str, spans: list[Span], lines: list[Line]) -> tuple[Span, ...]:
    """What stands after each list, headings of further lists apart."""
    ends = [span.start for span in spans[1:]] + [len(text)]
    gaps = []
    for span, stop in zip(spans, ends, strict=True):
        kept = [
            line
            for line in lines_between(lines, span.end, stop)
            if line.text.strip() and not is_list_heading(line.text)
        ]
        if kept:
            gaps.append(Span(start=kept[0].start, end=kept[-1].end))
    return tuple(gaps)


def _trimmed(text: str, start: int, lines: list[Line], first: int, end: int) -> Span | None:
    if first >= end:
        return None
    stop = lines[end - 1].end
    while start < stop and text[start] in "\n \t\f" and "\n" in text[start : start + 200]:
        newline = text.find("\n", start, stop)
        if newline < 0 or text[start:newline].strip():
            break
        start = newline + 1
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return Span(start=start, end=stop) if stop > start else None


def _end_of_list(lines: list[Line], usable: list[bool], start: int, *, level: int) -> int:
    """Return the index of the first line after `start` that no longer belongs to the list.

    `level` is that of the list's own heading in Markdown (0: unknown); deeper headings only divide the list.
    """
    seen_entry = False
    expected = None
    for index in range(start, len(lines)):
        line = lines[index]
        if not line.text.strip() or not usable[index]:
            continue
        blank_before = index == 0 or not lines[index - 1].text.strip()
        if level and heading_level(line.text) > level:
            continue
        label = _label(line.text)
        if label is not None and label == (expected or label):
            # `18. Open access …` is the next entry, not a heading.
            expected = label + 1
            seen_entry = True
            continue
        if is_list_heading(line.text) or is_tail_heading(line.text, blank_before=blank_before):
            return index
        if seen_entry and blank_before and _appendix_letter(lines, index):
            return index
        seen_entry = True
    return len(lines)


def _appendix_letter(lines: list[Line], index: int) -> bool:
    """Whether an appendix begins here: `A` alone, or `A` and a title, with no sign of an entry."""
    text = lines[index].text.strip()
    if re.fullmatch(r"[A-Z]\.?", text):
        following = next(
            (line.text.strip() for line in lines[index + 1 : index + 4] if line.text.strip()), ""
        )
        return 0 < len(following) < 100 and not _YEAR.search(following)
    if re.fullmatch(r"A\.?[ \t]{1,4}[A-Z][^\d.,;]{3,80}", text):
        blank_after = index + 1 >= len(lines) or not lines[index + 1].text.strip()
        return blank_after and not _YEAR.search(text)
    return False


def _by_shape(text: str, lines: list[Line], usable: list[bool]) -> FoundList | None:
    """Find a numbered list without a heading that runs from 1 to the end of the text."""
    begin = None
    for index in range(len(lines) - 1, -1, -1):
        if usable[index] and _label(lines[index].text) == 1 and _starts_block(lines, index):
            begin = index
            break
    if begin is None:
        return None
    end = _end_of_list(lines, usable, begin, level=0)
    expected, dated, entries = 1, 0, []
    for index in range(begin, end):
        if _label(lines[index].text) == expected:
            entries.append(index)
            expected += 1
    if len(entries) < _MIN_UNHEADED:
        return None
    for position, index in enumerate(entries):
        stop = entries[position + 1] if position + 1 < len(entries) else min(end, index + 12)
        dated += any(_YEAR.search(line.text) for line in lines[index:stop])
    if dated * 10 < len(entries) * 7:
        return None
    span = _trimmed(text, lines[begin].start, lines, begin, end)
    if span is None:
        return None
    return FoundList(start=span.start, lists=(span,), left_out=_left_out(text, [span], lines), heading=None)


def _label(line: str) -> int | None:
    match = _LABEL.match(line)
    return int(match.group(1) or match.group(2) or match.group(3)) if match else None


def _starts_block(lines: list[Line], index: int) -> bool:
    return index == 0 or not lines[index - 1].text.strip() or _label(lines[index - 1].text) is None
