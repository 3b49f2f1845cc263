import json
from pathlib import Path

import pytest

from models.average import average, averaged

SHAPES = {"a.layer.0.dense": (3, 2), "a.layer.1.dense": (2, 3)}


def adapter(folder: Path, seed: int, rank: int, layers: list[str], base: str = "base") -> Path:
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(seed)
    weights = {"classifier.weight": torch.randn(3, 2)}
    for name in layers:
        out, into = SHAPES[name]
        weights[f"{name}.lora_A.weight"] = torch.randn(rank, into)
        weights[f"{name}.lora_B.weight"] = torch.randn(out, rank)
    folder.mkdir()
    save_file(weights, folder / "adapter_model.safetensors")
    config = {"base_model_name_or_path": base, "r": rank, "lora_alpha": 2 * rank, "peft_type": "LORA"}
    (folder / "adapter_config.json").write_text(json.dumps(config))
    (folder / "training.json").write_text(json.dumps({"recipe": {"adapter": folder.name}}))
    return folder


def change(folder: Path, name: str) -> object:
    from safetensors.torch import load_file

    config = json.loads((folder / "adapter_config.json").read_text())
    weights = load_file(folder / "adapter_model.safetensors")
    scale = config["lora_alpha"] / config["r"]
    if f"{name}.lora_A.weight" not in weights:
        return 0.0
    return scale * weights[f"{name}.lora_B.weight"] @ weights[f"{name}.lora_A.weight"]


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_change_of_each_weight_is_the_average_of_both_changes(tmp_path: Path, share: float) -> None:
    import torch

    earlier = adapter(tmp_path / "earlier", 1, 2, ["a.layer.1.dense"])
    later = adapter(tmp_path / "later", 2, 3, list(SHAPES))
    average(earlier, later, share, tmp_path / "made")
    for name in SHAPES:
        expected = (1 - share) * change(earlier, name) + share * change(later, name)  # type: ignore[operator]
        assert torch.allclose(change(tmp_path / "made", name), expected, atol=1e-6)  # type: ignore[arg-type]
    assert json.loads((tmp_path / "made" / "training.json").read_text())["averaged"]["share"] == share


def test_adapters_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    import torch

    one = adapter(tmp_path / "one", 1, 2, ["a.layer.1.dense"])
    with pytest.raises(ValueError, match="different bases"):
        average(one, adapter(tmp_path / "two", 1, 2, list(SHAPES), base="other"), 0.5, tmp_path / "made")
    with pytest.raises(ValueError, match="lacks"):
        average(adapter(tmp_path / "more", 1, 2, list(SHAPES)), one, 0.5, tmp_path / "made")
    with pytest.raises(ValueError, match="classifier"):
        averaged(
            {"x.lora_A.weight": torch.zeros(1, 1)},
            {"x.lora_A.weight": torch.zeros(1, 1), "classifier.weight": torch.zeros(1)},
            0.5,
            (1.0, 1.0),
        )
