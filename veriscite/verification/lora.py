"""Adds a LoRA adapter (Hu et al., 2021) to the weights of its base, without importing peft.

Importing peft takes longer than everything else there is to loading an encoder, and a merged model needs
nothing of it. Only plain LoRA is merged here; whatever else peft can write is left to peft.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from veriscite.errors import ModelNotFoundError
from veriscite.verification.adapters import CONFIG, WEIGHTS

_PREFIX = "base_model.model."
_DOWN, _UP = ".lora_A.weight", ".lora_B.weight"
#: Settings of peft under which an adapter is more than `W + alpha / r * B A`, when they are truthy.
_BEYOND_PLAIN = (
    "use_dora",
    "use_rslora",
    "use_qalora",
    "use_bdlora",
    "fan_in_fan_out",
    "lora_bias",
    "alpha_pattern",
    "rank_pattern",
    "layer_replication",
    "trainable_token_indices",
    "target_parameters",
    "alora_invocation_tokens",
    "arrow_config",
    "megatron_config",
    "monteclora_config",
    "kasa_config",
    "velora_config",
)


def merged(model: Any, folder: Path) -> Any:
    """Add the adapter in `folder` to a model and return the model.

    Args:
        model: The base with a classifier of the adapter's shape; it is changed in place.
        folder: Holds peft's `adapter_config.json` and `adapter_model.safetensors`.

    Raises:
        ModelNotFoundError: The adapter does not fit the model.
    """
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    if config.get("peft_type") != "LORA" or config.get("bias", "none") != "none" or _is_more(config):
        from peft import PeftModel

        return PeftModel.from_pretrained(model, str(folder), local_files_only=True).merge_and_unload()
    _merge_plain(model, folder, config["lora_alpha"] / config["r"])
    return model


def _is_more(config: dict[str, Any]) -> bool:
    return any(config.get(name) for name in _BEYOND_PLAIN)


def _merge_plain(model: Any, folder: Path, scale: float) -> None:
    import torch
    from safetensors.torch import load_file

    adapter = {name.removeprefix(_PREFIX): w for name, w in load_file(str(folder / WEIGHTS)).items()}
    weights = dict(model.named_parameters())
    used: set[str] = set()
    with torch.no_grad():
        for name, down in adapter.items():
            target = name.removesuffix(_DOWN) + ".weight" if name.endswith(_DOWN) else name
            up = adapter.get(name.removesuffix(_DOWN) + _UP) if name.endswith(_DOWN) else None
            if name.endswith(_UP):
                continue
            change = down if up is None else scale * (up @ down)
            weight = weights.get(target)
            if weight is None or weight.shape != change.shape or (name.endswith(_DOWN) and up is None):
                raise ModelNotFoundError(f"The adapter in {folder} has weights for {target} that do not fit.")
            if up is None:
                weight.copy_(change)
            else:
                weight.add_(change.to(weight.dtype))
            used.add(name)
    if not used:
        raise ModelNotFoundError(f"The adapter in {folder} holds no weights.")
