"""Events in words: what the terminal says about each, whatever it can show."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veriscite.domain import (
    NOT_A_FINDING,
    Component,
    Found,
    Label,
    LookupFailed,
    NotFound,
    RunStatus,
    Verdict,
)
from veriscite.domain.events import (
    AgentActed,
    AgentActionStarted,
    Attributed,
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
from veriscite.reporting.references import FINDING_SYMBOLS, FINDING_WORDS, Finding, remarks_on
from veriscite.reporting.text import (
    ACTION_WORDS,
    DECIDED_WORDS,
    LABEL_WORDS,
    SKIP_WORDS,
    SYMBOLS,
    Standing,
    one_line,
    percent,
    plural,
    role_words,
    seconds,
    shorten,
    source_words,
    status_words,
)
from veriscite.reporting.view import strongest


class Tone(StrEnum):
    """How a line is coloured, where there is colour; its symbol and words say the same."""

    PLAIN = "plain"
    QUIET = "quiet"
    GOOD = "good"
    BAD = "bad"
    UNSURE = "unsure"
    HEADING = "heading"


@dataclass(frozen=True)
class Line:
    """One line of the live view; plain text, safe to print.

    Attributes:
        indent: Depth: 0 for the run's steps and a claim's verdict, 1 for what happens within a claim, 2 for
            what the agent does.
        symbol: A sign before the text; never the only carrier of a meaning.
    """

    text: str
    indent: int = 0
    symbol: str = " "
    tone: Tone = Tone.PLAIN

    def __str__(self) -> str:
        return f"{'  ' * self.indent}{self.symbol} {self.text}"


_TONE_OF = {Label.SUPPORT: Tone.GOOD, Label.CONTRADICT: Tone.BAD, Label.NOT_ENOUGH_INFO: Tone.UNSURE}


def lines_of(event: Event) -> tuple[Line, ...]:
    """Return what to say about an event; nothing for those that only move the progress on."""
    tell = _TELLERS.get(type(event))
    return tell(event) if tell else ()


def _run_started(event: RunStarted) -> tuple[Line, ...]:
    parts = event.provenance.components
    return (
        Line(
            f"VeriScite {event.provenance.veriscite} checks {shorten(event.source_name, 80)}",
            tone=Tone.HEADING,
        ),
        *(Line(shorten(_part(part), 120), indent=1, tone=Tone.QUIET) for part in parts),
    )


def _part(part: Component) -> str:
    if part.role == "source":
        return f"{role_words(part.role)}: {source_words(part.name)}" + (
            f" ({part.detail})" if part.detail else ""
        )
    return f"{role_words(part.role)}: {part.name}"


def _manuscript_read(event: ManuscriptRead) -> tuple[Line, ...]:
    title = f" “{shorten(event.title, 60)}”" if event.title else ""
    # A reference list alone has no text of its own.
    text = (f"{event.characters:,} characters", plural(event.sections, "section"))
    sizes = ", ".join((*(text if event.characters else ()), plural(event.references, "reference")))
    return (
        Line(f"Read{title}: {sizes}", symbol="✓", tone=Tone.HEADING),
        *(
            Line(f"Note: {shorten(note, 160)}", indent=1, symbol="!", tone=Tone.UNSURE)
            for note in event.notes
        ),
    )


def _marker_skipped(event: MarkerSkipped) -> tuple[Line, ...]:
    skipped = event.skipped
    text = f"Skipped {shorten(skipped.part, 60)}: {SKIP_WORDS[skipped.reason].lower()}. {skipped.detail}"
    return (Line(shorten(text, 160), indent=1, symbol="–", tone=Tone.UNSURE),)


def _paired(event: Paired) -> tuple[Line, ...]:
    text = (
        f"Paired: {plural(event.markers, 'marker')} in {plural(event.citances, 'citing sentence')} give "
        f"{plural(event.claims, 'claim')} on {plural(event.cited_references, 'reference')}"
    )
    if event.skipped:
        text += f"; {event.skipped} skipped"
    return (Line(text, symbol="✓", tone=Tone.HEADING),)


def _retrieval_started(event: RetrievalStarted) -> tuple[Line, ...]:
    sources = ", ".join(source_words(source) for source in event.sources) or "no source"
    text = f"Retrieving abstracts of {plural(event.references, 'reference')} from {sources}"
    return (Line(text, symbol="·", tone=Tone.HEADING),)


def _waiting(event: Waiting) -> tuple[Line, ...]:
    text = f"Waiting {seconds(event.seconds)} for {source_words(event.source)}: {shorten(event.reason, 100)}"
    return (Line(text, indent=1, symbol="…", tone=Tone.QUIET),)


def _retrieval_progress(event: RetrievalProgress) -> tuple[Line, ...]:
    text = (
        f"{event.done} of {plural(event.total, 'reference')} done; {source_words(event.source)} has answered "
        f"for {event.answered} of {event.asked}"
    )
    if event.seconds_left:
        text += f", about {seconds(event.seconds_left)} left there"
    return (Line(text, indent=1, symbol="…", tone=Tone.QUIET),)


def _model_loading(event: ModelLoading) -> tuple[Line, ...]:
    return (
        Line(f"Loading {role_words(event.role)}: {shorten(event.name, 80)}", symbol="·", tone=Tone.HEADING),
    )


def _model_ready(event: ModelReady) -> tuple[Line, ...]:
    text = f"Loaded {role_words(event.role)} in {seconds(event.seconds)}"
    return (Line(text, symbol="✓", tone=Tone.HEADING),)


def _looked_up(event: ReferenceLookedUp) -> tuple[Line, ...]:
    lookup = event.lookup
    if isinstance(lookup, Found):
        evidence = lookup.evidence
        cached = ", from the cache" if event.cached else ""
        where = f"{source_words(evidence.source)}{cached}"
        text = f"{one_line(lookup.reference_id)} found ({where}): {evidence.title}"
        return (Line(shorten(text, 140), indent=1, symbol="✓", tone=Tone.GOOD),)
    if isinstance(lookup, LookupFailed):
        detail = lookup.message
    elif isinstance(lookup, NotFound) and not lookup.detail:
        detail = f"asked {', '.join(source_words(source) for source in lookup.asked)}" if lookup.asked else ""
    else:
        detail = lookup.detail
    text = f"{one_line(lookup.reference_id)} {status_words(lookup.status).lower()}"
    return (Line(shorten(f"{text}: {detail}" if detail else text, 160), 1, "–", Tone.UNSURE),)


_TONE_OF_FINDING = {
    Finding.RETRACTED: Tone.BAD,
    Finding.CONCERN: Tone.BAD,
    Finding.INVENTED: Tone.BAD,
    Finding.MISMATCH: Tone.BAD,
    Finding.SLIP: Tone.QUIET,
    Finding.NOT_CHECKED: Tone.QUIET,
}


def _reference_checked(event: ReferenceChecked) -> tuple[Line, ...]:
    """Tell the gravest remark on a reference that needs a look; of the others nothing."""
    remarks = remarks_on(event.check)
    if not remarks or not event.check.needs_a_look:
        return ()
    first = remarks[0]
    more = f" (and {len(remarks) - 1} more)" if len(remarks) > 1 else ""
    text = f"{one_line(event.check.reference_id)} {FINDING_WORDS[first.finding].lower()}: {first.text}"
    tone = _TONE_OF_FINDING.get(first.finding, Tone.UNSURE)
    return (Line(f"{shorten(text, 180)}{more}", 1, FINDING_SYMBOLS[first.finding], tone),)


def _unresolved(event: ClaimUnresolved) -> tuple[Line, ...]:
    if event.status == NOT_A_FINDING:
        text = f"{event.claim_id} Not a finding: {event.reason}"
        return (Line(shorten(text, 160), symbol=SYMBOLS[Standing.NOT_A_FINDING]),)
    text = f"{event.claim_id} Unresolved, {status_words(event.status).lower()}: {event.reason}"
    return (Line(shorten(text, 160), symbol=SYMBOLS[Standing.UNRESOLVED], tone=Tone.UNSURE),)


def _claim_started(event: ClaimStarted) -> tuple[Line, ...]:
    text = f"{event.claim_id} Judging against {one_line(event.reference_id)}: {event.claim}"
    return (Line(shorten(text, 160), symbol="·"),)


def _answered(event: VerifierAnswered) -> tuple[Line, ...]:
    outcome = event.outcome
    who = f"{event.claim_id} {role_words(outcome.verifier)}"
    if not isinstance(outcome, Verdict):
        text = shorten(f"{who}: abstains. {outcome.reason}", 160)
        return (Line(text, indent=1, symbol=SYMBOLS[Standing.NO_VERDICT], tone=Tone.UNSURE),)
    text = f"{who}: {LABEL_WORDS[outcome.label].lower()}"
    if outcome.confidence is not None:
        text += f" ({percent(outcome.confidence)})"
    if outcome.justification:
        text += f". {outcome.justification}"
    symbol = SYMBOLS[Standing(outcome.label.value)]
    return (Line(shorten(text, 160), indent=1, symbol=symbol, tone=_TONE_OF[outcome.label]),)


def _compared(event: Compared) -> tuple[Line, ...]:
    if event.needs_agent:
        outcome = "the verifiers disagree, so the agent takes over"
    else:
        outcome = "the verifiers agree" if event.agreed else shorten(event.detail, 120)
    symbol = "=" if event.agreed else "≠"
    return (Line(f"{event.claim_id} {outcome}", indent=1, symbol=symbol, tone=Tone.QUIET),)


def _action_started(event: AgentActionStarted) -> tuple[Line, ...]:
    # A conclusion's justification is told when the claim is settled.
    told = {key: value for key, value in event.arguments.items() if key != "justification"}
    arguments = ", ".join(f"{key}={value!r}" for key, value in told.items())
    text = f"{event.claim_id} agent {event.index}: {ACTION_WORDS[event.action].lower()}({arguments})"
    if event.thought:
        text += f" because: {event.thought}"
    return (Line(shorten(text, 180), indent=2, symbol="→"),)


def _acted(event: AgentActed) -> tuple[Line, ...]:
    step = event.step
    text = f"{event.claim_id} agent {step.index}: {step.observation or 'done'}"
    if step.duration_s >= 0.05:
        text += f" ({seconds(step.duration_s)})"
    return (Line(shorten(text, 180), indent=2, symbol="←"),)


def _settled(event: ClaimSettled) -> tuple[Line, ...]:
    if event.final is None:
        text = shorten(f"{event.claim_id} No verdict: {event.reason}", 160)
        return (Line(text, symbol=SYMBOLS[Standing.NO_VERDICT], tone=Tone.UNSURE),)
    final = event.final
    text = f"{event.claim_id} {LABEL_WORDS[final.label]}, by {DECIDED_WORDS[final.decided_by]}"
    if final.confidence is not None:
        text += f" ({percent(final.confidence)})"
    return (Line(text, symbol=SYMBOLS[Standing(final.label.value)], tone=_TONE_OF[final.label]),)


def _attributed(event: Attributed) -> tuple[Line, ...]:
    if event.attribution is None:
        if not event.reason:
            return ()
        text = f"{event.claim_id} no deciding words: {event.reason}"
        return (Line(shorten(text, 160), indent=1, symbol="·", tone=Tone.QUIET),)
    words = ", ".join(
        f"“{one_line(word.text)}” {word.score:+.2f}" for _, word in strongest(event.attribution, 4)
    )
    text = f"{event.claim_id} deciding words: {words}"
    lines = (Line(shorten(text, 160), indent=1, symbol="·", tone=Tone.QUIET),)
    if event.attribution.trusted:
        return lines
    doubt = f"{event.claim_id} do not rely on these words: {' '.join(event.attribution.doubts)}"
    return (*lines, Line(shorten(doubt, 300), indent=1, symbol="!", tone=Tone.UNSURE))


def _failed(event: ClaimFailed) -> tuple[Line, ...]:
    failure = event.failure
    text = (
        f"{failure.claim_id} Failed at {failure.step.replace('_', ' ')}: {failure.message} {failure.advice}"
    )
    return (Line(shorten(text, 180), symbol=SYMBOLS[Standing.FAILED], tone=Tone.BAD),)


def _finished(event: RunFinished) -> tuple[Line, ...]:
    if event.status is RunStatus.FINISHED:
        return (Line("Finished", symbol="✓", tone=Tone.HEADING),)
    return (Line("Cancelled; what was done until then is kept", symbol="!", tone=Tone.UNSURE),)


_TELLERS: dict[type, Callable[[Any], tuple[Line, ...]]] = {
    RunStarted: _run_started,
    ManuscriptRead: _manuscript_read,
    MarkerSkipped: _marker_skipped,
    Paired: _paired,
    RetrievalStarted: _retrieval_started,
    Waiting: _waiting,
    RetrievalProgress: _retrieval_progress,
    ModelLoading: _model_loading,
    ModelReady: _model_ready,
    ReferenceLookedUp: _looked_up,
    ReferenceChecked: _reference_checked,
    ClaimUnresolved: _unresolved,
    ClaimStarted: _claim_started,
    VerifierAnswered: _answered,
    Compared: _compared,
    AgentActionStarted: _action_started,
    AgentActed: _acted,
    ClaimSettled: _settled,
    Attributed: _attributed,
    ClaimFailed: _failed,
    RunFinished: _finished,
}
