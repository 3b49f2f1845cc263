"""A report on disk: each file whole or not there."""

import os
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

from veriscite.domain import Report
from veriscite.errors import InputError, UnwritableFolderError
from veriscite.reporting.references import only_references


def _json(report: Report) -> bytes:
    from veriscite.reporting.json import render_json

    return render_json(report).encode()


def _csv(report: Report) -> bytes:
    from veriscite.reporting.csv import render_csv

    if only_references(report):
        return reference_table(report)
    # Spreadsheets take a CSV file for UTF-8 only with a byte order mark.
    return render_csv(report).encode("utf-8-sig")


def reference_table(report: Report) -> bytes:
    """Return the checks of the references as CSV, UTF-8 with a byte order mark."""
    from veriscite.reporting.reference_csv import render_reference_csv

    return render_reference_csv(report).encode("utf-8-sig")


def _markdown(report: Report) -> bytes:
    from veriscite.reporting.markdown import render_markdown

    return render_markdown(report).encode()


def _html(report: Report) -> bytes:
    from veriscite.reporting.html import render_html

    return render_html(report).encode()


_RENDERERS: dict[str, Callable[[Report], bytes]] = {
    "html": _html,
    "json": _json,
    "csv": _csv,
    "md": _markdown,
}

FORMATS = tuple(_RENDERERS)
"""The formats a report can have; each is also its file name's suffix."""


def render(report: Report, format: str) -> bytes:
    """Return a report's file in one of `FORMATS`, UTF-8; CSV with a byte order mark.

    Raises:
        InputError: There is no such format.
    """
    if format not in _RENDERERS:
        raise InputError(
            f"There is no report format '{format}'.", advice=f"Choose from {', '.join(FORMATS)}."
        )
    return _RENDERERS[format](report)


def check_folder(folder: Path) -> None:
    """Make sure that a report can be written to `folder`, leaving nothing behind.

    Raises:
        UnwritableFolderError: It cannot.
    """
    try:
        nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        probe = nearest / f".report-{secrets.token_hex(4)}.tmp"
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise _unwritable(folder, error) from error


def write_report(report: Report, folder: Path, formats: Iterable[str] = FORMATS) -> dict[str, Path]:
    """Write `report.<format>` for each format, replacing what an earlier run left.

    With `csv`, the checks of the references become a table of their own beside it, `references.csv`.

    Each file is written beside its place and then moved there, so that a run killed half-way leaves the
    old file or the new one, never a part of either. All are rendered before the first is written.

    Args:
        report: The report.
        folder: Where to; created where it is missing.
        formats: Some of `FORMATS`.

    Returns:
        The path of each file, by its format, in the order given; `references.csv` under that name.

    Raises:
        InputError: There is no such format.
        UnwritableFolderError: The folder cannot be written to.
    """
    contents = {format: render(report, format) for format in formats}
    paths = {format: folder / f"report.{format}" for format in contents}
    if "csv" in contents and report.reference_checks and not only_references(report):
        contents["references.csv"] = reference_table(report)
        paths["references.csv"] = folder / "references.csv"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for format, content in contents.items():
            _replace(paths[format], content)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return paths


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}-{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _unwritable(folder: Path, error: OSError) -> UnwritableFolderError:
    return UnwritableFolderError(
        f"The report cannot be written to {folder}: {error.strerror or error}.",
        advice="Name another folder with --output, or free space there.",
    )
