"""The planner as a language model: it chooses one of three tools, and what it chooses is checked.

A turn that cannot be used is repaired once; then the rules decide in the model's place, and the decision says
so. The model's own estimate of its confidence is kept among the arguments and never shown as confidence.
"""

from dataclasses import replace

from pydantic import ValidationError

from veriscite.domain import AgentAction, AgentStep, Component, Tokens, Verdict, VerifierOutcome
from veriscite.errors import ChatError
from veriscite.planning.rules import RulesPlanner
from veriscite.planning.standing import initial_outcomes, on_cited_work
from veriscite.planning.tools import ARGUMENTS, TOOLS, Conclude, SearchAgain, offered, was_searched
from veriscite.ports import (
    ChatModel,
    ChatReply,
    ChatRequest,
    Planner,
    PlannerDecision,
    PlannerView,
    PromptTemplate,
)

_MAX_TOKENS = 1_200
_MAX_THOUGHT = 500
_MAX_JUSTIFICATION = 2_000


class _UnusableError(Exception):
    """A turn that cannot be used, and why. `final` means that asking again is of no use."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final


class LlmPlanner:
    """A language model as planner. Implements `ports.Planner`.

    Args:
        model: The model to ask.
        prompt: The prompt `planner`, with its variables.
        fallback: Decides where the model's turns cannot be used.
    """

    def __init__(self, model: ChatModel, prompt: PromptTemplate, fallback: Planner | None = None) -> None:
        self._model = model
        self._prompt = prompt
        self._fallback = fallback or RulesPlanner()

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._model.name

    def component(self) -> Component:
        """Tell what this is, for the provenance."""
        return Component(
            role="planner",
            name=self._model.name,
            detail="A language model that chooses among three tools; its conclusions are checked.",
            revision=f"prompt {self._prompt.hash}",
        )

    async def decide(self, view: PlannerView) -> PlannerDecision:
        """Choose the next action; where the model cannot, the fallback does, and the decision says so.

        Raises:
            PromptError: The prompt is not the planner's.
        """
        actions = offered(view)
        rendered = self._prompt.render(**_values(view, actions))
        tools = tuple(TOOLS[action] for action in actions)
        spent, user, problem = Tokens(), rendered.user, ""
        for _attempt in range(2):
            try:
                reply = await self._model.ask(
                    ChatRequest(system=rendered.system, user=user, tools=tools, max_tokens=_MAX_TOKENS)
                )
            except ChatError as error:
                problem = error.message
                break
            spent = Tokens(input=spent.input + reply.tokens.input, output=spent.output + reply.tokens.output)
            try:
                return _decision(reply, actions, view, spent)
            except _UnusableError as error:
                problem = error.reason
                if error.final:
                    break
            user = f"{rendered.user}\n\n{self._prompt.repair(problem)}"
        decision = await self._fallback.decide(view)
        said = f"{self._model.name} gave no usable turn ({problem}); the {self._fallback.name} decided."
        return replace(decision, tokens=spent, problem=said)


def _decision(
    reply: ChatReply, actions: tuple[AgentAction, ...], view: PlannerView, spent: Tokens
) -> PlannerDecision:
    if reply.stop_reason == "refusal":
        raise _UnusableError("the model declined", final=True)
    if reply.stop_reason in ("max_tokens", "length", "model_context_window_exceeded"):
        raise _UnusableError("the turn was longer than allowed and broke off")
    if len(reply.tool_calls) != 1:
        raise _UnusableError(f"{len(reply.tool_calls) or 'no'} tools were called instead of one")
    call = reply.tool_calls[0]
    action = next((a for a in actions if a == call.name), None)
    if action is None:
        raise _UnusableError(f"no tool of the name {call.name[:40]!r} may be called now")
    try:
        arguments = ARGUMENTS[action].model_validate(dict(call.arguments))
    except ValidationError as error:
        raise _UnusableError(
            f"the arguments of {action} are not as its schema says: {_told(error)}"
        ) from error
    thought = " ".join((getattr(arguments, "reason", "") or reply.text).split())[:_MAX_THOUGHT]
    if isinstance(arguments, Conclude):
        return PlannerDecision(
            action=action,
            thought=thought,
            label=arguments.label,
            justification=" ".join(arguments.justification.split())[:_MAX_JUSTIFICATION],
            arguments={} if arguments.confidence is None else {"confidence": f"{arguments.confidence:g}"},
            tokens=spent,
        )
    if isinstance(arguments, SearchAgain):
        query = " ".join(arguments.query.split())
        if was_searched(query, view):
            raise _UnusableError("this query was searched before; choose other words or another tool")
        return PlannerDecision(action=action, thought=thought, query=query, tokens=spent)
    return PlannerDecision(action=action, thought=thought, tokens=spent)


def _told(error: ValidationError) -> str:
    faults = error.errors(include_input=False, include_url=False)[:3]
    return "; ".join(f"{'.'.join(map(str, e['loc']))[:40] or 'all'}: {e['msg']}" for e in faults)


def _values(view: PlannerView, actions: tuple[AgentAction, ...]) -> dict[str, str | list[str]]:
    """Fill the prompt's variables: what we say ourselves apart from what others wrote."""
    outcomes = initial_outcomes(view)
    # The evidence that these outcomes speak of, since they name its sentences by number; what a search found
    # stands among the observations.
    evidence = view.evidence
    return {
        "claim": view.claim.text,
        "context": view.claim.context or "",
        "reference": view.reference.raw,
        "evidence_title": evidence.title,
        "sentences": list(evidence.sentences),
        "verdicts": "\n".join(f"[{n}] {_said(outcome)}" for n, outcome in enumerate(outcomes)) or "(none)",
        "reasons": [_reason(outcome) for outcome in outcomes],
        "steps": "\n".join(f"[{n}] {_done(step)}" for n, step in enumerate(view.steps)) or "(none)",
        "observations": [_observed(step) for step in view.steps],
        "actions_left": str(view.actions_left),
        "tools": ", ".join(actions),
    }


def _said(outcome: VerifierOutcome) -> str:
    if not isinstance(outcome, Verdict):
        return f"{outcome.verifier} gave no verdict"
    sure = "" if outcome.confidence is None else f" (calibrated probability {outcome.confidence:.2f})"
    return f"{outcome.verifier}: {outcome.label}{sure}"


def _reason(outcome: VerifierOutcome) -> str:
    if not isinstance(outcome, Verdict):
        return outcome.reason
    decisive = f" Decisive sentences: {', '.join(map(str, outcome.rationale))}." if outcome.rationale else ""
    quoted = "".join(f" It quotes: “{quote}”." for quote in outcome.quotes)
    return f"{outcome.justification}{decisive}{quoted}"


def _done(step: AgentStep) -> str:
    verdicts = "; ".join(_said(outcome) for outcome in step.outcomes)
    whose = "" if on_cited_work(step) else " on evidence of ANOTHER work, which cannot support this citation"
    return f"{step.action}{f' -> {verdicts}' if verdicts else ''}{whose}"


def _observed(step: AgentStep) -> str:
    query = step.arguments.get("query", "")
    reasons = " ".join(f"{outcome.verifier}: {_reason(outcome)}" for outcome in step.outcomes)
    text = " ".join(step.evidence.sentences) if step.evidence is not None else ""
    parts = (f"Query: {query}." if query else "", step.observation, text, reasons)
    return " ".join(part for part in parts if part)
