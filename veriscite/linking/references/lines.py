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
_STRONG_START = re.compile(
    rf"(?:{_FAMILY}(?:,?\s(?:Jr|Sr|I{{2,3}})\.?)?,\s{{1,2}}{UPPER}(?:\.|{LETTER}{{2,}})"
    rf"|{_FAMILY},?\s{{1,2}}{UPPER}{{1,3}}(?:[,.:;]|\s(?:and|&|\())"
    rf"|{_INITIALS}\s?{_FAMILY}(?:,|\s(?:and|&)|\.|:)"
    rf"|{_NAME}(?:\s{_NAME}){{1,3}}(?:,\s{{1,2}}{UPPER}|\s(?:and|&)\s{UPPER}|\.\s)"
    rf"|{UPPER}[^.()]{{2,80}}\.?\s\(?{YEAR}[a-z]?\)?[.,:]"
    rf"|{UPPER}[^.()]{{2,80}}\.?\s\((?:n\.\s?d\.|in press|forthcoming)"
    r"|[—–_\-]{2,}|[―⸺⸻]|———)"
)
_WEAK_START = re.compile(rf"[\"“‘«]?{UPPER}")
_NO_START = re.compile(
    r"[a-zà-öø-ÿ]|\d|[,.;:)\]&(]|(?:pp?|vol|no|doi|https?|www|In|ISBN|Available|Retrieved|Accessed|"
    r"PMID|and|Proceedings|"
    r"Press|Journal|University|Springer|Elsevier|Wiley|CrossRef|Crossref|Medline|PubMed|Google)\b",
)


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line end.

    Attributes:
        start: Offset of its first character in the list.
        indent: Width of the white space that it begins with, a tab as eight.
        blank_before: Whether a blank line stands before it.
    """

    start: int
    end: int
    text: str
    indent: int
    blank_before: bool

    @property
    def begins_like_entry(self) -> int:
        """How its beginning speaks for a new entry: 2 strongly (an author), 1 weakly, 0 not, -4 against."""
        body = self.text.lstrip()
        if _STRONG_START.match(body):
            return 2
        if _NO_START.match(body):
            return -4
        return 1 if _WEAK_START.match(body) else 0


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
