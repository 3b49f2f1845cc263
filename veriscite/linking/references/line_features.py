"""What the lines of a list without labels tell about where its entries begin.

Of each line: how it opens, how the line before it ends, how far it stands in, where the next year is; of the
list as a whole: its usual opening, whether it is sorted, how wide its lines are, whether indents hang.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from veriscite.linking.references.lines import DATED, Line
from veriscite.linking.text import name_key

_ENDS = (
    ("hyphen", re.compile(r"[-‐\u00ad]$")),
    ("comma", re.compile(r",$")),
    ("semicolon", re.compile(r"[;:]$")),
    ("address", re.compile(r"(?:10\.\d{4,9}/|https?://|www\.)\S*$")),
    ("link", re.compile(r"(?:CrossRef|Crossref|Medline|PubMed|Google Scholar|Web of Science|PMC)\]?$")),
    ("and", re.compile(r"(?:\b(?:and|et|und|y|in|of|the|for|on|ed|eds|vol|no|pp?)|&)\.?$", re.IGNORECASE)),
    ("year", re.compile(r"(?:1[5-9]|20)\d\d[a-z]?[.)\]]{0,2}$")),
    ("digit", re.compile(r"\d[.)\]]{0,2}$")),
    ("initial", re.compile(r"(?:^|[\s.,\-])[^\W\d_a-z]\.$")),
    ("short", re.compile(r"\b[^\W\d_a-z][^\W\d_]{0,4}\.$")),
    ("stop", re.compile(r"[.!?][\"”’)]?$")),
    ("closing", re.compile(r"[)\]\"”’]$")),
    ("capitals", re.compile(r"\b[^\W\d_a-z]{1,3}$")),
)
_OPENINGS = (
    ("number", re.compile(r"(?:PMID|PMCID|PMC\d|ISBN|ISSN|CrossRef|Crossref|Medline|PubMed|Google Scholar)")),
    ("address", re.compile(r"(?:doi|https?|www|url|available|retrieved|accessed)\b", re.IGNORECASE)),
    ("lower", re.compile(r"[a-zà-öø-ÿ]")),
    ("digit", re.compile(r"\d")),
    ("punctuation", re.compile(r"[,.;:)\]&(/]")),
    ("inner", re.compile(r"(?:In|Proceedings|Press|Journal|University|Springer|Elsevier|Wiley)\b")),
    ("quote", re.compile(r"[\"“‘«]")),
)
_FIRST_WORD = re.compile(r"[\W\d_]*([^\W\d_]+)")
_SURE_ENDS = frozenset({"address", "link", "year", "digit", "stop", "closing", "short"})
_LOOK_AHEAD = 4


@dataclass(frozen=True, slots=True)
class Described:
    """A line as the model sees it.

    Attributes:
        features: Names of what holds for an entry that would begin here, whatever came before it.
        strength: How the line opens: `strong` (an author's name), `weak` (a capital) or `none`.
        word: Its first word, to tell the order by.
        dates: How many years it bears.
    """

    features: tuple[str, ...]
    strength: str
    word: str
    dates: int
    length: int


def describe(lines: Sequence[Line]) -> tuple[list[Described], bool, float]:
    """Describe each line.

    Args:
        lines: Of a list without labels, in order.

    Returns:
        The lines described; whether the list is sorted by first words; the usual length of an entry.
    """
    shapes = [line.shape for line in lines]
    openings = [shape or _opening(line) for shape, line in zip(shapes, lines, strict=True)]
    endings = ["", *(_ending(line) for line in lines[:-1])]
    words = [_first_word(line) for line in lines]
    sure = [i for i, shape in enumerate(shapes) if shape and (not i or endings[i] in _SURE_ENDS)]
    usual = Counter(shapes[i] for i in sure).most_common(1)
    chain = _rising([words[i] for i in sure])
    is_sorted = len(sure) >= 4 and len(chain) >= 0.75 * len(sure)
    in_chain = {sure[k] for k in chain} if is_sorted else set()
    dates = [len(DATED.findall(line.text)) for line in lines]
    lengths = [len(line.text.strip()) for line in lines]
    place = _Place(lines, lengths, shapes)
    late = sum(e == "year" for e in endings) >= 0.5 * max(1, len(sure))
    ahead = _years_ahead(lines, lengths)
    usual_ahead = median([ahead[i] for i in sure]) if sure else 0.0
    described = []
    for i, line in enumerate(lines):
        strength = "strong" if shapes[i] else "weak" if openings[i] in ("capital", "quote") else "none"
        found = ["any", f"opens {openings[i]}", f"after {endings[i]}", f"{strength} after {endings[i]}"]
        if shapes[i] and usual:
            same = shapes[i] == usual[0][0]
            found.append("usual opening" if same else "unusual opening")
        if is_sorted and shapes[i]:
            found.append("sorted in" if i in in_chain else "sorted out")
        if late:
            found.append(f"late year, after {'year' if endings[i] == 'year' else 'other'}")
        elif ahead[i] <= 2.5 * usual_ahead + 20:
            found.append(f"year ahead {strength}")
        else:
            found.append(f"no year ahead {strength}")
        found += place.of(i, strength)
        if not line.broken:
            found += ["inside a line", f"inside a line {strength}", f"inside a line after {endings[i]}"]
        described.append(Described(tuple(found), strength, words[i], dates[i], lengths[i]))
    gaps = [sum(lengths[a:b]) for a, b in pairwise(sure)]
    return described, is_sorted, float(median(gaps)) if gaps else 200.0


class _Place:
    """What the places of the lines tell: widths, indents, blank lines."""

    def __init__(self, lines: Sequence[Line], lengths: list[int], shapes: list[str | None]) -> None:
        self._lines = lines
        self._lengths = lengths
        self._width = sorted(lengths)[int(0.9 * (len(lengths) - 1))]
        self._base = min(line.indent for line in lines)
        inner = [line.indent > self._base + 1 for line in lines]
        outer_begin = sum(bool(s) and not deep for s, deep in zip(shapes, inner, strict=True))
        inner_begin = sum(bool(s) and deep for s, deep in zip(shapes, inner, strict=True))
        self._hanging = 0.2 * len(lines) <= sum(inner) <= 0.85 * len(lines) and outer_begin > inner_begin
        self._parted = sum(line.blank_before for line in lines) >= 0.1 * len(lines)
        good = sum(bool(s) and bool(DATED.search(line.text)) for s, line in zip(shapes, lines, strict=True))
        self._one_each = good >= 0.7 * len(lines)
        full = sum(length >= 0.85 * self._width for length in lengths)
        self._ragged = full <= 0.4 * len(lines)

    def of(self, i: int, strength: str) -> list[str]:
        found = []
        line = self._lines[i]
        if i and line.broken:
            share = self._lengths[i - 1] / max(1, self._width)
            size = (
                "half"
                if share < 0.55
                else "short"
                if share < 0.8
                else "nearly full"
                if share < 0.92
                else "full"
            )
            found.append(f"after a {size} line{' of ragged ones' if self._ragged else ''}")
        if self._hanging:
            found.append("at the margin" if line.indent <= self._base + 1 else "indented")
        if line.blank_before:
            found += ["after a blank line", f"after a blank line {strength}"]
        elif self._parted:
            found.append("after no blank line")
        if self._one_each:
            found.append("one line each")
        return found


def history(
    first: Described, dated: bool, since: int, length: int, here: Described, is_sorted: bool, usual: float
) -> tuple[str, ...]:
    """Name what an entry that began before tells about whether the next one begins here.

    Args:
        first: The line that it began with.
        dated: Whether a year was seen since.
        since: How many lines ago it began.
        length: How many characters ago.
        here: The line in question.
        is_sorted: Whether the list is sorted.
        usual: The usual length of an entry.
    """
    told = "dated" if dated else "undated"
    size = "much shorter" if length < 0.35 * usual else "shorter" if length < 0.7 * usual else "as long"
    if length > 2.5 * usual:
        size = "much longer"
    found = [told, f"{told} {here.strength}", f"entry {size}", f"{told} after {min(since, 4)} lines"]
    if is_sorted and here.strength != "none":
        if first.word and here.word:
            found.append("order kept" if first.word[:4] <= here.word[:4] else "order broken")
        if first.word == here.word:
            found.append("same word")
    return tuple(found)


def _opening(line: Line) -> str:
    body = line.text.lstrip()
    for name, pattern in _OPENINGS:
        if pattern.match(body):
            return name
    return "capital" if body[:1].isupper() or body[:1].isalpha() else "other"


def _ending(line: Line) -> str:
    tail = line.text.rstrip()[-80:]
    for name, pattern in _ENDS:
        if pattern.search(tail):
            return name
    last = tail.rsplit(" ", 1)[-1]
    return "capital word" if last[:1].isupper() else "word"


def _first_word(line: Line) -> str:
    m = _FIRST_WORD.match(line.text[:200])
    return name_key(m[1]) if m else ""


def _rising(words: list[str]) -> list[int]:
    """Return the positions of the longest run of words (not of neighbours) in alphabetical order."""
    tops: list[str] = []
    ends: list[int] = []
    before: list[int] = []
    for i, word in enumerate(words):
        at = bisect_right(tops, word)
        before.append(ends[at - 1] if at else -1)
        if at == len(tops):
            tops.append(word)
            ends.append(i)
        else:
            tops[at], ends[at] = word, i
    chain = []
    i = ends[-1] if ends else -1
    while i >= 0:
        chain.append(i)
        i = before[i]
    return chain[::-1]


def _years_ahead(lines: Sequence[Line], lengths: list[int]) -> list[float]:
    """Return how many characters from each line's beginning on the next year stands; large if far."""
    own = [m.start() if (m := DATED.search(line.text)) else None for line in lines]
    ahead = []
    for i in range(len(lines)):
        passed, far = 0, 10_000.0
        for k in range(i, min(len(lines), i + _LOOK_AHEAD + 8)):
            at = own[k]
            if at is not None:
                far = float(passed + at)
                break
            passed += lengths[k]
        ahead.append(far)
    return ahead
