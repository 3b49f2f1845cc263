"""PDFs that PDFium cannot open, read by pypdf: plain text, no layout."""

import io
import logging
import re

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from veriscite.domain import ReadingNote
from veriscite.errors import UnreadableFileError
from veriscite.reading.document import Document
from veriscite.reading.pdf.glyphs import no_text_layer, password_required, too_many_pages

# What is wrong with a file is told in errors and notes; without a handler the library would print it.
logging.getLogger("pypdf").addHandler(logging.NullHandler())

_BROKEN = (
    PyPdfError,
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OSError,
    RecursionError,
    AssertionError,
    NotImplementedError,
)
_MIN_LETTERS = 20
_MAX_FALLBACK_BYTES = 20_000_000


def read_with_pypdf(content: bytes, name: str, *, max_pages: int, max_characters: int) -> Document:
    """Read a damaged PDF as far as it goes.

    Raises:
        UnreadableFileError: Nothing can be read.
        PasswordRequiredError: It opens only with a password.
        NoTextLayerError: It holds no text.
        TooLargeError: It has more than `max_pages`.
    """
    if len(content) > _MAX_FALLBACK_BYTES:
        raise _broken(name)
    try:
        reader = PdfReader(io.BytesIO(content), strict=False)
        locked = bool(reader.is_encrypted) and not reader.decrypt("")
        count = 0 if locked else len(reader.pages)
    except _BROKEN as error:
        raise _broken(name) from error
    if locked:
        raise password_required(name)
    if count > max_pages:
        raise too_many_pages(name, count, max_pages)
    texts = []
    failed = []
    total = 0
    for number in range(count):
        try:
            text = reader.pages[number].extract_text()
        except _BROKEN:
            failed.append(number + 1)
            continue
        total += len(text)
        if total > max_characters:
            break
        texts.append(text.strip())
    text = "\n\n".join(part for part in texts if part)
    if len(re.sub(r"\W", "", text)) < _MIN_LETTERS:
        if count and not failed:
            raise no_text_layer(name)
        raise _broken(name)
    message = f"{name} is damaged: it was read without its layout, and parts may be missing."
    return Document(format="pdf", text=text, notes=(ReadingNote(message=message),))


def _broken(name: str) -> UnreadableFileError:
    return UnreadableFileError(
        f"{name} is a broken PDF: it may have been cut off while it was downloaded.",
        advice="Download it again, or paste the text.",
    )
