"""What stands on a page and is no part of its text: running heads, page and line numbers, side-bars."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from veriscite.reading.pdf.glyphs import PageWords
from veriscite.reading.pdf.lines import Fragment

_ZONE = 0.13
_SAME_HEIGHT = 4.0
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:[-–—|·]\s?)?(?:p(?:age|\.)?\s?)?(?:\d{1,4}|[ivxlcIVXLC]{1,6}|[SeE]\d{1,4})(?:\s?(?:of|/|von|de)\s?\d{1,4})?(?:\s?[-–—|·])?"
)
_MIN_LINE_NUMBERS = 4


@dataclass
class Furniture:
    """What was taken off the pages.

    Attributes:
        repeated: Running heads and feet, page numbers: how many lines.
        line_numbers: How many.
        side_bars: Their text.
    """

    repeated: int = 0
    line_numbers: int = 0
    side_bars: list[str] = field(default_factory=list)


def strip_furniture(
    pages: list[tuple[PageWords, list[Fragment]]], body_height: float
) -> tuple[list[list[Fragment]], Furniture]:
    """Take running heads and feet, page numbers, line numbers and the first page's side-bar off.

    Args:
        pages: Each page with its fragments.
        body_height: The height of most of the document's letters.

    Returns:
        The fragments left on each page, and what was taken off.
    """
    furniture = Furniture()
    numbered = _line_number_pages(pages)
    kept = []
    for index, (page, fragments) in enumerate(pages):
        left = _without_line_numbers(fragments, numbered[index], furniture) if numbered else fragments
        kept.append((page, left))
    repeated = _repeated(kept)
    result = []
    for page, fragments in kept:
        left = _without_running(page, fragments, repeated, furniture)
        if page.number == 0:
            left = _without_side_bar(page, left, body_height, furniture)
        result.append(left)
    return result, furniture


# Running heads and feet ------------------------------------------------------------------------------


def _mask(text: str) -> str:
    """Write a line so that it is the same on every page: no spaces, numbers as one sign."""
    return _DIGITS.sub("#", re.sub(r"\s", "", text))


def _zone(page: PageWords, fragment: Fragment) -> str | None:
    middle = (fragment.top + fragment.bottom) / 2 - page.bottom
    if middle > (1 - _ZONE) * page.height:
        return "top"
    if middle < _ZONE * page.height:
        return "bottom"
    return None


def _repeated(pages: list[tuple[PageWords, list[Fragment]]]) -> set[tuple[str, str]]:
    """Find masked lines that stand on two pages or more at the same height."""
    heights: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for page, fragments in pages:
        for fragment in fragments:
            zone = _zone(page, fragment)
            if zone is not None:
                y = fragment.bottom - page.bottom
                heights[zone, _mask(fragment.text)].append((page.number, y))
    found = set()
    for key, places in heights.items():
        if len({number for number, _ in places}) < 2:
            continue
        middle = sorted(y for _, y in places)[len(places) // 2]
        near = {number for number, y in places if abs(y - middle) < _SAME_HEIGHT}
        # A short foot may stand higher on the first page; a longer text is telling anywhere in the margin.
        if len(near) >= 2 or len(key[1]) > 12:
            found.add(key)
    return found


def _without_running(
    page: PageWords, fragments: list[Fragment], repeated: set[tuple[str, str]], furniture: Furniture
) -> list[Fragment]:
    """Peel rows off the top and the bottom for as long as they are repeated or page numbers."""
    removed: set[int] = set()
    for zone in ("top", "bottom"):
        members = [item for item in fragments if _zone(page, item) == zone]
        rows = _rows(members, downwards=zone == "top")
        for position, row in enumerate(rows):
            running = [item for item in row if (zone, _mask(item.text)) in repeated]
            numbers = [item for item in row if _is_page_number(item)]
            if len({id(item) for item in (*running, *numbers)}) < len(row):
                if running and position < 3:
                    # A part of the row is a running head: the rest (a section's name) goes with it.
                    longest = max(row, key=lambda item: len(item.text))
                    if any(item is longest for item in running):
                        removed.update(id(item) for item in row)
                        continue
                break
            if not running and not _apart(row, rows[position + 1 :], fragments, zone):
                break
            removed.update(id(item) for item in row)
        furniture.repeated += sum(1 for row in rows if all(id(item) in removed for item in row))
    return [item for item in fragments if id(item) not in removed]


def _rows(fragments: list[Fragment], *, downwards: bool) -> list[list[Fragment]]:
    ordered = sorted(fragments, key=lambda item: item.bottom, reverse=downwards)
    rows: list[list[Fragment]] = []
    for fragment in ordered:
        if rows:
            last = rows[-1][0]
            overlap = min(last.top, fragment.top) - max(last.bottom, fragment.bottom)
            if overlap > 0.5 * min(last.top - last.bottom, fragment.top - fragment.bottom):
                rows[-1].append(fragment)
                continue
        rows.append([fragment])
    return rows


def _is_page_number(fragment: Fragment) -> bool:
    return len(fragment.text) <= 16 and bool(_PAGE_NUMBER.fullmatch(fragment.text.strip()))


def _apart(row: list[Fragment], further: list[list[Fragment]], fragments: list[Fragment], zone: str) -> bool:
    """Whether a lone page number stands clear of the text."""
    height = max(item.top - item.bottom for item in row)
    own = {id(item) for item in row}
    others = [item for item in fragments if id(item) not in own]
    if not others:
        return False
    if zone == "bottom":
        edge = max(item.top for item in row)
        near = min((item.bottom for item in others if item.bottom >= edge - 1), default=None)
        return near is None or near - edge > 0.4 * height or bool(further and _is_page_number(further[0][0]))
    edge = min(item.bottom for item in row)
    near = max((item.top for item in others if item.top <= edge + 1), default=None)
    return near is None or edge - near > 0.4 * height


# Line numbers ----------------------------------------------------------------------------------------


def _line_number_pages(pages: list[tuple[PageWords, list[Fragment]]]) -> list[set[int]] | None:
    """Find the numbers that count the lines of a manuscript; None if its lines are not counted."""
    found = [_line_numbers(fragments) for _, fragments in pages]
    with_text = sum(1 for _, fragments in pages if len(fragments) >= _MIN_LINE_NUMBERS)
    counted = sum(1 for numbers in found if numbers)
    return found if counted and counted * 2 >= with_text else None


def _line_numbers(fragments: list[Fragment]) -> set[int]:
    """Return the ids of the words that count this page's lines.

    They stand left of everything else, one for each line (or for each fifth), and count upwards by a
    constant step. A numbered list does neither for a whole page.
    """
    heads = [fragment.words[0] for fragment in fragments if fragment.words]
    numbers = [word for word in heads if word.text.isascii() and word.text.isdigit() and len(word.text) <= 4]
    if len(numbers) < _MIN_LINE_NUMBERS:
        return set()
    edge = sorted(word.x1 for word in numbers)[len(numbers) // 2]
    column = sorted((word for word in numbers if abs(word.x1 - edge) < 12), key=lambda word: -word.bottom)
    if len(column) < _MIN_LINE_NUMBERS:
        return set()
    limit = max(word.x1 for word in column)
    own = {id(word) for word in column}
    rest = [word for fragment in fragments for word in fragment.words if id(word) not in own]
    left_of = sum(1 for word in rest if word.x0 < limit - 1)
    values = [int(word.text) for word in column]
    steps = [b - a for a, b in pairwise(values)]
    step = max(set(steps), key=steps.count)
    if step not in (1, 2, 5, 10) or steps.count(step) < 0.8 * len(steps) or left_of > 0.03 * len(rest):
        return set()
    rows = {round(word.bottom / 3) for word in rest}
    lines = max(1, _count_rows(rows))
    return own if len(column) * step >= 0.75 * lines else set()


def _count_rows(rows: set[int]) -> int:
    ordered = sorted(rows)
    return sum(1 for index, row in enumerate(ordered) if index == 0 or row - ordered[index - 1] > 1)


def _without_line_numbers(
    fragments: list[Fragment], numbers: set[int], furniture: Furniture
) -> list[Fragment]:
    if not numbers:
        return fragments
    kept = []
    for fragment in fragments:
        if id(fragment.words[0]) not in numbers:
            kept.append(fragment)
            continue
        furniture.line_numbers += 1
        rest = fragment.words[1:]
        if rest:
            fragment.words = rest
            fragment.x0 = rest[0].x0
            kept.append(fragment)
    return kept


# Side-bar --------------------------------------------------------------------------------------------


def _without_side_bar(
    page: PageWords, fragments: list[Fragment], body_height: float, furniture: Furniture
) -> list[Fragment]:
    """Take a narrow column of small print beside the first page's text off (dates, editor, licence)."""
    for left_side in (True, False):
        bar = _side_bar(page, fragments, body_height, left_side=left_side)
        if bar:
            ids = {id(item) for item in bar}
            bar.sort(key=lambda item: -item.bottom)
            furniture.side_bars.append("\n".join(item.text for item in bar))
            return [item for item in fragments if id(item) not in ids]
    return fragments


def _side_bar(
    page: PageWords, fragments: list[Fragment], body_height: float, *, left_side: bool
) -> list[Fragment]:
    text = [item for item in fragments if abs(item.height - body_height) < 0.08 * body_height]
    wide = [item for item in text if item.x1 - item.x0 > 0.4 * page.width]
    if len(wide) < 5:
        return []
    if left_side:
        edge = sorted(item.x0 for item in wide)[len(wide) // 10]
        bar = [item for item in fragments if item.x1 < edge - 0.5 * body_height]
        room = edge - page.left
    else:
        edge = sorted(item.x1 for item in wide)[-1 - len(wide) // 10]
        bar = [item for item in fragments if item.x0 > edge + 0.5 * body_height]
        room = page.left + page.width - edge
    if len(bar) < 4 or room < 0.15 * page.width or room > 0.4 * page.width:
        return []
    letters = sum(len(item.text) for item in bar)
    small = sum(len(item.text) for item in bar if item.height < 0.97 * body_height)
    return bar if small >= 0.6 * letters else []
