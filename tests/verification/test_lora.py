"""Merging adapters: the same numbers as peft's own, refusals of what does not fit."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.verification.tiny import tiny_deberta
from veriscite.errors import ModelNotFoundError
from veriscite.verification.lora import merged

IDS = torch.tensor([[1, 7, 9, 2, 8, 11, 2]])


def adapter(folder: Path, **options: Any) -> Any:
    """A trained-looking adapter in `folder`; returns the logits of peft's own merge."""
    from peft import LoraConfig, TaskType, get_peft_model

    torch.manual_seed(5)
    config = LoraConfig(
        task_type=TaskType.SEQ_CLS,
        r=2,
        lora_alpha=8,
        target_modules=r".*encoder\.layer\.1\..*(query_proj|dense)",
        modules_to_save=["classifier", "pooler"],
        **options,
    )
    model = get_peft_model(tiny_deberta(seed=3), config)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.requires_grad:
                weight.add_(0.2 * torch.randn_like(weight))
    model.save_pretrained(str(folder))
    return logits(model.merge_and_unload())


def logits(model: Any) -> Any:
    with torch.no_grad():
        return model.eval()(input_ids=IDS).logits


@pytest.mark.parametrize("options", [{}, {"use_rslora": True}, {"use_dora": True}])
def test_merging_gives_what_peft_gives(tmp_path: Path, options: dict[str, Any]) -> None:
    expected = adapter(tmp_path, **options)
    found = logits(merged(tiny_deberta(seed=3), tmp_path))
    assert torch.allclose(found, expected, atol=1e-5)
    assert not torch.allclose(found, logits(tiny_deberta(seed=3)), atol=1e-3)


def test_an_adapter_of_another_shape_is_refused(tmp_path: Path) -> None:
    adapter(tmp_path)
    with pytest.raises(ModelNotFoundError, match="do not fit"):
        merged(tiny_deberta(("yes", "no"), seed=3), tmp_path)


def test_an_empty_adapter_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    adapter(tmp_path)
    save_file({}, str(tmp_path / "adapter_model.safetensors"))
    config = json.loads((tmp_path / "adapter_config.json").read_text())
    assert config["r"] == 2
    with pytest.raises(ModelNotFoundError, match="no weights"):
        merged(tiny_deberta(seed=3), tmp_path)
