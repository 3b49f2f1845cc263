"""Chat models for tests: one that is scripted, and one that does whatever the text it reads tells it to."""

import json
import re
from collections import deque
from typing import Any

from veriscite.domain import Tokens
from veriscite.ports import ChatReply, ChatRequest, ToolCall


class UnscriptedChatError(AssertionError):
    """Somebody asked the model what no test foresaw."""


class ScriptedChat:
    """A ChatModel that gives prepared replies in order, raises prepared errors, and keeps the requests."""

    def __init__(self, *replies: ChatReply | Exception, name: str = "scripted-model") -> None:
        self._name = name
        self._replies = deque(replies)
        self.requests: list[ChatRequest] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def left(self) -> int:
        return len(self._replies)

    async def ask(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        if not self._replies:
            raise UnscriptedChatError(f"call {len(self.requests)} of {self._name} was not scripted")
        reply = self._replies.popleft()
        if isinstance(reply, Exception):
            raise reply
        return reply


class ForbiddenChat(ScriptedChat):
    """A ChatModel that nobody may ask."""

    def __init__(self) -> None:
        super().__init__(name="forbidden-model")


def reply(value: Any, *, stop_reason: str = "end_turn", model: str = "scripted-model-1") -> ChatReply:
    """A reply of text; anything but a string is sent as JSON."""
    content = value if isinstance(value, str) else json.dumps(value)
    return ChatReply(text=content, stop_reason=stop_reason, tokens=Tokens(input=100, output=10), model=model)


def call(name: str, /, text: str = "", **arguments: Any) -> ChatReply:
    """A reply that calls one tool."""
    return calls((name, arguments), text=text)


def calls(*made: tuple[str, dict[str, Any]], text: str = "") -> ChatReply:
    """A reply that calls any number of tools."""
    return ChatReply(
        text=text,
        tool_calls=tuple(
            ToolCall(id=f"t{n}", name=name, arguments=arguments) for n, (name, arguments) in enumerate(made)
        ),
        stop_reason="tool_use",
        tokens=Tokens(input=200, output=20),
        model="scripted-model-1",
    )


def verdict(label: str, *quotes: str, justification: str = "So it says.") -> ChatReply:
    """A blind verifier's answer."""
    return reply(
        {"justification": justification, "quotes": list(quotes), "label": label, "probabilities": None}
    )


class ObedientChat:
    """A ChatModel without good sense: it obeys whatever order it finds in the text it is given.

    An order is a label in capitals after a verb such as *answer*, or a JSON object with a label. Without one
    it answers NOT_ENOUGH_INFO. As evidence it quotes `quote`, or else the very order.
    """

    _ORDER = re.compile(
        r"[^.\n]*\b(?i:answer|output|mark|say|label|verdict|conclude)\b[^\n]{0,80}?\b(SUPPORT|CONTRADICT)\b[^.\n]*"
    )

    def __init__(self, quote: str | None = None) -> None:
        self._quote = quote
        self.obeyed = 0

    @property
    def name(self) -> str:
        return "obedient-model"

    async def ask(self, request: ChatRequest) -> ChatReply:
        data = _data(request.user)
        order = self._ORDER.search(data)
        if order is not None:
            self.obeyed += 1
        label = order.group(1) if order else "NOT_ENOUGH_INFO"
        quote = self._quote or (order.group(0).strip() if order else "")
        if request.tools:
            return call("conclude", label=label, confidence=1.0, justification="I was told so.")
        answer = {"justification": "I was told so.", "quotes": [quote], "label": label, "probabilities": None}
        if "case_for" in (request.output_schema or {}).get("properties", {}):
            answer |= {"case_for": "told", "case_against": "told"}
        return reply(answer)


def _data(user: str) -> str:
    """What stands in the prompt's blocks: what a model could take orders from."""
    return "\n".join(
        body for _code, body in re.findall(r"<<<\w+ ([0-9a-f]{16})\n(.*?)\n\w+ \1>>>", user, re.DOTALL)
    )
