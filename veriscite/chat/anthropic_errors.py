"""Errors of the `anthropic` SDK in our own words: what happened, what to do, and nothing secret."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import mktime_tz, parsedate_tz
from typing import Any

from pydantic import SecretStr

from veriscite.errors import ChatAnswerError, ChatError, ChatUnavailableError

_MAX_DETAIL = 300

#: Status -> what it means and what to do. 5xx and what is not named here are told in general.
_STATUS: Mapping[int, tuple[type[ChatError], str, str]] = {
    400: (
        ChatAnswerError,
        "The API rejects the request to {model}",
        "Check that VERISCITE_BLIND_CHAT_MODEL and VERISCITE_PLANNER_CHAT_MODEL name models that take "
        "tools and structured output.",
    ),
    401: (
        ChatAnswerError,
        "The API does not accept the key",
        "Set ANTHROPIC_API_KEY to a valid key (console.anthropic.com), or unset it to run without a "
        "language model.",
    ),
    402: (ChatAnswerError, "The account has no credit left", "Add credit, or run without a language model."),
    403: (ChatAnswerError, "The key may not use {model}", "Use a key or a model with the permission."),
    404: (
        ChatAnswerError,
        "The API does not know {model}",
        "Check the model's name in VERISCITE_BLIND_CHAT_MODEL and VERISCITE_PLANNER_CHAT_MODEL, and "
        "ANTHROPIC_BASE_URL.",
    ),
    408: (ChatUnavailableError, "The API timed out", "Try again later."),
    413: (ChatAnswerError, "The request to {model} is too large", "Check a shorter text."),
    429: (
        ChatUnavailableError,
        "The API's rate limit for {model} is used up",
        "Wait a minute and run again, or lower VERISCITE_CHAT_CONCURRENCY.",
    ),
    529: (ChatUnavailableError, "{model} is overloaded", "Try again later."),
}


def explain(error: Exception, *, model: str, secret: SecretStr) -> ChatError:
    """Turn an error of the SDK, or of the HTTP client beneath it, into one of ours.

    Args:
        error: What was raised.
        model: Id of the model that was asked.
        secret: The key, which is taken out of whatever the server sent back.
    """
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error, model, secret)
    if isinstance(error, anthropic.APITimeoutError):
        return ChatUnavailableError(
            f"{model} did not answer in time.", advice="Try again later, or raise VERISCITE_CHAT_TIMEOUT_S."
        )
    if isinstance(error, anthropic.APIConnectionError):
        return ChatUnavailableError(
            f"The API of {model} cannot be reached, or broke off.",
            advice="Check the network and ANTHROPIC_BASE_URL.",
        )
    detail = _without(secret, str(error))
    return ChatUnavailableError(
        f"{model} could not be asked ({type(error).__name__}: {detail}).",
        advice="Check ANTHROPIC_BASE_URL and the network.",
    )


def _of_status(error: Any, model: str, secret: SecretStr) -> ChatError:
    status = int(error.status_code)
    detail = _without(secret, _message(error.body))
    if status in _STATUS:
        kind, text, advice = _STATUS[status]
    elif status >= 500:
        kind, text, advice = ChatUnavailableError, "The API of {model} has an outage", "Try again later."
    else:
        kind, text, advice = ChatAnswerError, "The API rejects the request to {model}", "See the detail."
    return kind(f"{text.format(model=model)} (HTTP {status}{': ' if detail else ''}{detail}).", advice=advice)


def _message(body: object) -> str:
    """The API's own words; nothing of a page that something else sent."""
    if isinstance(body, Mapping):
        inner = body.get("error")
        if isinstance(inner, Mapping) and isinstance(inner.get("message"), str):
            return str(inner["message"])
    return ""


def _without(secret: SecretStr, text: str) -> str:
    key = secret.get_secret_value()
    shown = text.replace(key, "[key]") if key else text
    return " ".join(shown.split())[:_MAX_DETAIL]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response asks us to wait; None if it does not say, or not readably."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return float(headers.get(name, "")) * unit
        except ValueError:
            continue
    date = parsedate_tz(headers.get("retry-after", ""))
    return None if date is None else mktime_tz(date) - time.time()
