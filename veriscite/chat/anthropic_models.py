"""What the Anthropic models accept, as data: a request that a model rejects costs the whole answer.

Taken from the migration guides of each model on platform.claude.com as of 2026-11. A model that is not in the
table gets the request that every model accepts.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ModelTraits:
    """What a request to a model may hold.

    Attributes:
        forced_tools: Whether `tool_choice` may force a call. Where it may not, the prompt asks for it, and an
            answer without a call is repaired like any other unusable one.
        thinking_when_forced: The `thinking` argument that a forced call needs, since forcing a call while
            thinking is an error; None where the model does not think unless asked.
        thinks: Whether the model thinks unless told not to; what it thinks counts towards `max_tokens`.
    """

    forced_tools: bool = False
    thinking_when_forced: Mapping[str, str] | None = None
    thinks: bool = True


_NO_THINKING: Mapping[str, str] = {"type": "disabled"}
_FORCED_WITHOUT_THINKING = ModelTraits(forced_tools=True, thinking_when_forced=_NO_THINKING)
_THINKS_ONLY_IF_ASKED = ModelTraits(forced_tools=True, thinks=False)
_NEVER_FORCED = ModelTraits()

#: The longest prefix of the model's id decides.
TRAITS: Mapping[str, ModelTraits] = {
    "claude-haiku-5-5": _FORCED_WITHOUT_THINKING,
    "claude-sonnet-5": _FORCED_WITHOUT_THINKING,
    "claude-sonnet-5-5": _NEVER_FORCED,
    "claude-opus-5": _FORCED_WITHOUT_THINKING,
    "claude-opus-5-5": _NEVER_FORCED,
    "claude-haiku-4": _THINKS_ONLY_IF_ASKED,
    "claude-sonnet-4": _THINKS_ONLY_IF_ASKED,
    "claude-opus-4": _THINKS_ONLY_IF_ASKED,
}


def traits_of(model: str) -> ModelTraits:
    """Return what `model` accepts; what every model accepts, if it is not known."""
    known = [prefix for prefix in TRAITS if model == prefix or model.startswith(prefix + "-")]
    return TRAITS[max(known, key=len)] if known else _NEVER_FORCED
