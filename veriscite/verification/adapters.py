"""The adapters that ship: in the wheel as `veriscite/_adapters`, in a checkout as `models/adapters`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from veriscite.errors import ModelNotFoundError

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
CARD = "README.md"
TRAINING = "training.json"
#: Said wherever such an adapter is named.
RESEARCH_NOTE = (
    "For research only: it was also trained on rows whose licence forbids commercial use or is not stated."
)


@dataclass(frozen=True)
class ShippedAdapter:
    """An adapter on disk.

    Attributes:
        name: Name of its folder (`science`, `general`).
        folder: Where its files lie.
    """

    name: str
    folder: Path

    @property
    def revision(self) -> str:
        """First 12 hex digits of the SHA-256 of its weights."""
        return weights_revision(self.folder / WEIGHTS)

    @property
    def card(self) -> Path:
        """Its model card."""
        return self.folder / CARD


def shipped_adapters() -> dict[str, ShippedAdapter]:
    """All shipped adapters by name; empty if none is found."""
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_adapters", package.parent / "models" / "adapters"):
        folders = sorted(path.parent for path in root.glob(f"*/{CONFIG}"))
        if folders:
            return {folder.name: ShippedAdapter(folder.name, folder) for folder in folders}
    return {}


def shipped_adapter(name: str) -> ShippedAdapter:
    """The shipped adapter of this name.

    Raises:
        ModelNotFoundError: There is none, or it is incomplete.
    """
    adapters = shipped_adapters()
    if name not in adapters:
        known = ", ".join(adapters) or "none"
        raise ModelNotFoundError(
            f"No adapter named {name} ships with this installation (found: {known}).",
            advice="Install VeriScite anew, or name a hub id or a folder instead.",
        )
    adapter = adapters[name]
    missing = [file for file in (WEIGHTS, CONFIG) if not (adapter.folder / file).is_file()]
    if missing:
        raise ModelNotFoundError(
            f"The adapter {name} in {adapter.folder} lacks {', '.join(missing)}.",
            advice="Install VeriScite anew.",
        )
    return adapter


@lru_cache(maxsize=32)
def weights_revision(path: Path) -> str:
    """First 12 hex digits of a file's SHA-256; read once for each path.

    Raises:
        ModelNotFoundError: The file cannot be read.
    """
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()[:12]
    except OSError as error:
        raise ModelNotFoundError(f"Cannot read {path}: {error}") from error


def trained_for_research_only(training: Mapping[str, Any]) -> bool:
    """Whether a `training.json` names rows, of any stage, that do not allow commercial use."""
    rows = training.get("data") or ()
    before = training.get("before")
    return any(line.get("commercial_use") is False for line in rows) or (
        isinstance(before, Mapping) and trained_for_research_only(before)
    )


def terms_of(folder: Path) -> str:
    """`RESEARCH_NOTE` for an adapter that it holds for; empty for others, and where nothing is recorded."""
    try:
        training = json.loads((folder / TRAINING).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return RESEARCH_NOTE if isinstance(training, Mapping) and trained_for_research_only(training) else ""
