"""Sentence windows over an abstract: the unit that the NLI encoder reads.

General NLI models carry over to a few sentences but not to whole abstracts, so evidence is read in
overlapping windows (three sentences, stride two) and the windows are aggregated.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    return [" ".join(sentence.strip() for sentence in sentences[start:stop]) for start, stop in spans]
