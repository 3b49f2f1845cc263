"""Bytes -> text: the encoding is found by the content, and what was guessed is told."""

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import from_bytes

from veriscite.errors import InputError, TooLargeError, UnreadableFileError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MAX_LINES = 250_000
"""A book of a thousand pages holds fewer; reading costs time by the line as well as by the letter."""

_SAMPLE = 65_536
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_NEWLINES = re.compile("\r\n|[\r\x85\u2028\u2029]")
_MAX_CONTROL_SHARE = 0.01


@dataclass(frozen=True)
class Decoded:
    r"""Text as decoded.

    Attributes:
        text: The text; every kind of line end is `\n`, and offsets count from this form.
        encoding: Name of the encoding.
        note: What the reader should know of a guess, or None.
    """

    text: str
    encoding: str
    note: str | None = None


def decode(content: bytes, name: str, *, max_characters: int, max_lines: int = MAX_LINES) -> Decoded:
    r"""Decode a text file.

    A byte order mark decides; else UTF-8; else UTF-16 where every other byte is NUL; else the encoding that
    fits the letters best, which is a guess and noted. Line ends of every kind become `\n` here, before any
    offset is defined.

    Args:
        content: The file.
        name: Its name, for messages.
        max_characters: The most characters that are accepted.
        max_lines: The most lines that are accepted.

    Raises:
        UnreadableFileError: It is no text.
        TooLargeError: It holds more than `max_characters` or `max_lines`.
        InputError: It is empty.
    """
    if not content.strip():
        raise InputError(f"{name} is empty.", advice="Give a file with text in it, or paste the text.")
    text, encoding, note = _decode(content, name)
    if len(text) > max_characters:
        raise TooLargeError(
            f"{name} holds {len(text):,} characters; the limit is {max_characters:,}.",
            advice="Split it, or raise VERISCITE_READING_MAX_CHARACTERS.",
        )
    text = _NEWLINES.sub("\n", text)
    lines = text.count("\n") + 1
    if lines > max_lines:
        raise TooLargeError(
            f"{name} holds {lines:,} lines; the limit is {max_lines:,}.",
            advice="Split it, or take its empty lines out.",
        )
    _refuse_binary(text, name)
    if not text.strip("\ufeff \t\n\u200b\u00a0\f\v"):
        raise InputError(f"{name} is empty.", advice="Give a file with text in it, or paste the text.")
    return Decoded(text, encoding, note)


def _decode(content: bytes, name: str) -> tuple[str, str, str | None]:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            try:
                return content[len(mark) :].decode(encoding), encoding, None
            except UnicodeDecodeError as error:
                raise UnreadableFileError(
                    f"{name} begins like {encoding.upper()}, but is not (byte {error.start + len(mark)}).",
                    advice="Save it again as UTF-8.",
                ) from error
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        wide = _wide_encoding(content) if "\0" in text else None
        return (content.decode(wide), wide, None) if wide else (text, "utf-8", None)
    wide = _wide_encoding(content)
    if wide:
        return content.decode(wide), wide, None
    if b"\0" in content[:_SAMPLE]:
        raise _not_text(name)
    return _guess(content, name)


def _wide_encoding(content: bytes) -> str | None:
    """Tell UTF-16 without a byte order mark by where its NUL bytes stand."""
    sample = content[:4096]
    half = len(sample) // 2
    if half == 0:
        return None
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    for encoding, nul, other in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if nul > 0.4 and other < 0.05:
            try:
                content.decode(encoding)
            except UnicodeDecodeError:
                continue
            return encoding
    return None


def _guess(content: bytes, name: str) -> tuple[str, str, str]:
    best = from_bytes(content[:_SAMPLE]).best()
    candidates = [best.encoding] if best is not None else []
    for encoding in (*candidates, "cp1252", "latin-1"):
        try:
            text = content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        readable = encoding.replace("_", "-")
        return text, encoding, f"{name} is not UTF-8; it was read as {readable}, which is a guess."
    raise _not_text(name)


def _refuse_binary(text: str, name: str) -> None:
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise UnreadableFileError(
            f"{name} holds a NUL byte in line {line}: it is no text, or it is broken.",
            advice="Save it as UTF-8 text, or give the original document.",
        )
    sample = text[:_SAMPLE]
    if len(_CONTROL.findall(sample)) > _MAX_CONTROL_SHARE * len(sample):
        raise _not_text(name)


def _not_text(name: str) -> UnreadableFileError:
    return UnreadableFileError(
        f"{name} is not text, and it is no format that can be read.",
        advice="Give a PDF, Word, LaTeX, JATS, Markdown or plain text file, or paste the text.",
    )
