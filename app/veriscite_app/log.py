"""One line for each event, with the agent's tool calls indented."""

from dataclasses import dataclass
from datetime import datetime

from veriscite.domain import (
    Abstention,
    Ambiguous,
    Attribution,
    EvidenceLookup,
    Found,
    Label,
    LookupFailed,
    NoAbstract,
    NotFound,
    ReferenceCheck,
    RunStatus,
    VerifierOutcome,
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
    RunFailed,
    RunFinished,
    RunStarted,
    VerifierAnswered,
    Waiting,
)
from veriscite.reporting.references import FINDING_WORDS, Remark, remarks_on
from veriscite.reporting.text import percent, shorten
from veriscite.reporting.view import strongest
from veriscite_app.texts import count, name_of, t

LONGEST_LINE = 280


@dataclass(frozen=True)
class LogLine:
    """A line of the log, not yet escaped.

    Attributes:
        tone: `plain`, `support`, `contradict`, `nei`, `warn`, `bad`, `agent`, `good`: how it is drawn.
        depth: 0 for the run, 1 for a claim's steps, 2 for the agent's tool calls, 3 for their answers.
        claim: The claim that it is about, or empty.
    """

    at: datetime
    text: str
    tone: str = "plain"
    depth: int = 0
    claim: str = ""


TONE_OF_LABEL = {Label.SUPPORT: "support", Label.CONTRADICT: "contradict", Label.NOT_ENOUGH_INFO: "nei"}


def lines(events: tuple[Event, ...]) -> list[LogLine]:
    """Return the log of these events; those that only count progress have no line."""
    return [line for event in events if (line := line_of(event)) is not None]


def line_of(event: Event) -> LogLine | None:  # noqa: C901 - one flat case for each kind of event
    """Return the event's line, or None where there is nothing for a person to read."""

    def line(text: str, tone: str = "plain", depth: int = 0, claim: str = "") -> LogLine:
        return LogLine(event.at, shorten(text, LONGEST_LINE), tone, depth, claim)

    match event:
        case RunStarted():
            key = "log.run_started_offline" if event.provenance.offline else "log.run_started"
            return line(t(key, name=event.source_name), "good")
        case ManuscriptRead():
            nouns = {
                "characters": event.characters,
                "sections": event.sections,
                "references": event.references,
            }
            return line(t("log.read", **_counted(nouns)))
        case MarkerSkipped():
            skipped = event.skipped
            return line(t("log.skipped", part=skipped.part, detail=skipped.detail), "warn")
        case Paired():
            nouns = {
                "markers": event.markers,
                "claims": event.claims,
                "references": event.cited_references,
            }
            return line(t("log.paired", skipped=event.skipped, **_counted(nouns)), "good")
        case RetrievalStarted():
            return line(
                t(
                    "log.retrieval",
                    references=count("reference", event.references),
                    sources=", ".join(event.sources),
                )
            )
        case Waiting():
            wait = {"source": event.source, "seconds": f"{event.seconds:.0f}"}
            return line(t("log.waiting", reason=event.reason, **wait), "warn")
        case RetrievalProgress():
            told = {"done": event.done, "references": count("reference", event.total)}
            left = f"{event.seconds_left or 0.0:.0f}"
            return line(t("log.retrieval_progress", source=event.source.replace("_", " "), left=left, **told))
        case ModelLoading():
            return line(t("log.model_loading", model=event.name))
        case ModelReady():
            return line(t("log.model_ready", model=event.name, seconds=f"{event.seconds:.1f}"))
        case ReferenceLookedUp():
            text, tone = _lookup(event.lookup)
            return line(f"{text} {t('log.cached')}" if event.cached else text, tone, 1)
        case ReferenceChecked():
            remarks = remarks_on(event.check) if event.check.needs_a_look else ()
            return line(_remark(event.check, remarks[0]), "warn", 1) if remarks else None
        case ClaimUnresolved():
            return line(t("log.unresolved", reason=event.reason), "warn", 1, event.claim_id)
        case ClaimStarted():
            return line(t("log.started", claim=event.claim), "plain", 0, event.claim_id)
        case VerifierAnswered():
            text, tone = outcome_line(event.outcome)
            return line(text, tone, 1, event.claim_id)
        case Compared():
            return line(*_compared(event), 1, event.claim_id)
        case AgentActionStarted():
            return line(_action(event), "agent", 2, event.claim_id)
        case AgentActed():
            observed = event.step.observation
            return (
                line(t("log.observed", observation=observed), "agent", 3, event.claim_id)
                if observed
                else None
            )
        case ClaimSettled():
            return line(*_settled(event), 1, event.claim_id)
        case Attributed():
            return line(*_attributed(event), 1, event.claim_id)
        case ClaimFailed():
            failure = event.failure
            return line(
                t("log.failed", step=failure.step, message=failure.message), "bad", 1, failure.claim_id
            )
        case ClaimDone():
            return None
        case RunFinished():
            cancelled = event.status is RunStatus.CANCELLED
            return line(t("log.cancelled"), "warn") if cancelled else line(t("log.finished"), "good")
        case RunFailed():
            return line(t("log.run_failed", message=event.message), "bad")


def _remark(check: ReferenceCheck, remark: Remark) -> str:
    what = FINDING_WORDS[remark.finding].lower()
    return t("log.reference", reference=check.reference_id, what=what, remark=remark.text)


def outcome_line(outcome: VerifierOutcome) -> tuple[str, str]:
    """Return text and tone for a verifier's answer."""
    verifier = name_of("verifier", outcome.verifier)
    if isinstance(outcome, Abstention):
        return t("log.abstained", verifier=verifier, reason=outcome.reason), "warn"
    text = t("log.verdict", verifier=verifier, label=name_of("standing", outcome.label))
    if outcome.confidence is not None:
        text += f", {t('card.confidence', share=percent(outcome.confidence))}"
    return text, TONE_OF_LABEL[outcome.label]


def deciding_words(attribution: Attribution) -> list[str]:
    """Return the words that speak most for the target label, strongest first."""
    return [word.text for _where, word in strongest(attribution) if word.score > 0]


def _counted(nouns: dict[str, int]) -> dict[str, str]:
    return {noun: count(noun.removesuffix("s"), number) for noun, number in nouns.items()}


def _lookup(lookup: EvidenceLookup) -> tuple[str, str]:
    match lookup:
        case Found():
            return t("log.found", id=lookup.reference_id, title=lookup.evidence.title), "plain"
        case NotFound():
            return t("log.not_found", id=lookup.reference_id), "warn"
        case Ambiguous():
            return t("log.ambiguous", id=lookup.reference_id), "warn"
        case NoAbstract():
            return t("log.no_abstract", id=lookup.reference_id), "warn"
        case LookupFailed():
            told = {"id": lookup.reference_id, "source": lookup.source, "message": lookup.message}
            return t("log.lookup_failed", **told), "bad"


def _compared(event: Compared) -> tuple[str, str]:
    if event.needs_agent:
        return t("log.disagreed", detail=event.detail), "agent"
    if event.agreed:
        return t("log.agreed", detail=event.detail), "plain"
    return t("log.single", detail=event.detail), "plain"


def _action(event: AgentActionStarted) -> str:
    said = "; ".join(value for value in event.arguments.values() if value)
    told = {"action": name_of("action", event.action), "argument": f": {said}" if said else ""}
    key = "log.action" if event.actions_left > 0 else "log.action_last"
    return t(key, left=event.actions_left, **told)


def _settled(event: ClaimSettled) -> tuple[str, str]:
    if event.final is None:
        return t("log.no_verdict", reason=event.reason), "warn"
    told = {"label": name_of("standing", event.final.label), "by": name_of("by", event.final.decided_by)}
    return t("log.settled", **told), TONE_OF_LABEL[event.final.label]


def _attributed(event: Attributed) -> tuple[str, str]:
    if event.attribution is None:
        return t("log.not_attributed", reason=event.reason), "plain"
    words = ", ".join(deciding_words(event.attribution))
    if event.attribution.trusted:
        return t("log.attributed", words=words), "plain"
    return t("log.attributed_doubt", words=words, why=" ".join(event.attribution.doubts)), "warn"
