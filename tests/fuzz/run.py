"""Runs a parser's inputs in processes of their own, and collects what went wrong."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]


@dataclass
class Outcome:
    """What came of a parser's inputs.

    Attributes:
        inputs: How many it was given.
        read: How many it read; the others were refused with an error of VeriScite.
        slowest: The longest time, in seconds of CPU time.
        problems: Number of the input and what was wrong.
    """

    inputs: int = 0
    read: int = 0
    slowest: float = 0.0
    problems: list[tuple[int, str]] = field(default_factory=list)


def fuzz(target: str, *, seed: int, inputs: int, seconds: float, bound: float, first: int = 0) -> Outcome:
    """Give a parser its inputs, until their number or the time is reached.

    Args:
        target: The parser's name.
        seed: What chance starts from.
        inputs: How many, at most.
        seconds: For how long, at most, in seconds of wall time.
        bound: How long one input may take, in seconds of CPU time.
        first: The number of the first input.
    """
    outcome = Outcome()
    until = time.monotonic() + seconds
    number, last = first, first + inputs
    while number < last and time.monotonic() < until:
        number = _some(target, seed, number, last - number, bound, until, outcome)
    return outcome


def _some(
    target: str, seed: int, first: int, count: int, bound: float, until: float, outcome: Outcome
) -> int:
    """Run one process until it is done or ends early; return the number of the next input."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fuzz.child", target, str(seed), str(first), str(count), str(bound)],
        cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    started: int | None = None
    following = first
    assert process.stdout is not None
    assert process.stderr is not None
    for line in process.stdout:
        said = json.loads(line)
        if "start" in said:
            started = said["start"]
            continue
        following = said["end"] + 1
        started = None
        outcome.inputs += 1
        outcome.read += said["outcome"] == "read"
        outcome.slowest = max(outcome.slowest, said["s"])
        if said["problem"]:
            outcome.problems.append((said["end"], said["problem"]))
        if time.monotonic() > until:
            process.kill()
            process.communicate()
            return following
    error = process.stderr.read()
    code = process.wait()
    if started is not None:
        outcome.inputs += 1
        how = (
            f"took more than {2 * bound:.0f} s of CPU time"
            if code == -signal.SIGPROF
            else f"exit code {code}"
        )
        outcome.problems.append((started, f"the process was ended: {how}. {error[-300:]}".strip()))
        return started + 1
    if following == first:
        raise RuntimeError(f"{target} cannot be run: {error[-2_000:]}")
    return following
