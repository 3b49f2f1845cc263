"""Bytes of a file that the user names, never more than the limit."""

from pathlib import Path

from veriscite.errors import TooLargeError, UnreadableFileError


def read_file(path: Path, limit: int) -> bytes:
    """Read a file of at most `limit` bytes.

    Raises:
        UnreadableFileError: It is missing, is no file, or may not be read.
        TooLargeError: It is larger.
    """
    try:
        if path.is_dir():
            raise UnreadableFileError(f"{path} is a folder.", advice="Name a file in it.")
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError as error:
        raise UnreadableFileError(f"There is no file {path}.", advice="Check the name.") from error
    except (OSError, ValueError) as error:
        raise UnreadableFileError(f"{path} cannot be read: {error}.") from error
    if len(content) > limit:
        raise TooLargeError(
            f"{path.name} is larger than {limit // 1_000_000} MB.",
            advice="Take figures or supplements out, or raise VERISCITE_READING_MAX_BYTES.",
        )
    return content
