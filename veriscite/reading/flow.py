"""A text put together from marked-up parts: white space folded, paragraphs apart, offsets known at once."""

import re

from veriscite.domain import ReadingNote, Span
from veriscite.errors import TooLargeError
from veriscite.reading.document import Heading

_SPACE = re.compile(r"\s+")
_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_RAISED_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_CAN_BE_RAISED = re.compile(r"[+\-−–]?\d{1,6}[+\-−–]?")
_LIST = re.compile(r"[\d\s,;\-–—−‐‑]*\d[\d\s,;\-–—−‐‑]*")
PARAGRAPH = "\n\n"


class Flow:
    """Text that grows at its end.

    Attributes:
        headings: Those that were added, in order.
        notes: What was left out or could not be read.

    Args:
        name: The file's name, for messages.
        max_characters: The longest text.
    """

    def __init__(self, name: str, max_characters: int) -> None:
        self.headings: list[Heading] = []
        self.notes: list[ReadingNote] = []
        self._name = name
        self._max = max_characters
        self._pieces: list[str] = []
        self._length = 0
        self._space = False
        self._break = False

    @property
    def here(self) -> int:
        """Offset of the next letter to be added."""
        return self._length + len(self._pending())

    @property
    def end(self) -> int:
        """Offset past the last letter."""
        return self._length

    @property
    def in_paragraph(self) -> bool:
        """Whether the next letter goes on a paragraph that has begun."""
        return bool(self._length) and not self._break

    def add(self, text: str | None) -> None:
        """Add text to the paragraph; white space is folded into single spaces.

        Raises:
            TooLargeError: The text grows beyond its limit.
        """
        if not text:
            return
        folded = _SPACE.sub(" ", text)
        if folded[0] == " ":
            self._space = self.in_paragraph
            folded = folded[1:]
        if not folded:
            return
        trailing = folded[-1] == " "
        self._append(self._pending() + folded.rstrip(" "))
        self._space, self._break = trailing, False

    def paragraph(self) -> None:
        """End the paragraph."""
        self._break, self._space = bool(self._length), False

    def heading(self, text: str, level: int) -> None:
        """Add a heading, a paragraph of its own."""
        text = " ".join(text.split())
        if not text:
            return
        self.paragraph()
        start = self.here
        self.add(text)
        self.headings.append(Heading(start, self.end, level, text[:500]))
        self.paragraph()

    def tail(self, length: int) -> str:
        """Return the last letters, at most so many, with the white space that will follow them."""
        found = [self._pending()]
        missing = length - len(found[0])
        for piece in reversed(self._pieces):
            if missing <= 0:
                break
            found.append(piece)
            missing -= len(piece)
        return "".join(reversed(found))[-length:] if length > 0 else ""

    def since(self, start: int) -> str:
        """Return what was added from an offset on."""
        return self.tail(self.here - start).strip() if self.here > start else ""

    def note(self, message: str, *, raw: str = "", start: int | None = None, line: int | None = None) -> None:
        """Tell what was left out; `start` is where the text concerned begins."""
        span = Span(start=start, end=max(start, self._length)) if start is not None else None
        self.notes.append(ReadingNote(message=message, raw=raw[:300], span=span, line=line))

    def text(self) -> str:
        """Return all that was added."""
        return "".join(self._pieces)

    def _pending(self) -> str:
        if not self._length:
            return ""
        if self._break:
            return PARAGRAPH
        return " " if self._space else ""

    def _append(self, piece: str) -> None:
        self._length += len(piece)
        if self._length > self._max:
            raise TooLargeError(
                f"{self._name} holds more than {self._max:,} characters.",
                advice="Split it, or raise VERISCITE_READING_MAX_CHARACTERS.",
            )
        self._pieces.append(piece)


def raised(text: str) -> str:
    """Write a superscript so that plain text keeps it: numbers, exponents and lists of numbers only.

    What has no superscript letters (`rd`, `a,b`) is left as it is.
    """
    bare = text.strip()
    if _CAN_BE_RAISED.fullmatch(bare):
        return text.translate(_RAISED)
    return text.translate(_RAISED_DIGITS) if _LIST.fullmatch(bare) else text
