"""A tiny checkpoint, and a hub that has it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.hub import FakeHub, HubModel, files_of
from tests.verification.stores import ID
from tests.verification.tiny import save_checkpoint, tiny_bert


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_checkpoint(tiny_bert(), tmp_path_factory.mktemp("made") / "model")


@pytest.fixture
def checkpoint(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "model")


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    # The hub library waits between its tries; the tests need not.
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _seconds: None)


@pytest.fixture
def hub(made: Path, online: None) -> Iterator[FakeHub]:
    extra = {
        "README.md": b"---\nlicense: mit\ndatasets:\n- multi_nli\n---\n# Tiny\n\nA tiny model.\n",
        "pytorch_model.bin": b"a pickle",
        "modeling_evil.py": b"raise SystemExit",
        "onnx/model.onnx": b"a graph",
    }
    with FakeHub({ID: HubModel({**files_of(made), **extra})}) as server:
        yield server
