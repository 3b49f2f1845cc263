"""The prose of a JATS article: paragraphs, headings, and where its cross-references stand."""

import re
from collections.abc import Callable, Mapping
from xml.etree.ElementTree import Element

from veriscite.reading.flow import Flow, raised
from veriscite.reading.jats.tags import CITING, FLOATS, LEFT_OUT, NOTE_TYPES, PARAGRAPHS, SECTIONS, TABLES
from veriscite.reading.stated import Hit
from veriscite.reading.tagged import words_of
from veriscite.reading.xml_safe import line_of

_GLUED = re.compile(r"[\w.,;:!?)\]”\"’'%]$")
_BARE_NUMBERS = re.compile(r"\s*\d{1,3}(?:[\s,;–-]+\d{1,3})*\s*")
_CAPTION_LABEL = re.compile(r"[.:]$")
_MAX_LEVEL = 6


class Prose:
    """Reads elements into a flow, in reading order.

    Attributes:
        hits: Cross-references to the reference list, in order.
        in_tables: How many stand in tables, which are not read.

    Args:
        flow: Where the text goes.
        references: What an `rid` may name -> the reference's id.
        labels: Printed label -> the reference's id, where a cross-reference has no `rid`.
    """

    def __init__(self, flow: Flow, references: Mapping[str, str], labels: Mapping[str, str]) -> None:
        self.hits: list[Hit] = []
        self.in_tables = 0
        self._flow = flow
        self._references = references
        self._labels = labels
        self._later: list[Element] = []
        self._inside = 0
        self._raised = 0
        self._level = 0
        self._handlers: dict[str, Callable[[Element], None]] = {
            "xref": self._xref,
            "sup": self._sup,
            "break": lambda _element: self._flow.add(" "),
            "title": self._plain_paragraph,
            "label": self._label,
            "alternatives": self._alternatives,
            **dict.fromkeys(FLOATS, self._float),
            **dict.fromkeys(TABLES, self._table),
            **dict.fromkeys(LEFT_OUT, lambda _element: self._flow.add(" ")),
            **dict.fromkeys(PARAGRAPHS, self._paragraph),
            **dict.fromkeys(SECTIONS, self.section),
        }

    def section(self, element: Element, heading: str | None = None) -> None:
        """Read a section: its heading, then what it holds.

        Args:
            element: `sec`, `abstract`, `app` or the like.
            heading: What to call it where it has no title.
        """
        self._level += 1
        title = element.find("title")
        label = element.find("label")
        words = words_of(title) if title is not None else heading or ""
        if title is not None and label is not None and element.tag != "app":
            words = f"{words_of(label)} {words}"
        self._flow.paragraph()
        self._flow.heading(words, min(self._level, _MAX_LEVEL))
        for child in element:
            if child is not title and child is not label:
                self._visit(child)
        self._flow.paragraph()
        self._level -= 1

    def body(self, element: Element) -> None:
        """Read what an element holds, without a heading of its own."""
        self._flow.paragraph()
        for child in element:
            self._visit(child)
        self._flow.paragraph()

    def floats(self, element: Element) -> None:
        """Read the captions of figures that stand apart from the text."""
        for child in element:
            if child.tag in FLOATS or child.tag in TABLES:
                self._visit(child)

    def _visit(self, element: Element) -> None:
        handler = self._handlers.get(element.tag)
        if handler is None:
            self._contents(element)
        else:
            handler(element)

    def _contents(self, element: Element) -> None:
        add, visit = self._text, self._visit
        add(element.text)
        for child in element:
            visit(child)
            add(child.tail)

    def _text(self, text: str | None) -> None:
        if text:
            self._flow.add(raised(text) if self._raised else text)

    def _paragraph(self, element: Element) -> None:
        self._flow.paragraph()
        self._inside += 1
        self._contents(element)
        self._inside -= 1
        self._flow.paragraph()
        self._read_later()

    def _read_later(self) -> None:
        """Read what was put off, once no paragraph is open around it."""
        if not self._inside:
            later, self._later = self._later, []
            for floated in later:
                self._visit(floated)

    def _plain_paragraph(self, element: Element) -> None:
        """A title that is no section's: a caption's, a list's."""
        self._flow.paragraph()
        self._contents(element)
        self._flow.paragraph()

    def _label(self, element: Element) -> None:
        # A list item's mark would stand in its sentence.
        self._flow.add(" ")

    def _float(self, element: Element) -> None:
        """Read a caption or a note as paragraphs of its own, after the paragraph around it."""
        if self._inside:
            self._flow.add(" ")
            self._later.append(element)
            return
        self._inside += 1
        label = element.find("label")
        caption = element.find("caption")
        self._flow.paragraph()
        if element.tag == "fn" or element.tag == "boxed-text":
            self._boxed(element, label)
        else:
            if element.tag == "fig-group":
                for child in element:
                    if child.tag in FLOATS:
                        self._later.append(child)
            self._caption(label, caption)
        self._flow.paragraph()
        self._inside -= 1
        self._read_later()

    def _boxed(self, element: Element, label: Element | None) -> None:
        for child in element:
            if child is not label:
                self._visit(child)
            self._text(child.tail)

    def _caption(self, label: Element | None, caption: Element | None) -> None:
        """Put label, title and first paragraph of a caption into one paragraph, as they are printed."""
        words = words_of(label)
        if words:
            self._flow.add(words if _CAPTION_LABEL.search(words) else f"{words}.")
            self._flow.add(" ")
        for child in caption if caption is not None else ():
            if child.tag in ("title", "p"):
                self._contents(child)
                self._flow.add(" ")
            else:
                self._visit(child)

    def _table(self, element: Element) -> None:
        self._flow.add(" ")
        self.in_tables += sum(1 for xref in element.iter("xref") if self._keys(xref))

    def _alternatives(self, element: Element) -> None:
        """Read one of several forms of the same thing: the first that has words."""
        for child in element:
            if child.tag not in LEFT_OUT:
                self._visit(child)
                return

    def _sup(self, element: Element) -> None:
        self._raised += 1
        self._contents(element)
        self._raised -= 1

    def _xref(self, element: Element) -> None:
        keys = self._keys(element)
        if not keys:
            self._other_xref(element)
            return
        lifted = self._raised > 0 or _all_raised(element) or self._is_glued(element)
        self._raised += lifted
        start = self._flow.here
        self._contents(element)
        self._raised -= lifted
        if self._flow.end > start:
            self.hits.append(Hit(start, self._flow.end, keys, raised=lifted))
        else:
            self._flow.note(
                "A cross-reference to the reference list shows nothing; it was left out.",
                raw=" ".join(keys),
                line=line_of(element),
            )

    def _other_xref(self, element: Element) -> None:
        shown = words_of(element)
        kind = element.get("ref-type", "")
        if kind in NOTE_TYPES and (self._raised or len(shown) <= 3):
            # The mark of a note: the note itself is read as a paragraph.
            return
        start = self._flow.here
        self._contents(element)
        if kind in CITING:
            self._flow.note(
                "A citation names no entry of the reference list.",
                raw=shown,
                start=start,
                line=line_of(element),
            )

    def _keys(self, element: Element) -> tuple[str, ...]:
        named = [part.strip(",;#") for part in element.get("rid", "").split()]
        named = [part for part in named if part]
        known = any(part in self._references for part in named)
        if not known and element.get("ref-type", "") not in CITING:
            return ()
        if not named:
            label = self._labels.get(words_of(element).strip("[]().,; "))
            return (label,) if label else ()
        return tuple(dict.fromkeys(self._references.get(part, part) for part in named))

    def _is_glued(self, element: Element) -> bool:
        """Whether bare numbers stand right after a word: printed as a superscript, whatever the tags say."""
        if len(element) or not _BARE_NUMBERS.fullmatch(element.text or ""):
            return False
        before = self._flow.tail(3)
        last = self.hits[-1] if self.hits else None
        if last is not None and self._flow.here - last.end <= 3 and not before.isalpha():
            return last.raised
        return bool(_GLUED.search(before)) and not before[-1:].isdigit()


def _all_raised(element: Element) -> bool:
    return (
        len(element) > 0
        and not (element.text or "").strip()
        and all(child.tag == "sup" and not (child.tail or "").strip() for child in element)
    )
