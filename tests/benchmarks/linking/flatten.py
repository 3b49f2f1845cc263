r"""JATS -> plain text as a person would paste it, with the links that the tags give.

This reading is the benchmark's own and shares nothing with the product, which never sees a tag:

- Title, abstract and body, a blank line between paragraphs, headings and list items on lines of their
  own. Figures, tables, footnotes and supplements are left out (captions and cells are not pasted with the
  text); formulas stay as the text in them, TeX sources do not.
- An `<xref>` stands as it is printed. White space is folded as a browser does.
- What is superscript becomes plain digits, as a browser's copy gives (`cells.12,13`), or Unicode
  superscripts (`cells.¹²,¹³`), one or the other for a whole article by a hash of its name.
- References: see `printing`.

A link is the span of an `<xref ref-type="bibr">` with each entry that its `rid` names. In a numeric
article two numbers with nothing but a dash between them stand for all entries from the one to the other,
whether they stand in two `<xref>` (`<xref>3</xref>-<xref>6</xref>`) or in one (`<xref>3-6</xref>`). An
article is numeric when most of its printed `<xref>` hold a number and no letters.
"""

import gzip
import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as etree

from tests.benchmarks.linking.printing import label_of, print_reference

_LEFT_OUT = (
    "fig fig-group table-wrap table-wrap-group table fn fn-group graphic inline-graphic media tex-math "
    "object-id supplementary-material inline-supplementary-material ref-list permissions annotation"
)
_BLOCKS = (
    "p title sec list list-item disp-formula disp-formula-group disp-quote boxed-text abstract body def-list "
    "def-item def term statement verse-group speech article-title preformat code"
)
_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_DASH = re.compile(r"\s*[-\u2010-\u2015\u2212]\s*")
_NUMBER = re.compile(r"[\[(]?\s*(\d{1,4})\s*[\])]?")
_RANGE = re.compile(r"[\[(]?\s*(\d{1,4})\s*[-\u2010-\u2015\u2212]\s*(\d{1,4})\s*[\])]?")
_BREAK = "\0"
"""Marks the end of a block while the text is put together."""


@dataclass(frozen=True)
class Link:
    """A marker's span in the text and the entry that it cites, by position in the list."""

    start: int
    end: int
    entry: int


@dataclass(frozen=True)
class Flat:
    """An article as pasted.

    Attributes:
        style: `numeric`, `superscript` or `author-year`, by what is printed.
        variant: How superscripts and numbers of the list were pasted, for the table.
    """

    text: str
    references: str
    entries: tuple[str, ...]
    links: tuple[Link, ...]
    style: str
    variant: str


@dataclass
class _Xref:
    start: int
    end: int
    rids: list[str]
    superscript: bool


def coin(name: str, what: str) -> bool:
    """Decide a variant by the article's name; independent of its half."""
    return hashlib.sha256(f"{what} {name}".encode()).digest()[5] % 2 == 0


def parse_file(path: Path) -> etree.Element:
    """Parse a JATS file, gzipped or not; no DTD is read."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return etree.fromstring(content)


def flatten(article: etree.Element, name: str) -> Flat:
    """Flatten an article.

    Args:
        article: The root of a JATS file.
        name: Its name, which decides the variants.
    """
    unicode_superscripts = coin(name, "superscripts")
    writer = _Writer(unicode_superscripts)
    for path in ("front/article-meta/title-group/article-title", "front/article-meta/abstract", "body"):
        for part in article.findall(path):
            writer.element(part)
            writer.end_block()
    text, moved = writer.finished()
    refs = article.findall(".//ref-list//ref")
    positions = {ref.get("id", ""): n for n, ref in enumerate(refs)}
    xrefs = [x for x in (_moved(x, moved, text) for x in writer.xrefs) if x.start < x.end]
    numeric = _is_numeric(text, xrefs)
    labels = [label_of(ref) for ref in refs]
    numbered = numeric and (any(labels) or coin(name, "numbers"))
    entries = tuple(
        print_reference(
            ref, numeric=numeric, number=(label or f"{n}.") if numbered else None, style=coin(name, "print")
        )
        for n, (ref, label) in enumerate(zip(refs, labels, strict=True), start=1)
    )
    links = _links(text, xrefs, positions, numeric)
    style = "author-year"
    if numeric:
        style = "superscript" if sum(x.superscript for x in xrefs) * 2 > len(xrefs) else "numeric"
    variant = {"author-year": ""}.get(style, "list numbered" if numbered else "list bare")
    if style == "superscript":
        variant += ", ¹" if unicode_superscripts else ", plain digits"
    return Flat(text, "\n".join(entries), entries, links, style, variant)


class _Writer:
    """Puts the text together and remembers where each `<xref>` stands."""

    def __init__(self, unicode_superscripts: bool) -> None:
        self.xrefs: list[_Xref] = []
        self._pieces: list[str] = []
        self._length = 0
        self._unicode = unicode_superscripts
        self._depth = 0

    def add(self, text: str | None) -> None:
        if not text:
            return
        if self._depth and self._unicode:
            text = text.translate(_SUPERSCRIPTS)
        self._pieces.append(text)
        self._length += len(text)

    def end_block(self) -> None:
        self._pieces.append(_BREAK)
        self._length += 1

    def element(self, node: etree.Element) -> None:
        if not isinstance(node.tag, str):
            return  # a comment or an instruction
        tag = node.tag.rpartition("}")[2]
        if tag in _LEFT_OUT.split():
            return
        if tag == "break":
            self.add(" ")
        if tag in _BLOCKS.split():
            self.end_block()
        self._depth += tag == "sup"
        start = self._length
        self.add(node.text)
        for child in node:
            self.element(child)
            self.add(child.tail)
        if tag == "xref" and node.get("ref-type") == "bibr":
            raised = self._depth > 0 or node.find("sup") is not None
            self.xrefs.append(_Xref(start, self._length, node.get("rid", "").split(), raised))
        self._depth -= tag == "sup"
        if tag in _BLOCKS.split():
            self.end_block()

    def finished(self) -> tuple[str, list[int]]:
        """Fold white space; also return where each character went."""
        raw = "".join(self._pieces)
        out: list[str] = []
        moved: list[int] = []
        pending = ""
        for char in raw:
            moved.append(len(out))
            if char == _BREAK:
                pending = "\n\n"
            elif char in " \t\r\n":
                pending = pending or " "
            else:
                if pending and out:
                    out.extend(pending)
                    moved[-1] = len(out)
                pending = ""
                out.append(char)
        moved.append(len(out))
        return "".join(out), moved


def _moved(xref: _Xref, moved: list[int], text: str) -> _Xref:
    start, end = moved[xref.start], moved[xref.end]
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return _Xref(start, end, xref.rids, xref.superscript)


def _printed(text: str, xref: _Xref) -> str:
    return text[xref.start : xref.end].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾", "0123456789+-=()"))


def _is_numeric(text: str, xrefs: list[_Xref]) -> bool:
    kinds = Counter(
        any(c.isdigit() for c in _printed(text, x)) and not any(c.isalpha() for c in _printed(text, x))
        and not re.search(r"\d{4}", _printed(text, x))
        for x in xrefs
    )  # fmt: skip
    return kinds[True] > kinds[False]


def _links(text: str, xrefs: list[_Xref], positions: dict[str, int], numeric: bool) -> tuple[Link, ...]:
    links: list[Link] = []
    for n, xref in enumerate(xrefs):
        entries = [positions[rid] for rid in xref.rids if rid in positions]
        if numeric and (inner := _RANGE.fullmatch(_printed(text, xref))) and entries:
            # What is printed is the truth; the tag often names the first entry only.
            first, last = int(inner[1]), int(inner[2])
            if 0 < last - first < 100 and entries[0] + last - first < len(positions):
                entries = list(range(entries[0], entries[0] + last - first + 1))
        links += [Link(xref.start, xref.end, entry) for entry in dict.fromkeys(entries)]
        before = xrefs[n - 1] if n else None
        if (
            numeric
            and before is not None
            and before.rids
            and entries
            and _is_dash(text[before.end : xref.start])
        ):
            both = _NUMBER.fullmatch(_printed(text, before)), _NUMBER.fullmatch(_printed(text, xref))
            first_entry = positions.get(before.rids[-1])
            if all(both) and first_entry is not None and first_entry < entries[0]:
                links += [Link(before.start, xref.end, e) for e in range(first_entry + 1, entries[0])]
    return tuple(links)


def _is_dash(between: str) -> bool:
    return bool(_DASH.fullmatch(between.translate(str.maketrans("⁻", "-"))))
