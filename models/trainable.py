"""What can be trained: LoRA on the base, or another encoder as a whole; how it is made, kept and saved."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from models.rows import LABEL_NAMES
from veriscite.verification.adapters import WEIGHTS
from veriscite.verification.relative_positions import trim_relative_positions


class Trainable(Protocol):
    """A model to be trained."""

    @property
    def before(self) -> dict[str, Any] | None:
        """The `training.json` of what it goes on from."""
        ...

    def fresh(self) -> tuple[Any, Any]:
        """The model with a new three-way classifier, ready to train, and its fast tokenizer."""
        ...

    def state(self, model: Any) -> dict[str, Any]:
        """The trained weights by name, to go on from later."""
        ...

    def restore(self, model: Any, state: dict[str, Any]) -> None:
        """Put such weights back."""
        ...

    def save(self, model: Any, folder: Path) -> None:
        """Write what `veriscite.verification` can load."""
        ...


def _classifier(folder: Path, seed: int) -> Any:
    import torch
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(seed)
    model = AutoModelForSequenceClassification.from_pretrained(
        folder,
        num_labels=len(LABEL_NAMES),
        id2label=dict(enumerate(LABEL_NAMES)),
        label2id={name: i for i, name in enumerate(LABEL_NAMES)},
        ignore_mismatched_sizes=True,
        use_safetensors=True,
        # One pass over the rows does not overfit; drawing dropout masks costs a seventh of the time on a CPU.
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    trim_relative_positions(model)
    return model


def _tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def _layer_of(weight: str) -> int:
    """Number of the encoder layer that a weight belongs to; the classifier's come after all."""
    found = re.search(r"\.layer\.(\d+)\.", weight)
    return int(found.group(1)) if found else sys.maxsize


class LoraOnBase:
    """LoRA (Hu et al., 2021) on the dense layers of the base encoder, pooler and classifier in full."""

    @dataclass(frozen=True)
    class Layers:
        """Rank and alpha of the adapter, and the first encoder layer that has one."""

        rank: int
        alpha: int
        first: int

    def __init__(self, base: Path, seed: int, layers: Layers, start_from: Path | None = None) -> None:
        """Choose the base's folder, and the folder of an adapter of the same shape to go on from."""
        self._base, self._seed, self._layers, self._start_from = base, seed, layers, start_from

    @property
    def before(self) -> dict[str, Any] | None:
        """The `training.json` of the adapter that it goes on from."""
        if self._start_from is None:
            return None
        record: dict[str, Any] = json.loads((self._start_from / "training.json").read_text(encoding="utf-8"))
        return record

    def fresh(self) -> tuple[Any, Any]:
        """Base, adapter and tokenizer.

        Raises:
            ValueError: The adapter to go on from lacks weights that would be trained.
        """
        from peft import LoraConfig, TaskType, get_peft_model

        model = _classifier(self._base, self._seed)
        layers = "|".join(str(i) for i in range(self._layers.first, model.config.num_hidden_layers))
        config = LoraConfig(
            task_type=TaskType.SEQ_CLS,
            r=self._layers.rank,
            lora_alpha=self._layers.alpha,
            lora_dropout=0.0,
            # The pooler is trained in full, so the pattern must not reach its dense layer. Layers without an
            # adapter need no backward pass, which halves its cost.
            target_modules=rf".*encoder\.layer\.({layers})\..*(query_proj|key_proj|value_proj|dense)",
            modules_to_save=["classifier", "pooler"],
        )
        adapted = get_peft_model(model, config)
        if self._start_from is not None:
            self._go_on_from(adapted, self._start_from)
        return adapted, _tokenizer(self._base)

    def _go_on_from(self, model: Any, folder: Path) -> None:
        from safetensors.torch import load_file

        state = load_file(str(folder / WEIGHTS))
        # A layer that had no adapter begins with one that changes nothing.
        own = set(self.state(model))
        deeper = {name for name in own if _layer_of(name) < min(map(_layer_of, state), default=0)}
        missing = own - deeper - set(state)
        if missing:
            raise ValueError(f"{folder} lacks {len(missing)} weights of this recipe, such as {min(missing)}.")
        self.restore(model, state)

    def state(self, model: Any) -> dict[str, Any]:
        """The adapter's weights."""
        from peft import get_peft_model_state_dict

        weights: dict[str, Any] = get_peft_model_state_dict(model)
        return weights

    def restore(self, model: Any, state: dict[str, Any]) -> None:
        """Put the adapter's weights back."""
        from peft import set_peft_model_state_dict

        set_peft_model_state_dict(model, state)

    def save(self, model: Any, folder: Path) -> None:
        """Write the adapter."""
        model.save_pretrained(str(folder), safe_serialization=True)
        # peft writes the local path of the base, which says nothing on another machine.
        path = folder / "adapter_config.json"
        config = json.loads(path.read_text(encoding="utf-8"))
        config["base_model_name_or_path"] = self._base.name
        path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n", encoding="utf-8")


class WholeCheckpoint:
    """Another encoder, trained whole but for its word embeddings: to compare the base with."""

    before: dict[str, Any] | None = None

    def __init__(self, folder: Path, seed: int) -> None:
        """Choose the checkpoint's folder."""
        self._folder, self._seed = folder, seed

    def fresh(self) -> tuple[Any, Any]:
        """The encoder and its tokenizer."""
        model = _classifier(self._folder, self._seed)
        model.get_input_embeddings().weight.requires_grad_(False)
        return model, _tokenizer(self._folder)

    def state(self, model: Any) -> dict[str, Any]:
        """All weights that are trained."""
        return {name: p.detach() for name, p in model.named_parameters() if p.requires_grad}

    def restore(self, model: Any, state: dict[str, Any]) -> None:
        """Put trained weights back."""
        model.load_state_dict(state, strict=False)

    def save(self, model: Any, folder: Path) -> None:
        """Write the whole checkpoint with its tokenizer."""
        model.save_pretrained(str(folder), safe_serialization=True)
        _tokenizer(self._folder).save_pretrained(str(folder))
