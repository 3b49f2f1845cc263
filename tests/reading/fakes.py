"""A list parser that knows one style only, and says what it was given."""

import re

from veriscite.domain import ReadingNote, Reference, Span
from veriscite.ports import ParsedList


class LineParser:
    """One entry a line: `1. Author. Title. 2001.`; a line without a number goes on the entry before."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int | None]] = []

    def parse(self, text: str, *, offset: int | None = 0) -> ParsedList:
        """Split at line starts that carry a number."""
        self.calls.append((text, offset))
        references = []
        notes = []
        starts = [match.start() for match in re.finditer(r"^[ \t]*\[?\d{1,3}[\].]", text, re.MULTILINE)]
        if not starts and text.strip():
            notes.append(ReadingNote(message="no numbered entry"))
        for number, start in enumerate(starts, 1):
            end = starts[number] if number < len(starts) else len(text)
            raw = text[start:end].strip()
            begin = start + len(text[start:end]) - len(text[start:end].lstrip())
            label = re.match(r"\[?(\d+)", raw)
            year = re.search(r"\b(?:19|20)\d\d\b", raw)
            span = None
            if offset is not None:
                span = Span(start=offset + begin, end=offset + begin + len(raw))
            references.append(
                Reference(
                    id=f"ref-{number}",
                    raw=raw,
                    label=label.group(1) if label else None,
                    span=span,
                    year=int(year.group()) if year else None,
                )
            )
        return ParsedList(references=tuple(references), notes=tuple(notes))
