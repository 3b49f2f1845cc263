"""Checks of the references of the hand-built reports: every kind of finding, hostile text included."""

from tests.builder_paper import HOSTILE_IMAGE, HOSTILE_SCRIPT
from veriscite.domain import (
    Candidate,
    Identifiers,
    Mismatch,
    Notice,
    NoticeKind,
    ReferenceCheck,
    ReferenceStatus,
    SourceAnswer,
)

_FOUND = SourceAnswer(source="crossref", status="found")
_MISSED = SourceAnswer(source="crossref", status="not_found")

REFERENCE_CHECKS = (
    ReferenceCheck(
        reference_id="ref-1",
        status=ReferenceStatus.FOUND,
        found_by=("crossref", "openalex"),
        record=Candidate(
            source="crossref",
            record_id="10.1000/metf.1",
            title="Metformin and fasting glucose",
            year=2015,
            authors=("P. Adler",),
            score=0.99,
            venue="Journal of Metabolism",
            identifiers=Identifiers(doi="10.1000/metf.1"),
        ),
        answers=(_FOUND,),
        notices=(
            Notice(
                kind=NoticeKind.RETRACTED,
                source="crossref, openalex",
                doi="10.1000/metf.r",
                date="2019-04-01",
            ),
        ),
        duplicates=("ref-9",),
    ),
    ReferenceCheck(reference_id="ref-2", status=ReferenceStatus.FOUND, found_by=("openalex",)),
    ReferenceCheck(
        reference_id="ref-3",
        status=ReferenceStatus.FOUND,
        found_by=("openalex",),
        record=Candidate(source="openalex", record_id="W3", title=f"Sleep {HOSTILE_IMAGE}", year=2014),
        answers=(_FOUND,),
        mismatches=(
            Mismatch(
                part="year", cited="2019", found="2014", source="openalex", serious=True, note="5 years apart"
            ),
            Mismatch(
                part="title",
                cited=f"Sleep and memory {HOSTILE_SCRIPT}",
                found="Sleep | memory",
                source="openalex",
                note="other wording",
            ),
        ),
    ),
    ReferenceCheck(
        reference_id="ref-4",
        status=ReferenceStatus.FOUND,
        found_by=("openalex",),
        published_as=Candidate(
            source="openalex", record_id="W4", title="A scale of fatigue", venue="Scales", year=2012
        ),
    ),
    ReferenceCheck(
        reference_id="ref-5",
        status=ReferenceStatus.NOT_FOUND,
        answers=(_MISSED,),
        suspicion="Crossref and OpenAlex were asked for “unknown title” and know no such work.",
    ),
    ReferenceCheck(
        reference_id="ref-6",
        status=ReferenceStatus.AMBIGUOUS,
        answers=(SourceAnswer(source="crossref", status="ambiguous", detail="two fit equally well"),),
    ),
    ReferenceCheck(reference_id="ref-7", status=ReferenceStatus.NOT_FOUND, answers=(_MISSED,)),
    ReferenceCheck(
        reference_id="ref-8",
        status=ReferenceStatus.NOT_CHECKED,
        answers=(SourceAnswer(source="crossref", status="lookup_failed", detail="The server answered 503."),),
    ),
    ReferenceCheck(
        reference_id="ref-9",
        status=ReferenceStatus.FOUND,
        found_by=("crossref",),
        notices=(
            Notice(kind=NoticeKind.EXPRESSION_OF_CONCERN, source="crossref"),
            Notice(kind=NoticeKind.CORRECTED, source="crossref", doi="10.1000/corr"),
        ),
        duplicates=("ref-1",),
    ),
)
