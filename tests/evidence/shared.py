"""Where recorded answers and hard cases lie, when they are there at all."""

import json
import os
from pathlib import Path
from typing import Any

import pytest


def shared(*parts: str) -> Path:
    """Path below the shared folder; skips the test when it is absent."""
    root = Path(os.environ.get("VERISCITE_SHARED", Path(__file__).parents[3] / "shared"))
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"{'/'.join(parts)} is not here (set VERISCITE_SHARED)")
    return path


def cases(area: str) -> list[dict[str, Any]]:
    """Cases of one area; none when the file is absent."""
    root = Path(os.environ.get("VERISCITE_SHARED", Path(__file__).parents[3] / "shared"))
    path = root / "cases" / "cases.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row for row in rows if row["area"] == area]
