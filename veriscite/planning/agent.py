"""Step 4 as functions, independent of any workflow: decide, act, conclude, and the loop of the three.

The budget is counted here, by the steps taken: an action that failed counts too. So is what may be concluded:
no label that no verifier gave on evidence of the cited work, whoever talked the planner into it.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from veriscite.domain import (
    Abstention,
    AgentAction,
    AgentStep,
    Ambiguous,
    Claim,
    DecidedBy,
    Evidence,
    EvidenceLookup,
    FinalVerdict,
    Found,
    Label,
    LookupFailed,
    NoAbstract,
    NotFound,
    Reference,
    VerifierOutcome,
)
from veriscite.domain.events import AgentActed, AgentActionStarted
from veriscite.errors import ChatError, VeriSciteError
from veriscite.planning import rules
from veriscite.planning.standing import evidence_at_hand, known_evidence, standing_verdicts
from veriscite.planning.tools import was_searched
from veriscite.ports import (
    ClaimAndEvidence,
    ClaimVerifier,
    Emit,
    EvidenceSource,
    Planner,
    PlannerDecision,
    PlannerView,
    SearchRequest,
    claim_and_evidence,
    silent,
)

#: Actions that the planner may take before it must conclude.
BUDGET = 3

_NO_CONCLUSION = "The planner had no action left and did not conclude"


@dataclass(frozen=True)
class PlannerTools:
    """What the tools work with.

    Attributes:
        evidence: The sources, for `search_again`.
        nli: Judges what a search finds, again.
        blind: The same.
        second_opinion: Judges the evidence at hand, and sees neither verdict.
    """

    evidence: EvidenceSource
    nli: ClaimVerifier
    blind: ClaimVerifier
    second_opinion: ClaimVerifier


async def decide(planner: Planner, view: PlannerView) -> PlannerDecision:
    """Have the planner choose its next action; where it cannot, the rules do, and the decision says so.

    With no action left, whatever is no conclusion is replaced by one.
    """
    try:
        decision = await planner.decide(view)
    except ChatError as error:
        decision = await rules.RulesPlanner().decide(view)
        problem = f"{planner.name} could not be asked ({error.message}); the {rules.NAME} decided."
        decision = replace(decision, problem=problem)
    if decision.action is AgentAction.CONCLUDE:
        if decision.label is None:
            return _concluded_by_rules(view, decision, f"{planner.name} concluded without a label")
        return decision
    if view.actions_left <= 0:
        return _concluded_by_rules(view, decision, _NO_CONCLUSION)
    return decision


def _concluded_by_rules(view: PlannerView, decision: PlannerDecision, problem: str) -> PlannerDecision:
    problems = " ".join(p for p in (decision.problem, f"{problem}; the {rules.NAME} concluded.") if p)
    return replace(rules.conclude(view, problem=problems), tokens=decision.tokens)


async def act(
    decision: PlannerDecision,
    view: PlannerView,
    tools: PlannerTools,
    emit: Emit,
    claim_id: str,
) -> AgentStep:
    """Take the action, and tell it before and after.

    A tool that fails with an error of ours gives a step that says so: the action counts.

    Args:
        decision: What the planner chose.
        view: What it saw when it chose.
        tools: What the tools work with.
        emit: Receives `AgentActionStarted` and `AgentActed`.
        claim_id: The claim that the events belong to.

    Raises:
        ValueError: No action is left, and this is no conclusion.
    """
    if view.actions_left <= 0 and decision.action is not AgentAction.CONCLUDE:
        raise ValueError("no action is left: only a conclusion can follow")
    index = len(view.steps) + 1
    arguments = _arguments(decision)
    emit(
        AgentActionStarted(
            claim_id=claim_id,
            index=index,
            action=decision.action,
            arguments=arguments,
            thought=decision.thought,
            actions_left=max(0, view.actions_left - 1),
        )
    )
    started_at, began = datetime.now(UTC), time.monotonic()
    observed = await _run(decision, view, tools, emit)
    step = AgentStep(
        index=index,
        action=decision.action,
        arguments=arguments,
        thought=decision.thought,
        observation=" ".join(part for part in (decision.problem, observed.text) if part),
        evidence=observed.evidence,
        outcomes=observed.outcomes,
        started_at=started_at,
        duration_s=time.monotonic() - began,
        tokens=decision.tokens,
    )
    emit(AgentActed(claim_id=claim_id, step=step))
    return step


def conclude_view(decision: PlannerDecision, view: PlannerView) -> FinalVerdict | None:
    """Return the final verdict if `decision` is a conclusion, else None.

    SUPPORT or CONTRADICT that no verifier gave on evidence of the cited work is lowered to NOT_ENOUGH_INFO.

    Args:
        decision: What the planner chose.
        view: What it saw when it chose.
    """
    if decision.action is not AgentAction.CONCLUDE:
        return None
    label = decision.label or Label.NOT_ENOUGH_INFO
    given = {verdict.label for verdict in standing_verdicts(view)}
    lowered = label is not Label.NOT_ENOUGH_INFO and label not in given
    parts = (decision.justification, _lowered(label) if lowered else "", decision.problem)
    return FinalVerdict(
        label=Label.NOT_ENOUGH_INFO if lowered else label,
        confidence=None if lowered else decision.confidence,
        decided_by=DecidedBy.AGENT,
        justification=" ".join(part for part in parts if part),
    )


def _lowered(label: Label) -> str:
    return (
        f"Lowered from {label} to {Label.NOT_ENOUGH_INFO}: no verifier gave {label} on evidence of the "
        "cited work."
    )


async def resolve(
    planner: Planner,
    claim: Claim,
    reference: Reference,
    evidence: Evidence,
    outcomes: Sequence[VerifierOutcome],
    tools: PlannerTools,
    emit: Emit = silent,
    *,
    budget: int = BUDGET,
) -> tuple[FinalVerdict, tuple[AgentStep, ...]]:
    """Settle one claim: the loop of decide, act and conclude.

    At most `budget` actions, a conclusion being one; if none of them concluded, one more that must.

    Returns:
        The final verdict, and every step; the last is the conclusion.
    """
    steps: tuple[AgentStep, ...] = ()
    while True:
        view = PlannerView(
            claim=claim,
            reference=reference,
            evidence=evidence,
            outcomes=tuple(outcomes),
            steps=steps,
            actions_left=max(0, budget - len(steps)),
        )
        decision = await decide(planner, view)
        steps = (*steps, await act(decision, view, tools, emit, claim.id))
        final = conclude_view(decision, view)
        if final is not None:
            return final, steps


@dataclass(frozen=True)
class _Observation:
    text: str
    evidence: Evidence | None = None
    outcomes: tuple[VerifierOutcome, ...] = ()


def _arguments(decision: PlannerDecision) -> dict[str, str]:
    own: dict[str, str] = {}
    if decision.action is AgentAction.SEARCH_AGAIN:
        own = {"query": decision.query}
    elif decision.action is AgentAction.CONCLUDE:
        label = decision.label or Label.NOT_ENOUGH_INFO
        own = {"label": str(label), "justification": decision.justification}
    return own | dict(decision.arguments)


async def _run(decision: PlannerDecision, view: PlannerView, tools: PlannerTools, emit: Emit) -> _Observation:
    if decision.action is AgentAction.SEARCH_AGAIN:
        return await _search(decision.query, view, tools, emit)
    if decision.action is AgentAction.SECOND_OPINION:
        return await _second_opinion(view, tools)
    final = conclude_view(decision, view)
    assert final is not None
    if decision.label is not None and final.label is not decision.label:
        return _Observation(_lowered(decision.label))
    return _Observation(f"Concluded {final.label}.")


async def _search(query: str, view: PlannerView, tools: PlannerTools, emit: Emit) -> _Observation:
    if not query.strip():
        return _Observation("The query was empty; nothing was searched.")
    if was_searched(query, view):
        return _Observation("This query was searched before; nothing new can come of it.")
    try:
        lookup = await tools.evidence.search(SearchRequest(view.reference, query), emit)
    except VeriSciteError as error:
        return _Observation(f"The search failed: {error.message}")
    if not isinstance(lookup, Found):
        return _Observation(_told(lookup))
    evidence = lookup.evidence
    whose = "the cited work" if evidence.of_cited_work else "another work, which cannot support this citation"
    if any(_same_text(evidence, known) for known in known_evidence(view)):
        return _Observation(f"Found the same text of {whose} as before ({evidence.source}).")
    question = claim_and_evidence(view.claim, evidence)
    outcomes = await asyncio.gather(*(_ask(v, question) for v in (tools.nli, tools.blind)))
    said = "; ".join(_said(outcome) for outcome in outcomes)
    return _Observation(
        f"Found a text of {whose} ({evidence.source}: {evidence.title}). {said}.", evidence, tuple(outcomes)
    )


async def _second_opinion(view: PlannerView, tools: PlannerTools) -> _Observation:
    if any(step.action is AgentAction.SECOND_OPINION for step in view.steps):
        return _Observation("A second opinion was had before; it would say the same again.")
    question = claim_and_evidence(view.claim, evidence_at_hand(view))
    outcome = await _ask(tools.second_opinion, question)
    return _Observation(f"{_said(outcome)}.", outcomes=(outcome,))


async def _ask(verifier: ClaimVerifier, question: ClaimAndEvidence) -> VerifierOutcome:
    """Ask a verifier; an error of ours is an abstention, so that the other's answer is not lost."""
    try:
        return await verifier.verify(question)
    except VeriSciteError as error:
        return Abstention(verifier=verifier.name, code=error.code, reason=str(error))


def _said(outcome: VerifierOutcome) -> str:
    if isinstance(outcome, Abstention):
        return f"{outcome.verifier} abstains ({outcome.reason})"
    return f"{outcome.verifier} says {outcome.label}"


def _same_text(one: Evidence, other: Evidence) -> bool:
    return " ".join(one.sentences).split() == " ".join(other.sentences).split()


def _told(lookup: EvidenceLookup) -> str:
    match lookup:
        case NotFound():
            return "Nothing was found."
        case Ambiguous():
            return f"{len(lookup.candidates)} records fit equally well; none was taken."
        case NoAbstract():
            return f"A record was found ({lookup.record.title}), but no abstract of it."
        case LookupFailed():
            return f"The search failed: {lookup.message}"
        case _:
            return "Found."
