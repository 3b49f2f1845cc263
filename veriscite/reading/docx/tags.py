"""Tags of WordprocessingML, by what they are to a reader; what is found among them."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

# Text that was deleted or moved away while changes were tracked.
DELETED = frozenset({"w:del", "w:moveFrom"})
LEFT_OUT = frozenset(
    [
        "w:pPr",
        "w:rPr",
        "w:sdtPr",
        "w:sectPr",
        "w:tblPr",
        "w:trPr",
        "w:tcPr",
        "w:delText",
        "w:delInstrText",
        "w:rt",
        "mc:Fallback",
        "w:softHyphen",
        "w:annotationRef",
        "w:footnoteRef",
        "w:endnoteRef",
        "w:pgNum",
        "m:ctrlPr",
        "m:rPr",
    ]
)
SPACES = frozenset({"w:tab", "w:cr", "w:ptab"})


def outermost(element: Element, tag: str) -> Iterator[Element]:
    """Yield the elements of a tag that stand in no other of it."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag != "mc:Fallback":
            yield from outermost(child, tag)


def unfinished_fields(element: Element) -> set[Element]:
    """Return the beginnings of fields that never end: at their word they would swallow all that follows."""
    opened: list[Element] = []
    for mark in _field_marks(element):
        kind = mark.get("w:fldCharType", "")
        if kind == "begin":
            opened.append(mark)
        elif kind == "end" and opened:
            opened.pop()
    return set(opened)


def _field_marks(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == "w:fldChar":
            yield child
        elif child.tag not in DELETED and child.tag != "mc:Fallback":
            yield from _field_marks(child)
