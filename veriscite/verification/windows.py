"""What of an abstract the NLI encoder reads at once: windows of it, or the sentences closest to the claim.

General NLI models carry over to a few sentences but not to whole abstracts. So evidence is read a few
sentences at a time, in premises that are scored apart and aggregated: either overlapping windows (three
sentences, stride two), or extracts, the few sentences that share most words with the claim, wherever they
stand.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

WINDOW_SENTENCES = 3
WINDOW_STRIDE = 2


def window_spans(
    sentence_count: int, size: int = WINDOW_SENTENCES, stride: int = WINDOW_STRIDE
) -> tuple[tuple[int, int], ...]:
    """Half-open sentence ranges that cover all sentences; the last one is moved back to keep its full size.

    Args:
        sentence_count: Number of sentences; zero gives no windows.
        size: Sentences in a window, at least 1.
        stride: Sentences between two window starts, from 1 to `size`, so that no sentence is left out.

    Returns:
        Ranges `(start, stop)` in reading order.

    Raises:
        ValueError: `size` or `stride` is out of range, or `sentence_count` is negative.
    """
    if sentence_count < 0 or size < 1 or not 1 <= stride <= size:
        raise ValueError(
            f"no windows of {size} sentences with stride {stride} over {sentence_count} sentences"
        )
    if sentence_count == 0:
        return ()
    if sentence_count <= size:
        return ((0, sentence_count),)
    starts = list(range(0, sentence_count - size + 1, stride))
    if starts[-1] != sentence_count - size:
        starts.append(sentence_count - size)
    return tuple((start, start + size) for start in starts)


def window_texts(sentences: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Text of each window: its sentences joined by single spaces."""
    return [premise_text(sentences, range(start, stop)) for start, stop in spans]


def premise_text(sentences: Sequence[str], indices: Iterable[int]) -> str:
    """Text of the sentences with these indices, joined by single spaces."""
    return " ".join(sentences[i].strip() for i in indices)


def closest(claim: str, texts: Sequence[str], count: int) -> tuple[int, ...]:
    """The texts that share most words with a claim, rare words weighing more.

    Args:
        claim: The claim.
        texts: Sentences or windows of one abstract, in reading order.
        count: How many. Of equals the later ones are taken, for findings come last.

    Returns:
        Indices in reading order.

    Raises:
        ValueError: `count` is below 1.
    """
    if count < 1:
        raise ValueError(f"at least one part of the evidence must be read, not {count}")
    bags = [_words(text) for text in texts]
    held_by = Counter(word for bag in bags for word in bag)
    wanted = _words(claim)
    shared = [sum(math.log(1 + len(texts) / held_by[word]) for word in sorted(wanted & bag)) for bag in bags]
    return tuple(sorted(sorted(range(len(texts)), key=lambda i: (-shared[i], -i))[:count]))


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", text.lower()))
