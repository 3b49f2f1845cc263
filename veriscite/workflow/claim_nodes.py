"""The nodes of one claim's branch: steps 3, 4 and 5. They translate state; the stages do the work."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from langgraph.config import get_stream_writer

from veriscite.domain import (
    Abstention,
    Claim,
    ClaimResult,
    DecidedBy,
    FinalVerdict,
    Label,
    Verdict,
    VerifierOutcome,
)
from veriscite.domain.events import (
    Attributed,
    ClaimDone,
    ClaimSettled,
    ClaimStarted,
    Compared,
    VerifierAnswered,
)
from veriscite.errors import ModelError
from veriscite.planning.agent import PlannerTools, act, conclude_view, decide
from veriscite.ports import ClaimVerifier, EvidenceSource, PlannerView, claim_and_evidence
from veriscite.workflow.parts import Parts, RunOptions
from veriscite.workflow.state import ClaimInput, ClaimOutput, ClaimState, VerifierInput

Update = dict[str, Any]


class Progress:
    """Counts the claims that are through, for all branches of a run."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0

    def one_more(self, claim_id: str) -> ClaimDone:
        """Count a claim and tell it."""
        self.done += 1
        return ClaimDone(claim_id=claim_id, done=self.done, total=self.total)


class ClaimNodes:
    """The nodes, bound to the parts of a run.

    Args:
        parts: The adapters.
        options: The bounds.
        evidence: The sources of this run, for the planner's search.
        progress: The run's counter.
    """

    def __init__(
        self,
        parts: Parts,
        options: RunOptions,
        evidence: Callable[[], EvidenceSource],
        progress: Progress,
    ) -> None:
        self._parts = parts
        self._options = options
        self._evidence = evidence
        self._progress = progress

    async def open_claim(self, state: ClaimInput) -> Update:
        """Reduce the branch's input to what verifiers may see."""
        claim, evidence = state["claim"], state["evidence"]
        get_stream_writer()(
            ClaimStarted(
                claim_id=claim.id,
                reference_id=claim.reference_id,
                claim=claim.text,
                evidence_title=evidence.title,
            )
        )
        return {
            "claim_id": claim.id,
            "question": claim_and_evidence(claim, evidence),
            "began": time.monotonic(),
        }

    async def nli(self, state: VerifierInput) -> Update:
        """Step 3, the NLI verifier."""
        return {"nli": await self._verify(self._parts.nli, state)}

    async def blind(self, state: VerifierInput) -> Update:
        """Step 3, the blind verifier."""
        return {"blind": await self._verify(self._parts.blind, state)}

    async def _verify(self, verifier: ClaimVerifier, state: VerifierInput) -> VerifierOutcome:
        emit = get_stream_writer()
        outcome = await verifier.verify(state["question"])
        emit(VerifierAnswered(claim_id=state["claim_id"], outcome=outcome))
        return outcome

    async def compare(self, state: ClaimState) -> Update:
        """Lay both answers side by side: agreed, one alone, none, or a case for the agent."""
        emit, claim = get_stream_writer(), state["claim"]
        outcomes = (state["nli"], state["blind"])
        verdicts = [o for o in outcomes if isinstance(o, Verdict)]
        labels = {v.label for v in verdicts}
        agreed = len(verdicts) == 2 and len(labels) == 1
        update: Update = {"agreed": agreed}
        if agreed:
            detail = f"both verifiers say {verdicts[0].label}"
            update["final"] = FinalVerdict(
                label=verdicts[0].label,
                # Calibration was measured on the NLI verifier alone; agreement can only be stronger.
                confidence=verdicts[0].confidence,
                decided_by=DecidedBy.AGREEMENT,
                justification="Both verifiers, neither seeing the other, gave this label.",
            )
        elif len(verdicts) == 1:
            detail = f"only {verdicts[0].verifier} answered: {verdicts[0].label}"
            silent = next(o for o in outcomes if isinstance(o, Abstention))
            update["final"] = FinalVerdict(
                label=verdicts[0].label,
                confidence=verdicts[0].confidence,
                decided_by=DecidedBy.SINGLE_VERIFIER,
                justification=f"The {silent.verifier} verifier abstained: {silent.reason}",
            )
        elif not verdicts:
            detail = "both verifiers abstained"
            update["final"] = None
        else:
            detail = " against ".join(f"{v.verifier} {v.label}" for v in verdicts)
        needs_agent = len(labels) == 2
        emit(Compared(claim_id=claim.id, agreed=agreed, needs_agent=needs_agent, detail=detail))
        return update

    async def plan(self, state: ClaimState) -> Update:
        """Step 4: the planner chooses its next action."""
        return {"decision": await decide(self._parts.planner, self._view(state))}

    async def act(self, state: ClaimState) -> Update:
        """Step 4: the chosen tool is called; a conclusion settles the claim."""
        view, decision = self._view(state), state["decision"]
        tools = PlannerTools(
            evidence=self._evidence(),
            nli=self._parts.nli,
            blind=self._parts.blind,
            second_opinion=self._parts.second_opinion,
        )
        step = await act(decision, view, tools, get_stream_writer(), state["claim"].id)
        update: Update = {"steps": [step]}
        final = conclude_view(decision, view)
        if final is not None:
            update["final"] = final
        return update

    async def settle(self, state: ClaimState) -> Update:
        """Tell what the claim came to."""
        final = state.get("final")
        reason = "" if final else "; ".join(o.reason for o in _outcomes(state) if isinstance(o, Abstention))
        update: Update = {}
        if final is not None and self._parts.gate is not None:
            reason = self._parts.gate.withheld(final)
            if reason:
                final = None
                update = {"final": None, "notes": [reason]}
        get_stream_writer()(ClaimSettled(claim_id=state["claim"].id, final=final, reason=reason))
        return update

    async def attribute(self, state: ClaimState) -> Update:
        """Step 5: the words that decided, for SUPPORT and CONTRADICT."""
        emit, claim_id = get_stream_writer(), state["claim"].id
        final = state.get("final")
        if final is None or final.label is Label.NOT_ENOUGH_INFO or self._parts.attributor is None:
            return {"attribution": None}
        index = _decisive_sentence(state, final.label)
        if index is None:
            reason = "The verdict rests on text that the agent found; its words were not attributed."
            emit(Attributed(claim_id=claim_id, attribution=None, reason=reason))
            return {"attribution": None, "notes": [reason]}
        question = state["question"]
        try:
            # Half of the claim's time at most: a verdict must not be lost for want of its explanation.
            async with asyncio.timeout(self._options.claim_timeout_s / 2):
                attribution = await self._parts.attributor.attribute(
                    question.claim, question.sentences[index], index, final.label
                )
        except (ModelError, TimeoutError) as error:
            # The verdict stands without it: an encoder that cannot be explained is no failed claim.
            reason = error.message if isinstance(error, ModelError) else "it took too long."
            emit(Attributed(claim_id=claim_id, attribution=None, reason=reason))
            return {"attribution": None, "notes": [f"No attribution: {reason}"]}
        emit(Attributed(claim_id=claim_id, attribution=attribution))
        return {"attribution": attribution}

    async def close_claim(self, state: ClaimState) -> ClaimOutput:
        """Hand the claim's result to the run."""
        claim = state["claim"]
        result = ClaimResult(
            claim_id=claim.id,
            reference_id=claim.reference_id,
            outcomes=_outcomes(state),
            agreed=state["agreed"],
            steps=tuple(state.get("steps", ())),
            final=state.get("final"),
            attribution=state.get("attribution"),
            notes=tuple(state.get("notes", ())),
            duration_s=time.monotonic() - state["began"],
        )
        get_stream_writer()(self._progress.one_more(claim.id))
        return {"results": [result]}

    def _view(self, state: ClaimState) -> PlannerView:
        steps = tuple(state.get("steps", ()))
        return PlannerView(
            claim=state["claim"],
            reference=state["reference"],
            evidence=state["evidence"],
            outcomes=_outcomes(state),
            steps=steps,
            actions_left=max(0, self._options.actions - len(steps)),
        )


def after_compare(state: ClaimState) -> str:
    """Route: a case for the agent, or settled."""
    return "settle" if "final" in state else "plan"


def after_act(state: ClaimState) -> str:
    """Route: another action, or settled."""
    return "settle" if "final" in state else "plan"


def _outcomes(state: ClaimState) -> tuple[VerifierOutcome, ...]:
    return (state["nli"], state["blind"])


def _decisive_sentence(state: ClaimState, label: Label) -> int | None:
    """The sentence named by a verdict of this label on the evidence at hand, the NLI verifier's first."""
    verdicts = [*_outcomes(state)]
    for step in state.get("steps", ()):
        if step.evidence is not None and step.evidence.of_cited_work:
            break  # what comes after speaks of another text
        if step.evidence is None:
            verdicts += step.outcomes
    for verdict in verdicts:
        if isinstance(verdict, Verdict) and verdict.label is label and verdict.rationale:
            return verdict.rationale[0]
    return None


class ClaimStepError(Exception):
    """Carries the step's name along with the fault, so that the report can say where a claim broke."""

    def __init__(self, step: str, claim: Claim | None, cause: Exception) -> None:
        super().__init__(f"{step}: {cause}")
        self.step = step
        self.claim = claim
        self.cause = cause


def named(step: str, node: Callable[[Any], Awaitable[Any]]) -> Any:
    """Name the step in whatever the node raises."""

    async def run(state: Any) -> Any:
        try:
            return await node(state)
        except Exception as error:
            raise ClaimStepError(step, state.get("claim"), error) from error

    run.__name__ = step
    return run
