"""What the training data have in common: rows, labels, sentences, folds."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

#: Index of each label in the classifier's output.
SUPPORT, CONTRADICT, NOT_ENOUGH_INFO = 0, 1, 2
#: A training target only: CONTRADICT or NOT_ENOUGH_INFO (of sources that say no more than "not entailed").
NOT_SUPPORT = 3
LABEL_NAMES = ("SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO")
FROM_NLI = {
    "entailment": SUPPORT,
    "contradiction": CONTRADICT,
    "neutral": NOT_ENOUGH_INFO,
    "not_entailment": NOT_SUPPORT,
}


@dataclass(frozen=True)
class Row:
    """One training pair.

    Attributes:
        premise: A window of evidence sentences.
        hypothesis: The claim.
        label: SUPPORT, CONTRADICT, NOT_ENOUGH_INFO or NOT_SUPPORT.
        source: Where it is from, as named in the table of `models.data`.
        group: Rows that share an abstract share a group, and so a fold.
        kind: How the row was made (`window`, `distortion:number`, ...).
    """

    premise: str
    hypothesis: str
    label: int
    source: str
    group: str
    kind: str = "window"


@dataclass(frozen=True)
class Document:
    """A claim against a whole abstract: what calibration and evaluation read."""

    claim: str
    sentences: tuple[str, ...]
    label: int
    source: str
    group: str


def data_folder() -> Path:
    """Folder with the training data: `$VERISCITE_SHARED/data`, or `shared/data` beside the repository.

    Raises:
        FileNotFoundError: It is not there.
    """
    shared = os.environ.get("VERISCITE_SHARED")
    root = Path(shared) if shared else Path(__file__).resolve().parents[2] / "shared"
    if not (root / "data").is_dir():
        raise FileNotFoundError(
            f"No training data in {root / 'data'}: set VERISCITE_SHARED to the folder that holds `data`."
        )
    return root / "data"


def data_or_skip() -> Path | None:
    """The data folder; None, and a word on why, where a benchmark cannot run without it."""
    try:
        return data_folder()
    except FileNotFoundError as error:
        print(f"skipped: {error}")
        return None


def read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-lines file, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def normalised(text: str) -> str:
    """Lower-case words only: the form in which texts are compared for equality."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def words(text: str) -> frozenset[str]:
    """Content words (longer than three letters) for overlap measures."""
    return frozenset(w for w in normalised(text).split() if len(w) > 3 and w not in _STOP)


_STOP = frozenset(
    """
    with that this from were have been which their these than also into after before between during
    about other more most such when there both each only over under while where they them then some
    does will would could should using used among within without significantly significant study
    studies results result conclusion group groups compared
    """.split()  # noqa: SIM905 - a list would be one word a line
)


@lru_cache(maxsize=20_000)
def sentences_of(text: str) -> tuple[str, ...]:
    """Split a passage into sentences; pieces without three letters join the sentence before."""
    from nupunkt import sent_tokenize

    merged: list[str] = []
    text = re.sub(r"\bABSTRACT\.[A-Z &/]+:\s*", "", text)
    for piece in sent_tokenize(" ".join(text.split())):
        piece = piece.strip()
        if merged and len(re.findall(r"[A-Za-z]", piece)) < 3:
            merged[-1] += " " + piece
        elif piece:
            merged.append(piece)
    return tuple(merged)


def bucket(key: str, buckets: int) -> int:
    """A stable number from 0 to `buckets - 1` for a key, the same on every machine."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % buckets


def seeded(*keys: object) -> random.Random:
    """A random generator for these keys, independent of what was drawn elsewhere."""
    return random.Random("|".join(map(str, keys)))


def is_reserved(pmcid: str) -> bool:
    """Abstracts kept out of training because the shipped examples cite from among them."""
    digits = re.sub(r"\D", "", pmcid)
    return bool(digits) and int(digits) % 10 == 7
