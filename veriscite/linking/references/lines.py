"""Lines of a reference list with their offsets, and what their beginnings tell."""

import re
from dataclasses import dataclass

from veriscite.linking.text import LETTER, UPPER

YEAR = r"(?:1[5-9]\d\d|20\d\d)"
DATED = re.compile(
    rf"(?<!\d){YEAR}[a-z]?(?![\d])|\bn\.\s?d\.|\bin press\b|\bforthcoming\b|\bto appear\b|\bsubmitted\b",
    re.IGNORECASE,
)
_NAME = rf"{UPPER}(?:{LETTER}|['’\-‐])*"
_PARTICLE = (
    r"(?:[Vv]an|[Vv]on|[Dd]e[rnls]?|[Dd]ella|[Dd]i|[Dd]a|[Dd]os|[Dd]u|[Ll]a|[Ll]e|[Ee]l|[Aa]l|[Tt]e[nr]|"
    r"zu[mr]?|bin|ibn|[’']t|St\.?|Mc|Mac|O['’])"
)
_FAMILY = rf"(?:{_PARTICLE}[\s\-]){{0,3}}{_NAME}(?:[\s\-]{_NAME}){{0,2}}"
_INITIALS = rf"(?:{UPPER}\.?[\s\-‐]?){{1,4}}"
_SHAPES = {
    "family, initials": rf"{_FAMILY}(?:,?\s(?:Jr|Sr|I{{2,3}})\.?)?,\s{{1,2}}{UPPER}(?:\.|{LETTER}{{2,}})",
    "family initials": rf"{_FAMILY},?\s{{1,2}}{UPPER}{{1,3}}(?:[,.:;]|\s(?:and|&|et|\())",
    "initials family": rf"{_INITIALS}\s?{_FAMILY}(?:,|\s(?:and|&|et|und)\b|\.|:)",
    "given family": (
        rf"{_NAME}(?:\s{UPPER}\.|\s{_NAME}){{1,3}}(?:,\s{{1,2}}{UPPER}|\s(?:and|&|et|und)\s{UPPER}|\.\s)"
    ),
    "words, year": (
        rf"{UPPER}[^.()]{{2,80}}\.?\s(?:\(?{YEAR}[a-z]?\)?[.,:]|\({YEAR}[a-z]?\)|"
        rf"\((?:n\.\s?d\.|in press|forthcoming))"
    ),
    "body": (
        rf"(?:The\s)?{UPPER}[\w&\-]*(?:\s(?:of|for|the|and|on|&|{UPPER}[\w&\-]*)){{0,6}}\s"
        r"(?:Collaboration|Consortium|Group|Team|Association|Organi[sz]ation|Institutes?|Committee|Council|"
        r"Society|Ministry|Agency|Foundation|Commission|Bureau|Office|Network|Initiative)\b"
    ),
    "dash": r"[—–_\-]{2,}|[―⸺⸻]|———",
}
"""The ways in which an entry may open; an opening of none of them may still be one."""

_SHAPE = re.compile("|".join(f"(?P<s{n}>{shape})" for n, shape in enumerate(_SHAPES.values())))
_SHAPE_NAMES = {f"s{n}": name for n, name in enumerate(_SHAPES)}
_NO_AUTHOR = re.compile(
    r"(?:CrossRef|Crossref|Medline|PubMed|Google|Web of|PMID|PMCID|PMC\d|ISBN|ISSN|DOI|URL|Available|"
    r"Retrieved|Accessed|In|Proceedings|Proc|Press|Journal|University|Springer|Elsevier|Wiley|Computational)\b"
)
_WEAK_START = re.compile(rf"[\"“‘«]?{UPPER}")
_NO_START = re.compile(
    r"[a-zà-öø-ÿ]|\d|[,.;:)\]&(]|(?:pp?|vol|no|doi|DOI|https?|www|URL|In|ISBN|ISSN|Available|Retrieved|Accessed|"
    r"PMID|PMCID|PMC\d+|and|Proceedings|"
    r"Press|Journal|University|Springer|Elsevier|Wiley|CrossRef|Crossref|Medline|PubMed|Google)\b",
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line end.

    Attributes:
        start: Offset of its first character in the list.
        indent: Width of the white space that it begins with, a tab as eight.
        blank_before: Whether a blank line stands before it.
        broken: Whether a line end stands before it; False for a part of a longer line.
    """

    start: int
    end: int
    text: str
    indent: int
    blank_before: bool
    broken: bool = True

    @property
    def begins_like_entry(self) -> int:
        """How its beginning speaks for a new entry: 2 strongly (an author), 1 weakly, 0 not, -4 against."""
        if self.shape:
            return 2
        body = self.text.lstrip()
        if _NO_START.match(body):
            return -4
        return 1 if _WEAK_START.match(body) else 0

    @property
    def shape(self) -> str | None:
        """The way of opening an entry that its beginning has: a name and initials, a dash, ..."""
        body = self.text.lstrip()
        m = None if _NO_AUTHOR.match(body) else _SHAPE.match(body)
        return _SHAPE_NAMES[m.lastgroup] if m and m.lastgroup else None


def lines_of(text: str) -> list[Line]:
    """Return the lines of `text` that hold something."""
    lines: list[Line] = []
    at = 0
    blank = False
    for raw in text.split("\n"):
        body = raw.strip()
        if body:
            margin = raw[: len(raw) - len(raw.lstrip())].expandtabs(8)
            lines.append(Line(at, at + len(raw), raw, len(margin), blank))
            blank = False
        else:
            blank = True
        at += len(raw) + 1
    return lines


_LONG = 220
"""A line of print is hardly ever longer: one that is holds several lines, or entries."""
_CUT = re.compile(
    r"(?:(?<![\s.\-][^\W\d_a-z])[.]|[);\]\d\"”/]|CrossRef|Crossref|Medline|PubMed|Scholar|Science|"
    r"submitted|in press|preparation|https?://[^\s]{1,300})[ \t]{1,4}(?=[^\w\s]{0,2}[^\W\d_])"
)


def pieces_of(text: str) -> list[Line]:
    """Return the lines of `text`, long ones cut where another entry may open."""
    pieces: list[Line] = []
    for line in lines_of(text):
        if len(line.text) <= _LONG or len(DATED.findall(line.text)) < 2:
            pieces.append(line)
            continue
        at = 0
        for m in _CUT.finditer(line.text):
            if m.end() - at < 15 or _NO_AUTHOR.match(line.text, m.end()):
                continue
            if _SHAPE.match(line.text, m.end()):
                pieces.append(_part(line, at, m.end()))
                at = m.end()
        pieces.append(_part(line, at, len(line.text)))
    return pieces


def _part(line: Line, start: int, end: int) -> Line:
    return Line(
        line.start + start,
        line.start + end,
        line.text[start:end],
        line.indent,
        line.blank_before and not start,
        broken=not start,
    )
