"""Train the model that tells where entries of a list without labels begin, and write its weights.

    python -m tests.benchmarks.linking.train_starts --check
    python -m tests.benchmarks.linking.train_starts

It learns from the open half only: from reference lists as they came out of PDFs (labels taken off), wrapped
anew, run together or put on one line each, and from articles' lists printed by name and wrapped. With
`--check` the real lists are scored by five-fold cross-validation, no weights are written.
"""

import argparse
import json
import random
import re
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.linking.flatten import coin, parse_file
from tests.benchmarks.linking.printing import print_reference
from tests.benchmarks.linking.scoring import data_folder, half_of, parse_xml
from tests.benchmarks.linking.splitting import read_list
from veriscite.linking.references.entry_starts import entry_starts, taught
from veriscite.linking.references.lines import pieces_of

_OUT = Path(__file__).resolve().parents[3] / "veriscite/linking/references/entry_starts.json"
_LEADING = re.compile(r"^\W*\d{0,4}[a-z]?[\s.)\]]*")
_PENALTY = 1.5


@dataclass(frozen=True)
class Sample:
    """A list as text, and the offsets at which its entries begin."""

    name: str
    text: str
    starts: tuple[int, ...]
    weight: float
    real: bool = False


def join(
    name: str, entries: Sequence[str], weight: float, between: str = "\n", *, real: bool = False
) -> Sample:
    """Put entries together and remember where each begins."""
    text, starts = "", []
    for entry in entries:
        if text:
            text += between
        starts.append(len(text))
        text += entry
    return Sample(name, text, tuple(starts), weight, real)


def wrap(entry: str, width: int, rng: random.Random, indent: str = "") -> str:
    """Break an entry into lines of print, some words cut by a hyphen."""
    lines, line = [], ""
    for word in entry.split():
        room = width - len(line) - 1
        if line and len(word) > room:
            if room > 5 and len(word) > 8 and word.isalpha() and rng.random() < 0.4:
                cut = rng.randint(3, min(room - 1, len(word) - 3))
                lines.append(f"{line} {word[:cut]}-")
                line = indent + word[cut:]
                continue
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line.strip() else line + word
    return "\n".join([*lines, line])


def real_lists(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the open half's lists out of PDFs, entries with their lines, without labels."""
    with tarfile.open(data / "refstrings/grobid_refseg.tar.gz") as archive:
        for member in sorted((m for m in archive if m.isfile()), key=lambda m: m.name):
            file = archive.extractfile(member) if half_of(member.name) == "open" else None
            root = parse_xml(file.read(), member.name) if file else None
            if root is None:
                continue
            _, entries, labelled = read_list(root)
            lines = [[x.strip() for x in e.split("\n") if x.strip()] for e in entries]
            kept = ["\n".join(x) for x in lines if x]
            if labelled:
                kept = [_LEADING.sub("", e) for e in kept]
            if len(kept) >= 4:
                yield member.name, [e for e in kept if e]


def printed_lists(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the open half's articles' lists as printed, one line each."""
    for path in sorted([*(data / "linking/jats").glob("*.gz"), *(data / "linking/jats-elife").glob("*.*")]):
        if half_of(path.name) != "open" or not path.name.endswith((".gz", ".xml")):
            continue
        refs = parse_file(path).findall(".//ref-list//ref")
        for numeric in (False, True):
            style = coin(path.name, "print")
            printed = [print_reference(r, numeric=numeric, number=None, style=style) for r in refs]
            printed = [e for e in printed if len(e) > 20]
            if len(printed) >= 5:
                yield path.name, printed if numeric else sorted(printed)


def samples(data: Path, seed: int = 7) -> Iterator[Sample]:
    """Yield every list in its shapes."""
    rng = random.Random(seed)
    for name, entries in real_lists(data):
        yield join(name, entries, 1.0, real=True)
        flat = [" ".join(re.sub(r"[-‐]\n", "", e).split()) for e in entries]
        yield join(name, [wrap(e, rng.choice((42, 55, 70, 95)), rng) for e in flat], 0.3)
        yield join(name, [wrap(_annotated(e, rng), 65, rng, "    ") for e in flat], 0.3)
        yield join(name, flat, 0.3)
        yield join(name, flat, 0.3, " ")
        yield from _short(name, flat, rng)
    for name, entries in printed_lists(data):
        width = rng.choice((38, 45, 52, 60, 75, 90, 110))
        shape = rng.random()
        indent = "    " if shape < 0.2 else ""
        between = "\n\n" if 0.2 < shape < 0.3 else "\n"
        yield join(name, [wrap(e, width, rng, indent) for e in entries], 0.25, between)
        yield from _short(name, entries, rng)
        if rng.random() < 0.3:
            yield join(name, entries, 0.1, rng.choice((" ", "\n")))


def _annotated(entry: str, rng: random.Random) -> str:
    """Let a remark follow an entry now and then, which only its indent tells from another entry."""
    return f"{entry} Reprinted by the society of the field." if rng.random() < 0.15 else entry


def _short(name: str, entries: list[str], rng: random.Random) -> Iterator[Sample]:
    """Yield lists of a few entries, in which the list as a whole tells little."""
    for _ in range(4):
        first = rng.randrange(len(entries))
        few = entries[first : first + rng.randint(2, 5)]
        width = rng.choice((50, 80, 10_000))
        yield join(name, [wrap(e, width, rng) for e in few], 0.3)
    few = [_annotated(e, rng) for e in entries[:6]]
    yield join(name, [wrap(e, 60, rng, " " * rng.randint(2, 6)) for e in few], 0.5)


def rows_of(sample: Sample) -> list[tuple[tuple[str, ...], bool]]:
    """Return a sample's lines as the model learns them."""
    pieces = pieces_of(sample.text)
    wanted = set(sample.starts)
    starts = [i for i, p in enumerate(pieces) if p.start in wanted or p.start + p.indent in wanted]
    return taught(pieces, starts)


def fit(learned: Sequence[Sample]) -> dict[str, float]:
    """Fit a logistic regression with a quadratic penalty (Newton's method)."""
    import numpy as np

    rows, labels, weights = [], [], []
    index: dict[str, int] = {}
    for sample in learned:
        for names, begins in rows_of(sample):
            rows.append([index.setdefault(name, len(index)) for name in names])
            labels.append(float(begins))
            weights.append(sample.weight)
    x = np.zeros((len(rows), len(index)))
    for n, columns in enumerate(rows):
        x[n, columns] = 1.0
    y, weight = np.array(labels), np.array(weights)
    w = np.zeros(len(index))
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (weight * (p - y)) + _PENALTY * w
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + _PENALTY * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if abs(step).max() < 1e-4:
            break
    print(f"{len(rows)} lines, {len(index)} features", file=sys.stderr)
    return {name: round(float(w[n]), 3) for name, n in sorted(index.items()) if abs(w[n]) >= 0.01}


def right(sample: Sample, weights: dict[str, float]) -> tuple[int, int, int]:
    """Return how many entries are found whole, how many are found and how many are wanted."""
    pieces = pieces_of(sample.text)
    found = [pieces[i].start + pieces[i].indent for i in entry_starts(pieces, weights)]
    ends = [*sample.starts[1:], len(sample.text)]
    wanted = set(zip(sample.starts, ends, strict=True))
    given = set(zip(found, [*found[1:], len(sample.text)], strict=True))
    return len(wanted & given), len(given), len(wanted)


def check(everything: Sequence[Sample]) -> None:
    """Score lists by a model that did not see them, five folds by name."""
    names = sorted({s.name for s in everything})
    fold = {name: n % 5 for n, name in enumerate(names)}
    totals = {True: [0, 0, 0], False: [0, 0, 0]}
    for k in range(5):
        weights = fit([s for s in everything if fold[s.name] != k])
        for sample in (s for s in everything if fold[s.name] == k):
            counts = right(sample, weights)
            totals[sample.real] = [a + b for a, b in zip(totals[sample.real], counts, strict=True)]
            if sample.real and counts[0] < counts[2]:
                print(sample.name.split("tei__")[-1][:40], counts)
    for real, (good, found, wanted) in totals.items():
        print("real" if real else "made", good, found, wanted, round(2 * good / (found + wanted), 4))


def main() -> int:
    """Train; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="cross-validate, write nothing")
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        print("No shared data.", file=sys.stderr)
        return 1
    everything = list(samples(data))
    if options.check:
        check(everything)
        return 0
    weights = fit(everything)
    about = "Weights of entry_starts.py, by tests.benchmarks.linking.train_starts on the open half."
    _OUT.write_text(json.dumps({"about": about, "weights": weights}, ensure_ascii=False, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
