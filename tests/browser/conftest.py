"""The real app in a real browser: a server of its own, real offline runs with tiny random models."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
PATIENCE_MS = float(os.environ.get("BROWSER_TEST_PATIENCE_S", "300")) * 1000
"""Generous, since the first run imports the model libraries; raise it on a busy machine."""

playwright_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402


def chromium() -> str | None:
    """Return Debian's chromium, or the one that BROWSER_TEST_CHROMIUM names."""
    return os.environ.get("BROWSER_TEST_CHROMIUM") or shutil.which("chromium", path="/usr/bin:/usr/local/bin")


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two tiny random encoders: wrong, but quick, and they disagree now and then."""
    from tests.verification.tiny import save_checkpoint, tiny_deberta

    folder = tmp_path_factory.mktemp("checkpoints")
    return (
        save_checkpoint(tiny_deberta(seed=0), folder / "nli"),
        save_checkpoint(tiny_deberta(seed=1), folder / "general"),
    )


@pytest.fixture(scope="session")
def address(checkpoints: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the app as a user does, slowed down enough to be watched; return where it is."""
    if chromium() is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("server")
    environment = os.environ | {
        "VERISCITE_CACHE_DIR": str(folder / "cache"),
        "VERISCITE_DATA_DIR": str(folder / "data"),
        "VERISCITE_NLI_MODEL": str(checkpoints[0]),
        "VERISCITE_BLIND_STAND_IN_MODEL": str(checkpoints[1]),
        "VERISCITE_NLI_COLLECT_MS": "300",
        "VERISCITE_RUN_CONCURRENCY": "1",
    }
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app" / "main.py")]
    options = ["--server.port", str(port), "--server.headless", "true"]
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen(
            command + options, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(f"{url}/_stcore/health", server, folder / "log.txt")
            yield url
        finally:
            server.terminate()
            server.wait(20)


def _wait_for(url: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text(errors="replace")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the app did not start: {log.read_text(errors='replace')}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open the app in a fresh session; whatever asks for another machine or breaks fails the test."""
    options = getattr(request, "param", {"viewport": {"width": 1280, "height": 900}})
    context = browser.new_context(accept_downloads=True, **options)
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    opened = context.new_page()
    foreign: list[str] = []
    broken: list[str] = []
    ours = (address, address.replace("http", "ws"), "data:", "blob:")
    opened.on("request", lambda asked: foreign.append(asked.url) if not asked.url.startswith(ours) else None)
    opened.on("pageerror", lambda error: broken.append(str(error)))
    opened.on("dialog", lambda dialog: (broken.append(dialog.message), dialog.dismiss()))
    context.set_default_navigation_timeout(PATIENCE_MS)
    opened.goto(address)
    expect(opened.get_by_role("button", name="Check the citations")).to_be_visible()
    yield opened
    if pictures := os.environ.get("BROWSER_TEST_PICTURES"):
        opened.screenshot(path=Path(pictures) / f"{request.node.name}.png", full_page=True)
    context.close()
    assert foreign == [], "the page asked another machine"
    assert broken == [], "the page broke, or ran a script of the text"
