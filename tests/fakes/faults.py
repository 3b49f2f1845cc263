"""Answers that a server may give, faulty ones first of all, described apart from any protocol."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What goes over the wire for one request.

    Attributes:
        body: Bytes of the body, sent as they are.
        delay_s: How long to wait before the first byte.
        close: Close the connection without answering at all.
        claimed_length: Content-Length to claim; None tells the truth.
        drip_s: Pause between bytes of the body; 0 sends it at once.
        name: How tests call it.
    """

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    close: bool = False
    claimed_length: int | None = None
    drip_s: float = 0.0
    name: str = "answer"


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """A well-formed JSON answer."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return Answer(status=status, body=body, headers=headers or {}, name=f"json {status}")


def rate_limited(retry_after: str | float | None = None) -> Answer:
    """429; with `retry_after` the header of that name (seconds, or an HTTP date as text)."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    name = "429" if retry_after is None else f"429 Retry-After {retry_after}"
    body = b'{"message": "Too Many Requests. Please wait and try again.", "code": "429"}'
    return Answer(status=429, body=body, headers=headers, name=name)


def server_error(status: int = 500, body: bytes = b'{"error": "oops"}') -> Answer:
    """A 5xx with a JSON body that lacks the fields that clients like to read."""
    return Answer(status=status, body=body, name=str(status))


def bad_gateway() -> Answer:
    """502 as proxies send it: a page for people."""
    return Answer(
        status=502, body=b"<html><h1>502 Bad Gateway</h1></html>", content_type="text/html", name="502"
    )


def unavailable(retry_after: str | float | None = None) -> Answer:
    """503, with or without Retry-After."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Answer(status=503, body=b"", headers=headers, content_type="text/plain", name="503")


def html(status: int = 200) -> Answer:
    """A page where JSON was to come: a captive portal, a proxy, a maintenance notice."""
    body = b"<!doctype html><title>Sign in</title><p>Please sign in to the network."
    return Answer(status=status, body=body, content_type="text/html", name=f"HTML {status}")


def malformed_json() -> Answer:
    """JSON that breaks off, with an honest length."""
    return Answer(body=b'{"data": [{"paperId": "x", "title": "Broke', name="malformed JSON")


def cut_short() -> Answer:
    """A body shorter than the claimed length, then the connection closes."""
    return Answer(body=b'{"data": [', claimed_length=5_000, name="cut short")


def no_answer() -> Answer:
    """The connection closes without a byte."""
    return Answer(close=True, name="no answer")


def empty_object() -> Answer:
    """200 and `{}`."""
    return Answer(body=b"{}", name="empty object")


def slow(answer: Answer, seconds: float) -> Answer:
    """The same answer, later."""
    return replace(answer, delay_s=seconds, name=f"slow {answer.name}")


def drip(answer: Answer, pause_s: float) -> Answer:
    """The same answer, a byte at a time."""
    return replace(answer, drip_s=pause_s, name=f"dripping {answer.name}")


LASTING_FAULTS: Mapping[str, Callable[[], Answer]] = {
    "429": rate_limited,
    "429 Retry-After": lambda: rate_limited(0.01),
    "500": server_error,
    "502": bad_gateway,
    "503": unavailable,
    "HTML": html,
    "malformed JSON": malformed_json,
    "cut short": cut_short,
    "no answer": no_answer,
    "empty object": empty_object,
}
"""Every fault that needs no further argument, by name: for tests that go through all of them."""
