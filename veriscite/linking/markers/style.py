"""The style of a document, decided from all of its markers and its list; then the doubtful ones."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from veriscite.linking.index import ReferenceIndex
from veriscite.linking.markers.found import Doubt, Family, Found

# How much one marker of a family says: a name with a year is never there by chance, a number may be.
_WEIGHT = {
    Family.AUTHOR_YEAR: 3.0,
    Family.BRACKET: 2.0,
    Family.SUPERSCRIPT: 1.5,
    Family.PAREN: 1.0,
    Family.GLUED: 0.8,
}
_NUMERIC = frozenset({Family.BRACKET, Family.PAREN, Family.SUPERSCRIPT, Family.GLUED})
# Glued numbers are read as markers only where they cover this share of the list, and this many entries.
_GLUED_SHARE = 0.4
_GLUED_LEAST = 3
_ANY_ORDER_SHARE = 0.8
_ANY_ORDER_LEAST = 6
_HARD = frozenset({Doubt.POINTER, Doubt.INTERVAL, Doubt.ENUMERATOR})


def decide_style(found: Iterable[Found], index: ReferenceIndex) -> Family | None:
    """Choose the family that the document cites by, or None if it has no undoubted marker.

    Each family is scored by the distinct entries that its undoubted markers reach, and by how many
    such markers there are; a list with printed numbers speaks for the numeric families, one
    without for author and year.

    Args:
        found: All candidates of all families.
        index: The reference list.
    """
    by_family: dict[Family, list[Found]] = defaultdict(list)
    for f in found:
        if f.doubt is Doubt.NONE:
            by_family[f.family].append(f)
    scores = {
        family: _score(family, markers, index) for family, markers in by_family.items() if family in _WEIGHT
    }
    best = max(scores, key=lambda k: scores[k], default=None)
    if best is not None and scores[best] > 0:
        return best
    # Nothing resolves: markers of the plainest shapes are still reported.
    counts = {
        f: _WEIGHT[f] * len(by_family[f]) for f in (Family.AUTHOR_YEAR, Family.BRACKET) if f in by_family
    }
    return max(counts, key=lambda k: counts[k], default=None)


def _score(family: Family, markers: Sequence[Found], index: ReferenceIndex) -> float:
    resolved = [m for m in markers if m.resolved]
    entries = {i for m in resolved for i in m.reference_ids}
    if not len(index):
        return _WEIGHT[family] * len(markers)
    if family is Family.GLUED and not _reads_as_superscripts(resolved, len(entries), index):
        return 0.0
    prior = 1.25 if (family in _NUMERIC) == index.numbered else 1.0
    # Markers count besides entries, so that a short text with one entry cited often is decided too.
    return _WEIGHT[family] * prior * (len(entries) + 0.1 * min(len(resolved), 10 * len(entries)))


def reach(found: Iterable[Found], family: Family) -> int:
    """Count the distinct entries that the undoubted markers of one family reach."""
    return len({i for f in found if f.family is family and f.doubt is Doubt.NONE for i in f.reference_ids})


def _reads_as_superscripts(markers: Sequence[Found], entries: int, index: ReferenceIndex) -> bool:
    """Whether glued numbers run through the list as citations do: most of it, first uses in order.

    A list in the order of names is not cited in order; then its numbers must nearly all be there.
    """
    if entries < max(_GLUED_LEAST, _GLUED_SHARE * len(index)):
        return False
    if entries >= max(_ANY_ORDER_LEAST, _ANY_ORDER_SHARE * len(index)):
        return True
    seen: set[int] = set()
    firsts: list[int] = []
    for m in markers:
        for n in m.numbers:
            if n.low not in seen:
                seen.add(n.low)
                firsts.append(n.low)
    rising = sum(a < b for a, b in pairwise(firsts))
    return rising >= 0.6 * max(1, len(firsts) - 1)


def accept(found: Iterable[Found], primary: Family | None) -> list[Found]:
    """Keep the markers that belong to the document's style, reading the doubtful ones by it.

    Keys and printed labels are explicit and always kept. Overlaps are settled for the primary style.
    """
    spaced = _mostly_spaced(found := list(found))
    kept = [f for f in found if _belongs(f, primary, spaced)]
    kept.sort(key=lambda f: (f.start, -f.end))
    result: list[Found] = []
    for f in kept:
        if result and f.start < result[-1].end:
            if _rank(f, primary) < _rank(result[-1], primary):
                result[-1] = f
            continue
        result.append(f)
    return result


def _belongs(f: Found, primary: Family | None, spaced: bool) -> bool:
    if f.family in (Family.KEY, Family.LABEL):
        return True
    if f.doubt in _HARD:
        return False
    if f.previous:
        return primary is Family.AUTHOR_YEAR or primary is None
    if f.family is Family.WORDED:
        return primary in _NUMERIC or (primary is None and f.resolved)
    if f.family is not primary:
        return False
    if f.doubt is Doubt.INDEX:
        # In a document that glues its brackets to words, `CO2[3]` is a marker like the others.
        return not spaced and f.resolved
    if f.doubt is Doubt.EXPONENT:
        return False
    if f.doubt is Doubt.COUNT:
        return f.resolved
    if f.doubt is Doubt.WEAK_NAME:
        return True
    return True


def _rank(f: Found, primary: Family | None) -> int:
    order = [Family.KEY, Family.WORDED, primary, Family.LABEL]
    return order.index(f.family) if f.family in order else len(order)


def _mostly_spaced(found: Sequence[Found]) -> bool:
    """Whether most brackets stand apart from the word before them."""
    plain = [f for f in found if f.family is Family.BRACKET and f.doubt is Doubt.NONE]
    apart = sum(f.apart for f in plain)
    return 2 * apart >= len(plain)
