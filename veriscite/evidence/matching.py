"""Whether a record is the cited work. A wrong match is worse than none.

Title, authors and year are weighed together; no part can wave another through. The score orders records
that were accepted; whether a record is accepted is decided by rules that can be read below.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from veriscite.domain import Author, Identifiers, Reference
from veriscite.domain.identifiers import arxiv_of_doi
from veriscite.evidence.authors import AuthorFit, AuthorMatch, compare_authors, same_authors
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.records import Record
from veriscite.evidence.titles import (
    GOES_ON,
    MAX_ENTRY,
    NEGATIONS,
    OTHER_KIND,
    TitleFit,
    TitleMatch,
    bare_title,
    compare_titles,
    find_title,
    notice_kind,
)
from veriscite.evidence.wording import compare_words, tells_apart

REVISION = "matching 2"
"""Part of every cache key: answers of older rules are not reused."""

TITLE_WEIGHT, AUTHOR_WEIGHT, YEAR_WEIGHT = 0.6, 0.28, 0.12
UNKNOWN_AUTHORS, UNKNOWN_YEAR = 0.5, 0.8
EQUAL_MARGIN = 0.04
NEAREST_SCORE = 0.45
_YEAR_SCORE = {0: 1.0, 1: 0.9, 2: 0.75}
_SAME_WORK_YEARS = 5

_NOTICE_KINDS = frozenset(
    {
        "peer-review",
        "erratum",
        "retraction",
        "published erratum",
        "retraction of publication",
        "retraction notice",
    }
)
_PRINTED_YEAR = re.compile(r"(?<![0-9a-z])((?:1[6-9]|20)[0-9]{2})(?=[a-z]?\b)")
_ADDRESS = re.compile(r"\S{1,20}://\S+|\b(?:doi|arxiv|pmid|pmcid|pmc)\b[:\s]*|\S*\d\S*", re.IGNORECASE)


class Decision(StrEnum):
    """What comes of comparing one record with the reference.

    `POSSIBLE`: nothing speaks against it, but too little is known to be sure.
    """

    ACCEPT = "accept"
    POSSIBLE = "possible"
    REJECT = "reject"


@dataclass(frozen=True)
class Match:
    """A record compared with the reference; `score` runs from 0 to 1."""

    record: Record
    decision: Decision
    score: float
    title: TitleMatch
    authors: AuthorMatch
    reason: str


@dataclass(frozen=True)
class Choice:
    """What comes of comparing all records.

    Attributes:
        accepted: Versions of the one cited work, best first; empty if there is none.
        tied: Different works that fit equally well, best first; empty unless it is ambiguous.
        nearest: What was not accepted, best first.
    """

    accepted: tuple[Match, ...] = ()
    tied: tuple[Match, ...] = ()
    nearest: tuple[Match, ...] = field(default=())


def compare(reference: Reference, record: Record, *, by_identifier: bool = False) -> Match:
    """Compare one record with the reference.

    Args:
        reference: The entry as cited.
        record: What a source offers.
        by_identifier: Whether the source was asked by an identifier that the entry names. The title is
            still compared: identifiers in lists are often another paper's.
    """
    title = _title(reference, record)
    authors = compare_authors(reference, record.authors)
    years = _years_apart(reference, record)
    year_score = UNKNOWN_YEAR if years is None else _YEAR_SCORE.get(years, max(0.0, 0.6 - 0.05 * years))
    author_score = UNKNOWN_AUTHORS if authors.score is None else authors.score
    score = TITLE_WEIGHT * title.score + AUTHOR_WEIGHT * author_score + YEAR_WEIGHT * year_score
    decide = _decide_identified if by_identifier else _decide_searched
    decision, why = decide(reference, record, title, authors, years)
    other = _other_kind(reference, record, title)
    if other:
        decision, why = Decision.REJECT, f"the record is a {other}"
    return Match(record, decision, round(score, 4), title, authors, why)


def choose(
    reference: Reference,
    records: Sequence[Record],
    *,
    by_identifier: bool = False,
) -> Choice:
    """Choose the cited work among records, or find that two works fit equally well, or none.

    Records that share title and authors are versions of one work; the best of them comes first.
    """
    matches = sorted(
        (compare(reference, record, by_identifier=by_identifier) for record in _distinct(records)),
        key=lambda m: -m.score,
    )
    accepted = [m for m in matches if m.decision is Decision.ACCEPT]
    others = tuple(m for m in matches if m.decision is not Decision.ACCEPT and m.score >= NEAREST_SCORE)
    if accepted:
        best = accepted[0]
        equal = [
            m
            for m in accepted[1:]
            if best.score - m.score < EQUAL_MARGIN and not same_work(best.record, m.record)
        ]
        if equal and not by_identifier:
            return Choice(tied=(best, *equal), nearest=others)
        versions = [best, *(m for m in accepted[1:] if same_work(best.record, m.record))]
        return Choice(accepted=tuple(versions), nearest=others)
    possible = [m for m in matches if m.decision is Decision.POSSIBLE]
    works = [
        m for i, m in enumerate(possible) if not any(same_work(m.record, p.record) for p in possible[:i])
    ]
    if len(works) > 1:
        return Choice(tied=tuple(works), nearest=others)
    return Choice(nearest=others)


def same_work(a: Record, b: Record) -> bool:
    """Whether two records are versions of one work: a shared identifier, or the same title and authors."""
    if _share_identifier(a.identifiers, b.identifiers):
        return True
    fit = compare_titles(a.title, b.title).fit
    if fit not in (TitleFit.EXACT, TitleFit.CLOSE):
        return False
    long = len(content_words(fold(a.title))) >= 5
    return same_authors(a.authors, b.authors, any_order=long and fit is TitleFit.EXACT)


def _title(reference: Reference, record: Record) -> TitleMatch:
    """Compare with the parsed title, and with the raw entry in case it was parsed wrongly."""
    parsed = TitleMatch(TitleFit.DIFFERENT, 0.0, "no title in the entry")
    if reference.title:
        parsed = compare_titles(reference.title, record.title)
        if parsed.fit in (TitleFit.EXACT, TitleFit.CLOSE):
            return parsed
    people = _names(reference.authors) | _names(record.authors)
    inside = find_title(record.title, reference.raw, people=people, head=reference.title is None)
    return inside if inside.score > parsed.score and inside.fit is not TitleFit.DIFFERENT else parsed


def _names(authors: tuple[Author, ...]) -> frozenset[str]:
    return frozenset(word for a in authors[:300] for word in fold(f"{a.given or ''} {a.family}").split())


def _other_kind(reference: Reference, record: Record, title: TitleMatch) -> str:
    """Name the kind of the record: a notice where the work is cited, or the work where a notice is."""
    kinds = {kind.lower().replace("_", "-") for kind in record.kinds}
    if _NOTICE_KINDS & kinds and not notice_kind(reference.title or reference.raw[:300]):
        return "notice about the work"
    if title.fit in (TitleFit.EXACT, TitleFit.CLOSE):
        return ""  # the words that would announce a notice are the same
    kind = notice_kind(record.title)
    return "" if reference.title is None or notice_kind(reference.title) == kind else kind or "full paper"


def _years_apart(reference: Reference, record: Record) -> int | None:
    if record.year is None:
        return None
    if reference.year is not None:
        return abs(reference.year - record.year)
    if reference.title is not None:
        return None
    # Not parsed at all: the year nearest to the record's, of all in the entry, speaks for the entry.
    rest = fold(reference.raw, MAX_ENTRY).replace(fold(record.title), " ")
    years = [int(year) for year in _PRINTED_YEAR.findall(rest)]
    return min((abs(year - record.year) for year in years), default=None)


def _year_note(reference: Reference, record: Record, years: int | None) -> str:
    return f"; year {record.year}, cited as {reference.year or 'another'}" if years else ""


def _decide_searched(
    reference: Reference, record: Record, title: TitleMatch, authors: AuthorMatch, years: int | None
) -> tuple[Decision, str]:
    """Decide on a record that was found by words."""
    if title.fit is TitleFit.DIFFERENT:
        return Decision.REJECT, title.note
    if authors.fit is AuthorFit.OTHER:
        return Decision.REJECT, authors.note
    words = len(content_words(fold(record.title)))
    exact = title.fit is TitleFit.EXACT
    parts = f"title ({title.fit}), {authors.note or 'authors'}{_year_note(reference, record, years)}"
    if authors.fit is AuthorFit.UNKNOWN:
        venue = bool(reference.venue) and fold(reference.venue or "") == fold(record.venue or "")
        sure = exact and years == 0 and (words >= 5 or (words >= 3 and venue))
        return (Decision.ACCEPT if sure else Decision.POSSIBLE), parts
    if authors.fit is AuthorFit.WEAK:
        sure = exact and words >= 4 and years is not None and years <= 1
        return (Decision.ACCEPT if sure else Decision.POSSIBLE), parts
    if words < 3 and not (exact and years is not None and years <= 1):
        return Decision.POSSIBLE, f"{parts}: too short a title"
    if title.fit is TitleFit.PARTIAL and not _sure_of_part(title, authors, years):
        return Decision.POSSIBLE, parts
    if years is None or years <= 2:
        return Decision.ACCEPT, parts
    several = authors.cited >= 2 and (authors.overlap or 0.0) >= 0.8
    if years <= _SAME_WORK_YEARS and exact and words >= 4 and several:
        return Decision.ACCEPT, parts
    return Decision.REJECT, f"{parts}: too many years apart"


def _sure_of_part(title: TitleMatch, authors: AuthorMatch, years: int | None) -> bool:
    """Whether authors and year are so sure that a part of the title is enough."""
    if years is None or authors.in_order is False:
        return False
    # Nothing tells a title that goes on from another work's of the same people, but the year.
    return years == 0 if title.note == GOES_ON else years <= 2


def _decide_identified(
    reference: Reference, record: Record, title: TitleMatch, authors: AuthorMatch, years: int | None
) -> tuple[Decision, str]:
    """Decide on the record that an identifier of the entry leads to."""
    note = _year_note(reference, record, years)
    if title.fit is not TitleFit.DIFFERENT:
        alike = title.fit in (TitleFit.EXACT, TitleFit.CLOSE)
        if authors.fit is AuthorFit.OTHER and not alike:
            return Decision.REJECT, f"the identifier leads to {authors.note} and {title.note}"
        return Decision.ACCEPT, f"identifier and title{note}"
    near = years is None or years <= 1
    if reference.title is None:
        if _is_bare(reference.raw):
            return Decision.ACCEPT, "identifier alone"
        if authors.fit is AuthorFit.SAME and near and _names_no_other_title(reference, record):
            return Decision.ACCEPT, f"identifier and authors{note}"
    elif (
        authors.fit is AuthorFit.SAME
        and near
        and (title.note == OTHER_KIND or _much_alike(reference, record))
    ):
        return Decision.ACCEPT, f"identifier, and a title much alike{note}"
    return Decision.REJECT, "the identifier leads to another title"


def _much_alike(reference: Reference, record: Record) -> bool:
    """Whether at most one word of meaning of a longer title is another, and no number."""
    cited, found = fold(bare_title(reference.title or "")), fold(bare_title(record.title))
    difference = compare_words(cited, found)
    words = min(len(content_words(cited)), len(content_words(found)))
    odd = (*difference.lost, *difference.added)
    if any(tells_apart(word) or word in NEGATIONS for word in odd):
        return False
    return max(len(difference.lost), len(difference.added)) <= max(1, words // 6) and words >= 4


def _names_no_other_title(reference: Reference, record: Record) -> bool:
    """Whether an entry that was not parsed either names no title (as some styles do) or this one."""
    entry = fold(_ADDRESS.sub(" ", reference.raw[:MAX_ENTRY]), MAX_ENTRY)
    names = {word for author in record.authors[:100] for word in fold(author.family).split()}
    venue = set(fold(record.venue or "").split())
    words = {word for word in content_words(entry) if len(word) > 3} - names - venue
    title = {word for word in content_words(fold(record.title)) if len(word) > 3}
    shared = len(title & words)
    return len(words) < 5 or (shared >= 0.8 * len(title) and shared >= 0.5 * len(words))


def _is_bare(raw: str) -> bool:
    """Whether an entry is hardly more than an identifier."""
    return len(content_words(fold(_ADDRESS.sub(" ", raw[:2_000])))) < 3


def _distinct(records: Sequence[Record]) -> list[Record]:
    return list({(r.source, r.record_id): r for r in reversed(records)}.values())[::-1]


def _share_identifier(a: Identifiers, b: Identifiers) -> bool:
    pairs = (
        (a.doi, b.doi),
        (a.pmid, b.pmid),
        (a.pmcid, b.pmcid),
        (a.arxiv or arxiv_of_doi(a.doi), b.arxiv or arxiv_of_doi(b.doi)),
        (a.semantic_scholar, b.semantic_scholar),
    )
    return any(x is not None and x == y for x, y in pairs)
