"""Lists and ranges of numbers, as markers write them, and what they resolve to."""

import re

from veriscite.domain import SkipReason
from veriscite.linking.index import ReferenceIndex
from veriscite.linking.markers.found import Numbers, Part
from veriscite.linking.text import DASHES

_D = re.escape(DASHES)
NUMBER = r"\d{1,9}[a-h]?"
ITEM = rf"{NUMBER}(?:\s{{0,3}}[{_D}]{{1,2}}\s{{0,3}}{NUMBER})?"
_SEPARATOR = (
    r"(?:\s{0,3}[,;/·]\s{0,3}(?:and\s{1,3}|&\s{0,3})?|\s{1,3}(?:and|und|et|y|e)\s{1,3}|\s{0,3}&\s{0,3})"
)
LIST = rf"{ITEM}(?:{_SEPARATOR}{ITEM}){{0,80}}"
"""`1`, `1, 3-5`, `2 and 4`, as a regular expression."""

_ITEM = re.compile(rf"(\d{{1,9}})([a-h]?)(?:\s{{0,3}}[{_D}]{{1,2}}\s{{0,3}}(\d{{1,9}})([a-h]?))?")

# Nobody cites more works at once; a wider range is no marker, or crafted to exhaust memory.
_MAX_RANGE = 300


def read_numbers(text: str) -> tuple[Numbers, ...]:
    """Read a list of numbers and ranges.

    Args:
        text: What `LIST` matches.
    """
    return tuple(
        Numbers(raw=m[0], low=int(m[1]), high=int(m[3] or m[1]), suffix=m[2] if not m[3] else "")
        for m in _ITEM.finditer(text)
    )


def resolve_numbers(numbers: tuple[Numbers, ...], index: ReferenceIndex) -> tuple[Part, ...]:
    """Tie numbers to the entries of the list; what the list lacks becomes a part of its own."""
    parts: list[Part] = []
    for item in numbers:
        known = index.resolved.get(item)
        if known is None:
            known = index.resolved[item] = _resolve(item, index)
        parts += known
    return tuple(parts)


def _resolve(item: Numbers, index: ReferenceIndex) -> tuple[Part, ...]:
    if len(index) == 0:
        return (Part(item.raw, reason=SkipReason.NO_REFERENCE_LIST, detail="There is no reference list."),)
    if item.high < item.low:
        return (Part(item.raw, reason=SkipReason.NO_ENTRY, detail=f"The range {item.raw} runs backwards."),)
    if item.high - item.low > _MAX_RANGE and index.highest - item.low > _MAX_RANGE:
        detail = f"The range {item.raw} covers too many entries to be a citation."
        return (Part(item.raw, reason=SkipReason.LIMIT, detail=detail),)
    if item.low == item.high:
        return (_single(item, index),)
    return tuple(_range(item, index))


def _single(item: Numbers, index: ReferenceIndex) -> Part:
    ids = index.number(item.low, item.suffix)
    if not ids:
        detail = f"The reference list has no entry {item.low}{item.suffix}."
        if not index.highest:
            detail = "The entries of the reference list carry no numbers."
        return Part(item.raw, reason=SkipReason.NO_ENTRY, detail=detail)
    if len(ids) > 1 and not index.is_part_of(item.low):
        return Part(
            item.raw,
            reason=SkipReason.AMBIGUOUS_ENTRY,
            detail=f"{len(ids)} entries of the reference list are numbered {item.low}.",
            candidates=ids,
        )
    return Part(item.raw, ids)


def _range(item: Numbers, index: ReferenceIndex) -> list[Part]:
    have, missing = index.numbers_between(item.low, item.high)
    if not have:
        return [_missing(item.raw, item.low, item.high)]
    single = [_single(Numbers(item.raw, n, n), index) for n in have]
    ids = tuple(i for part in single for i in part.reference_ids)
    parts = [Part(item.raw, ids)] if ids else []
    parts += [part for part in single if part.reason]
    parts += [_missing(str(a) if a == b else f"{a}-{b}", a, b) for a, b in missing]
    return parts


def _missing(raw: str, low: int, high: int) -> Part:
    what = f"no entry {low}" if low == high else f"no entries {low} to {high}"
    return Part(raw, reason=SkipReason.NO_ENTRY, detail=f"The reference list has {what}.")
