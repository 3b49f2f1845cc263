"""What a document's styles say: heading levels, superscripts, hidden text; and its automatic numbers."""

import re
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from veriscite.reading.xml_safe import at_path

_HEADING = re.compile(r"heading ?([1-9])", re.IGNORECASE)
_BODY_LEVEL = 9
_MAX_CHAIN = 20


def flag(element: Element | None, tag: str) -> bool | None:
    """Read an on-off property: None where it is not given."""
    found = at_path(element, tag)
    if found is None:
        return None
    return found.get("w:val", "true") not in ("0", "false", "off", "none")


def value(element: Element | None, path: str) -> str | None:
    """Return `w:val` of what stands at `path`, or None."""
    found = at_path(element, path)
    return None if found is None else found.get("w:val")


@dataclass(frozen=True)
class Style:
    """A style with what it inherits.

    Attributes:
        level: Of a heading (1 is the highest), or None.
        title: Whether it is the title's.
        raised: Whether its text is superscript; None where it does not say.
        hidden: Whether its text is hidden; None where it does not say.
        number: Its automatic numbering (`numId`), if any.
    """

    level: int | None = None
    title: bool = False
    raised: bool | None = None
    hidden: bool | None = None
    number: str | None = None


class Styles:
    """The styles of a document.

    Args:
        root: Root of `styles.xml`, or None where there is none.
    """

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._known: dict[str, Style] = {}
        for element in root.iter("w:style") if root is not None else ():
            self._elements.setdefault(element.get("w:styleId", ""), element)

    def of(self, style_id: str | None) -> Style:
        """Return a style by its id; an unknown one says nothing."""
        if not style_id:
            return Style()
        if style_id not in self._known:
            self._known[style_id] = self._resolve(style_id)
        return self._known[style_id]

    def _resolve(self, style_id: str) -> Style:
        chain: list[Element] = []
        at: str | None = style_id
        while at is not None and at in self._elements and len(chain) < _MAX_CHAIN:
            element = self._elements[at]
            if element in chain:
                break
            chain.append(element)
            at = value(element, "w:basedOn")
        style = _guess(style_id) if not chain else Style()
        for element in reversed(chain):
            style = _with(style, element)
        return style


def _guess(style_id: str) -> Style:
    """What an id without its style means: Word's own ids in English."""
    match = _HEADING.fullmatch(style_id)
    return Style(level=int(match.group(1)) if match else None, title=style_id.lower() == "title")


def _with(style: Style, element: Element) -> Style:
    # The name is English in every language of Word; the id is translated.
    name = (value(element, "w:name") or "").strip().lower()
    heading = _HEADING.fullmatch(name)
    properties = at_path(element, "w:rPr")
    raised = value(properties, "w:vertAlign")
    hidden = flag(properties, "w:vanish")
    level = outline_level(at_path(element, "w:pPr"))
    number = value(element, "w:pPr/w:numPr/w:numId")
    if heading:
        style = replace(style, level=int(heading.group(1)))
    elif level is not None:
        style = replace(style, level=level or None)
    if name in ("title", "article title"):
        style = replace(style, title=True, level=None)
    return replace(
        style,
        raised=style.raised if raised is None else raised == "superscript",
        hidden=style.hidden if hidden is None else hidden,
        number=style.number if number is None else number,
    )


def outline_level(properties: Element | None) -> int | None:
    """Return the heading level of paragraph properties: 0 for body text, None where they say nothing."""
    raw = value(properties, "w:outlineLvl")
    if raw is None or not raw.isdigit():
        return None
    return int(raw) + 1 if int(raw) < _BODY_LEVEL else 0


@dataclass
class Numbering:
    """Counts automatically numbered paragraphs.

    Args:
        root: Root of `numbering.xml`, or None where there is none.
    """

    root: Element | None
    _formats: dict[str, tuple[str, int]] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)
    _lists: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.root is None:
            return
        for abstract in self.root.iter("w:abstractNum"):
            level = next((e for e in abstract.iter("w:lvl") if e.get("w:ilvl", "0") == "0"), None)
            shape = value(level, "w:lvlText") or ""
            start = value(level, "w:start") or "1"
            if value(level, "w:numFmt") in ("decimal", None) and "%1" in shape and len(shape) <= 12:
                begin = int(start) if start.isdigit() and len(start) < 7 else 1
                self._formats[abstract.get("w:abstractNumId", "")] = (shape, begin)
        for number in self.root.iter("w:num"):
            self._lists[number.get("w:numId", "")] = value(number, "w:abstractNumId") or ""

    def next(self, number_id: str | None, level: str) -> str:
        """Return the label of a list's next paragraph (`1.`), or nothing for other marks than numbers."""
        shape = self._formats.get(self._lists.get(number_id or "", ""))
        if shape is None or number_id is None or level != "0":
            return ""
        count = self._counts.get(number_id, shape[1])
        self._counts[number_id] = count + 1
        return shape[0].replace("%1", str(count))
