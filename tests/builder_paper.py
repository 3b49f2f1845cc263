"""The hand-built paper of the tests: its text, references, evidence and what could not be judged."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from veriscite.domain import (
    Ambiguous,
    Author,
    Candidate,
    Citance,
    CitationMarker,
    Claim,
    Evidence,
    EvidenceLookup,
    Failure,
    Found,
    Identifiers,
    LookupFailed,
    Manuscript,
    MarkerStyle,
    NoAbstract,
    NotFound,
    Pairing,
    ReadingNote,
    Reference,
    Scope,
    Section,
    SkippedMarker,
    SkipReason,
    Span,
    UnresolvedClaim,
)

START = datetime(2025, 3, 14, 9, 26, 53, tzinfo=UTC)
UNCALIBRATED = 0.98765
"""A probability that no surface may show: it was never calibrated."""

HOSTILE_SCRIPT = "<script>alert('x')</script>"
HOSTILE_MARKUP = "[bold red]markup[/bold red]"
HOSTILE_CELL = "=cmd|'/C calc'!A0"
HOSTILE_BIDI = "invoice\u202egnp.exe"
HOSTILE_ESCAPE = "\x1b[31mred\x1b[0m"
HOSTILE_IMAGE = "![x](http://evil.example/x.png)"
HOSTILE_URL = "javascript:alert(1)"


@dataclass(frozen=True)
class _Sentence:
    section: str
    before: str
    marker: str
    after: str
    references: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.before}{self.marker}{self.after}"


_SENTENCES = (
    _Sentence("Introduction", "Metformin raised fasting glucose in every group ", "[1]", ".", ("ref-1",)),
    _Sentence("Introduction", "Exercise lowers resting blood pressure ", "[2]", ".", ("ref-2",)),
    _Sentence(
        "Introduction",
        f"Sleep loss {HOSTILE_SCRIPT} harms recall {HOSTILE_MARKUP} in adults ",
        "[3]",
        ".",
        ("ref-3",),
    ),
    _Sentence("Methods", "The scale was validated | in two cohorts ", "[4]", ".", ("ref-4",)),
    _Sentence("Methods", f"{HOSTILE_CELL} was used as before ", "[5, 99]", ".", ("ref-5",)),
    _Sentence("Methods", "Both trials enrolled older people ", "[6]", ".", ("ref-6",)),
    _Sentence("Results", "Our rate agrees with the registry ", "[7]", ".", ("ref-7",)),
    _Sentence("Results", f"Costs fell by half {HOSTILE_IMAGE} ", "[8]", ".", ("ref-8",)),
    _Sentence("Results", f"Uptake was slow {HOSTILE_ESCAPE} at first ", "[1]", ".", ("ref-1",)),
    _Sentence("Results", "Fewer falls were seen after training ", "[2]", ".", ("ref-2",)),
)


def _author(family: str, given: str | None = None) -> Author:
    return Author(family=family, given=given)


REFERENCES = (
    Reference(
        id="ref-1",
        label="1",
        raw="1. Adler P. Metformin and fasting glucose. J Metab. 2015. doi:10.1000/metf.1",
        title="Metformin and fasting glucose",
        authors=(_author("Adler", "P"),),
        year=2015,
        venue="J Metab",
        identifiers=Identifiers(doi="10.1000/metf.1"),
    ),
    Reference(
        id="ref-2",
        label="2",
        raw="2. Beck R, Çelik Ö. Exercise and blood pressure. Hypertens Today. 2018.",
        title="Exercise and blood pressure",
        authors=(_author("Beck", "R"), _author("Çelik", "Ö")),
        year=2018,
    ),
    Reference(
        id="ref-3",
        label="3",
        raw=f"3. Cruz L. Sleep and memory {HOSTILE_SCRIPT}. 2019.",
        title=f"Sleep and memory {HOSTILE_SCRIPT}",
        authors=(_author("Cruz", "L"),),
        year=2019,
    ),
    Reference(id="ref-4", label="4", raw="4. Diaz M. A scale of fatigue. 2011.", title="A scale of fatigue"),
    Reference(id="ref-5", label="5", raw=HOSTILE_CELL, title=None),
    Reference(
        id="ref-6", label="6", raw="6. Evans K. Trial results. 2012.", title="Trial results", year=2012
    ),
    Reference(id="ref-7", label="7", raw="7. Fox J. The registry. 2013.", title="The registry", year=2013),
    Reference(id="ref-8", label="8", raw="8. Gray H. Costs of care. 2014.", title="Costs of care", year=2014),
    Reference(id="ref-9", label="9", raw="9. Never cited. 2001.", title="Never cited", year=2001),
)


def _text() -> tuple[str, tuple[Section, ...], list[Span], list[Span]]:
    """Lay the sentences out and return text, sections, and the spans of sentences and markers."""
    text = "# A short review\n"
    sections: list[Section] = []
    sentences: list[Span] = []
    markers: list[Span] = []
    for heading in dict.fromkeys(s.section for s in _SENTENCES):
        text += f"\n## {heading}\n\n"
        start = len(text)
        text += "A sentence that cites nothing opens the section. "
        for sentence in (s for s in _SENTENCES if s.section == heading):
            begin = len(text)
            text += sentence.text
            sentences.append(Span(start=begin, end=len(text)))
            at = begin + len(sentence.before)
            markers.append(Span(start=at, end=at + len(sentence.marker)))
            text += " "
        sections.append(Section(heading=heading, level=2, span=Span(start=start, end=len(text))))
        text += "\n"
    return text, tuple(sections), sentences, markers


def manuscript_and_pairing() -> tuple[Manuscript, Pairing]:
    """Ten claims in three sections, nine references of which one is never cited, two skipped parts."""
    text, sections, spans, marker_spans = _text()
    markers, citances, claims = [], [], []
    for n, (sentence, span, marker_span) in enumerate(zip(_SENTENCES, spans, marker_spans, strict=True), 1):
        markers.append(
            CitationMarker(
                id=f"m{n}",
                span=marker_span,
                raw=sentence.marker,
                style=MarkerStyle.NUMERIC,
                reference_ids=sentence.references,
            )
        )
        citances.append(
            Citance(
                id=f"s{n}", span=span, text=sentence.text, marker_ids=(f"m{n}",), section=sentence.section
            )
        )
        claims.append(
            Claim(
                id=f"c{n}",
                citance_id=f"s{n}",
                reference_id=sentence.references[0],
                text=f"{sentence.before.strip()}{sentence.after}",
                span=span,
            )
        )
    skipped = (
        SkippedMarker(
            marker_id="m5",
            span=marker_spans[4],
            part="99",
            reason=SkipReason.NO_ENTRY,
            detail="The reference list has no entry 99; it ends at 9.",
        ),
        SkippedMarker(
            marker_id="m6",
            span=marker_spans[5],
            part="Evans 2012",
            reason=SkipReason.AMBIGUOUS_ENTRY,
            detail="Two entries fit equally well.",
            candidates=("ref-6", "ref-7"),
        ),
    )
    manuscript = Manuscript(
        id="0123456789abcdef",
        source_name="paper.md",
        format="markdown",
        title=f"A short review {HOSTILE_SCRIPT}",
        text=text,
        body=Span(start=0, end=len(text)),
        sections=sections,
        references=REFERENCES,
        notes=(ReadingNote(message="A line of the reference list could not be read.", raw="??", line=12),),
        content_hash="0123456789abcdef" * 4,
    )
    pairing = Pairing(markers=tuple(markers), citances=tuple(citances), claims=tuple(claims), skipped=skipped)
    return manuscript, pairing


def evidence(
    n: int,
    title: str,
    *sentences: str,
    source: str = "library",
    match: float | None = None,
    url: str | None = None,
    own: bool = True,
) -> Evidence:
    """An abstract."""
    return Evidence(
        source=source,
        record_id=f"rec-{n}",
        title=title,
        year=2010 + n,
        authors=(_author("Adler", "P"),),
        venue="J Metab",
        identifiers=Identifiers(doi=f"10.1000/rec.{n}") if n == 1 else Identifiers(),
        url=url,
        sentences=sentences,
        scope=Scope.ABSTRACT,
        match_score=match,
        matched_by="title, first author and year" if match is not None else "",
        of_cited_work=own,
        retrieved_at=START,
    )


EVIDENCE = {
    "ref-1": evidence(
        1,
        "Metformin and fasting glucose",
        "We studied 120 adults.",
        "Metformin lowered fasting glucose in every group.",
        "No harm was seen.",
    ),
    "ref-2": evidence(
        2,
        f"Exercise and blood pressure {HOSTILE_BIDI}",
        "Resting blood pressure fell after twelve weeks of exercise.",
        "Falls were not recorded.",
        source="semantic_scholar",
        match=0.97,
        url=HOSTILE_URL,
    ),
    "ref-3": evidence(3, "Sleep and memory", "Students slept four hours.", "Mood was worse afterwards."),
    "ref-4": evidence(4, "A scale of fatigue", "A scale is proposed."),
}

LOOKUPS: tuple[EvidenceLookup, ...] = (
    *(Found(reference_id=key, evidence=value, queries=("own library",)) for key, value in EVIDENCE.items()),
    NotFound(
        reference_id="ref-5",
        asked=("library", "semantic_scholar"),
        queries=("unknown title",),
        detail="No record fits.",
        nearest=(
            Candidate(
                source="semantic_scholar",
                record_id="x1",
                title="Something else",
                year=1999,
                authors=("Hill",),
                score=0.41,
            ),
        ),
    ),
    Ambiguous(
        reference_id="ref-6",
        candidates=(
            Candidate(source="semantic_scholar", record_id="a1", title="Trial results I", year=2012),
            Candidate(source="semantic_scholar", record_id="a2", title="Trial results II", year=2012),
        ),
        detail="Two records fit equally well.",
    ),
    NoAbstract(
        reference_id="ref-7",
        record=Candidate(source="semantic_scholar", record_id="b1", title="The registry", year=2013),
        detail="The publisher withholds the abstract.",
    ),
    LookupFailed(
        reference_id="ref-8",
        source="semantic_scholar",
        code="source_failed",
        message="The server answered 503 four times.",
    ),
)

UNRESOLVED = (
    UnresolvedClaim(claim_id="c5", reference_id="ref-5", status="not_found", reason="No record fits."),
    UnresolvedClaim(
        claim_id="c6", reference_id="ref-6", status="ambiguous", reason="Two records fit equally well."
    ),
    UnresolvedClaim(
        claim_id="c7",
        reference_id="ref-7",
        status="no_abstract",
        reason="The publisher withholds the abstract.",
    ),
    UnresolvedClaim(
        claim_id="c8",
        reference_id="ref-8",
        status="lookup_failed",
        reason="The server answered 503 four times.",
    ),
)

FAILURES = (
    Failure(
        claim_id="c9",
        reference_id="ref-1",
        step="verify",
        code="model_failed",
        message="The model ran out of memory.",
        advice="Set a smaller batch.",
        retryable=True,
    ),
)
