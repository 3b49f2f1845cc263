"""How a stated citation reads: its style, the brackets around it, the names before its year."""

import re
from collections.abc import Sequence

from veriscite.domain import MarkerStyle

_RAISED_LETTERS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹⁻,;-–—−‐‑()[] \u00a0")
_RAISED_DIGITS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20\d\d)[a-z]?(?!\d)|\bin press\b|\bn\.\s?d\.|\bforthcoming\b", re.I)
_BETWEEN = r"(?:[\s\[\](){},;&\-–—−‐‑.]|and\s|to\s)"
_NUMBERS = re.compile(
    rf"{_BETWEEN}{{0,8}}\d{{1,4}}[a-z]?(?:{_BETWEEN}{{1,8}}\d{{1,4}}[a-z]?){{0,200}}{_BETWEEN}{{0,8}}",
    re.IGNORECASE,
)
_NAME = (
    r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|ter|ten|zu|af|d|St)[.’'\s-]{1,2}){0,3}"
    r"[^\W\d_a-zß-öø-ÿ][\w’'\-‐]{0,40}(?:,?\s(?:[^\W\d_a-z]\.[\s-]?){1,3})?"
)
_AND = r"(?:\s{0,2},\s{0,2}(?:and\s|&\s|und\s)?|\s(?:and|&|und|et|y|e|och|en)\s)"
_OTHERS = (
    r"(?:,?\s(?:et\sal\b\.?|and\s(?:others|co-?workers|colleagues|coworkers)|u\.\s?a\.)(?:[’']s?)?|[’']s?)"
)
NAMES = rf"{_NAME}(?:{_AND}{_NAME}){{0,8}}{_OTHERS}?(?:[’']s?)?"
_NAMES_AT_END = re.compile(rf"(?<![\w’'-])({NAMES}),?\s{{0,2}}$")
_LEAD = (
    r"(?:see(?: also)?|e\.\s?g\.|i\.\s?e\.|cf\.?|but|and|or|also|for (?:a |an )?(?:recent )?"
    r"(?:reviews?|examples?|details?|overviews?)|for instance|for example|reviewed (?:in|by)|refs?\.?|"
    r"as (?:reviewed|shown|described|discussed|reported) (?:in|by)|in|by|data from|adapted from)"
)
_OPENING = re.compile(rf"([\[(])\s?(?:{_LEAD}[\s,:]{{1,3}}){{0,4}}$", re.IGNORECASE)
_CLOSING = re.compile(
    r"\s?(?:[,;]?\s?(?:and (?:the )?references? therein|and others|among others|for (?:a |an )?(?:recent )?"
    r"(?:reviews?|examples?|details?|overviews?)))?\s?([\])])",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:However|Moreover|Furthermore|Although|While|When|Where|In|As|Also|But|And|Since|By|For|From|See|With|"
    r"Thus|Therefore|Similarly|Recently|Here|Following|Unlike|Like|Both|After|Before|Because|If|That|The|These|"
    r"This|Those|Studies|Finally|First|Second|Third|To|At|On|More|Most|Earlier|Later|Then|Indeed|Notably|Work|"
    r"Interestingly|Importantly|Further|Additionally|Previously|Subsequently|Hence|Yet|Still|So|Using|Based)"
    r"(?:,\s|\s|$)(?:and\s)?"
)
_WINDOW = 220
_PAIRS = {"[": "]", "(": ")"}


def style_of(shown: str) -> MarkerStyle:
    """Tell how a citation reads (`³⁻⁵`, `[3]`, `Smith (2019)`)."""
    letters = set(shown)
    if letters & _RAISED_DIGITS and letters <= _RAISED_LETTERS:
        return MarkerStyle.SUPERSCRIPT
    if _NUMBERS.fullmatch(shown) and not _YEAR.search(shown):
        return MarkerStyle.NUMERIC
    return MarkerStyle.AUTHOR_YEAR


def has_names(shown: str) -> bool:
    """Whether a citation itself shows a name, not only years and letters of years."""
    return bool(re.search(r"[^\W\d_]{2,}", re.sub(r"(?i)in press|n\.\s?d\.|forthcoming", "", shown)))


def opened(text: str, start: int) -> int | None:
    """Return where the bracket opens that `start` stands in, within its paragraph; None if there is none."""
    depth = 0
    low = max(0, start - 2_000)
    for position in range(start - 1, low - 1, -1):
        character = text[position]
        if character == "\n":
            return None
        if character in ")]":
            depth += 1
        elif character in "([":
            if depth == 0:
                return position
            depth -= 1
    return None


def with_brackets(text: str, start: int, end: int, floor: int) -> tuple[int, int]:
    """Widen a citation to the brackets that hold nothing else but words like `see`.

    Args:
        text: The text.
        start: Where the citation begins.
        end: Where it ends.
        floor: Where the citation before ends: never widened beyond.
    """
    before = text[max(floor, start - _WINDOW) : start]
    opening = _OPENING.search(before)
    if opening is None:
        return start, end
    shown = text[start:end]
    # The bracket's end may be inside: `(<xref>Smith, 1990)</xref>`.
    inside = shown.count(")") + shown.count("]") > shown.count("(") + shown.count("[")
    closing = None if inside else _CLOSING.match(text, end)
    if not inside and (closing is None or closing.group(1) != _PAIRS[opening.group(1)]):
        return start, end
    return start - len(before) + opening.start(), end if closing is None else closing.end()


def names_before(text: str, start: int, floor: int, families: Sequence[str] = ()) -> int:
    """Return where the names begin that stand before a year; `start` where there are none.

    Args:
        text: The text.
        start: Where the year, or its bracket, begins.
        floor: Where the citation before ends.
        families: Names of the cited works' first authors: the names begin with one of them, if it is there.
    """
    window = text[max(floor, start - _WINDOW) : start]
    window = window[window.rfind("\n") + 1 :]
    match = _NAMES_AT_END.search(window)
    if match is None:
        return start
    names = match.group(1)
    at = match.start(1)
    known = [names.casefold().rfind(family.casefold()) for family in families if family]
    known = [position for position in known if position >= 0]
    if known:
        at += min(known)
    else:
        for _ in range(4):
            other = _NO_NAME.match(window, at)
            if other is None:
                break
            at = other.end()
    return start if not window[at:].strip() else start - len(window) + at
