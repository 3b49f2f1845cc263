"""Files that a manuscript names: read only where they lie in the folder that may be read."""

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Protocol


class Files(Protocol):
    """Files beside a manuscript that are no folder on the disk."""

    def named(self, named: str, *, max_bytes: int, what: str) -> tuple[bytes | None, str]:
        """Read a file that the manuscript names; None, and why, where it is not read."""
        ...


Folder = Path | Files
"""Where a manuscript's further files may be read from."""


def named_file(root: Folder, named: str, *, max_bytes: int, what: str) -> tuple[bytes | None, str]:
    """Read a file that a manuscript names.

    Args:
        root: The folder (or archive) that may be read; links that lead out of it are followed to nowhere.
        named: As the manuscript names it.
        max_bytes: The largest file.
        what: What the manuscript names it as (`its reference list`), for the message.

    Returns:
        Its content, or None and why it was not read.
    """
    if not isinstance(root, Path):
        return root.named(named, max_bytes=max_bytes, what=what)
    try:
        folder = root.resolve()
        path = (folder / named).resolve()
        absolute = PurePosixPath(named).is_absolute() or PureWindowsPath(named).is_absolute()
        if absolute or not path.is_relative_to(folder):
            return None, f"The manuscript names {named}, which is not in its folder; it was not read."
        if not path.is_file():
            return None, f"The manuscript names {named} as {what}, which does not exist."
        if path.stat().st_size > max_bytes:
            return None, f"The manuscript names {named}, which is too large to be read."
        return path.read_bytes(), ""
    except (OSError, ValueError, RuntimeError):
        return None, f"The manuscript names {named} as {what}, which cannot be read."
