"""The adapters that ship: in the wheel as `veriscite/_adapters`, in a checkout as `models/adapters`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from veriscite.errors import ModelNotFoundError

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
CARD = "README.md"


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
