"""PDFium -> words with their boxes. PDFium is not thread-safe: one lock guards every call."""

import ctypes
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from veriscite.errors import NoTextLayerError, PasswordRequiredError, TooLargeError
from veriscite.reading.pdf.ligatures import FIRST

LOCK = threading.Lock()
"""Held around every use of PDFium, by whoever uses it."""

LINE_END_HYPHEN = "\x02"
"""PDFium's sign for a hyphen at a line end."""

_SIZE_CHANGE = 0.12
_BOLD_NAME = re.compile(rb"bold|black|heavy|demi|-bd|medi", re.IGNORECASE)
_SPACES = (32, 160, 9)
_BOLD_FLAG = 1 << 18
_MAX_GLYPHS_PER_PAGE = 200_000


@dataclass(slots=True)
class Word:
    """Glyphs of one size that stand together; distances in points, y upwards.

    Attributes:
        glued: No space before it: it goes on the word before (a superscript, a change of size).
        height: Height of the font's box, proportional to the font size.
        bold: Whether its font is a bold one.
        upright: False for rotated text.
    """

    text: str
    x0: float
    x1: float
    bottom: float
    top: float
    glued: bool
    height: float
    bold: bool = False
    upright: bool = True


@dataclass(slots=True)
class PageWords:
    """A page's words in the order in which the file writes them."""

    number: int
    left: float
    bottom: float
    width: float
    height: float
    words: list[Word] = field(default_factory=list)


@dataclass(slots=True)
class PdfWords:
    """A PDF's pages and the title that its metadata gives (empty if none)."""

    pages: list[PageWords]
    title: str


class CannotOpenError(Exception):
    """PDFium cannot open the file; another reader may."""


def read_words(content: bytes, name: str, *, max_pages: int, max_characters: int) -> PdfWords:
    """Read all pages.

    Args:
        content: The file.
        name: Its name, for messages.
        max_pages: The most pages that are accepted.
        max_characters: The most glyphs that are accepted, in all pages together.

    Raises:
        CannotOpenError: PDFium cannot open it.
        PasswordRequiredError: It opens only with a password.
        TooLargeError: It holds more than `max_pages` or `max_characters`.
    """
    with LOCK:
        try:
            document = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError as error:
            if getattr(error, "err_code", None) == pdfium.FPDF_ERR_PASSWORD:
                raise password_required(name) from error
            raise CannotOpenError(str(error)) from error
        try:
            count = len(document)
            if count > max_pages:
                raise too_many_pages(name, count, max_pages)
            if count == 0:
                raise CannotOpenError("no pages")
            title = str(document.get_metadata_dict().get("Title") or "")
        except BaseException:
            document.close()
            raise
    pages = []
    glyphs = 0
    try:
        for number in range(count):
            # The lock is let go between pages, so that another document is not kept waiting for a long one.
            with LOCK:
                page, read = _read_page(document, number)
            pages.append(page)
            glyphs += read
            if glyphs > max_characters:
                raise TooLargeError(
                    f"{name} holds more than {max_characters:,} characters.",
                    advice="Split it, or raise VERISCITE_READING_MAX_CHARACTERS.",
                )
    finally:
        with LOCK:
            document.close()
    return PdfWords(pages, title)


def password_required(name: str) -> PasswordRequiredError:
    """Say that a PDF is locked."""
    return PasswordRequiredError(
        f"{name} opens only with a password.", advice="Save a copy without the password, or paste the text."
    )


def too_many_pages(name: str, count: int, max_pages: int) -> TooLargeError:
    """Say that a PDF is too long."""
    return TooLargeError(
        f"{name} has {count:,} pages; the limit is {max_pages:,}.",
        advice="Give the pages in question only, or raise VERISCITE_READING_MAX_PAGES.",
    )


def no_text_layer(name: str) -> NoTextLayerError:
    """Say that a PDF is a scan."""
    return NoTextLayerError(
        f"{name} holds no text: it looks like a scan.",
        advice="Run text recognition (OCR) on it first, or paste the text.",
    )


def _read_page(document: Any, number: int) -> tuple[PageWords, int]:
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return PageWords(number, 0.0, 0.0, 612.0, 792.0), 0
    try:
        left, bottom, right, top = page.get_cropbox()
        result = PageWords(number, left, bottom, max(right - left, 1.0), max(top - bottom, 1.0))
        try:
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            return result, 0
        try:
            count = min(text_page.count_chars(), _MAX_GLYPHS_PER_PAGE)
            _collect(text_page, count, result)
            return result, count
        finally:
            text_page.close()
    finally:
        page.close()


def _collect(text_page: Any, count: int, page: PageWords) -> None:
    """Hand each glyph with its box to the collector."""
    get_unicode: Callable[..., int] = pdfium.FPDFText_GetUnicode
    get_box: Callable[..., int] = pdfium.FPDFText_GetLooseCharBox
    raw = text_page.raw
    rect = pdfium.FS_RECTF()
    box = ctypes.byref(rect)
    collector = _Collector(raw, page)
    add = collector.add
    for index in range(count):
        code = get_unicode(raw, index)
        if code in _SPACES:
            collector.between = 2
        elif code in (13, 10):
            collector.between = collector.between or 1
        elif get_box(raw, index, box):
            add(index, code, rect.left, rect.right, rect.bottom, rect.top)
    collector.close()


class _Collector:
    """Groups glyphs into words: at white space, at jumps, at changes of size."""

    def __init__(self, raw: Any, page: PageWords) -> None:
        self._raw = raw
        self._words = page.words
        self._x_range = (page.left - 50, page.left + page.width + 50)
        self._y_range = (page.bottom - 20, page.bottom + page.height + 20)
        self._letters: list[str] = []
        self._first = 0
        self._x0 = self._x1 = self._bottom = self._top = self._height = 0.0
        self._glued = False
        self._fonts: dict[bytes, bool] = {}
        self._buffer = ctypes.create_string_buffer(96)
        self._flags = ctypes.c_int(0)
        self.between = 2
        """What stood between the last glyph and the next: 0 nothing, 1 a line end, 2 a space."""

    def add(self, index: int, code: int, left: float, right: float, low: float, high: float) -> None:
        """Take a glyph: its place in the page's glyphs, its code and its box."""
        size = high - low
        if size <= 0 or not (
            self._x_range[0] <= left <= self._x_range[1] and self._y_range[0] <= low <= self._y_range[1]
        ):
            return
        if self._letters:
            gap = left - self._x1
            near = -0.6 * size < gap < 0.12 * size and low < self._top and high > self._bottom
            if self.between == 2 or not near or abs(size - self._height) > _SIZE_CHANGE * self._height:
                glued = near and self.between < 2
                self.close()
                self._glued = glued
            elif self.between == 1 and abs(low - self._bottom) > 0.3 * self._height:
                self.close()
        if not self._letters:
            self._first, self._x0, self._bottom, self._top, self._height = index, left, low, high, size
        self.between = 0
        self._letters.append(chr(code) if 32 <= code < 0xAD else _letter(code, (right - left) / size))
        self._x1 = right

    def close(self) -> None:
        """End the current word."""
        if not self._letters:
            return
        text = "".join(self._letters)
        self._letters.clear()
        upright = True
        if len(text) == 1:
            # Rotated text comes apart into single glyphs; only there the angle is worth asking for.
            angle = pdfium.FPDFText_GetCharAngle(self._raw, self._first)
            upright = angle < 0.1 or angle > 6.18
        self._words.append(
            Word(
                text,
                self._x0,
                self._x1,
                self._bottom,
                self._top,
                self._glued,
                self._height,
                self._is_bold(),
                upright,
            )
        )
        self._glued = False

    def _is_bold(self) -> bool:
        pdfium.FPDFText_GetFontInfo(self._raw, self._first, self._buffer, 96, self._flags)
        if self._flags.value & _BOLD_FLAG:
            return True
        font = self._buffer.value
        bold = self._fonts.get(font)
        if bold is None:
            bold = self._fonts[font] = bool(_BOLD_NAME.search(font))
        return bold


def _letter(code: int, width: float) -> str:
    if code in (0, 0xFFFE, 0xFFFF) or 0xD800 <= code <= 0xDFFF:
        # The width is kept with it, since it helps to tell which ligature it may be.
        return chr(FIRST + min(0xFFF, max(0, round(100 * width))))
    if code in (2, 0xAD):
        return LINE_END_HYPHEN
    return chr(code) if 32 <= code < 0x110000 else ""
