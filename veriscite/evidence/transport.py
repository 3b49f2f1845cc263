"""One request to a service: bounded in time and size, never led to another host, its faults in our words.

Retries, pace and breaker are laid around this (see `politeness`). No error holds headers or parameters, for
these carry keys and the user's e-mail address.
"""

import asyncio
import json
import math
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, NoReturn
from urllib.parse import urlsplit

import httpx

from veriscite._version import __version__
from veriscite.errors import SettingsError
from veriscite.evidence.politeness import (
    BadRequestError,
    RefusedRequestError,
    TransientError,
    UnusableAnswerError,
)

MAX_BODY_BYTES = 64_000_000
MAX_CONNECTIONS = 8


@dataclass(frozen=True)
class Reply:
    """What a service answered, whatever its status."""

    status: int
    headers: httpx.Headers
    body: bytes


class Transport:
    """Sends single requests to one service.

    Args:
        title: The service's name, for messages.
        timeout_s: Seconds that one request may take in all, body included.
        headers: Sent with each request; may hold keys.
        max_bytes: The largest body that is read, after decompression.
    """

    def __init__(
        self,
        title: str,
        timeout_s: float,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BODY_BYTES,
    ) -> None:
        self._title = title
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._http = httpx.AsyncClient(
            timeout=timeout_s,
            verify=_certificates(),
            # A redirect could lead to another host, with our key.
            follow_redirects=False,
            # A server may close an idle connection just as we use it; short lives make that rare.
            limits=httpx.Limits(max_connections=MAX_CONNECTIONS, keepalive_expiry=2.0),
            headers={"User-Agent": f"veriscite/{__version__}", **(headers or {})},
        )

    async def aclose(self) -> None:
        """Close connections."""
        await self._http.aclose()

    async def send(
        self,
        method: str,
        url: str,
        *,
        params: str | Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Send one request and read the whole answer.

        Args:
            method: `GET` or `POST`.
            url: Address without parameters.
            params: Parameters; text goes into the address as it is.
            headers: Further headers.
            payload: JSON to send.

        Raises:
            TransientError: No answer in time.
            UnusableAnswerError: No connection, a broken answer, or one that is too large.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._send(method, url, params, headers, payload)
        except (TimeoutError, httpx.TimeoutException):
            raise TransientError(f"{self._title} did not answer within {self._timeout_s:g} s.") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # Never the error's own text: it may hold headers.
            raise UnusableAnswerError(
                f"{self._title} could not be reached ({type(error).__name__}).",
                advice="Check the network connection, or work offline.",
            ) from None

    async def _send(
        self,
        method: str,
        url: str,
        params: str | Mapping[str, str] | None,
        headers: Mapping[str, str] | None,
        payload: Mapping[str, Any] | None,
    ) -> Reply:
        chunks, size = [], 0
        async with self._http.stream(
            method, url, params=params, headers=dict(headers or {}), json=payload
        ) as reply:
            async for chunk in reply.aiter_bytes():
                size += len(chunk)
                if size > self._max_bytes:
                    raise UnusableAnswerError(f"{self._title} sent more than {self._max_bytes:,} bytes.")
                chunks.append(chunk)
        return Reply(reply.status_code, reply.headers, b"".join(chunks))


@cache
def _certificates() -> ssl.SSLContext:
    """Trusted certificates, read once: that takes longer than a request."""
    return httpx.create_ssl_context()


def raise_failure(title: str, reply: Reply, *, key_setting: str, url_setting: str) -> NoReturn:
    """Say what a status other than 200 means.

    Args:
        title: The service's name.
        reply: Its answer.
        key_setting: The setting of its key; empty if it has none.
        url_setting: The setting of its address.

    Raises:
        TransientError: 429 or 5xx.
        RefusedRequestError: Key or address are refused, or it sends us elsewhere.
        BadRequestError: It does not take this very request.
        UnusableAnswerError: Any other status.
    """
    status = reply.status
    if status == 429:
        wait = retry_after(reply.headers.get("retry-after"), lambda: datetime.now(UTC))
        asked = f"asks us to wait {wait:.0f} s" if wait is not None else "asks us to slow down"
        raise TransientError(f"{title} {asked} (429).", retry_after_s=wait, limited=True)
    if status >= 500:
        wait = retry_after(reply.headers.get("retry-after"), lambda: datetime.now(UTC))
        raise TransientError(f"{title} is out of order ({status}).", retry_after_s=wait)
    if status in (401, 403):
        advice = (
            f"Check {key_setting}; without a key the shared pool is used."
            if key_setting
            else "It may have blocked this address for a while; run again later."
        )
        raise RefusedRequestError(f"{title} refuses us ({status}).", advice=advice)
    if 300 <= status < 400:
        raise RefusedRequestError(
            f"{title} sends us to another address ({status}), which is not followed.",
            advice=f"Check {url_setting}.",
        )
    if status in (400, 413, 414, 422):
        raise BadRequestError(f"{title} does not take this request ({status}).")
    raise UnusableAnswerError(f"{title} answered {status}, which was not expected.")


def json_of(title: str, body: bytes) -> Any:
    """Read a body as JSON.

    Raises:
        UnusableAnswerError: It is none.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        kind = "a web page" if body.lstrip()[:1] == b"<" else "broken JSON"
        raise UnusableAnswerError(
            f"{title} answered with {kind}.", advice="A proxy or a sign-in page may stand in between."
        ) from None


def retry_after(value: str | None, now: Callable[[], datetime]) -> float | None:
    """Read a Retry-After header: seconds or an HTTP date.

    Returns:
        Seconds from now, 0 at least; None when there is none or it cannot be read.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - now()).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def checked_address(title: str, url: str, setting: str) -> str:
    """Return host and port of a base address.

    Raises:
        SettingsError: It is no address that can be asked.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise SettingsError(
            f"The address of {title} cannot be used: {_without_password(url)[:100]!r}.",
            advice=f"Set {setting} to an address that begins with https://.",
        )
    return f"{host}:{port}" if port else host


def _without_password(url: str) -> str:
    head, mark, tail = url.rpartition("@")
    return f"...{mark}{tail}" if head else url


def checked_secret(what: str, value: str | None, setting: str) -> str | None:
    """Refuse what cannot be a header: the HTTP library would quote it in its error.

    Args:
        what: What it is, in words (`key of Crossref`).
        value: The value as it was set.
        setting: The setting that holds it.

    Returns:
        The value without spaces around it; None when it is empty.

    Raises:
        SettingsError: It holds spaces, line breaks or other characters that it cannot have.
    """
    value = (value or "").strip()
    if value and not (value.isascii() and value.isprintable() and " " not in value):
        raise SettingsError(
            f"The {what} holds characters that it cannot have.",
            advice=f"Set {setting} again, without quotes or line breaks.",
        )
    return value or None
