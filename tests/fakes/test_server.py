"""The fakes themselves must not lie."""

import httpx
import pytest

from tests.fakes import faults
from tests.fakes.server import FakeServer, UnscriptedRequestError


def test_scripted_answers_come_in_order_and_requests_are_kept() -> None:
    with FakeServer() as server:
        server.script(faults.rate_limited(2), faults.json_answer({"ok": "é"}), path="/v1", method="POST")
        first = httpx.post(f"{server.url}/v1/x?q=a%26b", json={"n": 1})
        second = httpx.post(f"{server.url}/v1/x", json={"n": 2})
    assert (first.status_code, first.headers["retry-after"]) == (429, "2")
    assert second.json() == {"ok": "é"}
    assert [r.json() for r in server.requests] == [{"n": 1}, {"n": 2}]
    assert server.requests[0].query == {"q": ["a&b"]}


def test_an_unscripted_request_fails_the_test() -> None:
    with pytest.raises(UnscriptedRequestError, match="GET /surprise"), FakeServer() as server:
        assert httpx.get(f"{server.url}/surprise").status_code == 418


def test_the_faults_are_what_they_say() -> None:
    with FakeServer() as server:
        server.script(faults.no_answer(), faults.cut_short(), faults.slow(faults.empty_object(), 30))
        with httpx.Client(timeout=0.3) as client:
            with pytest.raises(httpx.RemoteProtocolError):
                client.get(server.url)
            with pytest.raises(httpx.RemoteProtocolError):
                client.get(server.url)
            with pytest.raises(httpx.ReadTimeout):
                client.get(server.url)


def test_the_last_answer_can_repeat_without_end() -> None:
    with FakeServer() as server:
        server.script(faults.unavailable(), faults.bad_gateway(), forever=True)
        codes = [httpx.get(server.url).status_code for _ in range(4)]
        assert codes == [503, 502, 502, 502]
        server.clear_script()
        server.script(faults.html())
        assert "text/html" in httpx.get(server.url).headers["content-type"]
