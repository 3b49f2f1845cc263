"""The planner's three tools, as data: what they are called, what they take, and when they are offered."""

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from veriscite.domain import AgentAction, Label
from veriscite.ports import PlannerView, ToolSpec

MAX_QUERY_CHARACTERS = 300
_Reason = Annotated[str, Field(description="Why, in one sentence.")]


class SearchAgain(BaseModel):
    """Arguments of `search_again`."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        min_length=3,
        max_length=MAX_QUERY_CHARACTERS,
        description="Words to search for: words that the abstract of the cited work would hold.",
    )
    reason: _Reason


class SecondOpinion(BaseModel):
    """Arguments of `second_opinion`."""

    model_config = ConfigDict(extra="forbid")

    reason: _Reason


class Conclude(BaseModel):
    """Arguments of `conclude`."""

    model_config = ConfigDict(extra="forbid")

    label: Label
    justification: str = Field(
        min_length=1,
        description="What a reader is told: why this label, by the evidence, in a few sentences.",
    )
    confidence: float | None = Field(
        default=None, ge=0, le=1, description="Your own estimate that the label is right, or null."
    )


Arguments = SearchAgain | SecondOpinion | Conclude

ARGUMENTS: Mapping[AgentAction, type[Arguments]] = {
    AgentAction.SEARCH_AGAIN: SearchAgain,
    AgentAction.SECOND_OPINION: SecondOpinion,
    AgentAction.CONCLUDE: Conclude,
}

_DESCRIPTIONS: Mapping[AgentAction, str] = {
    AgentAction.SEARCH_AGAIN: (
        "Search for the cited work's abstract again, with a query of your own. What is found is judged by "
        "both verifiers. An abstract of another work is marked as such and cannot support this citation."
    ),
    AgentAction.SECOND_OPINION: (
        "Have the claim judged once more, on the evidence at hand, by a verifier that sees neither verdict."
    ),
    AgentAction.CONCLUDE: "Settle the claim with a label and a justification. Ends the work on this claim.",
}

TOOLS: Mapping[AgentAction, ToolSpec] = {
    action: ToolSpec(str(action), _DESCRIPTIONS[action], arguments.model_json_schema())
    for action, arguments in ARGUMENTS.items()
}


def offered(view: PlannerView) -> tuple[AgentAction, ...]:
    """Return the actions that may be taken now.

    With no action left only the conclusion; a second opinion is had once, since it would say the same again.
    """
    if view.actions_left <= 0:
        return (AgentAction.CONCLUDE,)
    if any(step.action is AgentAction.SECOND_OPINION for step in view.steps):
        return (AgentAction.SEARCH_AGAIN, AgentAction.CONCLUDE)
    return tuple(AgentAction)


def same_query(one: str, other: str) -> bool:
    """Whether two queries are the same but for case, order, punctuation and white space."""
    return _words(one) == _words(other)


def _words(query: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", query.casefold()))


def was_searched(query: str, view: PlannerView) -> bool:
    """Whether a step searched with this query before."""
    searches = (s for s in view.steps if s.action is AgentAction.SEARCH_AGAIN)
    return any(same_query(query, step.arguments.get("query", "")) for step in searches)
