"""Citations that a format marks -> stated markers: neighbours joined, ranges filled in, brackets included."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from veriscite.domain import MarkerStyle, Reference, Span, StatedMarker
from veriscite.errors import TooLargeError
from veriscite.reading.shown import NAMES, has_names, names_before, opened, style_of, with_brackets

_DASH = r"[-‐‑‒–—−⁻]{1,2}"
_RANGE = re.compile(rf"\s{{0,2}}[\])]?\s{{0,2}}(?:{_DASH}|to|through)\s{{0,2}}[\[(]?\s{{0,2}}")
_NUMERIC_GAP = re.compile(
    rf"\s{{0,2}}[\])]?\s{{0,2}}(?:[,;/&]\s{{0,2}}(?:and|&)?|and|or|to|{_DASH})?\s{{0,2}}[\[(]?\s{{0,2}}"
)
_RAISED_GAP = re.compile(rf"[\s,;·˒]{{0,4}}(?:and|&|{_DASH})?\s{{0,2}}")
_LEADS = r"(?:(?:see|also|and|but|or|e\.\s?g\.,?|cf\.|reviewed in|reviewed by|for reviews?)[\s:]{1,2}){0,3}"
_YEAR_GAP = re.compile(rf"\s{{0,2}}[,;&]?\s{{0,2}}{_LEADS}(?:{NAMES},?)?\s{{0,2}}")
_SHOWN_RANGE = re.compile(rf"(?<!\d)(\d{{1,4}})\s{{0,2}}(?:{_DASH}|to)\s{{0,2}}(\d{{1,4}})(?!\d)")
_LETTER = re.compile(r"[a-z](?:\s?[,–-]\s?[a-z])*")
_MAX_GAP = 160
_MAX_KEYS = 500
MAX_HITS = 50_000
"""Marked citations: far above any real manuscript, and as many as memory bears."""


@dataclass(frozen=True)
class Hit:
    """One marked citation (a cross-reference, a field) as it was met.

    Attributes:
        start: Where what it shows begins.
        end: Where that ends.
        keys: Ids of references, in order.
        raised: Whether it is a superscript.
    """

    start: int
    end: int
    keys: tuple[str, ...]
    raised: bool = False


@dataclass(frozen=True)
class _Group:
    start: int
    end: int
    keys: tuple[str, ...]
    style: MarkerStyle
    named: bool
    """Whether it begins with a name, not with a year."""


def stated_markers(
    text: str, hits: Sequence[Hit], references: Sequence[Reference]
) -> tuple[StatedMarker, ...]:
    """Make markers of marked citations.

    `[3]–[5]` and `[3, 5]` are one marker each; between the ends of a range all entries of the list in
    between are cited as well. A marker covers its brackets, and a year's marker the names before it.

    Args:
        text: What the hits are offsets into.
        hits: In order, without overlaps.
        references: In the list's order.

    Raises:
        TooLargeError: There are more than in any manuscript.
    """
    limit_citations(len(hits))
    return _Markers(text, references).of(hits)


def limit_citations(count: int) -> None:
    """Refuse a text that marks more citations than any manuscript.

    Raises:
        TooLargeError: It does.
    """
    if count > MAX_HITS:
        raise TooLargeError(f"The text marks more than {MAX_HITS:,} citations.", advice="Split it.")


class _Markers:
    def __init__(self, text: str, references: Sequence[Reference]) -> None:
        self._text = text
        self._ids = [reference.id for reference in references]
        self._position = {reference_id: n for n, reference_id in enumerate(self._ids)}
        self._by_id = {reference.id: reference for reference in references}
        self._labels = {reference.label for reference in references if reference.label}

    def of(self, hits: Sequence[Hit]) -> tuple[StatedMarker, ...]:
        groups: list[_Group] = []
        for hit in hits:
            group = self._group(hit, groups[-1] if groups else None)
            joined = self._joined(groups[-1], group) if groups else None
            if joined is not None:
                groups[-1] = joined
            else:
                groups.append(group)
        markers: list[StatedMarker] = []
        for position, group in enumerate(groups):
            floor = markers[-1].span.end if markers else 0
            ceiling = groups[position + 1].start if position + 1 < len(groups) else len(self._text)
            markers.append(self._marker(group, floor, ceiling))
        return tuple(markers)

    def _group(self, hit: Hit, before: _Group | None) -> _Group:
        shown = self._text[hit.start : hit.end]
        if hit.raised:
            style = MarkerStyle.SUPERSCRIPT
        elif shown.strip("[]() ") in self._labels:
            style = MarkerStyle.NUMERIC
        else:
            style = style_of(shown)
            if _LETTER.fullmatch(shown.strip()) and before is not None and hit.start - before.end <= 4:
                # `2007a, b`: the letter is a year's.
                style = before.style
        keys = hit.keys
        if style is not MarkerStyle.AUTHOR_YEAR:
            keys = self._filled(shown, keys)
        return _Group(hit.start, hit.end, keys, style, has_names(shown))

    def _filled(self, shown: str, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Fill in what one citation shows as a range (`3–5`) and names in part."""
        ranges = _SHOWN_RANGE.findall(shown.translate(_PLAIN))
        if len(ranges) != 1 or len(keys) > 2:
            return keys
        low, high = int(ranges[0][0]), int(ranges[0][1])
        first = self._position.get(keys[0])
        if first is None or not 0 < high - low < len(self._ids):
            return keys
        last = self._position.get(keys[1]) if len(keys) == 2 else first + high - low
        if last != first + high - low or last >= len(self._ids):
            return keys
        return tuple(self._ids[first : last + 1])

    def _joined(self, before: _Group, after: _Group) -> _Group | None:
        if len(before.keys) > _MAX_KEYS:
            return None
        if after.start - before.end > _MAX_GAP or before.style is not after.style:
            return None
        gap = self._text[before.end : after.start]
        if "\n" in gap:
            return None
        keys = (*before.keys, *after.keys)
        if before.style is MarkerStyle.AUTHOR_YEAR:
            inside = opened(self._text, before.start) is not None
            if not inside or not _YEAR_GAP.fullmatch(gap):
                return None
        elif _RANGE.fullmatch(gap):
            keys = (*before.keys, *self._between(before.keys[-1], after.keys[0]), *after.keys)
        elif not (_RAISED_GAP if before.style is MarkerStyle.SUPERSCRIPT else _NUMERIC_GAP).fullmatch(gap):
            return None
        return replace(before, end=after.end, keys=keys)

    def _between(self, first: str, last: str) -> list[str]:
        a, b = self._position.get(first), self._position.get(last)
        return self._ids[a + 1 : b] if a is not None and b is not None and a < b else []

    def _marker(self, group: _Group, floor: int, ceiling: int) -> StatedMarker:
        start, end, narrative = group.start, group.end, False
        if group.style is MarkerStyle.AUTHOR_YEAR:
            start, end, narrative = self._author_year(group, floor)
        else:
            start, end = with_brackets(self._text, start, end, floor)
        if end > ceiling:
            start, end = group.start, group.end
        keys = tuple(dict.fromkeys(group.keys))
        return StatedMarker(
            span=Span(start=max(start, floor), end=end), keys=keys, style=group.style, narrative=narrative
        )

    def _author_year(self, group: _Group, floor: int) -> tuple[int, int, bool]:
        text = self._text
        shown = text[group.start : group.end]
        # A year in brackets of its own, inside the citation or around it, is a part of the sentence.
        start, end = with_brackets(text, group.start, group.end, floor)
        bracketed = start < group.start or shown.startswith(("(", "["))
        families = [
            reference.authors[0].family
            for key in group.keys
            if (reference := self._by_id.get(key)) is not None and reference.authors
        ]
        names = names_before(text, start, floor, families)
        if group.named:
            inside = bracketed or opened(text, group.start) is not None
            return start, end, not inside
        if names == start:
            return start, end, False
        if bracketed:
            return names, end, opened(text, names) is None
        around = with_brackets(text, names, group.end, floor)
        inside = opened(text, names) is not None
        return (*around, not inside)


_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
