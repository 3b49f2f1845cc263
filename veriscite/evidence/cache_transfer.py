"""The cache as a file to hand on: one JSON object a line, the first one telling what it is.

What is read is not trusted: each line is bounded, its answer is read as an answer of ours or dropped, and it
is kept no longer than an answer of our own would be.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError

from veriscite.domain import Found, LookupFailed
from veriscite.errors import InputError, TooLargeError, UnreadableFileError
from veriscite.evidence.cache import RECORDS, AnswerCache, lookup_adapter, records_adapter
from veriscite.evidence.cache_file import Row

FORMAT = "veriscite-cache"
VERSION = 1
MAX_LINE_BYTES = 4_000_000
MAX_FILE_BYTES = 1_000_000_000
MAX_LINES = 1_000_000
_WRITTEN_AT_ONCE = 200
_KEY = re.compile(r"[0-9a-f]{64}")
_SOURCE = re.compile(r"[a-z][a-z0-9_]{0,59}")


@dataclass(frozen=True)
class Imported:
    """What came of an import.

    Attributes:
        taken: Answers that are now kept.
        older: Answers that are kept here already, as new or newer.
        expired: Answers past their time.
        refused: Lines that hold no answer.
    """

    taken: int = 0
    older: int = 0
    expired: int = 0
    refused: int = 0


def export_cache(cache: AnswerCache, path: Path, *, overwrite: bool = False) -> int:
    """Write all valid answers to a file.

    Args:
        cache: What to write.
        path: The file; it is there whole or not at all.
        overwrite: Whether a file that is there may be replaced.

    Returns:
        How many answers were written.

    Raises:
        InputError: The file is there already, or cannot be written.
    """
    if path.exists() and not overwrite:
        raise InputError(f"{path} is there already.", advice="Name another file, or add --force.")
    part = path.with_name(f"{path.name}.part")
    count = 0
    try:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps({"format": FORMAT, "version": VERSION}) + "\n")
            for row in cache.file.rows():
                file.write(json.dumps({**vars(row), "body": json.loads(row.body)}, ensure_ascii=False) + "\n")
                count += 1
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
    return count


def import_cache(cache: AnswerCache, path: Path) -> Imported:
    """Take the answers of a file over; newer ones of our own stay.

    Raises:
        UnreadableFileError: It cannot be read, or is no exported cache.
        TooLargeError: It is larger than an export can be.
    """
    taken = valid = expired = refused = 0
    waiting: list[Row] = []
    try:
        with path.open("rb") as file:
            _check_header(file, path)
            for line in _lines(file, path):
                row = _row(line, cache) if line is not None else None
                if row is None:
                    refused += 1
                elif row.expires_at <= cache.file.now():
                    expired += 1
                else:
                    valid += 1
                    waiting.append(row)
                if len(waiting) >= _WRITTEN_AT_ONCE:
                    taken += cache.file.put(waiting, only_newer=True)
                    waiting = []
    except OSError as error:
        raise UnreadableFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    taken += cache.file.put(waiting, only_newer=True)
    return Imported(taken=taken, older=valid - taken, expired=expired, refused=refused)


def _check_header(file: BinaryIO, path: Path) -> None:
    try:
        header = json.loads(file.readline(1_000))
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise UnreadableFileError(
            f"{path.name} is no exported cache.", advice="Make one with: veriscite cache export FILE"
        )
    if header.get("version") != VERSION:
        raise UnreadableFileError(
            f"{path.name} was written by another version of VeriScite.", advice="Export it again."
        )


def _lines(file: BinaryIO, path: Path) -> Iterator[bytes | None]:
    """Lines within the bounds; None for one that is too long."""
    size = count = 0
    whole = True
    while line := file.readline(MAX_LINE_BYTES):
        size += len(line)
        ends = line.endswith(b"\n")
        if whole and (ends or len(line) < MAX_LINE_BYTES):
            if line.strip():
                count += 1
                yield line
        elif ends or len(line) < MAX_LINE_BYTES:
            count += 1
            yield None
        whole = ends
        if size > MAX_FILE_BYTES or count > MAX_LINES:
            raise TooLargeError(f"{path.name} is larger than an exported cache may be.")


def _row(line: bytes, cache: AnswerCache) -> Row | None:
    """Read a line as an answer; None when it holds none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    key, source, status = (_text(value.get(name)) for name in ("key", "source", "status"))
    stored_at = value.get("stored_at")
    if not _KEY.fullmatch(key) or not _SOURCE.fullmatch(source) or not isinstance(stored_at, int | float):
        return None
    body = _body(status, source, value.get("body"))
    now = cache.file.now()
    if body is None or not 0 <= stored_at <= now:
        return None
    # Its own word on how long it holds does not count.
    return Row(key, source, status, body, float(stored_at), stored_at + cache.keep_s(status))


def _body(status: str, source: str, value: Any) -> str | None:
    try:
        if status == RECORDS:
            records = records_adapter.validate_python(value)
            if any(record.source != source for record in records):
                return None
            return records_adapter.dump_json(records).decode()
        lookup = lookup_adapter.validate_json(json.dumps(value))
    except (ValidationError, ValueError, RecursionError):
        return None
    if isinstance(lookup, LookupFailed) or lookup.status != status:
        return None
    if isinstance(lookup, Found) and lookup.evidence.source != source:
        return None
    return lookup.model_dump_json()


def _text(value: Any) -> str:
    return value if isinstance(value, str) and len(value) <= 64 else ""
