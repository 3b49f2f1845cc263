"""Markers that the file itself states: nothing is searched for, only tied to the list."""

from collections.abc import Iterable, Iterator

from veriscite.domain import MarkerStyle, StatedMarker
from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import Layout
from veriscite.linking.markers.found import Family, Found, Removal
from veriscite.linking.markers.keys import part_of_key
from veriscite.linking.markers.numeric import is_subject_or_object

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
        # A file seldom tells whether a number is a word of its sentence ("as shown in [3]").
        word = marker.narrative or (
            marker.style is MarkerStyle.NUMERIC and is_subject_or_object(layout.masked, start, end)
        )
        removal = Removal.WORK if word else Removal.DROP
        yield Found(start, end, _FAMILY_OF[marker.style], parts, removal=removal)
