"""Scores of tokens merged to words: people read words, tokenizers cut them anywhere."""

import re
import unicodedata
from collections.abc import Sequence

from veriscite.domain.base import Frozen, Span

_RUN = re.compile(r"\S+")
#: Punctuation, symbols, separators and control characters; letters, digits and combining marks are none.
_EDGE = frozenset("PSZC")


class TokenScore(Frozen):
    """A token, where it stands in its text, and how much it speaks for the target label.

    Attributes:
        span: Offsets into the claim's text or the decisive sentence.
        score: Positive speaks for the target label, negative against it; in units of the model's
            output (a logit or its margin), not normalised.
    """

    text: str
    span: Span
    score: float


class WordScore(Frozen):
    """A word as a person reads it, where it stands in its text, and how much it speaks for the target label.

    Attributes:
        span: Offsets into the claim's text or the decisive sentence.
        score: Sum of the scores of its tokens, in their units.
    """

    text: str
    span: Span
    score: float


def word_spans(text: str) -> tuple[Span, ...]:
    """Return where the words of a text stand, in order.

    A word is a run of characters without white space, less the punctuation and symbols at either end: what
    has a hyphen, slash or decimal point inside stays one word, and a run of signs alone is none.
    """
    spans = []
    for run in _RUN.finditer(text):
        start, end = run.span()
        while start < end and _is_edge(text[start]):
            start += 1
        while start < end and _is_edge(text[end - 1]):
            end -= 1
        if start < end:
            spans.append(Span(start=start, end=end))
    return tuple(spans)


def words_of(text: str, tokens: Sequence[TokenScore]) -> tuple[WordScore, ...]:
    """Merge the scores of a text's tokens to scores of its words.

    A token counts for the first word that it overlaps, and only there. One that overlaps none (a full stop)
    is left out, and so is a word without tokens: the model did not read it.

    Args:
        text: The text that the tokens' spans refer to.
        tokens: In any order; several may stand for one character, as byte-level tokenizers give them.

    Returns:
        The words in their order.
    """
    spans = word_spans(text)
    scores: dict[int, float] = {}
    at = 0
    for token in sorted(tokens, key=lambda token: token.span.start):
        # A token that starts later overlaps no word that ends before.
        while at < len(spans) and spans[at].end <= token.span.start:
            at += 1
        if at < len(spans) and max(spans[at].start, token.span.start) < min(spans[at].end, token.span.end):
            scores[at] = scores.get(at, 0.0) + token.score
    return tuple(
        WordScore(text=spans[index].of(text), span=spans[index], score=score)
        for index, score in sorted(scores.items())
    )


def _is_edge(character: str) -> bool:
    return unicodedata.category(character)[0] in _EDGE
