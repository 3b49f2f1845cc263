"""The author part of an author-year marker: surnames, initials, et al., organisations."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veriscite.linking.text import APOSTROPHES, LETTER, PARTICLES, UPPER, name_key, name_keys, word_set

_A = re.escape(APOSTROPHES)
_WORD = rf"(?:[dDlL][{_A}])?{UPPER}(?:{LETTER}|[\u0300-\u036f]|[{_A}](?!s\b)(?={LETTER})|[-‐‑](?={LETTER}))*"
_PARTICLE = (
    r"(?:[Vv]an|[Vv]on|[Dd]er|[Dd]en|[Dd]e|[Dd]el|[Dd]ella|[Dd]i|[Dd]a|[Dd]os|[Dd]as|[Dd]u|[Ll]a|[Ll]e|"
    r"[Ee]l|al|[Tt]en|[Tt]er|zu[mr]?|bin|ibn|ben|af|av|y|'t|[Ss]t\.)"
)
_FAMILY = re.compile(
    rf"^(?:{_PARTICLE}\s)*(?:{_PARTICLE}-)?{_WORD}(?:\s(?:{_PARTICLE}\s)*{_WORD}){{0,3}}(?:\s(?:Jr|Sr|"
    rf"I{{2,3}}|IV)\.?)?$"
)
_INITIALS = rf"(?:{UPPER}\.[\s\-‐]?){{1,4}}"
_INITIALS_FIRST = re.compile(rf"^({_INITIALS})\s*(?=\S)")
_INITIALS_LAST = re.compile(rf"\s((?:{UPPER}\.\s?){{1,4}}|{UPPER}{{1,3}})$")
_ONLY_INITIALS = re.compile(rf"^(?:{UPPER}\.?[\s\-]?){{1,4}}$")
ET_AL = re.compile(
    r"[,\s]*(?:\bet\.?\s*al\b\.?|(?<=[^\W\d_]{2})et\sal\.|\bet\s+coll\b\.?|(?:\band|&)\s(?:his\s|"
    r"her\s|their\s)?(?:colleagues|co-?workers|"
    r"collaborators|associates|others|co-?authors|team)\b)",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"\s*(?:[,;]\s*(?:and\b|&|und\b)?|&|\band\b|\bund\b|\bwith\b|(?<=\s)(?:et|y|e)(?=\s))\s*")
_POSSESSIVE = re.compile(rf"[{_A}]s?$")
_BRACKETED = re.compile(r"\s*[\[(]([A-Z][\w&.\-]{1,12})(?:[;,][^\[\]()]{0,40})?[\])]\s*$")
_LOWER_WORD = re.compile(r"(?:^|(?<=[\s(\"“]))[a-zà-öø-ÿ][^\s]*")
_PREFIX = re.compile(
    r"^(?:[\s,:;(]*(?:see(?:\s+also)?|also|but(?:\s+see)?|e\.?\s?g\.?,?|i\.e\.?,?|cf\.?|"
    r"for\s+(?:an?\s+)?(?:recent\s+)?"
    r"(?:reviews?|examples?|details?|overviews?|instance)[,:]?(?:\s+see)?|reviewed\s+(?:in|by)|"
    r"as\s+in|in|by|from|"
    r"following|after|and|compare|contra|source:?|modified\s+(?:from|after)|adapted\s+(?:from|after)|"
    r"data\s+from|"
    r"per|according\s+to|the|what|respectively|as\s+(?:reviewed|shown|described|cited|discussed|"
    r"suggested)\s+(?:in|by)|"
    r"(?:as\s+)?cited\s+(?:in|by)|(?:as\s+)?quoted\s+(?:in|by))[\s,:]+)+",
    re.IGNORECASE,
)
SECONDARY = re.compile(
    r"\b(?:(?:as\s+)?(?:cited|quoted|mentioned|reported|reproduced|reprinted|referenced)\s+(?:in|by|"
    r"from)|apud|zit\.\s+n(?:ach|\.))\b",
    re.IGNORECASE,
)

_MONTHS = (
    "january february march april may june july august september october november december jan feb "
    "mar apr jun jul "
    "aug sep sept oct nov dec spring summer autumn fall winter monday tuesday wednesday thursday "
    "friday saturday sunday"
)
NOT_NAMES = word_set(
    _MONTHS + " "
    "table tables figure figures fig figs section equation eq chapter appendix version supplementary "
    "supplement "
    "study trial experiment phase model algorithm theorem lemma part volume no nr vol copyright "
    "since until before "
    "after during between early late mid in on at by the a an we this these those it as for from to "
    "of but however "
    "moreover although while when where if and or both here there our their his her its with more "
    "all most since "
    "year years grant award inc ltd llc gmbh corp usa uk ref refs reference references"
)
"""Words that look like surnames by their capital, and are none; a surname `May` is found by the list."""


@dataclass(frozen=True, slots=True)
class Name:
    """A surname as the marker writes it, with initials if it gives any (`J. T. Brandt`)."""

    family: str
    initials: str = ""

    def keys(self) -> frozenset[str]:
        """Return the spellings to look it up by."""
        keys = set(name_keys(self.family))
        words = self.family.split()
        if len(words) > 1:
            keys |= name_keys(words[-1])
        return frozenset(keys)


@dataclass(frozen=True, slots=True)
class Form:
    """The author part of a marker.

    Attributes:
        names: In the order written.
        et_al: Whether it ends in "et al." or the like.
        whole: The part as one string, for organisations.
        short: A bracketed short form that it defines (`[WHO]`).
        start: Offset of the first name in the text that was parsed.
    """

    names: tuple[Name, ...]
    et_al: bool
    whole: str
    short: str = ""
    start: int = 0

    @property
    def looks_like_names(self) -> bool:
        """Whether every name has the shape of one, and none is a month or the like."""
        return bool(self.names) and all(
            _FAMILY.match(n.family) and name_key(n.family) not in NOT_NAMES for n in self.names
        )

    @property
    def strong(self) -> bool:
        """Whether the form alone says that these are authors."""
        return self.looks_like_names and (self.et_al or len(self.names) > 1)


def parse_names(text: str) -> Form | None:
    """Read the author part of a parenthetical marker.

    Args:
        text: What stands before the year, back to the group's start or to the item before.

    Returns:
        None if there is no name in it.
    """
    body = text.rstrip(" \t\n\r,:(")
    short = ""
    if bracketed := _BRACKETED.search(body):
        short = bracketed[1]
        body = body[: bracketed.start()]
    start = 0
    if prefix := _PREFIX.match(body):
        start = prefix.end()
    while start < len(body) and body[start] in ' \t\n\r,;:("“':
        start += 1
    whole = _strip_possessive(body[start:])
    cut = _after_lower_words(body, start)
    form = _form(body[cut:], whole, short, cut)
    if form is None and whole and any(c.isupper() for c in whole):
        return Form((), False, whole, short, start)
    return form


def _after_lower_words(body: str, start: int) -> int:
    """Return where the names begin: past the last word in lower case that is no part of a name list."""
    cut = start
    for m in _LOWER_WORD.finditer(body, start):
        word = m[0].rstrip(".,;:'’")
        if word in PARTICLES or word in _CONNECTORS or body[: m.start()].rstrip().endswith(("&", " and")):
            continue
        if ET_AL.match(body, m.start()):
            continue
        cut = m.end()
    while cut < len(body) and body[cut] in ' \t\n\r,;:("“':
        cut += 1
    return cut


_CONNECTORS = word_set(
    "and et al und with colleagues coworkers co-workers collaborators associates others co-authors "
    "coauthors team "
    "his her their"
)


def _form(text: str, whole: str, short: str, start: int) -> Form | None:
    et_al = False
    if m := ET_AL.search(text):
        et_al = True
        text = text[: m.start()]
    names: list[Name] = []
    for chunk in _SPLIT.split(text.strip()):
        name = _strip_possessive(chunk.strip(' \t\n\r.,:"“”*_'))
        if not name:
            continue
        if _ONLY_INITIALS.match(chunk.strip()) and names and not names[-1].initials and "." in chunk:
            names[-1] = Name(names[-1].family, _letters(chunk))
            continue
        names.append(_name(name))
    if not names:
        return None
    return Form(tuple(names), et_al, whole, short, start)


def _name(text: str) -> Name:
    if m := _INITIALS_FIRST.match(text):
        return Name(text[m.end() :].strip(), _letters(m[1]))
    if (m := _INITIALS_LAST.search(text)) and m.start() > 1:
        return Name(text[: m.start()].strip(), _letters(m[1]))
    return Name(text)


def _letters(initials: str) -> str:
    return "".join(c for c in initials if c.isalpha()).casefold()


def _strip_possessive(text: str) -> str:
    return _POSSESSIVE.sub("", text.strip())


_TOKEN = re.compile(r"[^\s,;&]+|[,;&]")
_WINDOW = 180
_SMALL = word_set("of for on the in")


def names_before(text: str, end: int, floor: int) -> Iterator[tuple[Form, int, int]]:
    """Offer readings of the names that end at `end`, the longest first.

    Args:
        text: Masked text.
        end: Just past the names (and their possessive).
        floor: Where to look back no further: the start of the paragraph, the end of the marker before.

    Yields:
        The form, and the offsets of its first and past its last character.
    """
    while end > floor and text[end - 1].isspace():
        end -= 1
    low = max(floor, end - _WINDOW)
    tokens = [(m.start(), m.end()) for m in _TOKEN.finditer(text, low, end)]
    if low > floor and tokens and not text[low - 1].isspace():
        tokens = tokens[1:]
    first = len(tokens)
    for i in range(len(tokens) - 1, -1, -1):
        if not _may_be_in_names(text[tokens[i][0] : tokens[i][1]], last=i == len(tokens) - 1):
            break
        first = i
    for i in range(first, len(tokens)):
        word = text[tokens[i][0] : tokens[i][1]]
        if not (word[0].isalpha() or word[0] in "'’") or word.lower() in _CONNECTORS | _SMALL:
            continue
        whole = _strip_possessive(text[tokens[i][0] : end])
        form = _form(text[tokens[i][0] : end], whole, "", 0)
        if form is not None:
            yield form, tokens[i][0], end


def _may_be_in_names(word: str, *, last: bool) -> bool:
    bare = _POSSESSIVE.sub("", word).rstrip(".'’")
    if word in ",&":
        return not last
    if word == ";":
        return False
    if word.endswith((":", "?", "!", ")", "]")) or (word.endswith(".") and len(bare) > 3 and not last):
        return False
    if any(c.isdigit() for c in word):
        return False
    low = bare.lower()
    if low in _CONNECTORS:
        return True
    if low in PARTICLES or (low in _SMALL and not last):
        return True
    return bare[:1].isupper() or (bool(bare) and bare[0].isalpha() and not bare[0].islower())
