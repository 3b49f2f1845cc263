"""Loads an NLI classifier (the base with an adapter, or any transformers checkpoint) and scores pairs."""

from __future__ import annotations

import copy
import json
import math
import threading
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veriscite.domain import Label
from veriscite.errors import ModelError, ModelNotFoundError
from veriscite.verification import adapters, base_weights, lora
from veriscite.verification.aggregate import PairScore
from veriscite.verification.base_tokenizer import base_tokenizer
from veriscite.verification.calibration import Calibration, load_calibration
from veriscite.verification.collection import collection_paused
from veriscite.verification.labels import LabelMap, map_labels
from veriscite.verification.relative_positions import trim_relative_positions

_LABELS = (Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO)
#: No sentence needs more; tokenising a pasted book would take minutes.
_MAX_CHARACTERS = 20_000
#: Models share a tokenizer, which keeps truncation and padding as state. Tokenising takes next to no time.
_TOKENIZING = threading.Lock()


@dataclass(frozen=True)
class ModelChoice:
    """Which model, before it is loaded.

    Attributes:
        model: A shipped adapter (`science`), an adapter's or checkpoint's folder, or a hub id.
        cache_dir: VeriScite's cache folder, for the converted base encoder.
        revision: Commit or tag of a hub id.
        device: Where to run (`cpu`, `cuda`, `cuda:1`, `mps`).
        threads: CPU threads of one batch; None takes one, since batches run side by side, one a core.
        local_only: Whether a hub id may only be read from the local hub cache.
    """

    model: str
    cache_dir: Path
    revision: str | None = None
    device: str = "cpu"
    threads: int | None = None
    local_only: bool = False


@dataclass(frozen=True)
class ModelIdentity:
    """What a model is called and which weights it is; known before it is loaded.

    Attributes:
        name: As a person should read it.
        revision: Hash of the adapter's weights, the commit asked for, or empty.
        note: Where its weights are from, and what follows for its scores.
    """

    name: str
    revision: str
    note: str


def identify(choice: ModelChoice) -> ModelIdentity:
    """Name a model without loading it.

    Raises:
        ModelNotFoundError: It is neither a shipped adapter nor a folder nor anything like a hub id.
    """
    folder = _adapter_folder(choice)
    if folder is not None:
        return ModelIdentity(
            name=f"DeBERTa-v3-xsmall with the adapter {folder.name}",
            revision=adapters.weights_revision(folder / adapters.WEIGHTS),
            note=" ".join(filter(None, (adapters.terms_of(folder), base_weights.LICENCE_NOTE))),
        )
    note = "Not trained by VeriScite; its licence and training data are those its card states."
    path = Path(choice.model)
    if path.is_dir():
        return ModelIdentity(name=path.resolve().name, revision=_folder_revision(path), note=note)
    _check_hub_id(choice.model)
    return ModelIdentity(name=choice.model, revision=choice.revision or "", note=note)


def stored_calibration(choice: ModelChoice) -> Calibration:
    """The calibration that lies beside a model, without loading it; an unfitted one where there is none.

    Raises:
        ModelNotFoundError: There is no such adapter, or its calibration cannot be used.
    """
    folder = _adapter_folder(choice) or Path(choice.model)
    return (load_calibration(folder) if folder.is_dir() else None) or Calibration()


class NliModel:
    """A loaded classifier. Not safe for several threads at once: give each a `replica`.

    Attributes:
        model: The torch module; its call returns an object with `logits` of shape (batch, labels).
        tokenizer: Its fast tokenizer.
        labels: Which output stands for which label.
        calibration: Temperature, thresholds and window sizes; not fitted for foreign checkpoints.
        name: As in `ModelIdentity`.
        revision: The commit that was loaded, where it is known only now.
        device: Where it runs.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        labels: LabelMap,
        calibration: Calibration,
        name: str,
        revision: str,
        device: str = "cpu",
    ) -> None:
        """Take a loaded module; see `load_nli_model` for the usual way."""
        if not getattr(tokenizer, "is_fast", False):
            raise ModelError(
                f"{name} has no fast tokenizer, which gives the character offsets needed here.",
                advice="Choose a checkpoint with a tokenizer.json.",
            )
        # Nothing is trained here; frozen weights spare attribution a gradient for each of them.
        self.model = model.to(device).eval().requires_grad_(False)
        self.tokenizer = tokenizer
        self.labels = labels
        self.calibration = calibration
        self.name = name
        self.revision = revision
        self.device = device
        trim_relative_positions(self.model)

    def replica(self) -> NliModel:
        """A model that may run in another thread beside this one; weights and tokenizer are shared."""
        shared = {id(w): w for w in (*self.model.parameters(), *self.model.buffers())}
        return NliModel(
            copy.deepcopy(self.model, shared),
            self.tokenizer,
            self.labels,
            self.calibration,
            self.name,
            self.revision,
            self.device,
        )

    @property
    def max_length(self) -> int:
        """Tokens of a pair at most."""
        limits = [self.calibration.max_length, self.tokenizer.model_max_length]
        positions = getattr(self.model.config, "max_position_embeddings", None)
        if positions:
            # RoBERTa's positions start behind its padding index.
            offset = (
                (self.model.config.pad_token_id or 0) + 1 if "roberta" in self.model.config.model_type else 0
            )
            limits.append(positions - offset)
        return int(min(limits))

    def label_index(self, label: Label) -> int | None:
        """Index of a label in the logits; None if the model never gives it."""
        return self.labels.index(label)

    def encode(self, pairs: Sequence[tuple[str, str]], *, offsets: bool = False) -> tuple[Any, list[bool]]:
        """Tokenise pairs of premise and claim, premise first.

        The claim keeps up to half of the length, the premise the rest.

        Args:
            pairs: Premise and claim.
            offsets: Whether to return character offsets too.

        Returns:
            The tokenizer's output (`input_ids` of shape (pairs, longest), ...), and whether each pair was
            cut.
        """
        with _TOKENIZING:
            return self._encode(pairs, offsets)

    def _encode(self, pairs: Sequence[tuple[str, str]], offsets: bool) -> tuple[Any, list[bool]]:
        limit = self.max_length
        cut: list[bool] = []
        premises, claims = [], []
        for premise, claim in pairs:
            short_claim = self._cut(claim, limit // 2)
            short_premise = premise[:_MAX_CHARACTERS]
            premises.append(short_premise)
            claims.append(short_claim)
            cut.append(len(short_claim) < len(claim) or len(short_premise) < len(premise))
        encoded = self.tokenizer(
            premises,
            claims,
            truncation="only_first",
            max_length=limit,
            padding=True,
            return_tensors="pt",
            return_offsets_mapping=True,
        )
        for row, premise in enumerate(premises):
            kept = [
                end
                for (_, end), sequence in zip(
                    encoded["offset_mapping"][row].tolist(), encoded.sequence_ids(row), strict=True
                )
                if sequence == 0
            ]
            cut[row] = cut[row] or (bool(kept) and max(kept) < len(premise.rstrip()))
        if not offsets:
            encoded.pop("offset_mapping")
        return encoded, cut

    def _cut(self, text: str, limit: int) -> str:
        """The longest beginning of a text that has at most `limit` tokens."""
        text = text[:_MAX_CHARACTERS]
        spans = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        return text if len(spans) <= limit else text[: spans[limit - 1][1]]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        """Score pairs of premise and claim in one batch.

        Raises:
            ModelError: The model's numbers are not finite, or torch fails.
        """
        import torch

        encoded, cut = self.encode(pairs)
        try:
            with torch.inference_mode():
                logits = self.model(**encoded.to(self.device)).logits.float().cpu()
        except RuntimeError as error:
            raise ModelError(f"{self.name} failed on a batch of {len(pairs)}: {error}") from error
        if not torch.isfinite(logits).all():
            raise ModelError(f"{self.name} gave numbers that are not finite.")
        scores = []
        for row, was_cut in zip(logits.tolist(), cut, strict=True):
            base = row[self.labels.not_enough_info]
            against = -math.inf if self.labels.contradict is None else row[self.labels.contradict] - base
            scores.append(PairScore(row[self.labels.support] - base, against, was_cut))
        return scores


def load_nli_model(choice: ModelChoice) -> NliModel:
    """Load a model: safetensors only, no code from the checkpoint is run.

    Raises:
        ModelNotFoundError: Weights are missing, are in another format, or are not what their pin says.
        LabelMappingError: The checkpoint's labels cannot be mapped.
        ModelError: Anything else that keeps it from loading.
    """
    with collection_paused():
        return _load(choice)


def _load(choice: ModelChoice) -> NliModel:
    import torch
    from transformers.utils import logging as transformers_logging

    torch.set_num_threads(choice.threads or 1)
    # Its report on the replaced classifier would alarm users, and its progress bars disturb ours.
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    identity = identify(choice)
    folder = _adapter_folder(choice)
    try:
        with warnings.catch_warnings():
            # Between peft and transformers; nothing that a user could act on.
            warnings.simplefilter("ignore", FutureWarning)
            if folder is not None:
                return _load_adapter(choice, folder, identity)
            return _load_checkpoint(choice, identity)
    except (OSError, ValueError, ImportError, RuntimeError, KeyError) as error:
        first_line = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelNotFoundError(
            f"{choice.model} could not be loaded: {first_line}",
            advice="It must be a sequence-classification checkpoint with safetensors weights and a fast "
            "tokenizer, as a folder or a hub id that can be reached.",
        ) from error


def _adapter_folder(choice: ModelChoice) -> Path | None:
    """Folder of the adapter that was chosen; None for a whole checkpoint."""
    path = Path(choice.model)
    if (path / adapters.CONFIG).is_file():
        return path
    # A bare name is a shipped adapter; hub ids have an owner, folders exist.
    if "/" not in choice.model and not path.exists():
        return adapters.shipped_adapter(choice.model).folder
    return None


def _check_hub_id(model: str) -> None:
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(model)
    except HFValidationError as error:
        raise ModelNotFoundError(
            f"{model} is neither a shipped adapter, nor a folder, nor a hub id.",
            advice="`veriscite doctor` names the shipped adapters.",
        ) from error


def _folder_revision(folder: Path) -> str:
    weights = sorted(folder.glob("*.safetensors"))
    return adapters.weights_revision(weights[0]) if weights else ""


def _load_adapter(choice: ModelChoice, folder: Path, identity: ModelIdentity) -> NliModel:
    from transformers import AutoModelForSequenceClassification

    config = json.loads((folder / adapters.CONFIG).read_text(encoding="utf-8"))
    base = base_weights.base_weights(choice.cache_dir)
    if config.get("base_model_name_or_path") != base.name:
        raise ModelNotFoundError(
            f"The adapter in {folder} was trained on {config.get('base_model_name_or_path')}, "
            f"not on {base.name}.",
            advice="Train it again on the present base, or install the release that it belongs to.",
        )
    calibration = stored_calibration(choice)
    names = calibration.labels or tuple(label.value for label in _LABELS)
    encoder = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=len(names),
        id2label=dict(enumerate(names)),
        ignore_mismatched_sizes=True,
        use_safetensors=True,
        local_files_only=True,
    )
    labels = map_labels(dict(enumerate(names)), identity.name)
    return NliModel(
        lora.merged(encoder, folder),
        base_tokenizer(base),
        labels,
        calibration,
        identity.name,
        identity.revision,
        choice.device,
    )


def _load_checkpoint(choice: ModelChoice, identity: ModelIdentity) -> NliModel:
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

    where: dict[str, Any] = {
        "revision": choice.revision or "main",
        "local_files_only": choice.local_only,
        "trust_remote_code": False,
    }
    config = AutoConfig.from_pretrained(choice.model, **where)
    # Labels first: a checkpoint that cannot be used is refused before its weights are fetched.
    labels = map_labels({int(i): str(name) for i, name in config.id2label.items()}, identity.name)
    tokenizer = AutoTokenizer.from_pretrained(choice.model, **where)
    model = AutoModelForSequenceClassification.from_pretrained(choice.model, use_safetensors=True, **where)
    calibration = stored_calibration(choice)
    revision = identity.revision or str(getattr(config, "_commit_hash", None) or "")
    return NliModel(model, tokenizer, labels, calibration, identity.name, revision, choice.device)
