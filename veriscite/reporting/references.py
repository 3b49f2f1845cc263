"""The state of references in words, for every rendering; the gravest first."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veriscite.domain import (
    Candidate,
    Mismatch,
    Notice,
    NoticeKind,
    Reference,
    ReferenceCheck,
    ReferenceStatus,
    Report,
)
from veriscite.reporting.text import one_line, plural, shorten, source_words

_LONG = 400


class Finding(StrEnum):
    """What is to be said of a reference, in the order in which an author should look."""

    RETRACTED = "retracted"
    CONCERN = "concern"
    INVENTED = "invented"
    MISMATCH = "mismatch"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not_found"
    CORRECTED = "corrected"
    PUBLISHED = "published"
    DUPLICATE = "duplicate"
    SLIP = "slip"
    NOT_CHECKED = "not_checked"


FINDING_WORDS = {
    Finding.RETRACTED: "Retracted",
    Finding.CONCERN: "Expression of concern",
    Finding.INVENTED: "Possibly invented",
    Finding.MISMATCH: "Differs from the record",
    Finding.AMBIGUOUS: "Several records fit",
    Finding.NOT_FOUND: "Not found",
    Finding.CORRECTED: "Corrected since",
    Finding.PUBLISHED: "Preprint, published since",
    Finding.DUPLICATE: "Listed more than once",
    Finding.SLIP: "Slips",
    Finding.NOT_CHECKED: "Not checked",
}

FINDING_MEANING = {
    Finding.RETRACTED: "the publisher has withdrawn the work",
    Finding.CONCERN: "the publisher doubts the work",
    Finding.INVENTED: "several sources know nothing of it; a suspicion, not a finding",
    Finding.MISMATCH: "a reader may be led to another work, or another person be credited",
    Finding.AMBIGUOUS: "several records fit equally well",
    Finding.NOT_FOUND: "no source asked knows it; sources do not list everything",
    Finding.CORRECTED: "the publisher has corrected the work",
    Finding.PUBLISHED: "the published version may be meant",
    Finding.DUPLICATE: "several entries cite one work",
    Finding.SLIP: "small differences from the record",
    Finding.NOT_CHECKED: "no source could be asked, which says nothing of the work",
}

FINDING_SYMBOLS = {
    Finding.RETRACTED: "✗",
    Finding.CONCERN: "!",
    Finding.INVENTED: "?",
    Finding.MISMATCH: "≠",
    Finding.AMBIGUOUS: "?",
    Finding.NOT_FOUND: "–",
    Finding.CORRECTED: "!",
    Finding.PUBLISHED: "↑",
    Finding.DUPLICATE: "≡",
    Finding.SLIP: "≈",
    Finding.NOT_CHECKED: "·",
}
"""A sign beside the words, so that colour never speaks alone."""

_NOTICE_FINDING = {
    NoticeKind.RETRACTED: Finding.RETRACTED,
    NoticeKind.EXPRESSION_OF_CONCERN: Finding.CONCERN,
    NoticeKind.CORRECTED: Finding.CORRECTED,
}
_STATUS_FINDING = {
    ReferenceStatus.AMBIGUOUS: Finding.AMBIGUOUS,
    ReferenceStatus.NOT_FOUND: Finding.NOT_FOUND,
    ReferenceStatus.NOT_CHECKED: Finding.NOT_CHECKED,
}


@dataclass(frozen=True)
class Remark:
    """One thing to say of a reference; untrusted text is in it."""

    finding: Finding
    text: str


@dataclass(frozen=True)
class CheckedReference:
    """A reference, its state, and what to say of it, the gravest first."""

    reference: Reference | None
    check: ReferenceCheck
    remarks: tuple[Remark, ...]


def remarks_on(check: ReferenceCheck) -> tuple[Remark, ...]:
    """Return what is to be said of a reference, the gravest first; nothing where all is well."""
    remarks = [Remark(_NOTICE_FINDING[notice.kind], _notice(notice)) for notice in check.notices]
    if check.suspicion:
        remarks.append(Remark(Finding.INVENTED, check.suspicion))
    elif check.status in _STATUS_FINDING:
        remarks.append(Remark(_STATUS_FINDING[check.status], _status(check)))
    remarks += [
        Remark(Finding.MISMATCH if mismatch.serious else Finding.SLIP, mismatch_words(mismatch))
        for mismatch in check.mismatches
    ]
    if check.published_as is not None:
        remarks.append(Remark(Finding.PUBLISHED, f"Published as {record_words(check.published_as)}"))
    if check.duplicates:
        others = ", ".join(check.duplicates)
        remarks.append(Remark(Finding.DUPLICATE, f"The same work as {others}."))
    order = list(Finding)
    return tuple(sorted(remarks, key=lambda remark: order.index(remark.finding)))


def findings_of(check: ReferenceCheck) -> tuple[Finding, ...]:
    """Return the kinds of what is to be said of a reference, each once, the gravest first."""
    return tuple(dict.fromkeys(remark.finding for remark in remarks_on(check)))


def finding_counts(checks: Sequence[ReferenceCheck]) -> dict[str, int]:
    """Count references by finding; those that occur, the gravest first."""
    counts = Counter(finding for check in checks for finding in findings_of(check))
    return {finding.value: counts[finding] for finding in Finding if counts[finding]}


def checked_references(report: Report) -> tuple[CheckedReference, ...]:
    """Return the references that need a look, the gravest first, else in the list's order."""
    references = {reference.id: reference for reference in report.manuscript.references}
    order = list(Finding)
    views = [
        CheckedReference(references.get(check.reference_id), check, remarks_on(check))
        for check in report.reference_checks
        if check.needs_a_look
    ]
    return tuple(sorted(views, key=lambda view: order.index(view.remarks[0].finding)))


def reach_words(report: Report) -> str:
    """Return how many references could be looked into."""
    checked = report.summary.references_checked
    missed = report.summary.reference_findings.get(Finding.NOT_CHECKED.value, 0)
    if not missed:
        return f"{plural(checked, 'reference')} looked into"
    return f"{checked - missed} of {plural(checked, 'reference')} could be looked into"


def well_words(report: Report) -> str:
    """Return of how many references that were looked into there is nothing to say; empty if of none was."""
    missed = {c.reference_id for c in report.reference_checks if c.status is ReferenceStatus.NOT_CHECKED}
    looked = [check for check in report.reference_checks if check.reference_id not in missed]
    if not looked:
        return ""
    return f"Nothing to say of {sum(not check.needs_a_look for check in looked)} of them."


def reference_section(report: Report) -> dict[str, Any]:
    """Return what the templates need to tell of the references."""
    return {
        "only_references": only_references(report),
        "checked": checked_references(report),
        "findings": tuple(Finding),
        "finding_words": FINDING_WORDS,
        "finding_meaning": FINDING_MEANING,
        "finding_symbols": FINDING_SYMBOLS,
        "record_words": record_words,
        "reach": reach_words(report),
        "well": well_words(report),
    }


def only_references(report: Report) -> bool:
    """Say whether nothing but a reference list was checked."""
    return not report.pairing.markers  # a check of claims does not run without any


def mismatch_words(mismatch: Mismatch) -> str:
    """Return a mismatch in a sentence."""
    part = {"doi": "identifier"}.get(mismatch.part, mismatch.part)
    cited, found = shorten(mismatch.cited, _LONG), shorten(mismatch.found, _LONG)
    note = f" ({one_line(mismatch.note)})" if mismatch.note else ""
    source = source_words(mismatch.source)
    return f"{part[:1].upper()}{part[1:]}: cited “{cited}”, found “{found}” at {source}{note}."


def record_words(record: Candidate) -> str:
    """Return a record in a line."""
    names = ", ".join(record.authors[:3]) + (" et al." if len(record.authors) > 3 else "")
    where = ", ".join(part for part in (record.venue, str(record.year or "")) if part)
    doi = f"doi:{record.identifiers.doi}" if record.identifiers.doi else ""
    parts = [names, f"“{record.title}”" if record.title else "", where, doi]
    return f"{one_line('. '.join(part for part in parts if part))} ({source_words(record.source)})."


def _notice(notice: Notice) -> str:
    said = " and ".join(source_words(source) for source in notice.source.split(", "))
    date = f" on {notice.date}" if notice.date else ""
    doi = f", notice doi:{notice.doi}" if notice.doi else ""
    detail = f": {one_line(notice.detail)}" if notice.detail else ""
    return f"{notice.kind.value.replace('_', ' ').capitalize()}{date}, says {said}{doi}{detail}."


def _status(check: ReferenceCheck) -> str:
    said = [
        f"{source_words(answer.source)}: {one_line(answer.detail) or answer.status.replace('_', ' ')}"
        for answer in check.answers
    ]
    if check.status is ReferenceStatus.NOT_CHECKED and not said:
        return "No source was asked."
    plain = [source_words(a.source) for a in check.answers if a.status == "not_found" and not a.detail]
    if check.status is ReferenceStatus.NOT_FOUND and plain:
        # Those that had nothing to add are named together.
        told = [words for words, answer in zip(said, check.answers, strict=True) if answer.detail]
        said = [*told, f"asked without result: {', '.join(plain)}"]
    return f"{'; '.join(said)}." if said else FINDING_MEANING[_STATUS_FINDING[check.status]]
