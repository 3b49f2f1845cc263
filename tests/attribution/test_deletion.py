from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from tests.attribution.test_integrated_gradients import CLAIM, ENCODERS, FINE, SENTENCE
from veriscite.attribution.deletion import DRAWS, count_of, deletion_test, without
from veriscite.attribution.encoder import score_pairs
from veriscite.attribution.integrated_gradients import explain
from veriscite.domain import Attribution, Label, Span, TokenScore, words_of
from veriscite.errors import ModelError

TEXT = "one two three four five"


def by_word(text: str, scores: Sequence[float]) -> tuple[TokenScore, ...]:
    found, at = [], 0
    for word, score in zip(text.split(), scores, strict=True):
        at = text.index(word, at)
        found.append(TokenScore(text=word, span=Span(start=at, end=at + len(word)), score=score))
        at += len(word)
    return tuple(found)


def attribution(
    claim: str, claim_scores: Sequence[float], sentence: str, scores: Sequence[float]
) -> Attribution:
    return Attribution(
        target=Label.CONTRADICT,
        claim_text=claim,
        sentence=sentence,
        claim=by_word(claim, claim_scores),
        evidence=by_word(sentence, scores),
        sentence_index=0,
        baseline="",
        steps=1,
        convergence_delta=0,
        output_difference=1,
        model="counting",
    )


class Counting:
    """Its log-odds are the sum of its words' weights; remembers what it was asked, batch by batch."""

    name = "counting"
    device = "cpu"
    tokenizer = None

    def __init__(self, **weights: float) -> None:
        self.weights = weights
        self.batches: list[list[tuple[str, str]]] = []

    def label_index(self, label: Label) -> int | None:
        return 1 if label is Label.CONTRADICT else None

    def encode(self, pairs: Sequence[tuple[str, str]], *, offsets: bool = False) -> tuple[Any, list[bool]]:
        self.batches.append(list(pairs))

        class Encoded(dict[str, Any]):
            def to(self, device: str) -> Encoded:
                return self

        return Encoded(pairs=pairs), [False for _ in pairs]

    def model(self, pairs: Sequence[tuple[str, str]]) -> Any:
        import torch

        sums = [sum(self.weights.get(w, 0.0) for text in pair for w in text.split()) for pair in pairs]
        return SimpleNamespace(logits=torch.tensor([[0.0, total] for total in sums]))


def test_the_words_named_are_left_out_in_one_batch_with_the_random_ones() -> None:
    encoder = Counting(two=3.0, nine=2.0, three=-1.0)
    found = attribution(TEXT, (0, 3, -1, 0.1, 0), "six seven eight nine ten", (0, 0, 0, 2, 0))
    test = deletion_test(encoder, found, output=4.0)
    assert test is not None
    assert test.k == 2
    assert test.top_drop == pytest.approx(5.0)  # "two" in the claim and "nine" in the sentence
    (batch,) = encoder.batches
    assert len(batch) == 1 + DRAWS
    assert batch[0] == ("six seven eight ten", "one three four five")
    for sentence, claim in batch[1:]:
        assert "two" in claim.split()
        assert "nine" in sentence.split()
        assert len((sentence + " " + claim).split()) == 8
    without_three = sum("three" not in claim.split() for _, claim in batch[1:])
    assert test.random_drop == pytest.approx(-without_three / DRAWS)


def test_the_same_texts_give_the_same_draws_and_others_others() -> None:
    scores, sentence = (5.0, 0, 0, 0, 0), "six seven eight nine ten"

    def draws(claim: str) -> list[tuple[str, str]]:
        encoder = Counting()
        deletion_test(encoder, attribution(claim, scores, sentence, (4.0, 0, 0, 0, 0)), 0.0)
        return encoder.batches[0]

    assert draws(TEXT) == draws(TEXT)
    seeds = {tuple(sentence for sentence, _ in draws(f"{TEXT[:-4]}w{n}")[1:]) for n in range(8)}
    assert len(seeds) > 1


def test_misleading_scores_are_found_out() -> None:
    encoder = Counting(two=3.0)
    right = attribution(TEXT, (0, 3, 0, 0, 0), "", ())
    wrong = attribution(TEXT, (3, 0, 0, 0, 0), "", ())
    good, bad = deletion_test(encoder, right, 3.0), deletion_test(encoder, wrong, 3.0)
    assert good is not None
    assert bad is not None
    assert (good.top_drop, good.random_drop) == (3.0, 0.0)
    assert bad.top_drop == 0.0
    assert right.model_copy(update={"deletion": good}).trusted
    assert not wrong.model_copy(update={"deletion": bad}).trusted


def test_a_lone_word_cannot_be_tested() -> None:
    encoder = Counting()
    assert deletion_test(encoder, attribution("one", (1.0,), "", ()), 0.0) is None
    assert encoder.batches == []


@pytest.mark.parametrize(("words", "k"), [(1, 1), (9, 1), (10, 2), (14, 2), (15, 3), (200, 3)])
def test_how_many_words_are_left_out(words: int, k: int) -> None:
    assert count_of(words) == k


def test_only_the_word_goes_its_comma_stays() -> None:
    text = "In mice, IL-6  fell (twofold)."
    words = {word.text: word for word in words_of(text, by_word(text, (1,) * 5))}
    assert without(text, [words["twofold"], words["mice"]]) == "In , IL-6 fell ()."
    assert without(text, list(words.values())) == ", ()."
    assert without(text, []) == "In mice, IL-6 fell (twofold)."


def test_numbers_that_are_not_finite_are_an_error() -> None:
    with pytest.raises(ModelError, match="not finite"):
        deletion_test(Counting(five=math.inf), attribution(TEXT, (1, 0, 0, 0, 0), "", ()), 1.0)


@pytest.mark.parametrize("name", ["deberta", "bert"])
def test_an_explanation_brings_its_test_with_it(name: str) -> None:
    model = ENCODERS[name]
    index = model.label_index(Label.SUPPORT)
    assert index is not None
    found = explain(model, CLAIM, SENTENCE, 0, Label.SUPPORT, FINE)
    assert found.deletion is not None
    # 14 words with those of the sentence, so two go; the model itself says what that costs.
    assert found.deletion.k == 2
    words = [(True, w) for w in found.claim_words] + [(False, w) for w in found.evidence_words]
    top = sorted(words, key=lambda item: -item[1].score)[:2]
    shortened = (
        without(SENTENCE, [w for in_claim, w in top if not in_claim]),
        without(CLAIM, [w for in_claim, w in top if in_claim]),
    )
    whole, rest = score_pairs(model, [(SENTENCE, CLAIM), shortened], index)
    assert found.deletion.top_drop == pytest.approx(whole - rest, abs=1e-3)
