"""Refuses network traffic in tests, at the one place that all of Python's sockets pass: the audit hooks.

An audit hook sees asyncio, httpx, requests and urllib alike, and DNS lookups too. It sees this process only;
for child processes `SUBPROCESS_ENVIRONMENT` names a proxy at which nobody answers.
"""

import functools
import ipaddress
import socket
import sys
from typing import Any

LOCAL_NAMES = frozenset({"", "localhost", "127.0.0.1", "::1", "::ffff:127.0.0.1"})
_NOBODY = "http://127.0.0.1:9"

#: Environment that keeps well-behaved HTTP clients of child processes at home.
SUBPROCESS_ENVIRONMENT = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), _NOBODY),
    **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), _NOBODY),
    "NO_PROXY": "127.0.0.1,localhost,::1",
    "no_proxy": "127.0.0.1,localhost,::1",
    "PIP_NO_INDEX": "1",
}

#: What was refused, so that a test fails even where the code under test swallows the error.
refused: list[str] = []


class NetworkRefusedError(OSError):
    """A test tried to leave this machine; an OSError, so that clients take it for an outage."""


def _text(host: Any) -> str | None:
    if host is None:
        return None
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)


def _is_numeric(host: str) -> bool:
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def _refuse(what: str) -> None:
    refused.append(what)
    raise NetworkRefusedError(f"{what} was refused: tests reach 127.0.0.1 and ::1 only; use a fake server.")


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        connection, address = arguments[0], arguments[1]
        if connection.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
            host = _text(address[0])
            if host is not None and host not in LOCAL_NAMES:
                _refuse(f"{event.removeprefix('socket.')} to {host}:{address[1]}")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = _text(arguments[0])
        # A numeric address asks no name server; connecting to it is judged above.
        if host is not None and host not in LOCAL_NAMES and not _is_numeric(host):
            _refuse(f"a DNS lookup of {host}")


def _check_name(connection: socket.socket, address: Any) -> None:
    """Judge a name before C resolves it: that lookup raises no audit event."""
    if connection.family in (socket.AF_INET, socket.AF_INET6) and isinstance(address, tuple):
        _hook("socket.getaddrinfo", (address[0],))


def _guard_names(name: str) -> None:
    original = getattr(socket.socket, name)

    @functools.wraps(original)
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        _check_name(self, arguments[-1])
        return original(self, *arguments)

    setattr(socket.socket, name, guarded)


_hooked = False


def install() -> None:
    """Refuse from now on; calling it again mends what another plugin took away."""
    global _hooked
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked = True
    for name in ("connect", "connect_ex", "sendto"):
        if not hasattr(getattr(socket.socket, name), "__wrapped__"):
            _guard_names(name)
