"""Bytes become text, or an error says why not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.errors import InputError, TooLargeError, UnreadableFileError
from veriscite.reading.decoding import decode

LIMIT = 10_000


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_are_told_by_content(encoding: str) -> None:
    text = "Grüße from Łódź, where moss grows [1]. " * 3
    decoded = decode(text.encode(encoding), "paper.txt", max_characters=LIMIT)
    assert decoded.text == text
    assert decoded.note is None


@pytest.mark.parametrize("encoding", ["cp1252", "iso8859-1"])
def test_an_old_encoding_is_guessed_and_noted(encoding: str) -> None:
    text = "Die Größe der Möwen überraschte die Forscher in München, schrieb Müller später [1].\n" * 5
    decoded = decode(text.encode(encoding), "paper.txt", max_characters=LIMIT)
    assert decoded.text == text
    assert decoded.note is not None
    assert "guess" in decoded.note


def test_every_line_end_becomes_a_line_feed() -> None:
    decoded = decode("a\r\nb\rc\nd\u2028e".encode(), "paper.txt", max_characters=LIMIT)
    assert decoded.text == "a\nb\nc\nd\ne"


@pytest.mark.parametrize("content", [b"", b"  \n\t ", b"\xef\xbb\xbf", "\u200b\n".encode()])
def test_nothing_is_refused_as_empty(content: bytes) -> None:
    with pytest.raises(InputError, match="empty"):
        decode(content, "paper.txt", max_characters=LIMIT)


def test_a_nul_byte_is_refused_with_its_line() -> None:
    with pytest.raises(UnreadableFileError, match="line 2"):
        decode(
            b"one line\nanother \0 line with more text in it to be sure", "paper.txt", max_characters=LIMIT
        )


def test_binary_content_is_refused() -> None:
    with pytest.raises(UnreadableFileError, match="not text"):
        decode(bytes(range(1, 32)) * 20, "paper.txt", max_characters=LIMIT)
    with pytest.raises(UnreadableFileError):
        decode(b"\xff\xfe\x00\xd8\x00\xd8", "paper.txt", max_characters=LIMIT)


def test_limits_are_kept() -> None:
    with pytest.raises(TooLargeError, match="10,001 characters"):
        decode(b"a" * 10_001, "paper.txt", max_characters=LIMIT)
    with pytest.raises(TooLargeError, match="21 lines"):
        decode(b"a\n" * 20, "paper.txt", max_characters=LIMIT, max_lines=20)


@given(st.binary(max_size=400))
def test_any_bytes_give_text_or_an_input_error(content: bytes) -> None:
    try:
        decoded = decode(content, "paper.txt", max_characters=LIMIT)
    except InputError:
        return
    assert decoded.text.strip()
    assert "\r" not in decoded.text
    assert "\0" not in decoded.text
