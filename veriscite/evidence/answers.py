"""From records to the answer for one reference: what every source does once it has records."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from veriscite.domain import (
    Ambiguous,
    Candidate,
    Evidence,
    EvidenceLookup,
    Found,
    LookupFailed,
    NoAbstract,
    NotFound,
    Reference,
)
from veriscite.errors import VeriSciteError
from veriscite.evidence.abstracts import Abstract, Refused, read_abstract
from veriscite.evidence.matching import Choice, Match, choose, compare
from veriscite.evidence.records import Record
from veriscite.evidence.titles import notice_kind

MAX_NEAREST = 3


def answer(
    reference: Reference,
    records: Sequence[Record],
    *,
    source: str,
    queries: tuple[str, ...] = (),
    by_identifier: bool = False,
    detail: str = "",
) -> EvidenceLookup:
    """Choose the cited work among records and read its abstract.

    Args:
        reference: The entry as cited.
        records: What the source offered; may be empty.
        source: Name of the source.
        queries: What it was asked.
        by_identifier: Whether it was asked by identifiers that the entry names.
        detail: What else to tell when nothing is found.

    Returns:
        Found, NoAbstract, Ambiguous or NotFound; never LookupFailed, for the source did answer.
    """
    choice = choose(reference, records, by_identifier=by_identifier)
    if choice.tied:
        return Ambiguous(
            reference_id=reference.id,
            candidates=tuple(_candidate(match) for match in choice.tied[:10]),
            queries=queries,
            detail="several works fit the entry equally well",
        )
    if not choice.accepted:
        return NotFound(
            reference_id=reference.id,
            asked=(source,),
            queries=queries,
            detail=detail or _nearest_detail(choice),
            nearest=tuple(_candidate(match) for match in choice.nearest[:MAX_NEAREST]),
        )
    return evidence_of(reference, choice.accepted, queries=queries)


def evidence_of(
    reference: Reference, versions: Sequence[Match], *, queries: tuple[str, ...] = ()
) -> Found | NoAbstract:
    """Take the abstract of the best version that has a usable one."""
    refusals: list[str] = []
    for match in versions:
        record = match.record
        abstract = read_abstract(record.abstract, record.title, record.abstract_note)
        if isinstance(abstract, Refused):
            refusals.append(abstract.detail)
            continue
        score = None if match.reason == "identifier alone" else match.score
        evidence = make_evidence(record, abstract, score, match.reason)
        return Found(reference_id=reference.id, evidence=evidence, queries=queries)
    return NoAbstract(
        reference_id=reference.id,
        record=_candidate(versions[0]),
        queries=queries,
        detail="; ".join(dict.fromkeys(refusals)),
    )


def other_work(
    reference: Reference, records: Sequence[Record], *, source: str, queries: tuple[str, ...]
) -> EvidenceLookup:
    """Answer a planner's own search: the cited work if it is there, else the first usable record.

    The latter is marked as another work's, so that it can inform, but never support a citation.
    """
    found = answer(reference, records, source=source, queries=queries)
    if isinstance(found, Found):
        return found
    for record in records:
        abstract = read_abstract(record.abstract, record.title, record.abstract_note)
        if isinstance(abstract, Refused) or notice_kind(record.title):
            continue
        score = compare(reference, record).score
        evidence = make_evidence(
            record, abstract, score, "planner's search: another work", of_cited_work=False
        )
        return Found(reference_id=reference.id, evidence=evidence, queries=queries)
    return found


def make_evidence(
    record: Record, abstract: Abstract, score: float | None, matched_by: str, *, of_cited_work: bool = True
) -> Evidence:
    """Turn a record and its abstract into evidence."""
    return Evidence(
        source=record.source,
        record_id=record.record_id,
        title=record.title,
        year=record.year,
        authors=record.authors,
        venue=record.venue,
        identifiers=record.identifiers,
        url=record.url,
        sentences=abstract.sentences,
        match_score=score,
        matched_by=f"{matched_by}; {abstract.note}" if abstract.note else matched_by,
        of_cited_work=of_cited_work,
        retrieved_at=datetime.now(UTC),
    )


def failed(
    reference: Reference, source: str, error: VeriSciteError, queries: tuple[str, ...] = ()
) -> LookupFailed:
    """Tell that a source could not be asked about a reference."""
    return LookupFailed(
        reference_id=reference.id,
        source=source,
        code=error.code,
        message=str(error),
        retryable=error.retryable,
        queries=queries,
    )


def _candidate(match: Match) -> Candidate:
    return match.record.candidate(match.score)


def _nearest_detail(choice: Choice) -> str:
    if not choice.nearest:
        return ""
    nearest = choice.nearest[0]
    title = re.sub(r"\s+", " ", nearest.record.title)[:120]
    return f"nearest record: {title!r} ({nearest.record.year or 'no year'}), not taken: {nearest.reason}"
