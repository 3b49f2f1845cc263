"""Author-year markers: parenthetical, narrative, and bare, and those that mean the one before."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from veriscite.domain import SkipReason
from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import BREAK
from veriscite.linking.markers.authors import CERTAIN, AuthorYearResolver, Hit
from veriscite.linking.markers.brackets import Group, groups
from veriscite.linking.markers.found import Doubt, Family, Found, Part
from veriscite.linking.markers.names import NOT_NAMES, SECONDARY, Form, names_before, parse_names
from veriscite.linking.markers.years import YearRun, find_years
from veriscite.linking.text import name_key

_IBID = re.compile(r"\s*(?:see\s+)?(?:ibid(?:em)?|loc\.\s?cit)\b", re.IGNORECASE)
_LOCATOR = re.compile(
    r"[\s,;:]*(?:\(?(?:pp?\.?|pages?|chap(?:ter|\.)?s?|ch\.|sec(?:tion|t?\.)?s?|§+|vol\.?|part|"
    r"figs?\.?|figures?|tables?|"
    r"appendix|para\.?|no\.)\s*(?:[A-Z]?\d[\w.,:–-]*|[ivxlc]{1,7}\b)(?:\s?[-–,]\s?\d+)*|"
    r"[:,]\s?\d{1,4}(?:\s?[-–]\s?\d{1,4})?(?![\w]))",
    re.IGNORECASE,
)
_HAS_LETTER = re.compile(r"[^\W\d_]")
_JUST_CONNECTOR = re.compile(r"[\s,;&]*(?:and|und|also|see|et)?[\s,;&]*", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]{2,}")

# More words than this beside the citations: the bracket is a remark that cites, not a marker.
_MAX_LEAD = 9
_MAX_TRAIL = 12


@dataclass(slots=True)
class _Item:
    """Names with the years that follow them; offsets are into the manuscript."""

    form: Form | None
    names_start: int
    names_end: int
    run: YearRun
    hits: list[Hit] = field(default_factory=list)
    repeats: bool = False


def find_author_year(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find author-year markers in reading order.

    Args:
        text: Masked text of the whole manuscript.
        start: Where to begin.
        end: Where to stop.
        index: The reference list: it decides which capitalised words are authors.
    """
    resolver = AuthorYearResolver(index)
    floor = start
    for group, runs in _groups_with_years(text, start, end):
        if group is None:
            found = [f for run in runs if (f := _bare(text, run, floor, resolver))]
        elif not runs:
            found = [_ibid(text, group)]
        else:
            found = _group(text, group, runs, floor, resolver)
        for marker in found:
            if marker.start >= floor:
                floor = marker.end
                yield marker


def _groups_with_years(text: str, start: int, end: int) -> Iterator[tuple[Group | None, list[YearRun]]]:
    """Pair each year with the innermost bracket around it; `ibid.` groups come without years."""
    all_groups = sorted(groups(text, start, end), key=lambda g: (g.start, -g.end))
    owned: dict[int, list[YearRun]] = {}
    order: list[tuple[int, Group | None, list[YearRun]]] = []
    stack: list[int] = []
    at = 0
    for run in find_years(text, start, end):
        while at < len(all_groups) and all_groups[at].start < run.start:
            stack.append(at)
            at += 1
        while stack and all_groups[stack[-1]].end < run.end:
            stack.pop()
        if stack:
            if stack[-1] not in owned:
                owned[stack[-1]] = []
                order.append((all_groups[stack[-1]].start, all_groups[stack[-1]], owned[stack[-1]]))
            owned[stack[-1]].append(run)
        elif not run.undated:
            order.append((run.start, None, [run]))
    order += [(g.start, g, []) for g in all_groups if _IBID.match(text, g.start + 1)]
    for _, group, runs in sorted(order, key=lambda o: o[0]):
        yield group, runs


def _ibid(text: str, group: Group) -> Found:
    raw = text[group.start : group.end]
    return Found(group.start, group.end, Family.AUTHOR_YEAR, (Part(raw),), previous=True)


def _group(
    text: str, group: Group, runs: list[YearRun], floor: int, resolver: AuthorYearResolver
) -> list[Found]:
    inner = group.start + 1
    narrative = not text[inner : runs[0].start].strip(" \t\n\r\"“'‘")
    items: list[_Item] = []
    at = inner
    for n, run in enumerate(runs):
        if n == 0 and narrative:
            item = _narrative_item(text, group, run, floor, resolver)
        else:
            item = _item(text, at, run, items, resolver)
        at = run.end
        if item is not None:
            items.append(item)
    before = items[0] if items and items[0].names_end <= group.start else None
    items = [i for i in items if i.hits]
    if not items:
        return []
    first, last = items[0], items[-1]
    if before is not None:
        return [_found(before.names_start, group.end, items, cut=(before.names_end, group.end))]
    if not any(h.fit for i in items for h in i.hits) and not _looks_like_citation(text, group, items):
        return []
    lead = len(_WORDS.findall(text, inner, first.names_start))
    trail = len(_WORDS.findall(text, last.run.end, group.end))
    if lead > _MAX_LEAD or trail > _MAX_TRAIL:
        return [_inline(i) for i in items if not i.repeats]
    return [_found(group.start, group.end, items)]


def _found(start: int, end: int, items: list[_Item], cut: tuple[int, int] = (-1, -1)) -> Found:
    hits = [h for item in items for h in item.hits]
    weak = not any(h.fit >= CERTAIN for h in hits) and not any(
        item.form is not None and item.form.strong for item in items
    )
    doubt = Doubt.WEAK_NAME if weak else Doubt.NONE
    return Found(start, end, Family.AUTHOR_YEAR, tuple(h.part for h in hits), cut=cut, doubt=doubt)


def _inline(item: _Item) -> Found:
    return _found(item.names_start, item.run.end, [item], cut=(item.names_end, item.run.end))


def _item(
    text: str, at: int, run: YearRun, before: list[_Item], resolver: AuthorYearResolver
) -> _Item | None:
    """Read the names between the year before (or the group's start) and this one."""
    if locator := _LOCATOR.match(text, at, run.start):
        at = locator.end()
    semicolon = text.rfind(";", at, run.start)
    if semicolon >= 0:
        at = semicolon + 1
    name_text = text[at : run.start]
    if BREAK in name_text:
        return None
    same_segment = semicolon < 0 and before
    if SECONDARY.search(name_text) and same_segment:
        before[-1].hits = []
    if not _HAS_LETTER.search(name_text) or _JUST_CONNECTOR.fullmatch(name_text):
        if not before or before[-1].form is None:
            return None
        previous = before[-1]
        item = _Item(previous.form, previous.names_start, previous.names_end, run, repeats=True)
    else:
        form = parse_names(name_text)
        if form is None:
            return None
        names_end = at + len(name_text.rstrip(" \t\n\r,:("))
        item = _Item(form, at + form.start, names_end, run)
    assert item.form is not None
    raw = (
        text[item.names_start : run.end]
        if not item.repeats
        else f"{item.form.whole} {text[run.start : run.end]}"
    )
    item.hits = _resolve(item.form, run, raw, resolver)
    return item


def _resolve(form: Form, run: YearRun, raw: str, resolver: AuthorYearResolver) -> list[Hit]:
    hits = resolver.resolve(form, run, raw)
    if form.short:
        resolver.define(form.short, tuple(i for h in hits for i in h.part.reference_ids))
    if any(h.fit for h in hits):
        return hits
    for dropped in range(1, min(len(form.names), 4)):
        # "see the Introduction and Calvez et al., 2011": not all before the year are authors.
        shorter = replace(form, names=form.names[dropped:], whole=form.names[dropped].family)
        later = resolver.resolve(shorter, run, raw)
        if any(h.fit >= CERTAIN and h.part.reference_ids for h in later):
            return later
    if not form.looks_like_names or run.undated in ("submitted", "accepted", "unpublished", "under review"):
        return []
    return hits


def _narrative_item(
    text: str, group: Group, run: YearRun, floor: int, resolver: AuthorYearResolver
) -> _Item | None:
    """Read the names before the bracket: the reading that the list knows best, the longest of them."""
    best: tuple[float, Form, int, int, list[Hit]] | None = None
    fallback: tuple[Form, int, int, list[Hit]] | None = None
    for form, a, b in names_before(text, group.start, floor):
        raw = text[a : run.end] + text[group.end - 1 : group.end]
        hits = resolver.resolve(form, run, raw)
        fit = min((h.fit for h in hits), default=0.0)
        if fit > 0 and (best is None or fit > best[0]):
            best = (fit, form, a, b, hits)
        if form.looks_like_names and (fallback is None or not fallback[0].strong or form.strong):
            fallback = (form, a, b, hits)
    if best is not None:
        _, form, a, b, hits = best
        return _Item(form, a, b, run, hits)
    if fallback is None:
        return None
    form, a, b, hits = fallback
    if not (
        form.strong or any(h.part.candidates for h in hits) or SECONDARY.search(text, run.end, group.end)
    ):
        return None
    return _Item(form, a, b, run, hits)


def _bare(text: str, run: YearRun, floor: int, resolver: AuthorYearResolver) -> Found | None:
    """`Smith et al. 2004` without brackets: only as the list knows it."""
    at = run.start
    while at > floor and text[at - 1].isspace():
        at -= 1
    comma = text[at - 1 : at] == ","
    end = at - 1 if comma else at
    if end <= floor or not (text[end - 1].isalpha() or text[end - 1] in ".'’"):
        return None
    best: tuple[float, Form, int, int, list[Hit]] | None = None
    for form, a, b in names_before(text, end, floor):
        if (
            form.names
            and len(form.names) == 1
            and not form.et_al
            and name_key(form.names[0].family) in NOT_NAMES
        ):
            continue
        hits = resolver.resolve(form, run, text[a : run.end])
        fit = min((h.fit if h.part.reference_ids else 0.0 for h in hits), default=0.0)
        if fit >= CERTAIN and (best is None or fit > best[0]):
            best = (fit, form, a, b, hits)
    if best is None:
        return None
    _, form, a, b, hits = best
    return _found(a, run.end, [_Item(form, a, b, run, hits)], cut=(b, run.end))


def _looks_like_citation(text: str, group: Group, items: list[_Item]) -> bool:
    """Whether a group that the list does not know is still a citation by its form."""
    if any(i.form is not None and i.form.strong for i in items):
        return True
    before = len(_WORDS.findall(text, group.start, items[0].names_start))
    after = text[items[-1].run.end : group.end - 1]
    return before <= 3 and (not after.strip() or bool(_LOCATOR.match(after)))


def mark_previous(found: Found, previous: Found | None) -> Found:
    """Resolve `ibid.`: to the marker before if that cites one work; else it is reported."""
    raw = found.parts[0].raw
    if previous is None or not previous.reference_ids:
        return found.with_parts(
            Part(raw, reason=SkipReason.NO_ENTRY, detail="There is no resolved citation before it.")
        )
    ids = previous.reference_ids
    if len(ids) > 1:
        return found.with_parts(
            Part(
                raw,
                reason=SkipReason.AMBIGUOUS_ENTRY,
                detail=f"The citation before it names {len(ids)} works.",
                candidates=ids,
            )
        )
    return found.with_parts(Part(raw, ids))
