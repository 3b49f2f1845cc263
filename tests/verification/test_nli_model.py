import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.verification.tiny import save_checkpoint, tiny_bert, tiny_deberta, tiny_tokenizer
from veriscite.domain import Label
from veriscite.errors import LabelMappingError, ModelError, ModelNotFoundError
from veriscite.verification.calibration import Calibration
from veriscite.verification.labels import map_labels
from veriscite.verification.nli_model import ModelChoice, NliModel, identify, load_nli_model


def deberta(labels: tuple[str, ...] = ("SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO")) -> NliModel:
    mapped = map_labels(dict(enumerate(labels)), "tiny")
    return NliModel(tiny_deberta(labels), tiny_tokenizer(), mapped, Calibration(), "tiny", "r1")


def test_scores_do_not_depend_on_the_batch() -> None:
    model = deberta()
    pairs = [("aspirin reduced mortality .", "aspirin lowers risk ."), ("old weather", "no effect")]
    together = model.score(pairs)
    alone = [model.score([pair])[0] for pair in pairs]
    for a, b in zip(together, alone, strict=True):
        assert a.support == pytest.approx(b.support, abs=1e-4)
        assert a.contradict == pytest.approx(b.contradict, abs=1e-4)
    assert together[0].support != pytest.approx(together[1].support, abs=1e-3)


def test_premise_and_claim_are_not_the_same_thing() -> None:
    model = deberta()
    (there,), (back,) = model.score([("aspirin", "no effect")]), model.score([("no effect", "aspirin")])
    assert there.support != pytest.approx(back.support, abs=1e-3)


def test_long_texts_are_cut_and_it_is_told() -> None:
    model = deberta()
    long = "aspirin reduced mortality . " * 100
    scores = model.score([(long, "aspirin"), ("aspirin", long), (long, long), ("aspirin", "mice")])
    assert [s.truncated for s in scores] == [True, True, True, False]
    encoded, _ = model.encode([(long, long)])
    assert encoded["input_ids"].shape[1] <= 64


def test_the_claim_keeps_half_of_the_length() -> None:
    model = deberta()
    encoded, _ = model.encode([("aspirin " * 200, "mice " * 200)], offsets=True)
    parts = encoded.sequence_ids(0)
    assert parts.count(1) == 32
    assert parts.count(0) == 64 - 3 - 32


def test_replicas_share_the_weights_and_run_side_by_side() -> None:
    model = deberta()
    replica = model.replica()
    ours, theirs = dict(model.model.named_parameters()), dict(replica.model.named_parameters())
    assert all(theirs[name] is weight for name, weight in ours.items())
    pairs = [("aspirin reduced mortality " * n, "aspirin lowers risk .") for n in (1, 4, 9)]
    expected = [model.score([pair])[0].support for pair in pairs]

    def in_turn(own: NliModel) -> list[float]:
        return [own.score([pairs[n % 3]])[0].support for n in range(30)]

    with ThreadPoolExecutor(2) as pool:
        # Lengths differ, so that a span of positions set by one thread would be wrong for the other.
        for found in pool.map(in_turn, (model, replica)):
            assert found == pytest.approx([expected[n % 3] for n in range(30)], abs=1e-5)


def test_two_class_models_never_contradict() -> None:
    model = deberta(("entailment", "not_entailment"))
    assert model.score([("aspirin", "mice")])[0].contradict == -math.inf
    assert model.label_index(Label.CONTRADICT) is None


def test_numbers_that_are_not_finite_are_an_error() -> None:
    import torch

    model = deberta()
    with torch.no_grad():
        model.model.classifier.weight.fill_(math.nan)
    with pytest.raises(ModelError, match="not finite"):
        model.score([("aspirin", "mice")])


@pytest.mark.parametrize("make", [tiny_bert, tiny_deberta])
def test_a_folder_with_any_encoder_loads(tmp_path: Path, make) -> None:
    folder = save_checkpoint(make(), tmp_path / "model")
    choice = ModelChoice(str(folder), tmp_path)
    model = load_nli_model(choice)
    assert model.score([("aspirin", "mice")])[0].support != 0
    assert not model.calibration.is_fitted
    assert identify(choice).revision == model.revision != ""


def test_labels_are_mapped_by_their_names(tmp_path: Path) -> None:
    folder = save_checkpoint(tiny_bert(("contradiction", "entailment", "neutral")), tmp_path / "model")
    model = load_nli_model(ModelChoice(str(folder), tmp_path))
    assert (model.labels.support, model.labels.contradict, model.labels.not_enough_info) == (1, 0, 2)


def test_nameless_labels_are_refused(tmp_path: Path) -> None:
    folder = save_checkpoint(tiny_bert(("LABEL_0", "LABEL_1", "LABEL_2")), tmp_path / "model")
    with pytest.raises(LabelMappingError):
        load_nli_model(ModelChoice(str(folder), tmp_path))


def test_pickles_are_refused(tmp_path: Path) -> None:
    folder = save_checkpoint(tiny_bert(), tmp_path / "model", safe=False)
    with pytest.raises(ModelNotFoundError, match="could not be loaded"):
        load_nli_model(ModelChoice(str(folder), tmp_path))


def test_code_of_a_checkpoint_is_not_run(tmp_path: Path) -> None:
    import json

    folder = save_checkpoint(tiny_bert(), tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config["model_type"] = "unheard-of"
    config["auto_map"] = {
        "AutoConfig": "evil.EvilConfig",
        "AutoModelForSequenceClassification": "evil.EvilModel",
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    with pytest.raises(ModelNotFoundError):
        load_nli_model(ModelChoice(str(folder), tmp_path))
    assert not (tmp_path / "ran").exists()


def test_an_empty_folder_and_a_missing_name_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelNotFoundError) as caught:
        load_nli_model(ModelChoice(str(tmp_path / "empty"), tmp_path))
    assert caught.value.advice
    with pytest.raises(ModelNotFoundError, match="No adapter named nonsense"):
        identify(ModelChoice("nonsense", tmp_path))
    with pytest.raises(ModelNotFoundError, match="neither"):
        identify(ModelChoice("a/b/c d", tmp_path))


def test_a_hub_id_offline_fails_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(ModelNotFoundError):
        load_nli_model(ModelChoice("someone/some-nli-model", tmp_path, local_only=True))


def test_a_hub_id_is_named_with_its_revision(tmp_path: Path) -> None:
    identity = identify(ModelChoice("someone/some-nli-model", tmp_path, revision="abc123"))
    assert (identity.name, identity.revision) == ("someone/some-nli-model", "abc123")
    assert "training data" in identity.note
