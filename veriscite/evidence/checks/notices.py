"""Retractions, corrections and expressions of concern: what several sources say, without repeats."""

import re
from collections.abc import Sequence

from veriscite.domain import Notice, NoticeKind
from veriscite.evidence.records import Record

_MARK = r"(?:retracted|withdrawn)(?: article)?\b"
_RETRACTED = re.compile(
    rf"^\s*[\[(]?{_MARK}\s*[\])]?\s*[:.\-—]|[\[(]{_MARK}[^\])]{{0,200}}[\])]\s*\.?\s*$", re.IGNORECASE
)
_ORDER = (NoticeKind.RETRACTED, NoticeKind.EXPRESSION_OF_CONCERN, NoticeKind.CORRECTED)


def notices(records: Sequence[Record]) -> tuple[Notice, ...]:
    """Merge the notices of a work's records, the gravest first.

    A notice with a DOI is one with every notice of that DOI and kind; one without a DOI (many sources only
    say *retracted*) is one with the first of its kind. `source` names all that say so.
    """
    said = [notice for record in records for notice in (*record.notices, *_by_title(record))]
    merged: list[Notice] = []
    # Those with a DOI first, so that those without one find what they repeat.
    for notice in sorted(said, key=lambda one: one.doi is None):
        same = next((one for one in merged if _is_same(one, notice)), None)
        if same is None:
            merged.append(notice)
        else:
            merged[merged.index(same)] = _together(same, notice)
    return tuple(sorted(merged, key=lambda one: (_ORDER.index(one.kind), one.date or "")))


def _by_title(record: Record) -> tuple[Notice, ...]:
    """Publishers put the mark in front of the title, sources that keep no notices keep it there."""
    if not _RETRACTED.search(record.title[:1_000]):
        return ()
    detail = "the title says so"
    return (Notice(kind=NoticeKind.RETRACTED, source=record.source, detail=detail),)


def _is_same(a: Notice, b: Notice) -> bool:
    if a.kind is not b.kind:
        return False
    return a.doi is None or b.doi is None or a.doi.lower() == b.doi.lower()


def _together(a: Notice, b: Notice) -> Notice:
    sources = dict.fromkeys((*a.source.split(", "), *b.source.split(", ")))
    details = dict.fromkeys(part for part in (a.detail, b.detail) if part)
    dates = [date for date in (a.date, b.date) if date]
    return a.model_copy(
        update={
            "source": ", ".join(sources),
            # The more exact date tells more.
            "date": max(dates, key=len) if dates else None,
            "detail": "; ".join(details),
        }
    )
