import json
from dataclasses import replace
from pathlib import Path

import pytest

from models.batches import Encoded, encode, length_buckets, tensors
from models.rows import CONTRADICT, NOT_ENOUGH_INFO, NOT_SUPPORT, SUPPORT, Row
from models.train import Recipe, Run, loss_of
from models.trainable import LoraOnBase, Trainable, WholeCheckpoint
from tests.verification.tiny import save_checkpoint, tiny_bert, tiny_deberta, tiny_tokenizer
from veriscite.errors import ModelNotFoundError
from veriscite.verification import base_weights
from veriscite.verification.nli_model import ModelChoice, load_nli_model

RECIPE = Recipe(
    adapter="science", first_layer=1, max_length=48, batch=4, rank=4, learning_rate=2e-2, epochs=6
)


def rows() -> list[Row]:
    made = []
    for subject in ("aspirin", "sugar", "placebo", "weather"):
        for where in ("mice", "patients"):
            premise = f"{subject} reduced mortality in {where} ."
            made.append(Row(premise, f"{subject} lowers mortality .", SUPPORT, "t", subject))
            made.append(Row(premise, f"{subject} raises mortality .", CONTRADICT, "t", subject))
            made.append(Row(premise, f"{subject} lowers cancer risk .", NOT_ENOUGH_INFO, "t", subject))
    return made


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return save_checkpoint(tiny_deberta(("a", "b")), tmp_path / "tiny-base")


def lora(base: Path) -> LoraOnBase:
    return LoraOnBase(base, RECIPE.seed, LoraOnBase.Layers(RECIPE.rank, RECIPE.alpha, RECIPE.first_layer))


@pytest.fixture(params=["lora", "whole"])
def trainable(request: pytest.FixtureRequest, tmp_path: Path, base: Path) -> Trainable:
    if request.param == "lora":
        return lora(base)
    return WholeCheckpoint(save_checkpoint(tiny_bert(("a", "b")), tmp_path / "tiny-bert"), RECIPE.seed)


def run(output: Path, trainable: Trainable, recipe: Recipe = RECIPE) -> Run:
    output.mkdir(exist_ok=True)
    (output / "data.json").write_text("[]")
    return Run(recipe, output, trainable, threads=1, checkpoint_every=10, dev_every=18)


def entries(output: Path, event: str) -> list[dict[str, float]]:
    lines = [json.loads(line) for line in (output / "log.jsonl").read_text().splitlines()]
    return [line for line in lines if line["event"] == event]


def test_it_learns_and_what_it_saves_is_what_the_verifier_loads(
    tmp_path: Path, base: Path, trainable: Trainable, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "run"
    whole = isinstance(trainable, WholeCheckpoint)
    recipe = replace(RECIPE, learning_rate=3e-3, epochs=15) if whole else RECIPE
    run(output, trainable, recipe).train(rows(), rows())
    losses = [entry["loss"] for entry in entries(output, "loss")]
    assert losses[-1] < losses[0]
    dev = entries(output, "dev")
    assert dev[-1]["accuracy"] > 0.4
    assert not (output / "checkpoint.pt").exists()
    training = json.loads((output / "adapter" / "training.json").read_text())
    assert training["recipe"]["seed"] == RECIPE.seed
    assert (output / "adapter" / "training-science.svg").stat().st_size > 1000

    monkeypatch.setattr(base_weights, "base_weights", lambda _cache: base)
    model = load_nli_model(ModelChoice(str(output / "adapter"), tmp_path))
    right = 0
    for row in rows():
        (score,) = model.score([(row.premise, row.hypothesis)])
        margins = {SUPPORT: score.support, CONTRADICT: score.contradict, NOT_ENOUGH_INFO: 0.0}
        right += max(margins, key=margins.__getitem__) == row.label
    assert right / len(rows()) == pytest.approx(dev[-1]["accuracy"], abs=1e-3)


def test_an_interrupted_run_ends_as_if_it_had_not_been(
    tmp_path: Path, trainable: Trainable, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from safetensors.torch import load_file

    run(tmp_path / "whole", trainable).train(rows(), rows()[:3])

    class Interrupted(Exception):
        pass

    def interrupt(self: Run, entry: dict[str, float]) -> None:
        if entry["event"] == "loss" and entry["step"] == 20:
            raise Interrupted

    with monkeypatch.context() as patch:
        patch.setattr(Run, "_log", interrupt)
        with pytest.raises(Interrupted):
            run(tmp_path / "broken", trainable).train(rows(), rows()[:3])
    assert (tmp_path / "broken" / "checkpoint.pt").exists()
    run(tmp_path / "broken", trainable).train(rows(), rows()[:3])
    assert entries(tmp_path / "broken", "start")[0]["step"] == 10
    weights = [
        load_file(next((tmp_path / name / "adapter").glob("*.safetensors"))) for name in ("whole", "broken")
    ]
    assert weights[0].keys() == weights[1].keys()
    for name, tensor in weights[0].items():
        assert torch.allclose(tensor, weights[1][name], atol=1e-5), name


def test_a_later_stage_may_reach_deeper_and_begins_where_the_one_before_ended(
    tmp_path: Path, base: Path
) -> None:
    import torch

    run(tmp_path / "first", LoraOnBase(base, RECIPE.seed, LoraOnBase.Layers(4, 8, 1))).train(
        rows(), rows()[:3]
    )
    before = tmp_path / "first" / "adapter"
    inputs = {"input_ids": torch.tensor([[1, 5, 6, 2, 7, 2]])}
    outputs = []
    for first in (1, 0):
        model, _ = LoraOnBase(base, RECIPE.seed, LoraOnBase.Layers(4, 8, first), before).fresh()
        with torch.no_grad():
            outputs.append(model.eval()(**inputs).logits)
    assert torch.allclose(outputs[0], outputs[1], atol=1e-6)


def test_a_stage_before_that_lacks_weights_is_refused(tmp_path: Path, base: Path) -> None:
    from safetensors.torch import load_file, save_file

    run(tmp_path / "first", lora(base)).train(rows(), rows()[:3])
    before = tmp_path / "first" / "adapter"
    weights = load_file(before / "adapter_model.safetensors")
    lost = next(name for name in weights if "classifier" in name)
    del weights[lost]
    save_file(weights, before / "adapter_model.safetensors")
    with pytest.raises(ValueError, match="classifier"):
        LoraOnBase(base, RECIPE.seed, LoraOnBase.Layers(RECIPE.rank, RECIPE.alpha, 0), before).fresh()


def test_a_checkpoint_of_another_recipe_is_refused(tmp_path: Path, base: Path) -> None:
    import torch

    output = tmp_path / "run"
    unfinished = run(output, lora(base))
    torch.save({"recipe": {"adapter": "other"}}, output / "checkpoint.pt")
    with pytest.raises(SystemExit, match="another recipe"):
        unfinished.train(rows(), rows()[:3])


def test_an_adapter_of_another_base_is_refused(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps({"base_model_name_or_path": "another"}))
    (folder / "adapter_model.safetensors").write_bytes(b"")
    monkeypatch.setattr(base_weights, "base_weights", lambda _cache: base)
    with pytest.raises(ModelNotFoundError, match="another"):
        load_nli_model(ModelChoice(str(folder), tmp_path))


def test_only_the_upper_layers_and_the_head_are_trained(base: Path) -> None:
    model, _ = lora(base).fresh()
    trained = [name for name, p in model.named_parameters() if p.requires_grad]
    assert trained
    assert not any("layer.0." in name or "embeddings" in name for name in trained)
    assert any("layer.1." in name for name in trained)
    assert any("classifier" in name for name in trained)
    assert any("pooler" in name for name in trained)


def test_of_another_encoder_all_but_the_words_are_trained(tmp_path: Path) -> None:
    folder = save_checkpoint(tiny_bert(("a", "b")), tmp_path / "tiny-bert")
    model, _ = WholeCheckpoint(folder, 1).fresh()
    still = [name for name, p in model.named_parameters() if not p.requires_grad]
    assert still == ["bert.embeddings.word_embeddings.weight"]


def test_premise_and_claim_are_told_apart_as_the_verifier_does(tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.model_input_names = ["input_ids", "attention_mask", "token_type_ids"]
    (made,) = encode([Row("aspirin reduced mortality", "sugar", SUPPORT, "t", "g")], tokenizer, 32)
    inputs, _ = tensors([made], [0], 0)
    expected = tokenizer(
        ["aspirin reduced mortality"], ["sugar"], return_tensors="pt", return_token_type_ids=True
    )
    for name, value in inputs.items():
        assert value.tolist() == expected[name].tolist(), name


def test_rows_that_are_only_not_supported_may_be_either() -> None:
    import torch

    labels = torch.tensor([NOT_SUPPORT])
    contradiction = loss_of(torch.tensor([[-9.0, 9.0, -9.0]]), labels, 0.0)
    unknown = loss_of(torch.tensor([[-9.0, -9.0, 9.0]]), labels, 0.0)
    support = loss_of(torch.tensor([[9.0, -9.0, -9.0]]), labels, 0.0)
    assert contradiction.item() == pytest.approx(0, abs=1e-3)
    assert unknown.item() == pytest.approx(0, abs=1e-3)
    assert support.item() > 10


def test_batches_hold_every_row_once_and_stay_within_their_limits() -> None:
    import random

    encoded = [Encoded(tuple(range(1, 2 + n % 50)), 0) for n in range(500)]
    batches = length_buckets(encoded, batch=16, tokens=300, rng=random.Random(1))
    assert sorted(i for b in batches for i in b) == list(range(500))
    assert max(len(b) for b in batches) <= 16
    assert max(len(b) * max(len(encoded[i].ids) for i in b) for b in batches) <= 300
    padded = sum(len(b) * max(len(encoded[i].ids) for i in b) for b in batches)
    assert padded < 1.15 * sum(len(e.ids) for e in encoded)
    inputs, labels = tensors(encoded, batches[0], pad=0)
    assert inputs["input_ids"].shape == inputs["attention_mask"].shape
    assert labels.shape == (len(batches[0]),)
