"""The real client against a server that speaks the Messages API, and against each of its faults."""

import asyncio
import importlib
import logging
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from tests.fakes import anthropic_server as api
from tests.fakes import faults
from veriscite.chat.anthropic_chat import THINKING_TOKENS, AnthropicChat
from veriscite.chat.anthropic_models import TRAITS
from veriscite.domain import Tokens
from veriscite.errors import ChatAnswerError, ChatError, ChatUnavailableError, SettingsError
from veriscite.ports import ChatRequest, ToolSpec

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "number", "minimum": 0, "maximum": 1}},
    "required": ["n"],
}
TOOLS = tuple(
    ToolSpec(name, "Does it.", {"type": "object", "properties": {"q": {"type": "string", "maxLength": 9}}})
    for name in ("search_again", "conclude")
)


@pytest.fixture(scope="module", autouse=True)
def _sdk() -> None:
    """Import the SDK apart from what is timed."""
    importlib.import_module("anthropic")


@pytest.fixture
def server() -> Iterator[api.AnthropicServer]:
    with api.AnthropicServer() as running:
        yield running


@asynccontextmanager
async def client(
    server: api.AnthropicServer, model: str = "claude-haiku-5-5", key: str = api.KEY, **options: Any
) -> AsyncIterator[AnthropicChat]:
    defaults = {"timeout_s": 20.0, "max_retries": 0}
    chat = AnthropicChat(model, SecretStr(key), base_url=server.url, **(defaults | options))
    try:
        yield chat
    finally:
        await chat.aclose()


ASK = ChatRequest(system="Fixed.", user="Data.", output_schema=SCHEMA, max_tokens=300)


async def test_a_structured_answer_and_its_tokens(server: api.AnthropicServer) -> None:
    server.reply(api.message(api.thinking(), api.text('{"n": 1}'), input_tokens=7, cached_tokens=40))
    async with client(server) as chat:
        reply = await chat.ask(ASK)
    assert (reply.text, reply.stop_reason, reply.model) == ('{"n": 1}', "end_turn", "claude-haiku-5-5")
    assert reply.tokens == Tokens(input=47, output=20)
    assert reply.tool_calls == ()


async def test_what_is_sent(server: api.AnthropicServer) -> None:
    server.reply(api.says({"n": 1}))
    async with client(server) as chat:
        await chat.ask(ASK)
    (body,) = server.bodies
    assert body["system"] == [{"type": "text", "text": "Fixed.", "cache_control": {"type": "ephemeral"}}]
    assert body["messages"] == [{"role": "user", "content": "Data."}]
    assert body["output_config"]["format"]["schema"]["additionalProperties"] is False
    assert body["max_tokens"] == 300 + THINKING_TOKENS  # this model thinks, and thinking counts
    assert "temperature" not in body
    assert "tools" not in body


@pytest.mark.parametrize("model", [*TRAITS, "claude-haiku-4-5-20251001", "claude-of-tomorrow"])
async def test_each_model_gets_a_tool_request_that_it_accepts(
    server: api.AnthropicServer, model: str
) -> None:
    server.reply(api.calls("conclude", {"q": "x"}), api.calls("conclude", {"q": "x"}))
    async with client(server, model) as chat:
        for tools in (TOOLS, TOOLS[1:]):
            reply = await chat.ask(ChatRequest(system="S", user="U", tools=tools))
            assert [(c.name, c.arguments) for c in reply.tool_calls] == [("conclude", {"q": "x"})]
    for body in server.bodies:
        assert body["tool_choice"]["disable_parallel_tool_use"] is True
        assert all(tool["strict"] for tool in body["tools"])


async def test_a_call_is_forced_where_the_model_allows_it(server: api.AnthropicServer) -> None:
    server.reply(*(api.calls("conclude", {}) for _ in range(3)))
    async with client(server, "claude-haiku-5-5") as chat:
        await chat.ask(ChatRequest(system="S", user="U", tools=TOOLS))
        await chat.ask(ChatRequest(system="S", user="U", tools=TOOLS[1:]))
    async with client(server, "claude-sonnet-5-5") as chat:
        await chat.ask(ChatRequest(system="S", user="U", tools=TOOLS))
    any_tool, one_tool, auto = server.bodies
    assert (any_tool["tool_choice"]["type"], any_tool["thinking"]) == ("any", {"type": "disabled"})
    assert (one_tool["tool_choice"]["type"], one_tool["tool_choice"]["name"]) == ("tool", "conclude")
    assert auto["tool_choice"]["type"] == "auto"
    assert "thinking" not in auto


@pytest.mark.parametrize(
    ("answer", "stop_reason"), [(api.refusal(), "refusal"), (api.truncated(), "max_tokens")]
)
async def test_a_refusal_and_a_truncation_are_answers(
    server: api.AnthropicServer, answer: faults.Answer, stop_reason: str
) -> None:
    server.reply(answer)
    async with client(server) as chat:
        assert (await chat.ask(ASK)).stop_reason == stop_reason


# What the API may answer, the error that it becomes, and what its advice speaks of.
FAULTS = [
    (faults.rate_limited(), ChatUnavailableError, "CONCURRENCY"),
    (api.rate_limited(3600), ChatUnavailableError, "later"),
    (api.rate_limited("Wed, 21 Oct 2099 07:28:00 GMT"), ChatUnavailableError, "later"),
    (api.overloaded(), ChatUnavailableError, "later"),
    (faults.server_error(), ChatUnavailableError, "later"),
    (faults.bad_gateway(), ChatUnavailableError, "later"),
    (faults.unavailable(), ChatUnavailableError, "later"),
    (faults.no_answer(), ChatUnavailableError, "network"),
    (faults.cut_short(), ChatUnavailableError, "network"),
    (faults.slow(faults.empty_object(), 30), ChatUnavailableError, "TIMEOUT"),
    (faults.html(), ChatAnswerError, "BASE_URL"),
    (faults.malformed_json(), ChatAnswerError, "BASE_URL"),
    (faults.empty_object(), ChatAnswerError, "BASE_URL"),
    (faults.Answer(body=b"", name="empty"), ChatAnswerError, "BASE_URL"),
    (faults.Answer(body=b"null", name="null"), ChatAnswerError, "BASE_URL"),
    (faults.Answer(body=b"[" * 100_000, name="deep"), ChatAnswerError, "BASE_URL"),
    (faults.Answer(body=b'{"content": "\xff\xfe"}', name="not UTF-8"), ChatAnswerError, "BASE_URL"),
    (faults.Answer(status=204, name="204"), ChatAnswerError, "BASE_URL"),
    (
        faults.Answer(status=307, headers={"Location": "/elsewhere"}, name="redirect"),
        ChatUnavailableError,
        "ANTHROPIC_BASE_URL",
    ),
    (
        faults.json_answer({"content": [{"type": "tool_use", "name": "x", "input": "no object"}]}),
        ChatAnswerError,
        "BASE_URL",
    ),
    (api.api_error(400, "invalid_request_error", "prompt is too long"), ChatAnswerError, "MODEL"),
    (api.api_error(403, "permission_error", "no"), ChatAnswerError, "permission"),
    (api.api_error(404, "not_found_error", "model: x"), ChatAnswerError, "name"),
    (api.api_error(413, "request_too_large", "big"), ChatAnswerError, "shorter"),
    (api.api_error(418, "teapot", "short and stout"), ChatAnswerError, "detail"),
]


@pytest.mark.parametrize(("answer", "kind", "advice"), FAULTS, ids=[f[0].name + f[2] for f in FAULTS])
async def test_each_fault_becomes_an_error_that_says_what_to_do(
    server: api.AnthropicServer, answer: faults.Answer, kind: type[ChatError], advice: str
) -> None:
    server.script(answer, forever=True)
    began = time.monotonic()
    async with client(server, timeout_s=0.5 if answer.delay_s else 20.0) as chat:
        with pytest.raises(ChatError) as caught:
            await chat.ask(ASK)
    assert time.monotonic() - began < 25  # what is slow here takes 30 s or an hour
    assert type(caught.value) is kind
    assert caught.value.retryable is (kind is ChatUnavailableError)
    assert advice in caught.value.advice
    assert api.KEY not in str(caught.value)


RETRIED = [
    faults.rate_limited(0.01), api.overloaded(), faults.server_error(), faults.bad_gateway(),
    faults.unavailable(0.01), faults.no_answer(), faults.cut_short(),
]  # fmt: skip


@pytest.mark.parametrize("answer", RETRIED, ids=[a.name for a in RETRIED])
async def test_passing_faults_are_retried(server: api.AnthropicServer, answer: faults.Answer) -> None:
    server.script(answer)
    server.reply(api.says({"n": 1}))
    async with client(server, max_retries=1) as chat:
        assert (await chat.ask(ASK)).text == '{"n": 1}'
    assert len(server.requests) == 2


async def test_a_bad_request_is_not_retried(server: api.AnthropicServer) -> None:
    server.script(api.api_error(400, "invalid_request_error", "no"))
    async with client(server, max_retries=2) as chat:
        with pytest.raises(ChatAnswerError, match="HTTP 400: no"):
            await chat.ask(ASK)
    assert len(server.requests) == 1


async def test_retry_after_is_honoured(server: api.AnthropicServer) -> None:
    server.script(api.rate_limited(1))
    server.reply(api.says({"n": 1}))
    async with client(server, max_retries=1) as chat:
        await chat.ask(ASK)
    first, second = server.requests
    assert second.at - first.at >= 1.0  # the SDK's own first pause is half a second at most


async def test_an_answer_that_drips_does_not_hang(server: api.AnthropicServer) -> None:
    server.script(faults.drip(api.says({"n": 1}), 0.1))
    async with client(server, timeout_s=1.0, max_wait_s=0.2) as chat:
        with pytest.raises(ChatUnavailableError, match="whole answer"):
            await chat.ask(ASK)


async def test_nobody_listens() -> None:
    with api.AnthropicServer() as gone:
        pass
    async with client(gone) as chat:
        with pytest.raises(ChatUnavailableError, match="cannot be reached"):
            await chat.ask(ASK)


@pytest.mark.parametrize("url", ["no url at all", "http://127.0.0.1:1\n", "ftp://127.0.0.1", "http://[bad"])
async def test_a_base_url_that_is_none(url: str) -> None:
    chat = AnthropicChat("claude-haiku-5-5", SecretStr(api.KEY), base_url=url, max_retries=0)
    with pytest.raises(ChatError) as caught:
        await chat.ask(ASK)
    assert "ANTHROPIC_BASE_URL" in caught.value.advice
    await chat.aclose()


@pytest.mark.parametrize("key", ["", "  \n", "sk-ant clé", "sk-ant-\u00e9", "sk\nant"])
def test_a_key_that_cannot_be_one(key: str) -> None:
    with pytest.raises(SettingsError, match="characters that no key has") as caught:
        AnthropicChat("claude-haiku-5-5", SecretStr(key))
    assert not key.strip() or key not in str(caught.value)


async def test_white_space_around_a_key_does_no_harm(server: api.AnthropicServer) -> None:
    server.reply(api.says({"n": 1}))
    async with client(server, key=f" {api.KEY}\n") as chat:
        await chat.ask(ASK)


async def test_a_wrong_key_says_how_to_set_one_and_is_shown_nowhere(
    server: api.AnthropicServer, caplog: pytest.LogCaptureFixture
) -> None:
    wrong = "sk-ant-wrong-9876543210"
    with caplog.at_level(logging.DEBUG):
        async with client(server, key=wrong) as chat:
            with pytest.raises(ChatAnswerError) as caught:  # the fake sends the key back, as proxies may
                await chat.ask(ASK)
    assert "ANTHROPIC_API_KEY" in caught.value.advice
    assert "[key]" in str(caught.value)
    assert wrong not in str(caught.value)
    assert wrong not in repr(caught.value)
    assert caught.value.__cause__ is None
    assert wrong not in caplog.text
    assert wrong not in repr(chat) + repr(vars(chat))


async def test_no_more_calls_at_once_than_allowed(server: api.AnthropicServer) -> None:
    server.reply(*(faults.slow(api.says({"n": 1}), 0.15) for _ in range(4)))
    limiter = asyncio.Semaphore(2)
    async with client(server, limiter=limiter) as one, client(server, limiter=limiter) as other:
        await asyncio.gather(*(chat.ask(ASK) for chat in (one, other, one, other)))
    times = sorted(request.at for request in server.requests)
    assert times[2] - times[0] >= 0.14


async def test_a_cancelled_call_lets_go(server: api.AnthropicServer) -> None:
    server.script(faults.slow(faults.empty_object(), 30))
    limiter = asyncio.Semaphore(1)
    async with client(server, timeout_s=30, limiter=limiter) as chat:
        task = asyncio.create_task(chat.ask(ASK))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not limiter.locked()


def test_the_sdk_is_imported_only_when_asked() -> None:
    import subprocess
    import sys

    code = "import sys, veriscite.chat.anthropic_chat as c; print('anthropic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
