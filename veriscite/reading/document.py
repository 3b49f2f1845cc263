"""What each format's reader hands over, before the reference list is looked for."""

from dataclasses import dataclass

from veriscite.domain import ReadingNote, Section, Span, StatedMarker
from veriscite.ports import ParsedList


@dataclass(frozen=True)
class Document:
    """A manuscript's text and what its format tells about it.

    Attributes:
        format: As in `Manuscript.format`.
        text: What every span is an offset into.
        title: None where it is doubtful.
        sections: In order; each covers its body without the heading.
        excluded: Spans that are no prose, in order, without overlaps.
        bibliography: Files that the manuscript names as its reference list.
        stated_markers: As in `Manuscript.stated_markers`.
        references: The reference list that the format holds as data; None where it has to be looked for.
        parts: Contents of further files that the text was put together from.
    """

    format: str
    text: str
    title: str | None = None
    sections: tuple[Section, ...] = ()
    excluded: tuple[Span, ...] = ()
    notes: tuple[ReadingNote, ...] = ()
    bibliography: tuple[str, ...] = ()
    stated_markers: tuple[StatedMarker, ...] = ()
    references: ParsedList | None = None
    parts: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Heading:
    """A heading's place: `start` of its first line, `end` past its last."""

    start: int
    end: int
    level: int
    text: str


def sections_of(text: str, headings: list[Heading], *, begin: int = 0) -> tuple[Section, ...]:
    """Divide a text at its headings; what stands before the first has none.

    Args:
        text: The whole text.
        headings: In order.
        begin: Where the text proper begins (after front matter).
    """
    sections = []
    first = headings[0].start if headings else len(text)
    if text[begin:first].strip():
        sections.append(Section(heading=None, span=Span(start=begin, end=first)))
    for position, heading in enumerate(headings):
        end = headings[position + 1].start if position + 1 < len(headings) else len(text)
        sections.append(
            Section(
                heading=heading.text or None,
                level=heading.level,
                span=Span(start=min(heading.end, end), end=end),
            )
        )
    return tuple(sections)


def merge_spans(spans: list[Span]) -> tuple[Span, ...]:
    """Sort spans and join those that touch or overlap."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if span.end <= span.start:
            continue
        if merged and span.start <= merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Span(start=merged[-1].start, end=span.end)
        else:
            merged.append(span)
    return tuple(merged)
