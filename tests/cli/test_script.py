"""Help and version; what a process of its own loads for them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from veriscite import __version__
from veriscite.cli.commands import app

HEAVY = (
    "torch",
    "transformers",
    "langgraph",
    "anthropic",
    "streamlit",
    "pandas",
    "captum",
    "jinja2",
)


def test_help_loads_nothing_heavy() -> None:
    code = f"""
import sys
from veriscite.cli import main
sys.argv = ["veriscite", "check", "--help"]
try:
    main()
except SystemExit as exit:
    print("rc", exit.code, [name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.splitlines()[-1] == "rc 0 []", done.stderr


def test_it_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "veriscite", "version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, __version__)


@pytest.mark.parametrize("command", ["check", "demo", "doctor"])
def test_help_shows_examples(command: str) -> None:
    assert f" {command} " in CliRunner().invoke(app, ["--help"]).stdout
    done = CliRunner().invoke(app, [command, "--help"])
    assert done.exit_code == 0
    assert f"\n   veriscite {command}" in done.stdout  # a line of its own, not run together with others


def test_help_tells_the_exit_codes() -> None:
    assert "130 stopped by Ctrl-C" in " ".join(CliRunner().invoke(app, ["check", "-h"]).stdout.split())
