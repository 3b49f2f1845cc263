"""Claude behind the ChatModel port, by the `anthropic` SDK (imported when it is first asked)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from veriscite.chat.anthropic_errors import explain, retry_after
from veriscite.chat.anthropic_models import traits_of
from veriscite.domain import Tokens
from veriscite.errors import ChatAnswerError, ChatError, ChatUnavailableError, SettingsError
from veriscite.ports import ChatReply, ChatRequest, ToolCall, ToolSpec

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

#: Tokens granted on top of the answer's own bound to a model that thinks first.
THINKING_TOKENS = 6_000


class AnthropicChat:
    """A Claude model. Implements `ports.ChatModel`.

    Args:
        model: Id of the model, as the API names it.
        api_key: The key; it appears in no error and no log.
        base_url: The API, or a server that speaks its protocol.
        timeout_s: Seconds that one attempt may take.
        max_retries: Further attempts on 429, time-outs, broken connections and 5xx, made by the SDK, which
            waits as long as Retry-After says.
        max_wait_s: The longest Retry-After that is waited for; beyond it the call fails at once.
        limiter: Bounds the calls under way at once; share one between models of one account.

    Raises:
        SettingsError: The key cannot be one.
    """

    def __init__(
        self,
        model: str,
        api_key: SecretStr,
        *,
        base_url: str = "https://api.anthropic.com",
        timeout_s: float = 60.0,
        max_retries: int = 2,
        max_wait_s: float = 60.0,
        limiter: asyncio.Semaphore | None = None,
    ) -> None:
        self._model = model
        self._traits = traits_of(model)
        self._key = _checked(api_key)
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._max_retries = max_retries
        self._max_wait_s = max_wait_s
        self._limiter = limiter or asyncio.Semaphore(4)
        self._client: AsyncAnthropic | None = None
        self._connecting = asyncio.Lock()

    @property
    def name(self) -> str:
        """Model id as the API names it."""
        return self._model

    async def ask(self, request: ChatRequest) -> ChatReply:
        """Ask once; retries happen inside.

        Raises:
            ChatUnavailableError: No answer after the retries.
            ChatAnswerError: The API refused the request, or its answer is not of the protocol.
        """
        async with self._connecting:
            if self._client is None:
                # In a thread: importing the SDK takes a second or more, and other claims are under way.
                self._client = await asyncio.to_thread(self._connect)
        async with self._limiter:
            return self._reply(await self._send(self._client, self._arguments(request)))

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _send(self, client: AsyncAnthropic, arguments: dict[str, Any]) -> bytes:
        import anthropic
        import httpx2

        # The SDK bounds each read, not the whole: a server that sends a byte a second would never end.
        whole = (self._timeout_s + self._max_wait_s) * (self._max_retries + 1)
        try:
            async with asyncio.timeout(whole):
                # The raw answer, since the SDK's own reading lets JSON errors and foreign shapes through.
                raw = await client.messages.with_raw_response.create(**arguments)
                body: bytes = await raw.read()
                return body
        except ChatError:
            raise
        except TimeoutError:
            raise ChatUnavailableError(
                f"{self._model} gave no whole answer within {whole:.0f} s.",
                advice="Try again later, or raise VERISCITE_CHAT_TIMEOUT_S.",
            ) from None
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            # `from None`: the SDK's error holds the request, and with it the key.
            raise explain(error, model=self._model, secret=self._key) from None

    def _connect(self) -> AsyncAnthropic:
        import anthropic
        import httpx2

        try:
            return anthropic.AsyncAnthropic(
                api_key=self._key.get_secret_value(),
                base_url=self._base_url,
                timeout=self._timeout_s,
                max_retries=self._max_retries,
                middleware=[self._refuse_long_waits],
            )
        except httpx2.InvalidURL as error:
            raise explain(error, model=self._model, secret=self._key) from None

    async def _refuse_long_waits(self, request: Any, call_next: Any) -> Any:
        """Fail at once where the API asks for a longer wait than we may take; the SDK would sleep it out."""
        response = await call_next(request)
        seconds = retry_after(response.headers) if response.status_code >= 400 else None
        if seconds is not None and seconds > self._max_wait_s:
            raise ChatUnavailableError(
                f"{self._model} asks for a wait of {seconds:.0f} s, longer than {self._max_wait_s:.0f} s.",
                advice="Try again later, or use another model or key.",
            )
        return response

    def _arguments(self, request: ChatRequest) -> dict[str, Any]:
        from anthropic import transform_schema

        arguments: dict[str, Any] = {
            "model": self._model,
            "max_tokens": request.max_tokens,
            "system": [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": request.user}],
        }
        thinks = self._traits.thinks
        if request.tools:
            arguments["tools"] = [_tool(spec) for spec in request.tools]
            arguments["tool_choice"] = _tool_choice(request.tools, self._traits.forced_tools)
            if self._traits.forced_tools and self._traits.thinking_when_forced is not None:
                arguments["thinking"] = dict(self._traits.thinking_when_forced)
                thinks = False
        if request.output_schema is not None:
            schema = transform_schema(dict(request.output_schema))
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        if thinks:
            arguments["max_tokens"] += THINKING_TOKENS
        return arguments

    def _reply(self, body: bytes) -> ChatReply:
        try:
            message = _Message.model_validate_json(body)
        except ValidationError as error:
            # What was expected and where, never what came: it may be a whole page.
            where = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['type']}" for e in error.errors()[:3])
            raise ChatAnswerError(
                f"The answer to {self._model} is no message of the API ({where}).",
                advice="Check ANTHROPIC_BASE_URL: a proxy or another service may have answered.",
            ) from None
        usage = message.usage
        return ChatReply(
            text="".join(b.text for b in message.content if b.type == "text" and b.text is not None),
            tool_calls=tuple(
                ToolCall(id=b.id or "", name=b.name, arguments=b.input or {})
                for b in message.content
                if b.type == "tool_use" and b.name is not None
            ),
            stop_reason=message.stop_reason or "",
            tokens=Tokens(
                input=usage.input_tokens
                + (usage.cache_creation_input_tokens or 0)
                + (usage.cache_read_input_tokens or 0),
                output=usage.output_tokens,
            ),
            model=message.model,
        )


def _checked(api_key: SecretStr) -> SecretStr:
    """Take the white space off that comes along when a key is pasted; a header could not carry the rest."""
    key = api_key.get_secret_value().strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise SettingsError(
            "The key of the Anthropic API is empty or holds characters that no key has.",
            advice="Set ANTHROPIC_API_KEY to the key as it was given, or unset it.",
        )
    return SecretStr(key)


def _tool(spec: ToolSpec) -> dict[str, Any]:
    from anthropic import transform_schema

    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": transform_schema(dict(spec.parameters)),
        "strict": True,
    }


def _tool_choice(tools: tuple[ToolSpec, ...], forced: bool) -> dict[str, Any]:
    if not forced:
        return {"type": "auto", "disable_parallel_tool_use": True}
    if len(tools) == 1:
        return {"type": "tool", "name": tools[0].name, "disable_parallel_tool_use": True}
    return {"type": "any", "disable_parallel_tool_use": True}


class _Lenient(BaseModel):
    """Fields that we do not know are the API's to add."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _Block(_Lenient):
    type: str
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: dict[str, Any] | None = None


class _Usage(_Lenient):
    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cache_creation_input_tokens: int | None = Field(default=None, ge=0)
    cache_read_input_tokens: int | None = Field(default=None, ge=0)


class _Message(_Lenient):
    content: list[_Block]
    model: str
    stop_reason: str | None
    usage: _Usage
