"""Which verdicts count: those on evidence of the cited work, and one voice for each verifier."""

from collections.abc import Iterable

from veriscite.domain import AgentStep, Evidence, Label, Verdict, VerifierOutcome
from veriscite.ports import PlannerView


def on_cited_work(step: AgentStep) -> bool:
    """Whether a step's outcomes rest on evidence of the cited work.

    A second opinion judges the evidence at hand; a search may have found another work.
    """
    return step.evidence is None or step.evidence.of_cited_work


def standing_verdicts(view: PlannerView) -> tuple[Verdict, ...]:
    """Return every verdict on evidence of the cited work, oldest first."""
    outcomes = [*initial_outcomes(view), *_flat(step for step in view.steps if on_cited_work(step))]
    return tuple(outcome for outcome in outcomes if isinstance(outcome, Verdict))


def initial_outcomes(view: PlannerView) -> tuple[VerifierOutcome, ...]:
    """Return the outcomes from before the planner acted; the view may repeat those of its steps, or not."""
    later = _flat(view.steps)
    if later and view.outcomes[-len(later) :] == later:
        return view.outcomes[: -len(later)]
    return view.outcomes


def _flat(steps: Iterable[AgentStep]) -> tuple[VerifierOutcome, ...]:
    return tuple(outcome for step in steps for outcome in step.outcomes)


def voices(view: PlannerView) -> tuple[Verdict, ...]:
    """Return one verdict for each verifier, in the order in which they first spoke.

    Of a verifier that judged several pieces of the cited work's evidence counts the newest verdict that
    decided (SUPPORT or CONTRADICT): evidence adds up, and a text that is silent on a point takes nothing away
    from one that is not.
    """
    chosen: dict[str, Verdict] = {}
    for verdict in standing_verdicts(view):
        before = chosen.get(verdict.verifier)
        if before is None or decided(verdict) or not decided(before):
            chosen[verdict.verifier] = verdict
    return tuple(chosen.values())


def decided(verdict: Verdict) -> bool:
    """Whether the verdict is SUPPORT or CONTRADICT."""
    return verdict.label is not Label.NOT_ENOUGH_INFO


def evidence_at_hand(view: PlannerView) -> Evidence:
    """Return the newest evidence of the cited work."""
    found = [s.evidence for s in view.steps if s.evidence is not None and s.evidence.of_cited_work]
    return found[-1] if found else view.evidence


def known_evidence(view: PlannerView) -> tuple[Evidence, ...]:
    """Return all evidence that was judged so far."""
    return (view.evidence, *(s.evidence for s in view.steps if s.evidence is not None))
