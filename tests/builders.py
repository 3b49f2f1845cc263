"""Hand-built reports and events with every kind of content, for the tests of every surface."""

from __future__ import annotations

from datetime import timedelta

from tests.builder_checks import REFERENCE_CHECKS
from tests.builder_paper import (
    EVIDENCE,
    FAILURES,
    HOSTILE_IMAGE,
    HOSTILE_MARKUP,
    HOSTILE_SCRIPT,
    LOOKUPS,
    START,
    UNCALIBRATED,
    UNRESOLVED,
    evidence,
    manuscript_and_pairing,
)
from veriscite.domain import (
    Abstention,
    AgentAction,
    AgentStep,
    Attribution,
    Claim,
    ClaimResult,
    Component,
    DecidedBy,
    DeletionTest,
    FinalVerdict,
    Label,
    LabelProbabilities,
    Manuscript,
    Pairing,
    Provenance,
    Report,
    RunStatus,
    Span,
    Summary,
    Tokens,
    TokenScore,
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
    ReferenceChecked,
    ReferenceLookedUp,
    RetrievalProgress,
    RetrievalStarted,
    RunFinished,
    RunStarted,
    VerifierAnswered,
    Waiting,
)
from veriscite.reporting import summarise

__all__ = [
    "EVIDENCE", "HOSTILE_IMAGE", "HOSTILE_SCRIPT", "PROVENANCE", "START", "UNCALIBRATED", "attribution",
    "cancelled_report", "empty_report", "events_of", "full_report", "manuscript_and_pairing", "nli",
]  # fmt: skip


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


def attribution(
    claim: str, sentence: str, index: int, target: Label, *, top_drop: float = 1.9
) -> Attribution:
    """Scores that alternate in sign, one for each word; words drawn at random drop the label by 0.4."""

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
        deletion=DeletionTest(k=2, top_drop=top_drop, random_drop=0.4),
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
            attribution=attribution(
                claims[1].text, EVIDENCE["ref-2"].sentences[0], 0, Label.SUPPORT, top_drop=0.2
            ),
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
            "reference_checks": (),
            "summary": summary,
        }
    )


def _report(
    manuscript: Manuscript, pairing: Pairing, found: tuple[ClaimResult, ...], status: RunStatus
) -> Report:
    summary: Summary = summarise(
        manuscript=manuscript,
        pairing=pairing,
        results=found,
        unresolved=UNRESOLVED,
        failures=FAILURES,
        reference_checks=REFERENCE_CHECKS,
    )
    return Report(
        run_id="run-1",
        status=status,
        started_at=START,
        finished_at=START + timedelta(seconds=12.5),
        manuscript=manuscript,
        pairing=pairing,
        lookups=LOOKUPS,
        reference_checks=REFERENCE_CHECKS,
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
        RetrievalProgress(source="semantic_scholar", done=1, total=2, answered=1, asked=2, seconds_left=12.0),
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
    events += [
        ReferenceChecked(check=check, done=number, total=len(report.reference_checks))
        for number, check in enumerate(report.reference_checks, start=1)
    ]
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
