"""The guard that keeps tests off the network holds for every way out."""

import asyncio
import os
import socket
import urllib.error
import urllib.request

import httpx
import pytest

from tests import network_guard
from tests.network_guard import NetworkRefusedError


@pytest.fixture(autouse=True)
def _expected() -> object:
    """Refusals are what these tests are about: do not fail them for it."""
    yield
    network_guard.refused.clear()


def test_refuses_connect_to_an_address() -> None:
    with socket.socket() as connection, pytest.raises(NetworkRefusedError, match=r"192\.0\.2\.1:80"):
        connection.connect(("192.0.2.1", 80))
    assert network_guard.refused == ["connect to 192.0.2.1:80"]


def test_refuses_connect_by_name_and_ipv6_and_datagrams() -> None:
    with socket.socket() as connection, pytest.raises(NetworkRefusedError):
        connection.connect(("api.example.org", 443))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection, pytest.raises(NetworkRefusedError):
        connection.sendto(b"?", ("192.0.2.1", 53))
    if socket.has_ipv6:
        try:
            connection = socket.socket(socket.AF_INET6)
        except OSError:
            return
        with connection, pytest.raises(NetworkRefusedError):
            connection.connect(("2001:db8::1", 80))


def test_refuses_name_lookups() -> None:
    with pytest.raises(NetworkRefusedError, match=r"DNS lookup of api\.example\.org"):
        socket.getaddrinfo("api.example.org", 443)
    with pytest.raises(NetworkRefusedError):
        socket.gethostbyname("api.example.org")


async def test_refuses_asyncio_and_httpx() -> None:
    with pytest.raises(NetworkRefusedError):
        await asyncio.open_connection("192.0.2.1", 80)
    async with httpx.AsyncClient(trust_env=False) as client:
        with pytest.raises(httpx.ConnectError):
            await client.get("http://192.0.2.1/")
        with pytest.raises(httpx.ConnectError):
            await client.get("http://api.example.org/")
    assert len(network_guard.refused) == 3


def test_environment_sends_other_clients_to_a_closed_proxy() -> None:
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen("http://api.example.org/", timeout=5)
    assert network_guard.refused == []


async def test_lets_local_servers_be_used() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, httpx.AsyncClient() as client:
        assert (await client.get(f"http://127.0.0.1:{port}/")).text == "ok"
        assert (await client.get(f"http://localhost:{port}/")).text == "ok"


def test_keys_are_cleared_and_folders_are_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    base = str(tmp_path_factory.getbasetemp())
    assert os.environ["VERISCITE_CACHE_DIR"].startswith(base)
    assert os.environ["VERISCITE_DATA_DIR"].startswith(base)
    assert "ANTHROPIC_API_KEY" not in os.environ
    assert "SEMANTIC_SCHOLAR_API_KEY" not in os.environ
