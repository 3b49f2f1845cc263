from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.domain import Span, TokenScore, word_spans, words_of

TEXTS = st.text(st.sampled_from("abé1 .,-()%\n\u00a0β\u0301"), max_size=30) | st.text(max_size=30)


def tokens_of(text: str, *cuts: tuple[int, int, float]) -> list[TokenScore]:
    return [TokenScore(text=text[a:b], span=Span(start=a, end=b), score=score) for a, b, score in cuts]


@st.composite
def tokenised(draw: st.DrawFn) -> tuple[str, list[TokenScore]]:
    """A text cut into tokens anywhere but across white space, some left out, in any order."""
    text = draw(TEXTS)
    cuts = draw(st.sets(st.integers(0, len(text)))) | {0, len(text)}
    cuts |= {i + d for i, c in enumerate(text) if c.isspace() for d in (0, 1)}
    edges = sorted(cuts)
    spans = [(a, b) for a, b in itertools.pairwise(edges) if text[a:b].strip()]
    kept = draw(st.lists(st.sampled_from(spans), unique=True)) if spans else []
    return text, tokens_of(text, *((a, b, draw(st.integers(-8, 8)) / 4) for a, b in kept))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("IL-6 fell (p<0.05), twofold.", ["IL-6", "fell", "p<0.05", "twofold"]),
        ("“Either/or” — 12.5% of β-cells…", ["Either/or", "12.5", "of", "β-cells"]),
        ("don't\n\tsplit\u00a0this", ["don't", "split", "this"]),
        ("नहीं।", ["नहीं"]),
        (" . -- (%) ", []),
        ("", []),
    ],
)
def test_words_are_what_a_reader_takes_for_words(text: str, words: list[str]) -> None:
    assert [span.of(text) for span in word_spans(text)] == words


def test_a_word_has_the_sum_of_its_tokens_and_nothing_of_the_full_stop() -> None:
    text = "Deterioration stopped."
    tokens = tokens_of(text, (0, 5, 1.0), (5, 13, -0.25), (14, 21, 2.0), (21, 22, 9.0))
    assert [(w.text, w.score) for w in words_of(text, tokens)] == [("Deterioration", 0.75), ("stopped", 2.0)]


def test_a_token_over_two_words_counts_for_the_first_only() -> None:
    text = "in vitro"
    assert [(w.text, w.score) for w in words_of(text, tokens_of(text, (0, 4, 1.0), (4, 8, 2.0)))] == [
        ("in", 1.0),
        ("vitro", 2.0),
    ]


def test_several_tokens_of_one_character_all_count() -> None:
    assert words_of("é", tokens_of("é", (0, 1, 1.0), (0, 1, 0.5)))[0].score == 1.5


def test_a_word_that_was_not_read_has_no_score() -> None:
    assert [w.text for w in words_of("read unread", tokens_of("read unread", (0, 4, 0.0)))] == ["read"]


@given(tokenised())
def test_words_stand_in_order_apart_and_bare_of_signs(given_: tuple[str, list[TokenScore]]) -> None:
    text, tokens = given_
    words = words_of(text, tokens)
    assert {w.span for w in words} <= set(word_spans(text))
    assert all(a.span.end < b.span.start for a, b in itertools.pairwise(words))
    for word in words:
        assert word.text == word.span.of(text)
        assert not any(c.isspace() for c in word.text)
        assert word.text[0] not in ".,-()%"
        assert word.text[-1] not in ".,-()%"


@given(tokenised(), st.randoms())
def test_no_score_is_lost_or_counted_twice(given_: tuple[str, list[TokenScore]], random: object) -> None:
    text, tokens = given_
    inside = [
        token.score
        for token in tokens
        if any(token.span.start < s.end and s.start < token.span.end for s in word_spans(text))
    ]
    words = words_of(text, tokens)
    assert math.isclose(sum(w.score for w in words), sum(inside))
    random.shuffle(tokens)  # type: ignore[attr-defined]
    assert words_of(text, tokens) == words
