"""How the words of two titles differ: misspelt, split, left out, or other words.

One letter can make another work (`vitamin C`, `vitamin D`; `men`, `women`), so likeness of the strings alone
says little. Words are aligned in their order, and what does not align is judged.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA, Levenshtein

from veriscite.evidence.folding import STOP_WORDS

SHORTEST_MISSPELT = 5
SHORTEST_TWICE_MISSPELT = 8
MAX_WORDS = 400

_DIGIT = re.compile(r"\d")
_OPPOSITE_BEGINNINGS = (
    ("hyper", "hypo"),
    ("inter", "intra"),
    ("macro", "micro"),
    ("endo", "exo"),
    ("over", "under"),
    ("pre", "pro"),
    ("pre", "post"),
    ("mono", "poly"),
    ("homo", "hetero"),
    ("in", "de"),
    ("in", "ex"),
    ("ad", "ab"),
)
_NEGATING = (
    "a",
    "an",
    "un",
    "in",
    "im",
    "ir",
    "il",
    "non",
    "dis",
    "de",
    "anti",
    "fe",
    "wo",
    "mis",
    "co",
    "re",
)


@dataclass(frozen=True)
class WordDifference:
    """What is left when the words of two titles are aligned.

    Attributes:
        lost: Content words of the first that stand nowhere in the second.
        added: Content words of the second that stand nowhere in the first.
        at_edge: Whether a lost or added word is the first or the last.
        replaced: Whether other words stand in the place of lost ones.
        misspelt: How many words differ as misspellings do.
    """

    lost: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    at_edge: bool = False
    replaced: bool = False
    misspelt: int = 0


def compare_words(a: str, b: str) -> WordDifference:
    """Align two folded titles word by word.

    Stop words may differ. Split and joined words are equal (`bench marking`, `benchmarking`). A word is
    misspelt when a letter or two of a long word differ, and never when it holds a digit, or when the
    difference is a beginning that turns the meaning (`hyper`, `hypo`).

    Args:
        a: Folded title.
        b: Folded title.
    """
    first, second = a.split()[:MAX_WORDS], b.split()[:MAX_WORDS]
    lost: list[str] = []
    added: list[str] = []
    misspelt, at_edge, replaced = 0, False, False
    for start, end, other_start, other_end in _differences(first, second):
        mine, theirs = first[start:end], second[other_start:other_end]
        count = _same_block(mine, theirs)
        if count is not None:
            misspelt += count
            continue
        lost += _content(mine)
        added += _content(theirs)
        # At the ends only another word can stand; within, one may have been forgotten.
        edges = (start, other_start), (len(first) - end, len(second) - other_end)
        at_edge = at_edge or any(0 in edge for edge in edges)
        replaced = replaced or bool(mine and theirs)
    return WordDifference(tuple(lost), tuple(added), at_edge, replaced, misspelt)


def tells_apart(word: str) -> bool:
    """Whether a word is so short, or a number, that a title with another one is another title."""
    return len(word) == 1 or bool(_DIGIT.search(word))


@lru_cache(maxsize=50_000)
def is_misspelt(a: str, b: str) -> bool:
    """Whether one word is likely a misspelling of the other, and no other word."""
    short, long = sorted((a, b), key=len)
    if (
        len(long) < SHORTEST_MISSPELT
        or len(short) < SHORTEST_MISSPELT - 1
        or _DIGIT.search(a)
        or _DIGIT.search(b)
    ):
        return False
    if any(long == beginning + short for beginning in _NEGATING) or _opposite(a, b):
        return False
    allowed = 2 if len(long) >= SHORTEST_TWICE_MISSPELT and len(short) >= SHORTEST_TWICE_MISSPELT - 2 else 1
    distance = OSA.distance(a, b, score_cutoff=allowed)
    if distance > allowed:
        return False
    # The beginning of a word is seldom misspelt, and often what makes it another word.
    return a[0] == b[0] or (distance == 1 and len(short) >= SHORTEST_TWICE_MISSPELT) or a[:2] == b[1::-1]


def _opposite(a: str, b: str) -> bool:
    pairs = (*_OPPOSITE_BEGINNINGS, *((y, x) for x, y in _OPPOSITE_BEGINNINGS))
    return any(a.startswith(x) and b.startswith(y) and a[len(x) :] == b[len(y) :] for x, y in pairs)


def _differences(a: list[str], b: list[str]) -> list[tuple[int, int, int, int]]:
    """Ranges of words that do not align, neighbours joined."""
    blocks: list[list[int]] = []
    for code in Levenshtein.opcodes(a, b):
        if code.tag == "equal":
            continue
        block = [code.src_start, code.src_end, code.dest_start, code.dest_end]
        if blocks and blocks[-1][1] == block[0] and blocks[-1][3] == block[2]:
            blocks[-1][1], blocks[-1][3] = block[1], block[3]
        else:
            blocks.append(block)
    return [(w, x, y, z) for w, x, y, z in blocks]


def _content(words: list[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS]


def _same_block(mine: list[str], theirs: list[str]) -> int | None:
    """Count the misspelt words of two unaligned stretches, or return None where they say other things."""
    if "".join(mine) == "".join(theirs):
        return 0
    # A misspelt stop word is none.
    if len(mine) == len(theirs) and all(_same_word(x, y) for x, y in zip(mine, theirs, strict=True)):
        return sum(x != y for x, y in zip(mine, theirs, strict=True))
    a, b = _content(mine), _content(theirs)
    if "".join(a) == "".join(b):
        return 0
    joined, other = "".join(a), "".join(b)
    if len(a) == len(b) and all(_same_word(x, y) for x, y in zip(a, b, strict=True)):
        return sum(x != y for x, y in zip(a, b, strict=True))
    # A word split and misspelt at once.
    short = {word for word in (*a, *b) if tells_apart(word)}
    if not short and len(a) != len(b) and abs(len(a) - len(b)) == 1 and is_misspelt(joined, other):
        return 1
    return None


def _same_word(a: str, b: str) -> bool:
    if a == b or is_misspelt(a, b):
        return True
    if {a, b} == {"i", "1"}:
        return True
    return a.isdigit() and b.isdigit() and len(a) <= 20 and len(b) <= 20 and int(a) == int(b)
