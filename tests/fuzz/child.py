"""The process that hostile input is read in: a line before each input, a line after it, and hard limits."""

import json
import random
import resource
import signal
import sys
import time

from tests.fuzz.targets import TARGETS
from veriscite.errors import VeriSciteError

MEMORY = 3_000_000_000
"""Bytes of address space, libraries included."""


def make(target: str, seed: int, number: int) -> bytes:
    """Return an input by its number."""
    return TARGETS[target].make(random.Random(f"{seed}/{target}/{number}"))


def main(target: str, seed: int, first: int, count: int, bound: float) -> None:
    """Read inputs one by one; the kernel ends the process when one takes far too long."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    run = TARGETS[target].run
    for number in range(first, first + count):
        content = make(target, seed, number)
        print(json.dumps({"start": number}), flush=True)
        signal.setitimer(signal.ITIMER_PROF, 2 * bound)
        began = time.process_time()
        outcome, problem = "read", ""
        try:
            run(content)
        except VeriSciteError as error:
            outcome = error.code
        except BaseException as error:  # noqa: BLE001 - what comes out is the finding
            outcome, problem = "problem", f"{type(error).__name__}: {str(error)[:300]} ({_place(error)})"
        took = time.process_time() - began
        signal.setitimer(signal.ITIMER_PROF, 0)
        if not problem and took > bound:
            outcome, problem = "problem", f"took {took:.1f} s of CPU time"
        print(json.dumps({"end": number, "outcome": outcome, "problem": problem, "s": took}), flush=True)


def _place(error: BaseException) -> str:
    """Return the innermost place of our own that an error came through."""
    place = "?"
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "veriscite" in file or "fuzz" in file:
            place = f"{file.rpartition('/veriscite/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
