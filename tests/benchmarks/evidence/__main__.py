"""Both parts of the evidence benchmark: `python -m tests.benchmarks.evidence`; the last line is JSON."""

import argparse
import importlib
import importlib.util
import json
from typing import Any

PARTS = ("matching", "speed")


def main() -> None:
    """Run the parts asked for, each of which prints its table, and print all figures in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, action="append", help="run this part only")
    asked = parser.parse_args().part or PARTS
    figures: dict[str, Any] = {}
    for part in asked:
        name = f"tests.benchmarks.evidence.{part}"
        if importlib.util.find_spec(name) is None:
            print(f"{part}: there is no such part here\n")
            continue
        figures.update(importlib.import_module(name).run([]))
        print()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
