"""Stores of models for tests, with a hub cache of their own."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.hub import FakeHub, HubModel
from veriscite.verification.model_checks import Check, ModelCheck
from veriscite.verification.model_hub import Hub
from veriscite.verification.model_store import ModelStore
from veriscite.verification.nli_model import ModelChoice

ID = "someone/tiny-nli"
COMMIT = HubModel({}).commit


def store(tmp_path: Path, hub: FakeHub | None = None, model: str = "science", **hub_options) -> ModelStore:
    endpoint = hub.url if hub else "http://127.0.0.1:9"
    return ModelStore(
        ModelChoice(model, tmp_path / "cache"),
        "general",
        Hub(cache=tmp_path / "hub", endpoint=endpoint, **hub_options),
    )


def named(found: ModelCheck, name: str) -> Check:
    (check,) = [check for check in found.checks if check.name == name]
    return check


def weights_in(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.suffix in (".safetensors", ".bin", ".py", ".onnx")]
