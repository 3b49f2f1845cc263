"""Models fetched from a hub over real sockets, and all that can go wrong with it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fakes.faults import Answer, json_answer, no_answer, rate_limited, unavailable
from tests.fakes.hub import FakeHub, HubModel
from tests.verification.stores import COMMIT, ID, named, store, weights_in
from veriscite.errors import InputError, ModelError, ModelNotFoundError, SettingsError
from veriscite.verification.model_checks import ModelCheck
from veriscite.verification.model_hub import GatedModelError, HubUnreachableError


def test_only_what_is_needed_is_fetched_and_then_works(tmp_path: Path, hub: FakeHub) -> None:
    announced: list[int] = []
    pulled = store(tmp_path, hub).pull(ID, announce=lambda _check, size: announced.append(size))
    files = hub.models[ID].files
    wanted = {"README.md", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    assert pulled.check.usable
    assert pulled.check.revision == COMMIT
    assert {path.name for path in Path(pulled.folder).iterdir()} == wanted
    assert set(hub.fetched) == wanted
    assert announced == [sum(len(files[name]) for name in wanted)]
    # The config came first, and the weights after it had been judged.
    assert hub.fetched[0] == "config.json"
    # Now without any network, by branch and by commit.
    for revision in (None, COMMIT):
        found = store(tmp_path, offline=True).check(ID, revision)
        assert (found.usable, found.kind, found.revision) == (True, "hub", COMMIT)
        assert named(found, "loading").status == "ok"
    assert not store(tmp_path, offline=True).check(ID, "v9").usable


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"config.json": {"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}}, "labels"),
        ({"config.json": {"architectures": ["BertModel"]}}, "architecture"),
        ({"config.json": {"auto_map": {"AutoModel": "x.Y"}, "model_type": "unheard-of"}}, "code"),
        ({"model.safetensors": None}, "weights"),
        ({"tokenizer.json": None}, "tokenizer"),
        ({"adapter_config.json": {}}, "files"),
        ({"config.json": None}, "files"),
    ],
)
def test_what_cannot_be_used_costs_nothing(
    tmp_path: Path, hub: FakeHub, changes: dict[str, dict[str, object] | None], name: str
) -> None:
    files = dict(hub.models[ID].files)
    for path, change in changes.items():
        old = json.loads(files.get(path, b"{}")) if path.endswith(".json") else {}
        files.pop(path, None)
        if change is not None:
            files[path] = json.dumps({**old, **change}).encode()
    hub.models[ID] = replace(hub.models[ID], files=files)
    pulled = store(tmp_path, hub).pull(ID, announce=lambda _check, _size: pytest.fail("announced"))
    assert pulled.folder == ""
    assert named(pulled.check, name).status == "bad"
    assert set(hub.fetched) <= {"config.json"}
    assert weights_in(tmp_path / "hub") == []


def test_a_remote_model_is_judged_without_its_weights(tmp_path: Path, hub: FakeHub) -> None:
    found = store(tmp_path, hub).check(ID)
    assert found.usable
    assert f"models pull {ID}" in named(found, "fetched").advice
    assert hub.fetched == ["config.json"]
    # The config alone in the cache must not pass for the model.
    offline = store(tmp_path, hub, offline=True).check(ID)
    assert not offline.usable
    assert f"models pull {ID}" in named(offline, "found").advice


def test_offline_nothing_is_asked(tmp_path: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="stay offline") as caught:
        store(tmp_path, hub, offline=True).pull(ID)
    assert "HF_HUB_OFFLINE" in caught.value.advice
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(SettingsError):
        store(tmp_path, hub).pull(ID)
    assert hub.requests == []


def test_only_hub_ids_are_fetched(tmp_path: Path, checkpoint: Path, hub: FakeHub) -> None:
    for name in ("science", str(checkpoint)):
        with pytest.raises(InputError, match="nothing to fetch"):
            store(tmp_path, hub).pull(name)
    with pytest.raises(ModelNotFoundError, match="nor a hub id"):
        store(tmp_path, hub).pull("a/b/c")
    assert hub.requests == []


def test_missing_gated_and_unknown_revisions_differ(tmp_path: Path, hub: FakeHub) -> None:
    hub.models["someone/shy"] = HubModel(hub.models[ID].files, gated=True)
    ours = store(tmp_path, hub)
    with pytest.raises(ModelNotFoundError, match="has no model someone/other"):
        ours.pull("someone/other")
    with pytest.raises(GatedModelError, match="gated") as gated:
        ours.pull("someone/shy")
    assert "https://huggingface.co/someone/shy" in gated.value.advice
    with pytest.raises(ModelNotFoundError, match="has no revision v9"):
        ours.pull(ID, "v9")
    assert not gated.value.retryable
    assert weights_in(tmp_path / "hub") == []


@pytest.mark.parametrize(
    ("fault", "what"),
    [(unavailable(), "HTTP 503"), (rate_limited(), "HTTP 429"), (no_answer(), "could not be asked")],
    ids=["503", "429", "dropped"],
)
@pytest.mark.parametrize("path", ["/api/models", "resolve/main/config", "/tree/", "model.safetensors"])
def test_outages_may_be_tried_again(
    tmp_path: Path, hub: FakeHub, fault: Answer, what: str, path: str
) -> None:
    if "config" in path:
        path = f"/resolve/{COMMIT}/config.json"
    hub.script(fault, path=path, forever=True)
    # Without its list of files the hub library is content with what it has, and does not say why.
    with pytest.raises(
        HubUnreachableError, match="could not be asked" if path == "/tree/" else what
    ) as caught:
        store(tmp_path, hub).pull(ID)
    assert caught.value.retryable
    hub.clear_script()
    assert store(tmp_path, hub).pull(ID).check.usable


def test_a_download_cut_short_is_taken_up_or_told(tmp_path: Path, hub: FakeHub) -> None:
    weights = hub.models[ID].files["model.safetensors"]
    cut = Answer(body=weights[:100], claimed_length=len(weights))
    hub.script(cut, path="model.safetensors", method="GET", forever=True)
    with pytest.raises(ModelError):
        store(tmp_path, hub).pull(ID)
    assert not store(tmp_path, hub, offline=True).check(ID, quick=True).usable
    hub.clear_script()
    pulled = store(tmp_path, hub).pull(ID)
    assert (Path(pulled.folder) / "model.safetensors").read_bytes() == weights


def test_nobody_listens(tmp_path: Path, online: None) -> None:
    with pytest.raises(HubUnreachableError, match="could not be asked"):
        store(tmp_path).pull(ID)
    assert "could not be asked" in named(store(tmp_path).check(ID), "found").what


def test_a_hub_that_answers_with_a_page(tmp_path: Path, hub: FakeHub) -> None:
    hub.script(Answer(body=b"<html>sign in", content_type="text/html"), path="/api/models", forever=True)
    with pytest.raises(HubUnreachableError):
        store(tmp_path, hub).pull(ID)
    hub.clear_script()
    hub.script(json_answer({}), path="/api/models", forever=True)
    with pytest.raises(HubUnreachableError):
        store(tmp_path, hub).pull(ID)


def test_a_branch_that_moves_while_it_is_fetched(tmp_path: Path, hub: FakeHub) -> None:
    def move(_check: ModelCheck, _size: int) -> None:
        hub.models[ID] = replace(hub.models[ID], commit="f" * 40)

    with pytest.raises(HubUnreachableError, match="changed while"):
        store(tmp_path, hub).pull(ID, announce=move)


def test_a_full_disk_is_told_before(tmp_path: Path, hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=1_000)
    monkeypatch.setattr("veriscite.verification.model_hub.shutil.disk_usage", lambda _path: usage)
    with pytest.raises(ModelError, match="MB free"):
        store(tmp_path, hub).pull(ID)
    assert set(hub.fetched) == {"config.json"}
