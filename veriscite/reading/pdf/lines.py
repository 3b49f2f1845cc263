"""Words -> lines in reading order: columns are told by the white gutters between them."""

from dataclasses import dataclass, field
from statistics import median

from veriscite.reading.pdf.glyphs import PageWords, Word

_FRAGMENT_GAP = 0.75
_MIN_PAIRS = 3
_MIN_COLUMN = 0.2
_MAX_COLUMNS = 4


@dataclass(slots=True)
class Fragment:
    """Words of one line that stand close together; `height` is the size of most of its letters."""

    words: list[Word]
    x0: float
    x1: float
    bottom: float
    top: float
    height: float = 0.0

    @property
    def text(self) -> str:
        """Its words, joined."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class TextLine:
    """A line of a column.

    Attributes:
        page: 0-based.
        column: Counts the columns of the whole page's bands; lines of one column follow each other.
        left: Where the column begins.
        right: Where the column ends.
    """

    words: list[Word]
    x0: float
    x1: float
    bottom: float
    top: float
    height: float
    page: int
    column: int
    left: float = 0.0
    right: float = 0.0
    bold: bool = False
    text: str = ""


@dataclass(slots=True)
class _Band:
    """A stretch of the page, from top to bottom, in which the columns stand side by side."""

    columns: dict[int, list[Fragment]] = field(default_factory=dict)


def main_height(words: list[Word]) -> float:
    """Return the height that most letters have."""
    weights: dict[float, int] = {}
    for word in words:
        key = round(word.height, 1)
        weights[key] = weights.get(key, 0) + len(word.text)
    return max(weights, key=lambda key: (weights[key], key)) if weights else 0.0


def fragments_of(page: PageWords) -> list[Fragment]:
    """Join words that follow each other on a line, in the file's order."""
    fragments: list[Fragment] = []
    current: Fragment | None = None
    for word in page.words:
        if not word.upright:
            current = None
            continue
        if current is not None and _continues(current, word):
            current.words.append(word)
            current.x1 = max(current.x1, word.x1)
            current.bottom = min(current.bottom, word.bottom)
            current.top = max(current.top, word.top)
        else:
            current = Fragment([word], word.x0, word.x1, word.bottom, word.top)
            fragments.append(current)
    for fragment in fragments:
        fragment.height = main_height(fragment.words)
    return fragments


def _continues(fragment: Fragment, word: Word) -> bool:
    last = fragment.words[-1]
    size = max(last.height, word.height)
    overlap = min(fragment.top, word.top) - max(fragment.bottom, word.bottom)
    if overlap < 0.4 * min(word.height, last.height):
        return False
    gap = word.x0 - fragment.x1
    return -0.4 * size < gap < _FRAGMENT_GAP * size


def common_gutters(pages: list[list[float]]) -> list[float]:
    """Return the gutters that most pages of a document share, or none.

    Args:
        pages: The gutters found on each page.
    """
    with_gutters = [gutters for gutters in pages if gutters]
    if not with_gutters or len(with_gutters) * 5 < len(pages) * 2:
        return []
    for candidate in sorted(with_gutters, key=len):
        alike = [
            gutters
            for gutters in with_gutters
            if len(gutters) == len(candidate)
            and all(abs(a - b) < 10 for a, b in zip(gutters, candidate, strict=True))
        ]
        if len(alike) * 2 > len(with_gutters):
            return [median(gutters[index] for gutters in alike) for index in range(len(candidate))]
    return []


def order_lines(fragments: list[Fragment], page: int, gutters: list[float]) -> list[TextLine]:
    """Put a page's fragments into lines, and the lines into reading order.

    A fragment that crosses a gutter (a title, a wide table) ends the columns above it; below it they begin
    anew. Within such a band the columns are read from left to right, each from top to bottom.

    Args:
        fragments: What is left of the page after its furniture was taken out.
        page: The page's number, 0-based.
        gutters: Where its columns are parted, from left to right; empty for a single column.
    """
    if not fragments:
        return []
    bands = _bands(fragments, gutters)
    lines: list[TextLine] = []
    column = 0
    for band in bands:
        for index in sorted(band.columns):
            members = band.columns[index]
            made = _lines(members, page, column)
            column += 1
            if made:
                left = min(line.x0 for line in made)
                right = max(line.x1 for line in made)
                for line in made:
                    line.left, line.right = left, right
                lines.extend(made)
    _share_margins(lines)
    return lines


def _share_margins(lines: list[TextLine]) -> None:
    """Let short bands take their margins from a longer column that stands at the same place."""
    columns: dict[int, list[TextLine]] = {}
    for line in lines:
        columns.setdefault(line.column, []).append(line)
    wide = [members for members in columns.values() if len(members) >= 4]
    for members in columns.values():
        if len(members) >= 4:
            continue
        for other in wide:
            left, right = other[0].left, other[0].right
            if abs(members[0].left - left) < 30 and members[0].right <= right + 2:
                for line in members:
                    line.left, line.right = min(left, line.left), right
                break


def find_gutters(fragments: list[Fragment], width: float, depth: int = 0) -> list[float]:
    """Find the white gutters that part a page's columns, from left to right.

    Args:
        fragments: The page's fragments.
        width: The page's width in points.
        depth: How many gutters were found around this part of the page.
    """
    if depth >= 2 or len(fragments) < 2 * _MIN_PAIRS:
        return []
    pairs = _pairs(fragments)
    found = _best_gutter(pairs, fragments, width)
    if found is None:
        return []
    left = [fragment for fragment in fragments if fragment.x1 <= found + 1]
    right = [fragment for fragment in fragments if fragment.x0 >= found - 1]
    gutters = [*find_gutters(left, width, depth + 1), found, *find_gutters(right, width, depth + 1)]
    return gutters[: _MAX_COLUMNS - 1]


def _pairs(fragments: list[Fragment]) -> list[tuple[float, float, Fragment, Fragment]]:
    """For each fragment, the nearest one to its right on the same height, with the gap between them."""
    ordered = sorted(fragments, key=lambda fragment: -fragment.top)
    pairs = []
    for index, fragment in enumerate(ordered):
        best: Fragment | None = None
        for step in (-1, 1):
            other_index = index + step
            while 0 <= other_index < len(ordered):
                other = ordered[other_index]
                other_index += step
                if step == 1 and other.top < fragment.bottom:
                    break
                if step == -1 and other.top > fragment.top + 60:
                    break
                overlap = min(fragment.top, other.top) - max(fragment.bottom, other.bottom)
                if overlap < 0.3 * min(fragment.top - fragment.bottom, other.top - other.bottom):
                    continue
                if other.x0 >= fragment.x1 - 0.5 and (best is None or other.x0 < best.x0):
                    best = other
        if best is not None and best.x0 - fragment.x1 > 0.4 * fragment.height:
            pairs.append((fragment.x1, best.x0, fragment, best))
    return pairs


def _best_gutter(
    pairs: list[tuple[float, float, Fragment, Fragment]], fragments: list[Fragment], width: float
) -> float | None:
    """Return the x that most gaps have in common, if it parts two real columns."""
    if len(pairs) < _MIN_PAIRS:
        return None
    edges = sorted(
        {round(low + 0.5, 1) for low, _, _, _ in pairs} | {round(high - 0.5, 1) for _, high, _, _ in pairs}
    )
    best: tuple[float, float] | None = None
    for x in edges:
        beside = [(a, b) for low, high, a, b in pairs if low < x < high]
        if len(beside) < _MIN_PAIRS:
            continue
        lefts = sorted(a.x1 - a.x0 for a, _ in beside)
        rights = sorted(b.x1 - b.x0 for _, b in beside)
        # A column may hold a table; a quarter of its lines show how wide it is.
        if min(lefts[len(lefts) * 3 // 4], rights[len(rights) * 3 // 4]) < _MIN_COLUMN * width:
            continue
        top = max(max(a.top, b.top) for a, b in beside)
        bottom = min(min(a.bottom, b.bottom) for a, b in beside)
        crossing = sum(
            1 for f in fragments if f.x0 < x - 2 and f.x1 > x + 2 and bottom <= f.bottom and f.top <= top
        )
        score = len(beside) - 1.5 * crossing
        if score < _MIN_PAIRS * 0.8:
            continue
        if best is None or score > best[0]:
            best = (score, x)
    if best is None:
        return None
    # Centre the gutter between what stands on both sides, so that slight overhang does not cross it.
    x = best[1]
    members = [(low, high) for low, high, _, _ in pairs if low < x < high]
    low = sorted(low for low, _ in members)[int(0.9 * (len(members) - 1))]
    high = sorted(high for _, high in members)[int(0.1 * (len(members) - 1))]
    return (low + high) / 2 if low < high else x


def _bands(fragments: list[Fragment], gutters: list[float]) -> list[_Band]:
    ordered = sorted(fragments, key=lambda fragment: -(fragment.top + fragment.bottom))
    bands: list[_Band] = []
    wide_last = False
    for fragment in ordered:
        column = _column(fragment, gutters)
        wide = column is None and bool(gutters)
        if (
            not bands
            or (wide and not wide_last)
            or (not wide and wide_last and not _beside(fragment, bands[-1]))
        ):
            bands.append(_Band())
            wide_last = wide
        elif not wide and wide_last:
            # The rest of a wide line that has a gap just at the gutter.
            column = None
        bands[-1].columns.setdefault(-1 if column is None else column, []).append(fragment)
    return bands


def _column(fragment: Fragment, gutters: list[float]) -> int | None:
    """Return the column a fragment stands in; None if it crosses a gutter."""
    slack = 0.3 * fragment.height
    for index, gutter in enumerate(gutters):
        if fragment.x1 <= gutter + slack:
            return index
        if fragment.x0 < gutter - slack:
            return None
    return len(gutters)


def _beside(fragment: Fragment, band: _Band) -> bool:
    """Whether a fragment stands on the same line as the last one of a wide band."""
    last = next(reversed(next(reversed(band.columns.values()))))
    overlap = min(fragment.top, last.top) - max(fragment.bottom, last.bottom)
    return overlap > 0.5 * min(fragment.top - fragment.bottom, last.top - last.bottom)


def _lines(fragments: list[Fragment], page: int, column: int) -> list[TextLine]:
    """Join fragments that stand on one line; small ones (superscripts) join the line they overlap."""
    base = median(fragment.height for fragment in fragments)
    groups: list[list[Fragment]] = []
    boxes: list[tuple[float, float]] = []
    large = [fragment for fragment in fragments if fragment.height >= 0.8 * base]
    small = [fragment for fragment in fragments if fragment.height < 0.8 * base]
    for fragment in [*sorted(large, key=lambda item: -item.bottom), *small]:
        bottom, top = _box(fragment)
        position = _line_for(bottom, top, boxes, recent=4 if fragment.height >= 0.8 * base else None)
        if position is None:
            groups.append([fragment])
            boxes.append((bottom, top))
        else:
            groups[position].append(fragment)
            if fragment.height >= 0.8 * base:
                low, high = boxes[position]
                boxes[position] = (min(low, bottom), max(high, top))
    lines = [_line(group, page, column) for group in groups]
    lines.sort(key=lambda line: -line.bottom)
    return lines


def _box(fragment: Fragment) -> tuple[float, float]:
    """The vertical extent of a fragment's main letters, without super- and subscripts."""
    height = fragment.height
    main = [word for word in fragment.words if abs(word.height - height) < 0.15 * height] or fragment.words
    return median(word.bottom for word in main), median(word.top for word in main)


def _line_for(bottom: float, top: float, boxes: list[tuple[float, float]], recent: int | None) -> int | None:
    best: tuple[float, int] | None = None
    start = 0 if recent is None else max(0, len(boxes) - recent)
    for position in range(start, len(boxes)):
        low, high = boxes[position]
        overlap = (min(top, high) - max(bottom, low)) / max(0.1, min(top - bottom, high - low))
        if overlap > 0.55 and (best is None or overlap > best[0]):
            best = (overlap, position)
    return None if best is None else best[1]


def _line(group: list[Fragment], page: int, column: int) -> TextLine:
    group.sort(key=lambda fragment: fragment.x0)
    words: list[Word] = []
    for fragment in group:
        head = fragment.words[0]
        if words and not head.glued and head.x0 - words[-1].x1 < 0.06 * max(head.height, words[-1].height):
            head.glued = True
        elif words and head.glued and head.x0 - words[-1].x1 > 0.2 * head.height:
            head.glued = False
        words.extend(fragment.words)
    height = main_height(words)
    main = [word for word in words if abs(word.height - height) < 0.15 * height] or words
    letters = sum(len(word.text) for word in words)
    bold = sum(len(word.text) for word in words if word.bold)
    return TextLine(
        words=words,
        x0=min(word.x0 for word in words),
        x1=max(word.x1 for word in words),
        bottom=median(word.bottom for word in main),
        top=median(word.top for word in main),
        height=height,
        page=page,
        column=column,
        bold=bold >= 0.8 * letters,
        text=" ".join(word.text for word in words),
    )
