"""A fake of the Anthropic Messages API over real sockets, as strict as the real one about what it is sent.

It answers what a test scripted, in order, and rejects with 400 what the real API rejects: unknown fields,
forced tools on models that refuse them, forcing while thinking, schemas that are not closed.
"""

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.fakes.faults import Answer, json_answer
from tests.fakes.server import FakeServer, Request

KEY = "sk-ant-test-0123456789abcdef"

_FIELDS = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "thinking", "output_config",
    "stop_sequences", "stream", "metadata",
}  # fmt: skip
_NEVER_FORCED = ("claude-sonnet-5-5", "claude-opus-5-5")
_MUST_THINK = ("claude-sonnet-5-5", "claude-opus-5-5")
_THINKS_BY_DEFAULT = ("claude-haiku-5", "claude-sonnet-5", "claude-opus-5")


def message(
    *blocks: Mapping[str, Any],
    stop_reason: str = "end_turn",
    model: str = "claude-haiku-5-5",
    input_tokens: int = 100,
    output_tokens: int = 20,
    cached_tokens: int = 0,
) -> Answer:
    """A message of the API with these content blocks."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(blocks),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": input_tokens,
            "output_tokens": output_tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached_tokens,
        },
    }
    return json_answer(body)


def text(value: str) -> dict[str, Any]:
    """A text block."""
    return {"type": "text", "text": value}


def thinking(value: str = "") -> dict[str, Any]:
    """A thinking block, empty as it comes by default."""
    return {"type": "thinking", "thinking": value, "signature": "c2ln"}


def tool_use(name: str, arguments: Any, id_: str = "toolu_1") -> dict[str, Any]:
    """A call of a tool."""
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def says(value: Any) -> Answer:
    """A structured answer: `value` as JSON in a text block."""
    return message(text(value if isinstance(value, str) else json.dumps(value)))


def calls(name: str, arguments: Any) -> Answer:
    """One call of a tool."""
    return message(tool_use(name, arguments), stop_reason="tool_use")


def refusal() -> Answer:
    """The model declines."""
    return message(stop_reason="refusal")


def truncated(value: str = '{"justification": "The abstra') -> Answer:
    """The answer hit its bound."""
    return message(text(value), stop_reason="max_tokens")


def api_error(status: int, kind: str, words: str, headers: Mapping[str, str] | None = None) -> Answer:
    """An error in the API's own form."""
    return json_answer({"type": "error", "error": {"type": kind, "message": words}}, status, headers)


def overloaded() -> Answer:
    """529, which only this API sends."""
    return api_error(529, "overloaded_error", "Overloaded")


def rate_limited(retry_after: str | float) -> Answer:
    """429 in the API's own form."""
    return api_error(429, "rate_limit_error", "This request would exceed your rate limit.",
                     {"Retry-After": str(retry_after)})  # fmt: skip


class AnthropicServer(FakeServer):
    """The API. `reply(...)` scripts messages that are sent only for requests that are well-formed.

    `script(...)` of the base class scripts faults, which need no well-formed request.
    """

    def __init__(self) -> None:
        super().__init__()
        self.replies: deque[Answer] = deque()

    def reply(self, *answers: Answer) -> None:
        """Answer the next well-formed requests with these, in order."""
        self.replies.extend(answers)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The requests' bodies, as they came."""
        return [request.json() for request in self.requests]

    def respond(self, request: Request) -> Answer | None:
        if (request.method, request.path) != ("POST", "/v1/messages"):
            return api_error(404, "not_found_error", "Not found")
        sent = request.headers.get("x-api-key") or request.headers.get("authorization", "")
        if sent.removeprefix("Bearer ") != KEY:
            return api_error(401, "authentication_error", f"invalid x-api-key: {sent}")
        problem = _problem(request)
        if problem:
            return api_error(400, "invalid_request_error", problem)
        if not self.replies:
            return None
        answer = self.replies.popleft()
        if answer.status != 200 or answer.content_type != "application/json":
            return answer
        body = json.loads(answer.body)
        if isinstance(body, dict) and body.get("type") == "message":
            body["model"] = request.json()["model"]
            return replace(answer, body=json.dumps(body).encode())
        return answer


def _problem(request: Request) -> str:
    if not request.headers.get("anthropic-version"):
        return "anthropic-version: header is required"
    if request.headers.get("content-type") != "application/json":
        return "content-type must be application/json"
    body = request.json()
    if set(body) - _FIELDS:
        return f"{sorted(set(body) - _FIELDS)[0]}: Extra inputs are not permitted"
    for name, kind in (("model", str), ("max_tokens", int), ("messages", list)):
        if not isinstance(body.get(name), kind) or not body[name]:
            return f"{name}: Field required"
    if body["messages"][-1]["role"] != "user" or not body["messages"][-1]["content"]:
        return "messages: the last turn must be the user's, with content"
    return _tool_problem(body) or _thinking_problem(body) or _output_problem(body)


def _tool_problem(body: dict[str, Any]) -> str:
    choice = body.get("tool_choice")
    tools = body.get("tools", [])
    if choice and not tools:
        return "tool_choice may only be specified while providing tools"
    for tool in tools:
        if tool.get("strict") and not _closed(tool["input_schema"]):
            return f"tools.{tool['name']}: strict schemas must set additionalProperties to false"
    forced = choice and choice["type"] in ("any", "tool")
    if forced and body["model"].startswith(_NEVER_FORCED):
        return "tool_choice: forced tool use is not supported for this model"
    thinks = body.get("thinking", {}).get("type", "adaptive") != "disabled"
    if forced and thinks and body["model"].startswith(_THINKS_BY_DEFAULT):
        return "Thinking may not be enabled when tool_choice forces tool use."
    return ""


def _thinking_problem(body: dict[str, Any]) -> str:
    if body.get("thinking", {}).get("type") == "disabled" and body["model"].startswith(_MUST_THINK):
        return '"thinking.type.disabled" is not supported for this model.'
    return ""


def _output_problem(body: dict[str, Any]) -> str:
    form = body.get("output_config", {}).get("format")
    if form is not None and (form.get("type") != "json_schema" or not _closed(form["schema"])):
        return "output_config.format.schema: objects must set additionalProperties to false"
    return ""


def _closed(schema: Any) -> bool:
    """Whether every object of the schema is closed, and nothing bounds a number or a length."""
    if isinstance(schema, list):
        return all(_closed(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return False
    if {"minimum", "maximum", "minLength", "maxLength", "maxItems"} & set(schema):
        return False
    return all(_closed(part) for part in schema.values())
