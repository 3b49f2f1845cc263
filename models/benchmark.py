"""Every figure of the NLI verifier in one run: `make bench-nli`.

Runs the benchmarks one after the other, each in a process of its own as it can be run by itself, shows their
tables as they come, and ends with one line of JSON that holds the figures of all. Scores come first and side
by side, for they take longest; what is timed has the machine to itself.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from models.rows import data_or_skip


@dataclass(frozen=True)
class Part:
    """One benchmark.

    Attributes:
        name: As `--only` names it.
        arguments: What follows `python -m`.
        prefix: Put before its figures' names, where another part has figures of the same name.
    """

    name: str
    arguments: tuple[str, ...]
    prefix: str = ""


#: Run side by side: nothing in them is timed.
SCORES = (
    Part("science", ("models.evaluate", "--model", "science")),
    Part("science-research", ("models.evaluate", "--model", "science-research"), "research_"),
    Part(
        "general", ("models.evaluate", "--model", "general", "--sets", "scifact", "check-covid"), "general_"
    ),
    Part("distortions", ("models.distortion_bench",)),
)
TIMED = (
    Part("attribution", ("models.attribution_bench",)),
    Part("speed", ("models.speed_bench",)),
)
#: Of every part, and alike in all or of no meaning once they stand together.
_LEFT_OUT = ("model", "revision", "seconds", "pairs", "kinds", "edits", "claims")


class BenchmarkError(RuntimeError):
    """A part failed; its output has been shown."""


def figures(output: str) -> dict[str, Any]:
    """The last line of a benchmark's output, which is one JSON object.

    Raises:
        BenchmarkError: It is not.
    """
    lines = output.strip().splitlines()
    try:
        found = json.loads(lines[-1]) if lines else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BenchmarkError("a benchmark ended without its line of figures")
    return found


def merged(parts: Sequence[tuple[Part, dict[str, Any]]]) -> dict[str, Any]:
    """All figures under one name each.

    Raises:
        BenchmarkError: Two parts give a figure of the same name.
    """
    line: dict[str, Any] = {}
    for part, found in parts:
        for name, value in found.items():
            if name in _LEFT_OUT:
                continue
            if part.prefix + name in line:
                raise BenchmarkError(f"two figures are called {part.prefix + name}")
            line[part.prefix + name] = value
    return line


def run(part: Part, extra: Sequence[str]) -> dict[str, Any]:
    """Run one part to its end, show its tables, and give its figures.

    Raises:
        BenchmarkError: It failed.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        done = subprocess.run(  # noqa: S603 - our own modules, no shell
            [sys.executable, "-W", "ignore", "-m", *part.arguments, *extra],
            stdout=output,
            env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"},
            check=False,
        )
        output.seek(0)
        text = output.read()
    table = text.rstrip().rsplit("\n", 1)[0] if done.returncode == 0 else text
    print(f"\n## {part.name}\n\n{table.strip()}", flush=True)
    if done.returncode:
        raise BenchmarkError(f"{part.name} ended with exit code {done.returncode}")
    return figures(text)


def machine() -> dict[str, Any]:
    """What it was measured on."""
    packages = {name: version(name) for name in ("torch", "transformers", "captum")}
    return {"python": platform.python_version(), "processors": os.cpu_count(), **packages}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run all parts, or those asked for."""
    names = [part.name for part in (*SCORES, *TIMED)]
    parser = argparse.ArgumentParser(prog="python -m models.benchmark", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="some parts only")
    parser.add_argument("--cache", type=Path, help="cache folder of the base weights (the user's cache)")
    options = parser.parse_args(arguments)
    if data_or_skip() is None:
        return 0
    extra = ["--cache", str(options.cache)] if options.cache else []
    scores = [part for part in SCORES if part.name in options.only]
    timed = [part for part in TIMED if part.name in options.only]
    try:
        with ThreadPoolExecutor(max_workers=max(1, min(2, os.cpu_count() or 1))) as pool:
            found = list(zip(scores, pool.map(lambda part: run(part, extra), scores), strict=True))
        found += [(part, run(part, extra)) for part in timed]
        line = merged(found) | machine()
    except BenchmarkError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"\n{json.dumps(line)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
