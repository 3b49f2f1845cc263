from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True)
def _the_tests_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no command end the process of the tests, whatever threads other tests left behind."""
    monkeypatch.setattr("veriscite.cli.leaving._exit", sys.exit)
