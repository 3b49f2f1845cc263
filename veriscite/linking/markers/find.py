"""All markers of a manuscript: found, read by the document's style, resolved."""

from itertools import islice

from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import Layout
from veriscite.linking.markers.author_year import find_author_year, mark_previous
from veriscite.linking.markers.found import Found
from veriscite.linking.markers.keys import find_keys, find_labels
from veriscite.linking.markers.loose import find_loose, loose_in_turn
from veriscite.linking.markers.numeric import find_brackets, find_parentheses, find_worded
from veriscite.linking.markers.style import accept, decide_style, reach
from veriscite.linking.markers.superscript import find_glued, find_superscripts

MAX_MARKERS = 50_000
"""A bound against crafted input for each way of writing markers, far above any real manuscript."""

_WELL_COVERED = 0.5


def find_markers(layout: Layout, index: ReferenceIndex, *, markdown: bool) -> tuple[list[Found], bool]:
    """Find all markers of the body in reading order, and whether some were left out by `MAX_MARKERS`.

    Args:
        layout: The manuscript's layout.
        index: Its reference list.
        markdown: Whether `@key` is a citation even if the list lacks that key.
    """
    text, start, end = layout.masked, layout.start, layout.end
    finders = (
        find_keys(text, start, end, index, known_only=not markdown),
        find_labels(text, start, end, index),
        find_brackets(text, start, end, index),
        find_parentheses(text, start, end, index),
        find_worded(text, start, end, index),
        find_superscripts(text, start, end, index),
        find_author_year(text, start, end, index),
    )
    candidates: list[Found] = []
    cut = False
    for finder in finders:
        taken = list(islice(finder, MAX_MARKERS))
        cut = cut or (len(taken) == MAX_MARKERS and next(finder, None) is not None)
        candidates += taken
    style = decide_style(candidates, index)
    if style is None or reach(candidates, style) < _WELL_COVERED * len(index):
        # Only where nothing else explains the list are bare numbers looked at.
        glued = list(islice(find_glued(text, start, end, index), MAX_MARKERS))
        loose = list(islice(find_loose(text, start, end, index), MAX_MARKERS))
        candidates += glued
        candidates += loose_in_turn(text, loose, glued, index)
        style = decide_style(candidates, index)
    markers: list[Found] = []
    for found in accept(candidates, style):
        if found.previous:
            found = mark_previous(found, markers[-1] if markers else None)
        markers.append(found)
    return markers, cut
