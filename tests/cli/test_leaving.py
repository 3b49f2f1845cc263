from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from veriscite.cli.leaving import EXIT_INTERRUPTED, RUN_THREAD, leave


@contextmanager
def _working(name: str) -> Iterator[None]:
    done = threading.Event()
    thread = threading.Thread(target=done.wait, name=name)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.fixture
def exits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    codes: list[int] = []
    monkeypatch.setattr("veriscite.cli.leaving._exit", codes.append)
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # other tests may have loaded it
    return codes


@pytest.mark.parametrize(
    ("thread", "code", "at_once"),
    [(RUN_THREAD, 1, True), ("a pool", 0, False), ("a pool", EXIT_INTERRUPTED, True)],
)
def test_only_what_nobody_waits_for_is_left_behind(
    exits: list[int], thread: str, code: int, at_once: bool
) -> None:
    with _working(thread), pytest.raises(SystemExit) as caught:
        leave(code)
    assert caught.value.code == code
    assert exits == ([code] if at_once else [])


def test_the_run_s_thread_is_the_one_that_is_looked_for() -> None:
    import inspect

    from veriscite.api import Run

    assert f'name="{RUN_THREAD}"' in inspect.getsource(Run.__iter__)


def test_a_process_with_torch_is_not_torn_down(exits: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", sys)
    with pytest.raises(SystemExit):
        leave(1)
    assert exits == [1]


def test_the_collector_is_on_again_for_a_program_that_lives_on(monkeypatch: pytest.MonkeyPatch) -> None:
    import gc

    from veriscite.cli import commands

    monkeypatch.setattr(sys, "argv", ["veriscite", "version"])
    with pytest.raises(SystemExit):
        commands.main()
    assert gc.isenabled()
