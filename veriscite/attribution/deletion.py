"""Does the label hang on the words that an attribution names? They are left out, and the model asked again.

The comprehensiveness of DeYoung et al., 2020 (ERASER): how far the output falls without the words named. A
model also grows unsure of any text with holes, so the fall is held against that for words drawn at random, as
Samek et al., 2017, hold one heat map against another.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from veriscite.attribution.encoder import Encoder, score_pairs
from veriscite.domain import Attribution, DeletionTest, WordScore
from veriscite.errors import ModelError

#: Sets of words drawn at random. With the words named they make one batch of four.
DRAWS = 3
_AT_MOST = 3
_SHARE = 5

#: A word and the text it stands in: True for the claim, False for the sentence.
_Word = tuple[bool, WordScore]


def deletion_test(encoder: Encoder, attribution: Attribution, output: float) -> DeletionTest | None:
    """Leave out the words that speak most for the label, and as many others, and compare.

    Args:
        encoder: The model that was explained, in its thread.
        attribution: What is to be tested.
        output: The model's log-odds of the target label for the whole pair.

    Returns:
        The drops of the log-odds; None where there are too few words to leave out others instead. The same
        texts give the same draws.

    Raises:
        ModelError: The model has no such label, fails, or gives numbers that are not finite.
    """
    index = encoder.label_index(attribution.target)
    if index is None:
        raise ModelError(f"{encoder.name} has no output for {attribution.target}.")
    words: list[_Word] = [(True, word) for word in attribution.claim_words]
    words += [(False, word) for word in attribution.evidence_words]
    k = count_of(len(words))
    ranked = sorted(words, key=lambda item: -item[1].score)
    top, rest = ranked[:k], ranked[k:]
    if len(rest) < k:
        return None
    rng = random.Random(f"{attribution.claim_text}\n{attribution.sentence}")  # noqa: S311 - no secret
    chosen = [top, *(rng.sample(rest, k) for _ in range(DRAWS))]
    top_output, *random_outputs = score_pairs(
        encoder, [_without(attribution, gone) for gone in chosen], index
    )
    return DeletionTest(
        k=k, top_drop=output - top_output, random_drop=output - sum(random_outputs) / len(random_outputs)
    )


def count_of(words: int) -> int:
    """How many of some words are left out: a fifth, at least one, at most three."""
    return max(1, min(_AT_MOST, words // _SHARE))


def without(text: str, words: Sequence[WordScore]) -> str:
    """Return a text without some of its words; the white space around them becomes one blank."""
    at = 0
    kept = []
    for word in sorted(words, key=lambda word: word.span.start):
        kept.append(text[at : word.span.start])
        at = word.span.end
    return " ".join("".join([*kept, text[at:]]).split())


def _without(attribution: Attribution, gone: Sequence[_Word]) -> tuple[str, str]:
    """Premise and claim without some words."""
    return (
        without(attribution.sentence, [word for in_claim, word in gone if not in_claim]),
        without(attribution.claim_text, [word for in_claim, word in gone if in_claim]),
    )
