"""Crafted input costs time in proportion to its length, and bounded memory."""

import time
import tracemalloc

import pytest

from tests.linking.helpers import NUMBERED, manuscript, pair
from veriscite.domain import SkipReason
from veriscite.linking import CitationPairer, PlainListParser

AUTHOR_YEAR = "\n".join(f"Smith, A. ({1900 + n}). Title number {n} of it. J Test, 1, 1-9." for n in range(60))
UNITS = [
    "[", "(", "(1", "[1", "[1,", "[1] ", "[1]-", "[1-99999999] ", "(Smith, 1920) ",
    "Smith et al. (1920) ", "A 1990 ",
    "1990a,b,", "(Smith, A 1920; ", "((((1920", "¹", "¹,", "word12 ", "word.12 This ", "@key ", "[@",
    "[@key; ", "[a](",
    "see ", "\n\n(1)\n", "\n", " ", ".", "A. ", "Smith, ", "and & ", "http://", "a@", "@", "*", "_",
    "ref. 2 ", "(ibid.) ",
    "10.1000/", "Ü", "中", "in press ", "'",
]  # fmt: skip
SHORT, LONG = 3_000, 12_000
MARKDOWN_UNITS = ["[", "[@", "[@key; ", "@key ", "[a](", "*", "_", "![", "[^1]", "[a]: "]


@pytest.mark.parametrize("references", [NUMBERED, AUTHOR_YEAR], ids=["numbered", "author-year"])
def test_time_grows_with_length_only(references: str) -> None:
    assert _slow(UNITS, references, "text") == []


def test_time_grows_with_length_only_in_markdown() -> None:
    assert _slow(MARKDOWN_UNITS, NUMBERED, "markdown") == []


def _slow(units: list[str], references: str, fmt: str) -> list[tuple[str, float, float]]:
    """Four times the text: a quadratic finder takes sixteen times as long."""
    slow = []
    for unit in units:
        # The best of three: a busy machine can slow one measurement, but not all, and never the growth.
        for _ in range(3):
            short = _seconds(manuscript((unit * SHORT)[:SHORT], references, fmt))
            long = _seconds(manuscript((unit * LONG)[:LONG], references, fmt))
            if long <= 10 * short + 0.2:
                break
        else:
            slow.append((unit, short, long))
    return slow


def _seconds(given) -> float:
    begin = time.process_time()
    CitationPairer().pair(given)
    return time.process_time() - begin


@pytest.mark.parametrize("unit", ["[", "(1", "[1] ", "[1-99999999] "])
def test_memory_is_bounded(unit: str) -> None:
    given = manuscript((unit * 50_000)[:50_000])
    tracemalloc.start()
    CitationPairer().pair(given)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000


@pytest.mark.parametrize(
    "unit",
    ["[1] ", "1. ", "[", "Smith, A. "
    "", "Smith AB, ", "A. ", "A", "———, ", "2001\n", "\n\nA", "(a) ", "“", "a. ", "1\n", ", ",
     "10.1000/", "https://x.org/a-\n", "A B, ", "de ", "van der ", "O'"],
)  # fmt: skip
def test_lists_grow_with_length_only(unit: str) -> None:
    def seconds(length: int) -> float:
        begin = time.process_time()
        PlainListParser().parse("[1] Smith, A. Silt. J Test, 2001.\n[2] " + (unit * length)[:length])
        return time.process_time() - begin

    seconds(100)
    assert any(seconds(LONG) < 10 * seconds(SHORT) + 0.2 for _ in range(3))


def test_markers_beyond_the_bound_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veriscite.linking.markers.find.MAX_MARKERS", 3)
    pairing = pair("Silt settles [1]. Sand [2] and mud [3] do too. Clay stays afloat [4].")
    assert [m.raw for m in pairing.markers] == ["[1]", "[2]", "[3]"]
    assert [(s.part, s.reason) for s in pairing.skipped] == [("all further markers", SkipReason.LIMIT)]
    monkeypatch.undo()
    assert pair("Silt settles [1]. Sand [2] and mud [3] do.").skipped == ()
