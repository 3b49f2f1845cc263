import asyncio
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.verification.tiny import tiny_bert, tiny_deberta, tiny_tokenizer
from veriscite.attribution.integrated_gradients import Baseline, IntegratedGradientsAttributor
from veriscite.attribution.quadrature import Effort
from veriscite.domain import Attribution, Label
from veriscite.errors import ModelError
from veriscite.ports import Attributor
from veriscite.verification.calibration import Calibration
from veriscite.verification.labels import map_labels
from veriscite.verification.nli import NliEncoder
from veriscite.verification.nli_model import ModelChoice, NliModel

Answer = TypeVar("Answer")
CLAIM = "aspirin lowers mortality in mice"
SENTENCE = "aspirin  reduced mortality in patients , no effect in mice ."
SENTENCES = tuple(" ".join(["aspirin", *["mice"] * n, "reduced mortality"]) for n in range(5))
CHOICE = ModelChoice("tiny", Path("unused"))
FINE = Effort(first=64, most=65)


class Host:
    """Runs jobs at once, on the model given."""

    def __init__(self, model: Any) -> None:
        self.model = model

    async def run(self, job: Callable[[Any], Answer]) -> Answer:
        return job(self.model)


def nli_model(make: Callable[..., Any], labels: tuple[str, ...], seed: int = 1) -> NliModel:
    mapped = map_labels(dict(enumerate(labels)), "tiny")
    return NliModel(make(labels, seed), tiny_tokenizer(), mapped, Calibration(), "tiny", "r")


ENCODERS = {
    "deberta": nli_model(tiny_deberta, ("SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO")),
    "bert": nli_model(tiny_bert, ("entailment", "neutral", "contradiction")),
    "two classes": nli_model(tiny_deberta, ("not_entailment", "entailment")),
}


async def explained(model: NliModel, target: Label = Label.SUPPORT, effort: Effort = FINE) -> Attribution:
    attributor: Attributor = IntegratedGradientsAttributor(Host(model), effort)
    return await attributor.attribute(CLAIM, SENTENCE, 2, target)


@pytest.mark.parametrize("name", ENCODERS)
async def test_attributions_add_up_to_the_difference_of_the_outputs(name: str) -> None:
    attribution = await explained(ENCODERS[name])
    total = sum(t.score for t in (*attribution.claim, *attribution.evidence))
    assert attribution.output_difference != 0
    assert total == pytest.approx(attribution.output_difference, rel=0.05, abs=0.02)
    # Special tokens keep their embeddings, so that nothing is left to them.
    assert total - attribution.output_difference == pytest.approx(attribution.convergence_delta, abs=1e-4)


async def test_the_difference_is_that_of_the_log_odds() -> None:
    import torch

    model = ENCODERS["deberta"]
    attribution = await explained(model, Label.CONTRADICT)

    def log_odds(sentence: str, claim: str) -> float:
        (score,) = model.score([(sentence, claim)])
        return score.log_odds(Label.CONTRADICT)

    encoded, _ = model.encode([(SENTENCE, CLAIM)])
    ids = encoded["input_ids"].clone()
    ids[ids > 4] = 0
    with torch.no_grad():
        logits = model.model(input_ids=ids, attention_mask=encoded["attention_mask"]).logits[0]
    at_baseline = float(logits[1] - torch.logsumexp(logits[[0, 2]], 0))
    assert attribution.output_difference == pytest.approx(log_odds(SENTENCE, CLAIM) - at_baseline, abs=1e-3)


async def test_tokens_stand_where_they_say() -> None:
    attribution = await explained(ENCODERS["deberta"])
    assert [t.text for t in attribution.claim] == CLAIM.split()
    assert [t.text for t in attribution.evidence] == SENTENCE.split()
    for tokens, text in ((attribution.claim, CLAIM), (attribution.evidence, SENTENCE)):
        assert all(t.span.of(text) == t.text for t in tokens)
    assert attribution.sentence_index == 2
    assert attribution.target is Label.SUPPORT
    assert attribution.baseline


async def test_more_points_are_sampled_while_the_delta_is_large() -> None:
    model = ENCODERS["deberta"]
    coarse = await explained(model, effort=Effort(first=2, most=3))
    finer = await explained(model, effort=Effort(first=2, most=64, max_relative_delta=1e-4))
    assert coarse.steps == 3
    assert coarse.steps < finer.steps <= 64
    assert abs(finer.convergence_delta) < abs(coarse.convergence_delta) / 2
    easy = await explained(model, effort=Effort(first=5, max_relative_delta=1e9, max_relative_error=1e9))
    assert easy.steps == 6


async def test_the_size_of_a_batch_changes_nothing() -> None:
    model = ENCODERS["bert"]
    one = await explained(model, effort=Effort(first=20, most=21, at_once=1))
    many = await explained(model, effort=Effort(first=20, most=21, at_once=21))
    assert [t.score for t in one.claim] == pytest.approx([t.score for t in many.claim], abs=1e-4)


async def test_a_label_that_the_model_never_gives_cannot_be_explained() -> None:
    with pytest.raises(ModelError, match="no output for CONTRADICT"):
        await explained(ENCODERS["two classes"], Label.CONTRADICT)


async def test_the_weights_are_left_trainable_and_without_gradients() -> None:
    model = nli_model(tiny_deberta, ("SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO"))
    model.model.requires_grad_(True)
    await explained(model)
    assert all(p.requires_grad for p in model.model.parameters())
    assert all(p.grad is None for p in model.model.parameters())


async def test_the_integral_can_start_from_the_mask() -> None:
    import torch

    model = ENCODERS["deberta"]
    attributor = IntegratedGradientsAttributor(Host(model), FINE, Baseline.MASK)
    masked = await attributor.attribute(CLAIM, SENTENCE, 2, Label.SUPPORT)
    padded = await explained(model)
    assert "mask" in masked.baseline
    assert "padding" in padded.baseline
    encoded, _ = model.encode([(SENTENCE, CLAIM)])
    ids = encoded["input_ids"].clone()
    ids[ids > 4] = model.tokenizer.mask_token_id
    with torch.no_grad():
        logits = model.model(input_ids=ids, attention_mask=encoded["attention_mask"]).logits[0]
    at_mask = float(logits[0] - torch.logsumexp(logits[1:], 0))
    (score,) = model.score([(SENTENCE, CLAIM)])
    assert masked.output_difference == pytest.approx(score.log_odds(Label.SUPPORT) - at_mask, abs=1e-3)
    assert masked.output_difference != pytest.approx(padded.output_difference, abs=1e-3)


async def test_a_tokenizer_without_the_token_to_start_from_is_an_error() -> None:
    model = nli_model(tiny_bert, ("entailment", "neutral", "contradiction"))
    model.tokenizer.mask_token = None
    with pytest.raises(ModelError, match="no mask token"):
        await IntegratedGradientsAttributor(Host(model), FINE, Baseline.MASK).attribute(
            CLAIM, SENTENCE, 0, Label.SUPPORT
        )


async def test_an_encoder_without_an_embedding_layer_is_refused() -> None:
    model = nli_model(tiny_bert, ("entailment", "neutral", "contradiction"))
    model.model.base_model_prefix = "nowhere"
    with pytest.raises(ModelError, match="embeddings"):
        await explained(model)


async def test_numbers_that_are_not_finite_are_an_error() -> None:
    import torch

    model = nli_model(tiny_bert, ("entailment", "neutral", "contradiction"))
    with torch.no_grad():
        model.model.classifier.weight.fill_(math.inf)
    with pytest.raises(ModelError):
        await explained(model)


async def test_texts_longer_than_the_model_are_cut_not_refused() -> None:
    attributor = IntegratedGradientsAttributor(Host(ENCODERS["deberta"]), Effort(first=8, most=9))
    attribution = await attributor.attribute("aspirin " * 100, "mice " * 300, 0, Label.SUPPORT)
    assert len(attribution.claim) == 32
    assert len(attribution.evidence) == 64 - 3 - 32


async def test_attributions_side_by_side_do_not_meddle_with_each_other() -> None:
    def load(_choice: ModelChoice) -> NliModel:
        return nli_model(tiny_deberta, ("SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO"))

    alone = [
        await IntegratedGradientsAttributor(Host(load(CHOICE)), FINE).attribute(CLAIM, text, 0, Label.SUPPORT)
        for text in SENTENCES
    ]
    for _ in range(6):  # a model of its own each time, for replicas are made while the first job runs
        encoder = NliEncoder(CHOICE, load=load)
        attributor = IntegratedGradientsAttributor(encoder, FINE)
        together, scores = await asyncio.gather(
            asyncio.gather(*(attributor.attribute(CLAIM, text, 0, Label.SUPPORT) for text in SENTENCES)),
            encoder.score([(text, CLAIM) for text in SENTENCES]),
        )
        await encoder.aclose()
        for one, other in zip(alone, together, strict=True):
            assert [t.score for t in other.claim] == pytest.approx([t.score for t in one.claim], abs=1e-4)
        assert len({score.support for score in scores}) == len(SENTENCES)
