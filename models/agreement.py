"""How independent two models' errors are: `python -m models.agreement science.json general.json`.

Takes two files that `models.evaluate --output` wrote. Two verifiers that err together add little to one
another.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from models.documents import DEV_SETS
from models.rows import data_folder


def error_correlation(
    gold: Sequence[int], first: Sequence[int], second: Sequence[int]
) -> dict[str, float | None]:
    """Agreement of two models, and the phi coefficient between their errors.

    Args:
        gold: The true labels.
        first: One model's labels.
        second: The other's.

    Returns:
        `agree`, `both_wrong` and `accuracy_where_agreed` as shares, and `phi` (1: the same errors; 0:
        independent errors); None where there is nothing to divide by.
    """
    pairs = [(a != g, b != g) for g, a, b in zip(gold, first, second, strict=True)]
    both = sum(a and b for a, b in pairs)
    only_first = sum(a and not b for a, b in pairs)
    only_second = sum(b and not a for a, b in pairs)
    neither = len(pairs) - both - only_first - only_second
    product = (both + only_first) * (only_second + neither) * (both + only_second) * (only_first + neither)
    agreed = [a == g for g, a, b in zip(gold, first, second, strict=True) if a == b]
    return {
        "agree": len(agreed) / len(pairs),
        "both_wrong": both / len(pairs),
        "accuracy_where_agreed": sum(agreed) / len(agreed) if agreed else None,
        "phi": (both * neither - only_first * only_second) / math.sqrt(product) if product else None,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Print one JSON object: set -> agreement."""
    parser = argparse.ArgumentParser(prog="python -m models.agreement", description=__doc__)
    parser.add_argument("scores", nargs=2, type=Path)
    options = parser.parse_args(arguments)
    predictions = [json.loads(path.read_text(encoding="utf-8"))["predictions"] for path in options.scores]
    data = data_folder()
    result = {}
    for name in sorted(predictions[0].keys() & predictions[1].keys()):
        gold = [d.label for d in DEV_SETS[name](data)]
        found = error_correlation(gold, predictions[0][name], predictions[1][name])
        result[name] = {key: None if value is None else round(value, 4) for key, value in found.items()}
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
