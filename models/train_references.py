"""Train the sequence model that tells the fields of a reference string.

    python -m models.train_references ../shared/data/refstrings

The same strings give the same weights: nothing is drawn by chance. `--corpus` trains on some corpora only,
to score on the others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import pycrfsuite

from models.tagged_references import CORPORA, Tagged, examples, read, trainable
from veriscite.linking.references.sequence import WEIGHTS

PARAMETERS = {"c1": 0.1, "c2": 0.02, "feature.minfreq": 2}
"""Weights of the L1 and L2 penalties, and how often a feature must occur to be used."""


def train(strings: list[Tagged], target: Path, iterations: int = 60) -> int:
    """Train on all strings given and write the weights.

    Args:
        strings: What to train on.
        target: The file to write.
        iterations: Steps of L-BFGS at most.

    Returns:
        The number of tokens trained on.
    """
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({**PARAMETERS, "max_iterations": iterations})
    tokens = 0
    for string in strings:
        rows, labels = examples(string)
        if rows:
            trainer.append(rows, labels)
            tokens += len(rows)
    target.parent.mkdir(parents=True, exist_ok=True)
    trainer.train(str(target))
    return tokens


def main(arguments: list[str] | None = None) -> int:
    """Run; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.train_references", description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of tagged reference strings")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, default=CORPORA)
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    parser.add_argument("--iterations", type=int, default=60)
    options = parser.parse_args(arguments)
    strings = [s for s in trainable(list(read(options.data))) if s.corpus in options.corpus]
    tokens = train(strings, options.output, options.iterations)
    counts = ", ".join(f"{n} of {corpus}" for corpus, n in sorted(Counter(s.corpus for s in strings).items()))
    print(f"{options.output}: {options.output.stat().st_size} bytes from {tokens} tokens of {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
