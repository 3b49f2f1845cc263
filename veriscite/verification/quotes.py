"""Checks that a quote stands in the evidence, and gives back the evidence's own words for it.

A language model's quote is believed only as far as it is found: fuzzily, since models tidy up spacing, dashes
and case, but never with another word, number or negation, which are what a false quote changes.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

#: Similarity (0 to 100) below which a quote is not found.
MIN_SIMILARITY = 85.0
#: A quote shorter than this, in characters, must be a whole sentence: a word or two is found anywhere.
MIN_CHARACTERS = 15
MIN_WORDS = 3
#: A longer quote is no quote of an abstract, and would only cost time.
MAX_CHARACTERS = 2_000

#: A quote lies in a sentence if at least this many of its characters do: an alignment may stray by a few.
_MIN_SHARE = 5

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATIONS = frozenset(
    {
        "no",
        "not",
        "nor",
        "none",
        "never",
        "neither",
        "without",
        "cannot",
        "nothing",
        "failed",
        "fails",
        "fail",
    }
)
_INDEX = re.compile(r"^\[\d{1,4}\]\s*")
_SAME = str.maketrans(
    {
        "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "´": "'", "`": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "·": ".",
    }
)  # fmt: skip


@dataclass(frozen=True)
class FoundQuote:
    """A quote as it stands in the evidence.

    Attributes:
        text: The evidence's own words, verbatim.
        sentences: Indices (0-based) of the sentences that it lies in, the one with most of it first.
        similarity: Similarity of what was claimed to what stands there, 0 to 100.
    """

    text: str
    sentences: tuple[int, ...]
    similarity: float


class QuoteFinder:
    """Finds quotes in the sentences of one piece of evidence.

    Args:
        sentences: The sentences, in order.
        excluded: Indices of sentences in which no quote counts.
    """

    def __init__(self, sentences: Sequence[str], excluded: Collection[int] = ()) -> None:
        self._original = ""
        self._owner: list[int] = []
        for index, sentence in enumerate(sentences):
            part = " " * len(sentence) if index in excluded else sentence
            self._original += part + " "
            self._owner += [index] * (len(part) + 1)
        self._text, self._source = _normalise(self._original)
        self._whole = {_normalise(s)[0].strip(" .") for i, s in enumerate(sentences) if i not in excluded}

    def find(self, quote: str) -> FoundQuote | None:
        """Return where `quote` stands, or None if it does not stand there."""
        wanted = _INDEX.sub("", _normalise(quote[: MAX_CHARACTERS + 1])[0].strip()).strip(" \"'.…")
        if not wanted or len(quote) > MAX_CHARACTERS or len(wanted) > len(self._text):
            return None
        short = len(wanted) < MIN_CHARACTERS or len(_WORD.findall(wanted)) < MIN_WORDS
        if short and wanted not in self._whole:
            return None
        where = fuzz.partial_ratio_alignment(wanted, self._text, score_cutoff=MIN_SIMILARITY)
        if where is None:
            return None
        start, end = self._to_words(where.dest_start, where.dest_end)
        there = self._text[start:end]
        similarity = fuzz.ratio(wanted, there)
        if similarity < MIN_SIMILARITY or not _says_the_same(wanted, there):
            return None
        first, last = self._source[start], self._source[end - 1] + 1
        owners = Counter(self._owner[i] for i in range(first, last) if not self._original[i].isspace())
        most = owners.most_common()
        return FoundQuote(
            text=" ".join(self._original[first:last].split()),
            sentences=tuple(index for n, (index, count) in enumerate(most) if n == 0 or count >= _MIN_SHARE),
            similarity=similarity,
        )

    def _to_words(self, start: int, end: int) -> tuple[int, int]:
        """Widen a range to whole words, and strip what strays in from around it."""
        text = self._text
        while start > 0 and text[start - 1].isalnum() and start < end and text[start].isalnum():
            start -= 1
        while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
            end += 1
        while start < end and text[start] in " ,;:.)]":
            start += 1
        while end > start and text[end - 1] in " ,;:([":
            end -= 1
        return start, end


def _says_the_same(wanted: str, there: str) -> bool:
    """Whether words, numbers and negations agree: the fuzzy match alone would let 78 pass for 87."""
    if Counter(_NUMBER.findall(wanted)) != Counter(_NUMBER.findall(there)):
        return False
    if _negations(wanted) != _negations(there):
        return False
    # Words broken at a line's end stand in the text in two parts.
    words = set(_WORD.findall(there)) | set(_WORD.findall(there.replace("- ", "")))
    strange = [word for word in _WORD.findall(wanted.replace("- ", "")) if word not in words]
    return len(strange) <= 1 and all(any(_misspelt(word, other) for other in words) for word in strange)


def _misspelt(word: str, other: str) -> bool:
    """Whether two words differ by a slip of the pen; `hyper-` for `hypo-` or `in-` for nothing is none."""
    return min(len(word), len(other)) >= 6 and word[:4] == other[:4] and fuzz.ratio(word, other) >= 90


def _negations(text: str) -> Counter[str]:
    words = Counter(word for word in _WORD.findall(text) if word in _NEGATIONS)
    words["n't"] += text.count("n't")
    return +words


def _normalise(text: str) -> tuple[str, list[int]]:
    """Return `text` folded for comparison, and for each of its characters the offset it came from.

    Compatibility forms (ligatures, styled letters), case, quotes, dashes and white space are folded.
    """
    out: list[str] = []
    source: list[int] = []
    for offset, character in enumerate(text):
        for folded in unicodedata.normalize("NFKC", character).casefold().translate(_SAME):
            folded_or_space = " " if folded.isspace() else folded
            if folded_or_space == " " and out and out[-1] == " ":
                continue
            out.append(folded_or_space)
            source.append(offset)
    return "".join(out), source
