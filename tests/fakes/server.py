"""A small scripted HTTP server on 127.0.0.1, in a thread, over real sockets.

Subclasses answer their protocol in `respond`. Whatever is scripted comes first, in order. A request
that neither knows is written down and fails the test when the server closes.
"""

import contextlib
import json
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.fakes.faults import Answer, json_answer


@dataclass(frozen=True)
class Request:
    """A request as it came in; header names are in lower case."""

    method: str
    path: str
    raw_query: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    at: float

    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


Matcher = Callable[[Request], bool]


@dataclass
class _Rule:
    matches: Matcher
    answers: deque[Answer] = field(default_factory=deque)
    forever: bool = False


class UnscriptedRequestError(AssertionError):
    """Somebody asked the fake for what no test foresaw."""


class FakeServer:
    """Base of the fakes; usable alone when everything is scripted.

    Example:
        with FakeServer() as server:
            server.script(rate_limited(1), json_answer({"ok": True}), path="/v1/messages")
            ...use server.url...
        assert len(server.requests) == 2
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.unexpected: list[str] = []
        self._rules: list[_Rule] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """Base URL without a trailing slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(
        self,
        *answers: Answer,
        path: str = "",
        method: str | None = None,
        when: Matcher | None = None,
        forever: bool = False,
    ) -> None:
        """Answer the next matching requests with `answers`, in order, each once.

        Args:
            answers: What to answer.
            path: What the path must contain.
            method: `GET` or `POST`; None for any.
            when: A further condition.
            forever: Repeat the last answer without end.
        """

        def matches(request: Request) -> bool:
            return (
                path in request.path and method in (None, request.method) and (when is None or when(request))
            )

        with self._lock:
            self._rules.append(_Rule(matches, deque(answers), forever))

    def clear_script(self) -> None:
        """Forget all scripted answers: the outage is over."""
        with self._lock:
            self._rules.clear()

    def respond(self, request: Request) -> Answer | None:
        """Answer by the fake's own protocol; None for a request that it does not know."""
        return None

    def answer(self, request: Request) -> Answer:
        """Choose the answer: scripted, else by the protocol, else a failure of the test."""
        with self._lock:
            self.requests.append(request)
            for rule in self._rules:
                if rule.answers and rule.matches(request):
                    last = rule.forever and len(rule.answers) == 1
                    return rule.answers[0] if last else rule.answers.popleft()
        reply = self.respond(request)
        if reply is None:
            self.unexpected.append(f"{request.method} {request.path}?{request.raw_query}")
            reply = json_answer({"error": "unscripted request"}, status=418)
        return reply

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than the server lives."""
        self._closing.wait(seconds)

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and raise if anything was asked that nobody scripted."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)
        if self.unexpected:
            raise UnscriptedRequestError("; ".join(self.unexpected))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except UnscriptedRequestError:
            if error is None:
                raise
            error.add_note(f"unscripted requests: {self.unexpected}")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64


def _handler_for(fake: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 30

        def log_message(self, *_args: object) -> None:
            """Keep the test's output quiet."""

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("content-length") or 0)
            request = Request(
                method=self.command,
                path=parts.path,
                raw_query=parts.query,
                query=parse_qs(parts.query, keep_blank_values=True),
                headers={k.lower(): v for k, v in self.headers.items()},
                body=self.rfile.read(length),
                at=time.monotonic(),
            )
            # The client may have given up by now; that is its right, and often what is tested.
            with contextlib.suppress(ConnectionError):
                self._send(fake.answer(request))

        def _send(self, answer: Answer) -> None:
            if answer.delay_s:
                fake.pause(answer.delay_s)
            if answer.close:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            length = len(answer.body) if answer.claimed_length is None else answer.claimed_length
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.content_type)
            self.send_header("Content-Length", str(length))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if answer.drip_s:
                for byte in answer.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    fake.pause(answer.drip_s)
            else:
                self.wfile.write(answer.body)
            if length != len(answer.body):
                self.close_connection = True

        do_GET = do_POST = _serve

    return Handler
