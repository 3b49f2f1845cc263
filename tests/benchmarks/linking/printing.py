"""A tagged reference as a journal prints it.

A `<mixed-citation>` with its own punctuation is printed as it stands. One that is only fields (an
`<element-citation>`, or a `<mixed-citation>` without punctuation) is put together in one of four usual
ways: by number, as Vancouver or as IEEE prints it; by name, as APA prints it or with initials after the
names. The number is the printed label where there is one.
"""

import re
from xml.etree import ElementTree as etree

from tests.benchmarks.linking.scoring import fold

_CITATIONS = ("mixed-citation", "element-citation", "citation", "nlm-citation", "product")
_PEOPLE = ("name", "string-name", "collab")
_RUNNING = ("italic", "bold", "sup", "sub", "sc", "underline")
_SPACE = re.compile(r"\s+")


def _text(node: etree.Element | None) -> str:
    return fold("".join(node.itertext())) if node is not None else ""


def label_of(ref: etree.Element) -> str | None:
    """Return the label as printed in the list, if there is one."""
    return _text(ref.find("label")) or _text(ref.find("*/label")) or None


def print_reference(ref: etree.Element, *, numeric: bool, number: str | None, style: bool) -> str:
    """Print one `<ref>` on one line.

    Args:
        ref: The element.
        numeric: Whether the article cites by number.
        number: What stands before the entry, if anything does; a bare number gets a full stop.
        style: Which of the two ways of its kind.
    """
    citations = [c for c in ref if c.tag in _CITATIONS] or [c for c in ref.iter() if c.tag in _CITATIONS]
    printed = "; ".join(filter(None, (_one(c, numeric, style) for c in citations))) or _text(ref)
    if number is None:
        return printed
    return f"{number}. {printed}" if number.isdigit() else f"{number} {printed}"


def _one(citation: etree.Element, numeric: bool, style: bool) -> str:
    if _has_punctuation(citation):
        return fold(_as_it_stands(citation))
    fields = _Fields(citation)
    if numeric:
        return fields.vancouver() if style else fields.ieee()
    return fields.apa() if style else fields.initials_after()


def _has_punctuation(citation: etree.Element) -> bool:
    if citation.tag != "mixed-citation":
        return False
    between = [citation.text or "", *((child.tail or "") for child in citation)]
    return sum(any(c in ".,;:()" for c in t) for t in between) >= 2


def _as_it_stands(node: etree.Element) -> str:
    """Return an element's text; what abuts in the file (names, and a name's parts) a journal sets apart."""
    pieces = [node.text or ""]
    before: etree.Element | None = None
    for child in node:
        if not isinstance(child.tag, str) or child.tag == "label":
            pieces.append(child.tail or "")
            continue
        text = _as_it_stands(child)
        if before is not None and not before.tail and text and before.tag not in _RUNNING:
            pieces.append(", " if before.tag == child.tag and child.tag in _PEOPLE else " ")
        pieces += [text, child.tail or ""]
        before = child
    return "".join(pieces)


class _Fields:
    """The fields of an `<element-citation>`, and the ways to print them."""

    def __init__(self, c: etree.Element) -> None:
        groups = c.findall("person-group")
        authors = [g for g in groups if g.get("person-group-type") in (None, "author")] or groups[:1]
        people = [p for g in authors for p in g] or [
            p for p in c if p.tag in ("name", "collab", "string-name")
        ]
        if authors and not any(p.tag in ("name", "collab", "string-name") for p in people):
            self.names = [(_text(authors[0]), "")]
        else:
            self.names = [_name(p) for p in people if p.tag in ("name", "collab", "string-name")]
        if not self.names:
            self.names = [(_text(p), "") for p in c.findall("collab")]
        self.et_al = any(g.find("etal") is not None for g in authors) or c.find("etal") is not None
        self.title = (
            _text(c.find("article-title")) or _text(c.find("chapter-title")) or _text(c.find("data-title"))
        )
        self.source = _text(c.find("source"))
        self.year = _text(c.find("year"))
        self.volume, self.issue = _text(c.find("volume")), _text(c.find("issue"))
        first, last = _text(c.find("fpage")) or _text(c.find("elocation-id")), _text(c.find("lpage"))
        self.pages = f"{first}–{last}" if first and last and first != last else first
        publisher = [_text(c.find("publisher-loc")), _text(c.find("publisher-name"))]
        self.publisher = ": ".join(filter(None, publisher))
        doi = next((_text(i) for i in c.findall("pub-id") if i.get("pub-id-type") == "doi"), "")
        self.doi = f"doi:{doi}" if doi else ""
        self.link = (
            "" if doi else next((t for e in c.findall("ext-link") if (t := _text(e)).startswith("http")), "")
        )

    def vancouver(self) -> str:
        names = ", ".join(f"{f} {_initials(g)}".strip() for f, g in self.names) + (
            ", et al" if self.et_al else ""
        )
        when = self.year
        if self.volume:
            when += f";{self.volume}" + (f"({self.issue})" if self.issue else "")
        if self.pages:
            when += f":{self.pages}"
        return _sentences(names, self.title, self.source, self.publisher, when, self.doi, self.link)

    def ieee(self) -> str:
        people = [f"{_initials(g, '. ')} {f}".strip() for f, g in self.names]
        names = people[0] if people else ""
        if len(people) > 1:
            names = ", ".join(people[:-1]) + (", " if len(people) > 2 else " ") + f"and {people[-1]}"
        if self.et_al:
            names = ", ".join(people) + " et al."
        title = f"“{self.title},”" if self.title else ""
        head = ", ".join(filter(None, (names, title)))
        head += (" " if title else ", " if head else "") + self.source if self.source else ""
        rest = [
            f"vol. {self.volume}" if self.volume else "",
            f"no. {self.issue}" if self.issue else "",
            f"pp. {self.pages}" if self.pages else "",
            self.publisher,
            self.year,
            self.doi,
            self.link,
        ]
        return ", ".join(filter(None, (head, *rest))).rstrip(".") + "."

    def apa(self) -> str:
        people = [f"{f}, {_initials(g, '. ')}".strip(", ") for f, g in self.names]
        names = ", ".join(people)
        if len(people) > 1 and not self.et_al:
            names = f"{', '.join(people[:-1])}, & {people[-1]}"
        if self.et_al:
            names += ", et al."
        where = self.source
        if self.volume:
            where += f", {self.volume}" + (f"({self.issue})" if self.issue else "")
        if self.pages:
            where += f", {self.pages}"
        head = f"{names} ({self.year})" if self.year else names
        return _sentences(head, self.title, where, self.publisher, self.doi, self.link)

    def initials_after(self) -> str:
        names = ", ".join(f"{f} {_initials(g)}".strip() for f, g in self.names) + (
            ", et al" if self.et_al else ""
        )
        where = f"{self.source} {self.volume}".strip() + (f":{self.pages}" if self.pages else "")
        return _sentences(names, self.year, self.title, where, self.publisher, self.doi, self.link)


def _name(person: etree.Element) -> tuple[str, str]:
    if person.tag == "collab" or person.find("surname") is None:
        return _text(person), ""
    given = " ".join(filter(None, (_text(person.find("given-names")), _text(person.find("suffix")))))
    return _text(person.find("surname")), given


def _initials(given: str, after: str = "") -> str:
    """Return `AB`, or `A. B.` with `after='. '`; what are initials already stays."""
    parts = [p for p in re.split(r"[\s.]+", given) if p]
    letters = [p if p.isupper() or p in ("Jr", "Sr") else p[0] for p in parts]
    if not after:
        return "".join(letters[:1]) + "".join(p if len(p) == 1 else f" {p}" for p in letters[1:])
    spread = [c for p in letters for c in (p if p.isupper() and len(p) <= 3 else [p])]
    return after.join(spread).strip() + after.rstrip() if spread else ""


def _sentences(*parts: str) -> str:
    kept = [p.strip() for p in parts if p.strip()]
    return " ".join(p if p.endswith((".", "?", "!")) else f"{p}." for p in kept)
