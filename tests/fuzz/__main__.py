"""`make fuzz`: mutated files for every parser; failures are saved, the last line is one JSON object."""

import argparse
import json
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.fuzz.child import make
from tests.fuzz.run import fuzz
from tests.fuzz.targets import TARGETS

_SHOWN = 5


def main() -> int:
    """Run all parsers or those named; return 1 when something went wrong."""
    options = _options()
    console = Console(width=110)
    table = Table("parser", "inputs", "read", "refused", "slowest, s", "problems")
    figures: dict[str, dict[str, float]] = {}
    for name in options.only or TARGETS:
        outcome = fuzz(
            name, seed=options.seed, inputs=options.inputs, seconds=options.seconds, bound=options.bound
        )
        refused = outcome.inputs - outcome.read - len(outcome.problems)
        row = (outcome.inputs, outcome.read, refused, round(outcome.slowest, 2), len(outcome.problems))
        table.add_row(name, *(f"{cell:,}" for cell in row))
        figures[name] = dict(zip(("inputs", "read", "refused", "slowest_s", "problems"), row, strict=True))
        for number, problem in outcome.problems[:_SHOWN]:
            saved = _save(options.save, name, options.seed, number)
            console.print(f"{name}, input {number}: {problem}\n  saved as {saved}", markup=False)
    console.print(table)
    problems = sum(int(row["problems"]) for row in figures.values())
    whole = {"seed": options.seed, "bound_s": options.bound, "problems": problems, "parsers": figures}
    print(json.dumps(whole))
    return 1 if problems else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000, help="inputs for each parser (default 1000)")
    parser.add_argument("--seconds", type=float, default=600, help="seconds for each parser (default 600)")
    parser.add_argument(
        "--bound", type=float, default=5, help="CPU seconds that one input may take (default 5)"
    )
    parser.add_argument("--seed", type=int, default=1, help="another seed, other inputs (default 1)")
    parser.add_argument("--save", type=Path, default=Path("build/fuzz"), help="folder for failing inputs")
    parser.add_argument("--only", nargs="*", choices=list(TARGETS), help="parsers to run (default: all)")
    return parser.parse_args()


def _save(folder: Path, name: str, seed: int, number: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name.replace(' ', '-')}-{seed}-{number}"
    path.write_bytes(make(name, seed, number))
    return path


if __name__ == "__main__":
    raise SystemExit(main())
