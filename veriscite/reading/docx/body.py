"""The text of a Word document: paragraphs, headings, notes, and where its citation fields stand."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from veriscite.domain import Reference, Span
from veriscite.reading.document import Heading
from veriscite.reading.docx.fields import (
    BrokenFieldError,
    Cited,
    FieldKind,
    kind_of,
    kind_of_tag,
    read_citation,
    read_tag,
)
from veriscite.reading.docx.styles import Numbering, Style, Styles, flag, outline_level, value
from veriscite.reading.docx.tags import DELETED, LEFT_OUT, SPACES, outermost, unfinished_fields
from veriscite.reading.flow import Flow, raised
from veriscite.reading.xml_safe import at_path

_LETTERS = re.compile(r"[^\W_]")
_LEADS = re.compile(r"\b(?:see|also|and|cf|e\.?\s?g|for|reviews?|example|in|ibid|pp?)\b", re.IGNORECASE)
_MAX_HEADING = 300
_PROSE_CELL = 1_500
"""A cell with more letters than this is a page laid out by a table, not data."""


@dataclass(frozen=True)
class FieldHit:
    """A citation field as it was met: what it shows, and what it cites."""

    start: int
    end: int
    cited: tuple[Cited, ...]


@dataclass
class _Field:
    instruction: list[str] = field(default_factory=list)
    data: str = ""
    start: int = -1
    kind: FieldKind = FieldKind.OTHER


@dataclass
class Notes:
    """Footnotes and endnotes by kind and id; each is read where it is first referred to."""

    elements: Mapping[tuple[str, str], Element]
    read: set[tuple[str, str]] = field(default_factory=set)


class Body:
    """Reads a document's elements into a flow, in reading order.

    Attributes:
        hits: Citation fields, in order, without overlaps.
        lists: Where fields that hold the reference list stand.
        title: The paragraph in the title's style, if any.
        deleted: How many tracked deletions were left out.
        hidden: How many runs of hidden text were left out.
        tables: How many tables were left out.

    Args:
        flow: Where the text goes.
        styles: The document's styles.
        numbering: Its automatic numbers.
        notes: Its footnotes and endnotes.
        sources: The sources of its own bibliography, by tag in small letters.
    """

    def __init__(
        self,
        flow: Flow,
        styles: Styles,
        numbering: Numbering,
        notes: Notes,
        sources: Mapping[str, Reference],
    ) -> None:
        self.hits: list[FieldHit] = []
        self.lists: list[Span] = []
        self.title: str | None = None
        self.deleted = self.hidden = self.tables = 0
        self._flow = flow
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._sources = sources
        self._fields: list[_Field] = []
        self._unfinished: set[Element] = set()
        self._later: list[Element] = []
        self._inside = 0
        self._merge = False
        self._paragraph_style = Style()
        self._plain = True
        self._handlers: dict[str, Callable[[Element], None]] = {
            "w:p": self._paragraph,
            "w:r": self._run,
            "w:t": self._text,
            "m:t": self._text,
            "w:tbl": self._table,
            "w:sdt": self._control,
            "w:fldSimple": self._simple_field,
            "w:fldChar": self._field_character,
            "w:instrText": self._instruction,
            "w:footnoteReference": self._note_reference,
            "w:endnoteReference": self._note_reference,
            "w:noBreakHyphen": lambda _element: self._add("-"),
            "w:br": lambda _element: self._add(" "),
            "mc:AlternateContent": self._alternatives,
            **dict.fromkeys(SPACES, lambda _element: self._add(" ")),
            **dict.fromkeys(LEFT_OUT, lambda _element: None),
            **dict.fromkeys(DELETED, self._deletion),
            **dict.fromkeys(("w:drawing", "w:pict", "w:object"), self._drawing),
        }

    def read(self, element: Element) -> None:
        """Read all that an element holds."""
        self._unfinished |= unfinished_fields(element)
        if self._unfinished:
            self._flow.note(f"{len(self._unfinished):,} fields never end; their text was read as it stands.")
        self._contents(element)
        self._flow.paragraph()

    def _visit(self, element: Element) -> None:
        handler = self._handlers.get(element.tag)
        if handler is None:
            self._contents(element)
        else:
            handler(element)

    def _contents(self, element: Element) -> None:
        for child in element:
            self._visit(child)

    def _add(self, text: str | None) -> None:
        if text and all(f.start >= 0 and f.kind is not FieldKind.CONTENTS for f in self._fields):
            self._flow.add(text if self._plain else raised(text))

    def _paragraph(self, element: Element) -> None:
        properties = at_path(element, "w:pPr")
        outer, style = self._paragraph_style, self._styles.of(value(properties, "w:pStyle"))
        self._paragraph_style = style
        if not self._merge:
            self._flow.paragraph()
        own_level = outline_level(properties)
        level = style.level if own_level is None else own_level or None
        if level is None and not style.title:
            self._number(element, properties, style)
        start = self._flow.here
        self._inside += 1
        self._contents(element)
        self._inside -= 1
        # Longer ones are prose in a heading's style.
        heads = (level is not None or style.title) and start < self._flow.end <= start + _MAX_HEADING
        if heads and (shown := self._flow.since(start)):
            self._flow.headings.append(Heading(start, self._flow.end, level or 1, shown))
            if style.title and self.title is None:
                self.title = shown
        # A paragraph whose end was deleted goes on in the next one.
        self._merge = at_path(properties, "w:rPr/w:del") is not None
        if not self._merge:
            self._flow.paragraph()
        self._paragraph_style = outer
        if not self._inside:
            self._read_later()

    def _number(self, element: Element, properties: Element | None, style: Style) -> None:
        if not any(text.text for text in element.iter("w:t")):
            return
        number = value(properties, "w:numPr/w:numId") or style.number
        label = self._numbering.next(number, value(properties, "w:numPr/w:ilvl") or "0")
        if label:
            self._add(f"{label} ")

    def _read_later(self) -> None:
        later, self._later = self._later, []
        for element in later:
            fields, self._fields = self._fields, []
            self._flow.paragraph()
            self._contents(element)
            self._flow.paragraph()
            self._fields = fields

    def _run(self, element: Element) -> None:
        properties = at_path(element, "w:rPr")
        style = self._styles.of(value(properties, "w:rStyle"))
        lifted = value(properties, "w:vertAlign")
        hidden = flag(properties, "w:vanish")
        for inherited in (style, self._paragraph_style):
            lifted = lifted or (None if inherited.raised is None else "superscript" * inherited.raised)
            hidden = inherited.hidden if hidden is None else hidden
        if hidden:
            if any(text.text for text in element.iter("w:t")):
                self.hidden += 1
            for child in element:
                if child.tag in ("w:fldChar", "w:instrText"):
                    self._visit(child)
            return
        outer, self._plain = self._plain, lifted != "superscript"
        self._contents(element)
        self._plain = outer

    def _text(self, element: Element) -> None:
        self._add(element.text)

    def _deletion(self, element: Element) -> None:
        self.deleted += 1

    def _alternatives(self, element: Element) -> None:
        chosen = at_path(element, "mc:Choice")
        if chosen is None:
            chosen = at_path(element, "mc:Fallback")
        if chosen is not None:
            self._contents(chosen)

    def _drawing(self, element: Element) -> None:
        """Read a text box as paragraphs of its own, after the paragraph that it is anchored in."""
        self._later.extend(outermost(element, "w:txbxContent"))
        if not self._inside:
            self._read_later()

    def _table(self, element: Element) -> None:
        cells = list(element.iter("w:tc"))
        longest = max((sum(len(t.text or "") for t in cell.iter("w:t")) for cell in cells), default=0)
        if len(cells) == 1 or longest > _PROSE_CELL:
            self._contents(element)
        else:
            self.tables += 1

    def _control(self, element: Element) -> None:
        """Read a content control; Mendeley keeps citations in their tags."""
        if at_path(element, "w:sdtPr/w:showingPlcHdr") is not None:
            return
        if (value(element, "w:sdtPr/w:docPartObj/w:docPartGallery") or "").lower() == "table of contents":
            return
        tag = value(element, "w:sdtPr/w:tag") or ""
        start = self._flow.here
        content = at_path(element, "w:sdtContent")
        if content is not None:
            self._contents(content)
        kind = kind_of_tag(tag)
        if kind is FieldKind.CITATION:
            self._cite(start, lambda: read_tag(tag))
        elif kind is FieldKind.LIST and self._flow.end > start:
            self.lists.append(Span(start=start, end=self._flow.end))

    def _simple_field(self, element: Element) -> None:
        self._fields.append(_Field(instruction=[element.get("w:instr", "")]))
        self._separate()
        self._contents(element)
        self._end()

    def _instruction(self, element: Element) -> None:
        if self._fields and self._fields[-1].start < 0:
            self._fields[-1].instruction.append(element.text or "")

    def _field_character(self, element: Element) -> None:
        if element in self._unfinished:
            return
        kind = element.get("w:fldCharType", "")
        if kind == "begin":
            data = at_path(element, "w:fldData")
            self._fields.append(_Field(data=(data.text or "") if data is not None else ""))
        elif kind == "separate" and self._fields:
            self._separate()
        elif kind == "end" and self._fields:
            self._end()

    def _separate(self) -> None:
        current = self._fields[-1]
        current.kind = kind_of("".join(current.instruction))
        current.start = self._flow.here

    def _end(self) -> None:
        ended = self._fields.pop()
        instruction = "".join(ended.instruction)
        kind = kind_of(instruction)
        if kind is FieldKind.DATA and self._fields:
            self._fields[-1].data = self._fields[-1].data or ended.data
        if ended.start < 0:
            return
        if kind is FieldKind.CITATION:
            self._cite(ended.start, lambda: read_citation(instruction, ended.data, self._sources))
        elif kind is FieldKind.LIST and self._flow.end > ended.start:
            self.lists.append(Span(start=ended.start, end=self._flow.end))

    def _cite(self, start: int, read: Callable[[], list[Cited]]) -> None:
        end = self._flow.end
        if end <= start:
            return
        try:
            cited = tuple(read())
        except BrokenFieldError as error:
            self._flow.note(
                f"A citation field cannot be read: {error}.", raw=self._flow.since(start), start=start
            )
            return
        # A field within a field says less than the one around it.
        while self.hits and self.hits[-1].end > start:
            self.hits.pop()
        if cited:
            self.hits.append(FieldHit(start, end, cited))

    def _note_reference(self, element: Element) -> None:
        key = (element.tag.removeprefix("w:").removesuffix("Reference"), element.get("w:id", ""))
        note = self._notes.elements.get(key)
        if note is None or key in self._notes.read:
            return
        self._notes.read.add(key)
        cited = self._cited_in(note)
        if not cited:
            self._later.append(note)
            return
        # A note that does nothing but cite stands for a marker: its number is the marker.
        start = self._flow.here
        self._flow.add(raised(str(len(self._notes.read))))
        self.hits.append(FieldHit(start, self._flow.end, cited))

    def _cited_in(self, note: Element) -> tuple[Cited, ...]:
        """What a note cites, if it says nothing else."""
        flow = Flow("A note", 100_000_000)
        body = Body(flow, self._styles, Numbering(None), Notes({}), self._sources)
        body.read(note)
        text = flow.text()
        rest = text
        for hit in reversed(body.hits):
            rest = rest[: hit.start] + " " + rest[hit.end :]
        if not body.hits or len(_LETTERS.findall(_LEADS.sub("", rest))) > 3:
            return ()
        return tuple(item for hit in body.hits for item in hit.cited)
