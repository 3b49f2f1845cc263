"""Hand-built reports and events with every kind of content, for the tests of every surface."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from veriscite.domain import (
    Abstention,
    AgentAction,
    AgentStep,
    Ambiguous,
    Attribution,
    Author,
    Candidate,
    Citance,
    CitationMarker,
    Claim,
    ClaimResult,
    Component,
    DecidedBy,
    Evidence,
    EvidenceLookup,
    Failure,
    FinalVerdict,
    Found,
    Identifiers,
    Label,
    LabelProbabilities,
    LookupFailed,
    Manuscript,
    MarkerStyle,
    NoAbstract,
    NotFound,
    Pairing,
    Provenance,
    ReadingNote,
    Reference,
    Report,
    RunStatus,
    Scope,
    Section,
    SkippedMarker,
    SkipReason,
    Span,
    Summary,
    Tokens,
    TokenScore,
    UnresolvedClaim,
    Verdict,
)
from veriscite.domain.events import (
    AgentActed,
    AgentActionStarted,
    Attributed,
    ClaimDone,
    ClaimFailed,
    ClaimSettled,
    ClaimStarted,
    ClaimUnresolved,
    Compared,
    Event,
    ManuscriptRead,
    MarkerSkipped,
    ModelLoading,
    ModelReady,
    Paired,
    ReferenceLookedUp,
    RetrievalStarted,
    RunFinished,
    RunStarted,
    VerifierAnswered,
    Waiting,
)
from veriscite.reporting import summarise

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


def probabilities(support: float, contradict: float) -> LabelProbabilities:
    """Probabilities that sum to one."""
    return LabelProbabilities(
        support=support, contradict=contradict, not_enough_info=round(1 - support - contradict, 6)
    )


def nli(label: Label, scores: LabelProbabilities | None, *rationale: int, calibrated: bool = True) -> Verdict:
    """A verdict of the fine-tuned model."""
    return Verdict(
        verifier="nli",
        label=label,
        probabilities=scores,
        calibrated=calibrated,
        rationale=rationale,
        model="DeBERTa-v3-xsmall + science",
        revision="abc123",
    )


def blind(
    label: Label, *quotes: str, reason: str = "The abstract says so.", verifier: str = "blind"
) -> Verdict:
    """A verdict of the blind verifier, without probabilities."""
    return Verdict(
        verifier=verifier,
        label=label,
        quotes=quotes,
        rationale=(1,) if quotes else (),
        justification=reason,
        model="offline stand-in",
        revision="def456",
        prompt_hash="0a1b2c3d4e5f",
        tokens=Tokens(input=410, output=35),
    )


def abstention(verifier: str) -> Abstention:
    """A verifier that could not answer."""
    return Abstention(verifier=verifier, code="chat_unavailable", reason="No answer after two retries.")


def attribution(claim: str, sentence: str, index: int, target: Label) -> Attribution:
    """Scores that alternate in sign, one for each word."""

    def tokens(text: str, sign: float) -> tuple[TokenScore, ...]:
        scores, at = [], 0
        for n, word in enumerate(text.split()):
            start = text.index(word, at)
            at = start + len(word)
            score = sign * (n + 1) / 10 * (1 if n % 3 else -1)
            scores.append(TokenScore(text=word, span=Span(start=start, end=at), score=score))
        return tuple(scores)

    return Attribution(
        target=target,
        claim_text=claim,
        sentence=sentence,
        claim=tokens(claim, 1),
        evidence=tokens(sentence, -1),
        sentence_index=index,
        baseline="PAD in place of every word",
        steps=32,
        convergence_delta=0.021,
        output_difference=2.1,
        model="DeBERTa-v3-xsmall + science",
    )


def _agent_steps() -> tuple[AgentStep, ...]:
    other = evidence(
        9, f"Another work {HOSTILE_SCRIPT}", "Recall was unchanged.", source="semantic_scholar", own=False
    )
    return (
        AgentStep(
            index=1,
            action=AgentAction.SEARCH_AGAIN,
            arguments={"query": f"sleep loss recall {HOSTILE_MARKUP}"},
            thought="The abstract speaks of mood only.",
            observation="Found the abstract of another work.",
            evidence=other,
            started_at=START,
            duration_s=0.8,
        ),
        AgentStep(
            index=2,
            action=AgentAction.SECOND_OPINION,
            thought="The verdicts still differ.",
            observation="The second opinion: not enough information.",
            outcomes=(blind(Label.NOT_ENOUGH_INFO, verifier="second_opinion"),),
            started_at=START,
            duration_s=1.4,
            tokens=Tokens(input=512, output=40),
        ),
        AgentStep(
            index=3,
            action=AgentAction.CONCLUDE,
            arguments={"label": "NOT_ENOUGH_INFO"},
            thought="Two of three find nothing on recall.",
            observation="Concluded.",
            started_at=START,
            duration_s=0.1,
        ),
    )


def results(claims: tuple[Claim, ...]) -> tuple[ClaimResult, ...]:
    """A contradiction, a support, an agent's case, an abstention and a single verifier's verdict."""
    sure, unsure = probabilities(0.03, 0.95), probabilities(0.91, 0.04)
    return (
        ClaimResult(
            claim_id="c1",
            reference_id="ref-1",
            outcomes=(
                nli(Label.CONTRADICT, sure, 1),
                blind(
                    Label.CONTRADICT, "Metformin lowered fasting glucose", reason="It fell; it did not rise."
                ),
            ),
            agreed=True,
            final=FinalVerdict(
                label=Label.CONTRADICT,
                confidence=0.95,
                decided_by=DecidedBy.AGREEMENT,
                justification="Both verifiers find the opposite direction.",
            ),
            attribution=attribution(claims[0].text, EVIDENCE["ref-1"].sentences[1], 1, Label.CONTRADICT),
            duration_s=1.25,
        ),
        ClaimResult(
            claim_id="c2",
            reference_id="ref-2",
            outcomes=(nli(Label.SUPPORT, unsure, 0), blind(Label.SUPPORT)),
            agreed=True,
            final=FinalVerdict(label=Label.SUPPORT, confidence=0.91, decided_by=DecidedBy.AGREEMENT),
            attribution=attribution(claims[1].text, EVIDENCE["ref-2"].sentences[0], 0, Label.SUPPORT),
        ),
        ClaimResult(
            claim_id="c3",
            reference_id="ref-3",
            outcomes=(nli(Label.SUPPORT, probabilities(0.6, 0.1), 1), blind(Label.NOT_ENOUGH_INFO)),
            agreed=False,
            steps=_agent_steps(),
            final=FinalVerdict(
                label=Label.NOT_ENOUGH_INFO,
                decided_by=DecidedBy.AGENT,
                justification=f"Recall is not spoken of {HOSTILE_SCRIPT}.",
            ),
        ),
        ClaimResult(
            claim_id="c4",
            reference_id="ref-4",
            outcomes=(abstention("nli"), abstention("blind")),
            agreed=False,
            final=None,
            notes=("No verifier could answer.",),
        ),
        ClaimResult(
            claim_id="c10",
            reference_id="ref-2",
            outcomes=(
                nli(Label.SUPPORT, probabilities(UNCALIBRATED, 0.01), 1, calibrated=False),
                abstention("blind"),
            ),
            agreed=False,
            final=FinalVerdict(
                label=Label.SUPPORT,
                decided_by=DecidedBy.SINGLE_VERIFIER,
                justification="Only the NLI model answered.",
            ),
            notes=("The attribution could not be made: the model gives no gradients.",),
        ),
    )


PROVENANCE = Provenance(
    veriscite="0.1.0",
    components=(
        Component(
            role="nli", name="DeBERTa-v3-xsmall + science", detail="Fine-tuned by us.", revision="abc123"
        ),
        Component(
            role="blind",
            name="offline stand-in",
            detail="An NLI model, not a language model.",
            revision="def456",
        ),
        Component(role="planner", name="rule-based planner"),
        Component(role="source", name="library", detail="4 entries with abstracts"),
    ),
    offline=True,
    libraries={"torch": "2.13.0", "transformers": "5.24.0"},
    notes=("Licence of the base weights is not stated.",),
)


def full_report() -> Report:
    """A finished run with every kind of content, hostile text included."""
    manuscript, pairing = manuscript_and_pairing()
    found = results(pairing.claims)
    return _report(manuscript, pairing, found, RunStatus.FINISHED)


def cancelled_report() -> Report:
    """The same run, stopped after its first result: four claims were not reached."""
    manuscript, pairing = manuscript_and_pairing()
    return _report(manuscript, pairing, results(pairing.claims)[:1], RunStatus.CANCELLED)


def empty_report() -> Report:
    """A run whose every marker was skipped: no claim at all."""
    manuscript, pairing = manuscript_and_pairing()
    bare = pairing.model_copy(update={"claims": (), "citances": ()})
    summary = summarise(manuscript=manuscript, pairing=bare, results=(), unresolved=(), failures=())
    return full_report().model_copy(
        update={
            "pairing": bare,
            "results": (),
            "unresolved": (),
            "failures": (),
            "lookups": (),
            "summary": summary,
        }
    )


def _report(
    manuscript: Manuscript, pairing: Pairing, found: tuple[ClaimResult, ...], status: RunStatus
) -> Report:
    summary: Summary = summarise(
        manuscript=manuscript, pairing=pairing, results=found, unresolved=UNRESOLVED, failures=FAILURES
    )
    return Report(
        run_id="run-1",
        status=status,
        started_at=START,
        finished_at=START + timedelta(seconds=12.5),
        manuscript=manuscript,
        pairing=pairing,
        lookups=LOOKUPS,
        results=found,
        unresolved=UNRESOLVED,
        failures=FAILURES,
        summary=summary,
        provenance=PROVENANCE,
    )


def events_of(report: Report) -> list[Event]:
    """The events that a run with this outcome sends, in a plausible order, each type but `RunFailed`."""
    pairing, summary = report.pairing, report.summary
    events: list[Event] = [
        RunStarted(source_name=report.manuscript.source_name, provenance=report.provenance),
        ManuscriptRead(
            title=report.manuscript.title,
            characters=len(report.manuscript.text),
            sections=len(report.manuscript.sections),
            references=len(report.manuscript.references),
            notes=tuple(note.message for note in report.manuscript.notes),
        ),
        *(MarkerSkipped(skipped=skipped) for skipped in pairing.skipped),
        Paired(
            markers=summary.markers,
            citances=len(pairing.citances),
            claims=summary.claims,
            skipped=summary.skipped,
            cited_references=summary.cited_references,
        ),
        RetrievalStarted(references=summary.cited_references, sources=("library", "semantic_scholar")),
        Waiting(source="semantic_scholar", seconds=2.0, reason="The server asks for a pause."),
        *(ReferenceLookedUp(lookup=lookup) for lookup in report.lookups),
    ]
    done = 0
    events.append(ModelLoading(role="nli", name="DeBERTa-v3-xsmall + science"))
    events.append(ModelReady(role="nli", name="DeBERTa-v3-xsmall + science", seconds=2.1))
    for unresolved in report.unresolved:
        events.append(ClaimUnresolved(**unresolved.model_dump()))
        done += 1
        events.append(ClaimDone(claim_id=unresolved.claim_id, done=done, total=summary.claims))
    texts = {claim.id: claim.text for claim in pairing.claims}
    for result in report.results:
        events += _claim_events(result, texts[result.claim_id])
        done += 1
        events.append(ClaimDone(claim_id=result.claim_id, done=done, total=summary.claims))
    for failure in report.failures:
        events.append(
            ClaimStarted(
                claim_id=failure.claim_id,
                reference_id=failure.reference_id,
                claim=texts[failure.claim_id],
                evidence_title=EVIDENCE[failure.reference_id].title,
            )
        )
        events.append(ClaimFailed(failure=failure))
        done += 1
        events.append(ClaimDone(claim_id=failure.claim_id, done=done, total=summary.claims))
    events.append(RunFinished(status=report.status, summary=summary))
    return [
        event.model_copy(update={"run_id": "run-1", "seq": n, "at": START}) for n, event in enumerate(events)
    ]


def _claim_events(result: ClaimResult, claim: str) -> list[Event]:
    events: list[Event] = [
        ClaimStarted(
            claim_id=result.claim_id,
            reference_id=result.reference_id,
            claim=claim,
            evidence_title=EVIDENCE[result.reference_id].title,
        ),
        *(VerifierAnswered(claim_id=result.claim_id, outcome=outcome) for outcome in result.outcomes),
        Compared(
            claim_id=result.claim_id,
            agreed=result.agreed,
            needs_agent=bool(result.steps),
            detail="Both verifiers abstained." if result.final is None else "Told by the labels.",
        ),
    ]
    for step in result.steps:
        events.append(
            AgentActionStarted(
                claim_id=result.claim_id,
                index=step.index,
                action=step.action,
                arguments=step.arguments,
                thought=step.thought,
                actions_left=3 - step.index,
            )
        )
        events.append(AgentActed(claim_id=result.claim_id, step=step))
    events.append(
        ClaimSettled(
            claim_id=result.claim_id,
            final=result.final,
            reason="" if result.final else "Every verifier abstained.",
        )
    )
    if result.final is not None and result.final.label is not Label.NOT_ENOUGH_INFO:
        events.append(
            Attributed(
                claim_id=result.claim_id,
                attribution=result.attribution,
                reason="" if result.attribution else "The model gives no gradients.",
            )
        )
    return events
