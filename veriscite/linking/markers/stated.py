"""Markers that the file itself states: nothing is searched for, only tied to the list."""

import re
from collections.abc import Iterable, Iterator

from veriscite.domain import MarkerStyle, StatedMarker
from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import Layout
from veriscite.linking.markers.found import Family, Found, Removal
from veriscite.linking.markers.keys import part_of_key
from veriscite.linking.markers.numeric import is_subject_or_object

_YEAR_AT_END = re.compile(r"(?<=\w|\.)\s?\([^()]{0,200}\)$")
_FAMILY_OF = {
    MarkerStyle.NUMERIC: Family.BRACKET,
    MarkerStyle.SUPERSCRIPT: Family.SUPERSCRIPT,
    MarkerStyle.AUTHOR_YEAR: Family.AUTHOR_YEAR,
    MarkerStyle.KEY: Family.KEY,
}


def resolve_stated(stated: Iterable[StatedMarker], layout: Layout, index: ReferenceIndex) -> Iterator[Found]:
    """Tie each stated marker of the body to the entries whose ids it names.

    Args:
        stated: In order.
        layout: The manuscript's layout; markers in headings and outside the body cite nothing for a claim.
        index: The reference list.
    """
    for marker in stated:
        start, end = marker.span.start, marker.span.end
        if start < layout.start or end > layout.end or layout.paragraph_at(start) is None:
            continue
        parts = tuple(part_of_key(key, index) for key in dict.fromkeys(marker.keys))
        removal, cut = Removal.DROP, (-1, -1)
        # A file seldom tells whether a number is a word of its sentence ("as shown in [3]").
        if marker.narrative or (
            marker.style is MarkerStyle.NUMERIC and is_subject_or_object(layout.masked, start, end)
        ):
            removal, cut = _narrative(layout.text, marker)
        yield Found(start, end, _FAMILY_OF[marker.style], parts, cut=cut, removal=removal)


def _narrative(text: str, marker: StatedMarker) -> tuple[Removal, tuple[int, int]]:
    """Tell what of a marker leaves its sentence: of `Smith (2019)` the year, of `[3]` all, for the authors.

    Where a sentence names several works, each keeps its own authors that way.
    """
    start, end = marker.span.start, marker.span.end
    if marker.style is MarkerStyle.AUTHOR_YEAR:
        raw = text[start:end]
        year = _YEAR_AT_END.search(raw)
        if year is not None and raw.count("(") == 1:
            return Removal.DROP, (start + year.start(), end)
        if not any(char.isdigit() for char in raw):
            return Removal.DROP, (end, end)
    return Removal.WORK, (-1, -1)
