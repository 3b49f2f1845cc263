"""Which items may be looked at, and how answers are counted."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from models.corpora import half_of as half_of
from models.corpora import local_name as local_name
from models.corpora import parse_xml as parse_xml
from models.corpora import plain as plain

_SPACE = re.compile(r"\s+")
HALVES = ("open", "held")
T = TypeVar("T")


def data_folder() -> Path | None:
    """Return the folder of shared data, or None where there is none."""
    named = os.environ.get("VERISCITE_SHARED")
    folder = (Path(named) if named else Path(__file__).resolve().parents[4] / "shared") / "data"
    return folder if folder.is_dir() else None


def fold(text: str) -> str:
    """Return `text` with its white space folded."""
    return _SPACE.sub(" ", text).strip()


@dataclass
class Count:
    """Counts of one measure: right answers, answers given, answers wanted.

    For a share of right answers (a field of a reference) `found` is not counted: see `share`.
    """

    right: int = 0
    found: int = 0
    wanted: int = 0

    def add(self, other: "Count") -> None:
        self.right += other.right
        self.found += other.found
        self.wanted += other.wanted

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.wanted if self.wanted else None

    share = recall

    @property
    def f1(self) -> float | None:
        total = self.found + self.wanted
        return 2 * self.right / total if total else None


@dataclass
class Item:
    """What came of one article, list or string.

    Attributes:
        groups: The rows of the table that it counts in.
        counts: For each measure.
        misses: What went wrong, in words; shown of the open half only.
    """

    name: str
    groups: tuple[str, ...]
    counts: dict[str, Count]
    misses: list[str] = field(default_factory=list)

    @property
    def half(self) -> str:
        return half_of(self.name)

    @property
    def lost(self) -> int:
        return sum(
            c.wanted + c.found - 2 * c.right if c.found else c.wanted - c.right for c in self.counts.values()
        )


def match(wanted: Iterable[T], found: Iterable[T], same: Callable[[T, T], bool]) -> tuple[list[T], list[T]]:
    """Pair wanted with found one to one, in order; return the wanted missed and the found in excess."""
    left = list(found)
    missed: list[T] = []
    for one in wanted:
        at = next((n for n, other in enumerate(left) if same(one, other)), None)
        if at is None:
            missed.append(one)
        else:
            del left[at]
    return missed, left


def count_multisets(wanted: Iterable[str], found: Iterable[str]) -> Count:
    """Count what stands in both, each as often as in the one where it is rarer."""
    a, b = Counter(wanted), Counter(found)
    return Count(right=(a & b).total(), found=b.total(), wanted=a.total())


class Names:
    """Picks the items to score: those of the halves asked for, and at most so many of each part."""

    def __init__(self, halves: tuple[str, ...], limit: int | None) -> None:
        self._halves = halves
        self._limit = limit

    def __call__(self, items: Iterable[T], key: Callable[[T], str]) -> list[T]:
        return [item for item in items if half_of(key(item)) in self._halves][: self._limit]
