"""The HTTP layer of all sources: address, key, e-mail, pace, breaker and budget, in one place."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from veriscite._version import __version__
from veriscite.evidence.options import NetworkOptions, SourceOptions
from veriscite.evidence.politeness import Budget, Paces, PoliteCaller, Sleep
from veriscite.evidence.transport import (
    Reply,
    Transport,
    checked_address,
    checked_secret,
    raise_failure,
)
from veriscite.ports import Emit


@dataclass(frozen=True)
class Network:
    """What the sources of one run share.

    Attributes:
        options: Time-out, attempts, the longest wait, the user's e-mail address.
        paces: One for each host.
        budget: What the run may spend on asking.
        backoff_s: First wait between attempts when a service names none.
        sleep: How to wait; tests inject their own.
        clock: Monotonic seconds.
    """

    options: NetworkOptions
    paces: Paces = field(default_factory=Paces)
    budget: Budget | None = None
    backoff_s: float = 1.0
    sleep: Sleep = asyncio.sleep
    clock: Callable[[], float] = time.monotonic

    @property
    def email(self) -> str | None:
        """The user's e-mail address, checked; None if there is none."""
        given: SecretStr | None = self.options.email
        return checked_secret("e-mail address", given.get_secret_value() if given else None, _EMAIL)

    def caller(self, title: str, host: str, options: SourceOptions) -> PoliteCaller:
        """A polite caller for one source."""
        return PoliteCaller(
            title,
            attempts=self.options.attempts,
            max_wait_s=self.options.max_wait_s,
            per_second=options.requests_per_second,
            backoff_s=self.backoff_s,
            pace=self.paces.of(host, options.requests_per_second),
            budget=self.budget,
            sleep=self.sleep,
            clock=self.clock,
        )

    def timeout_s(self, options: SourceOptions) -> float:
        """Seconds for one request to a source: its own setting, else the one for all."""
        return options.timeout_s or self.options.timeout_s


_EMAIL = "VERISCITE_EMAIL"


class HttpService:
    """Asks one service over HTTP, politely.

    Args:
        title: Its name, for messages and events.
        setting: What its settings begin with (`CROSSREF`).
        options: Address, key and pace.
        network: What all sources share.
        key_header: Puts the key into a header; None for a service without keys.

    Raises:
        SettingsError: Address, key or e-mail cannot be used.
    """

    def __init__(
        self,
        title: str,
        setting: str,
        options: SourceOptions,
        network: Network,
        *,
        key_header: Callable[[str], Mapping[str, str]] | None = None,
    ) -> None:
        self._title = title
        self._url = options.api_url.rstrip("/")
        self._settings = (f"{setting}_API_KEY" if key_header else "", f"{setting}_API_URL")
        self.host = checked_address(title, self._url, self._settings[1])
        given = options.api_key.get_secret_value() if options.api_key else None
        key = checked_secret(f"key of {title}", given, f"{setting}_API_KEY")
        self.has_key = key is not None and key_header is not None
        self.has_email = network.email is not None
        self._timeout_s = network.timeout_s(options)
        self._caller = network.caller(title, self.host, options)
        self._headers = {"User-Agent": _user_agent(network.email)}
        if network.email:
            self._headers["From"] = network.email
        if key and key_header:
            self._headers.update(key_header(key))
        self._transports: dict[asyncio.AbstractEventLoop, Transport] = {}

    async def read(
        self, path: str, params: Mapping[str, str], emit: Emit, read: Callable[[bytes], Any]
    ) -> Any:
        """Ask, and read the answer as a part of asking, so that the breaker hears of unusable ones.

        Args:
            path: Path below the base address.
            params: Parameters.
            emit: Hears of every wait.
            read: Makes something of the body; raises `UnusableAnswerError` for what is no answer.

        Raises:
            SourceError: No usable answer.
        """

        async def call() -> Any:
            return read((await self._get(path, params)).body)

        return await self._caller.ask(call, emit)

    async def _get(self, path: str, params: Mapping[str, str]) -> Reply:
        reply = await self._transport().send("GET", f"{self._url}{path}", params=params)
        if reply.status != 200:
            key_setting, url_setting = self._settings
            raise_failure(self._title, reply, key_setting=key_setting, url_setting=url_setting)
        return reply

    def _transport(self) -> Transport:
        """The transport of the running loop: connections cannot be shared between loops."""
        loop = asyncio.get_running_loop()
        for old in [known for known in self._transports if known.is_closed()]:
            del self._transports[old]
        if loop not in self._transports:
            self._transports[loop] = Transport(self._title, self._timeout_s, headers=self._headers)
        return self._transports[loop]

    async def aclose(self) -> None:
        """Close connections of the running loop."""
        transport = self._transports.pop(asyncio.get_running_loop(), None)
        if transport is not None:
            await transport.aclose()


def _user_agent(email: str | None) -> str:
    """Name ourselves, and whom to write to: what polite pools ask for."""
    return f"veriscite/{__version__}" + (f" (mailto:{email})" if email else "")
