"""`make bench-blowup`: adversarial input of growing size for every parser; how its time grows.

Each shape is read at some sizes up to 10 MB, each in a process of its own. The exponent is the slope of
time over size in logarithms: 1 is linear, 2 quadratic. A shape that a limit stops says which. The last line
is one JSON object.
"""

import argparse
import contextlib
import json
import math
import multiprocessing
import resource
import signal
import time
from multiprocessing.connection import Connection

from rich.console import Console
from rich.table import Table

from tests.fuzz.shapes import SHAPES
from tests.fuzz.targets import TARGETS
from veriscite.errors import VeriSciteError

_CONTEXT = multiprocessing.get_context("fork")
"""Each reading begins with everything imported."""

SUPER_LINEAR = 1.35
"""Above this, and slow at all, a shape counts as super-linear: caches and collection cost a little."""

_SLOW = 2.0
MEMORY = 6_000_000_000


def measure(name: str, size: int, seconds: int) -> dict[str, object]:
    """Read a shape of a size in a process of its own.

    Returns:
        `s` (CPU time), `peak_mb` (of memory, above what the process holds before), and `outcome`.
    """
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_child, args=(name, size, seconds, sender))
    process.start()
    sender.close()
    try:
        said: dict[str, object] = receiver.recv()
    except EOFError:
        said = {}
    process.join()
    if said:
        return said
    over = process.exitcode == -signal.SIGPROF
    outcome = f"over {seconds} s" if over else f"PROBLEM exit {process.exitcode}"
    return {"s": None, "peak_mb": None, "outcome": outcome}


def _child(name: str, size: int, seconds: int, sender: Connection) -> None:
    shape = SHAPES[name]
    content = shape.make(size)
    run = TARGETS[shape.target].run
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Tables that are built on first use are no part of the time.
    with contextlib.suppress(VeriSciteError):
        run(shape.make(200))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signal.setitimer(signal.ITIMER_PROF, seconds)
    began = time.process_time()
    outcome = "read"
    try:
        run(content)
    except VeriSciteError as error:
        outcome = f"{error.code}: {error.message[:120]}"
    except BaseException as error:  # noqa: BLE001 - what comes out is the finding
        outcome = f"PROBLEM {type(error).__name__}: {str(error)[:120]}"
    took = time.process_time() - began
    signal.setitimer(signal.ITIMER_PROF, 0)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    sender.send({"s": round(took, 3), "peak_mb": round(peak), "outcome": outcome})


def exponent(points: list[tuple[int, float]]) -> float | None:
    """Return the steepest slope between two sizes that take their time, or None.

    Args:
        points: Size and seconds, sizes rising.
    """
    slopes = [
        math.log(b[1] / a[1]) / math.log(b[0] / a[0])
        for i, a in enumerate(points)
        for b in points[i + 1 :]
        if a[1] >= 0.05 and b[1] > a[1] and b[0] >= 1.9 * a[0]
    ]
    return max(slopes, default=None)


def main() -> int:
    """Measure all shapes or those named; return 1 when one grows faster than its size."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.blowup", description=__doc__)
    parser.add_argument("--mb", type=float, nargs="*", default=[1, 2, 5, 10], help="sizes in MB")
    parser.add_argument("--seconds", type=int, default=300, help="CPU seconds for one reading (default 300)")
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of shapes")
    options = parser.parse_args()
    console = Console(width=150)
    table = Table(
        "shape", "parser", *(f"{mb:g} MB, s" for mb in options.mb), "peak MB", "exponent", "outcome"
    )
    rows: dict[str, dict[str, object]] = {}
    for name, shape in SHAPES.items():
        if options.only and not any(part in name for part in options.only):
            continue
        rows[name] = _row(name, options.mb, options.seconds)
        cells = [f"{rows[name]['seconds'][n]}" for n in range(len(options.mb))]  # type: ignore[index]
        row = rows[name]
        flag = " !" if row["super_linear"] else ""
        table.add_row(
            name, shape.target, *cells, str(row["peak_mb"]), f"{row['exponent']}{flag}", str(row["outcome"])
        )
        console.print(name, *cells, row["peak_mb"], f"{row['exponent']}{flag}", row["outcome"], markup=False)
    console.print(table)
    bad = [name for name, row in rows.items() if row["super_linear"]]
    console.print(f"{len(rows)} shapes; faster than their size: {', '.join(bad) or 'none'}", markup=False)
    print(json.dumps({"mb": options.mb, "shapes": len(rows), "super_linear": bad, "rows": rows}))
    return 1 if bad else 0


def _row(name: str, sizes: list[float], seconds: int) -> dict[str, object]:
    found: list[dict[str, object]] = []
    for mb in sizes:
        found.append(measure(name, int(mb * 1_000_000) - 1_000, seconds))
        if found[-1]["s"] is None:
            break
    times = [f["s"] for f in found] + [None] * (len(sizes) - len(found))
    points = [
        (int(mb * 1_000_000), s)
        for mb, f in zip(sizes, found, strict=False)
        if isinstance(s := f["s"], float) and f["outcome"] == "read"
    ]
    slope = exponent(points)
    last = found[-1]
    outcome = str(last["outcome"])
    longest = max((s for _, s in points), default=0.0)
    failed = last["s"] is None or outcome.startswith("PROBLEM")
    return {
        "seconds": times,
        "peak_mb": last["peak_mb"],
        "exponent": None if slope is None else round(slope, 2),
        "outcome": outcome,
        "super_linear": failed or (slope is not None and slope > SUPER_LINEAR and longest > _SLOW),
    }


if __name__ == "__main__":
    raise SystemExit(main())
