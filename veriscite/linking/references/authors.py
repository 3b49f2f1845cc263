"""The authors at the head of an entry: inverted or direct, initials or full names, organisations, dashes."""

import re
from dataclasses import dataclass

from veriscite.domain import Author
from veriscite.linking.text import LETTER, PARTICLES, UPPER, word_set

_APOS = "'’‘ʼ´`"
_PARTICLE = (
    r"(?:[Vv]an|[Vv]on|[Vv]om|[Dd]er|[Dd]en|[Dd]e|[Dd]el|[Dd]ella|[Dd]ello|[Dd]i|[Dd]a|[Dd]os|[Dd]as|"
    r"[Dd]o|[Dd]u|[Dd]es|"
    r"[Ll]a|[Ll]e|[Ll]os|[Ee]l|[Aa]l|[Tt]en|[Tt]er|[Tt]e|[Zz]u|[Zz]um|[Zz]ur|[Bb]in|[Ii]bn|[Bb]en|"
    r"[Aa]f|[Aa]v|[Yy]|"
    r"’t|'t|St\.?|Mc|Mac|San|Santa)"
)
_UPWORD = (
    rf"(?:[dDlLO][{_APOS}])?{UPPER}(?:{LETTER}|[\u0300-\u036f]|[{_APOS}](?={LETTER})|[-‐‑](?={LETTER}))+"
)
_SUFFIX = r"(?:,?\s(?:Jr|Sr|II|III|IV|[23]rd|2nd)\b\.?)"
_FAMILY = (
    rf"(?:{_PARTICLE}[\s\-]){{0,3}}(?:[dDlL][{_APOS}])?{_UPWORD}(?:(?:\s|"
    rf"-)(?:{_PARTICLE}\s)?{_UPWORD}){{0,2}}"
)
_SHORT_FAMILY = rf"(?:{_PARTICLE}[\s\-]){{0,3}}(?:[dDlL][{_APOS}])?{_UPWORD}"
_SHORT_GIVEN = "(?:Md|Th|Ch|Chr|Yu|Ya|Ju|Wm|Ph|Sh|Zh|Kh|Ts|Fr|Ks|Jr|Fz)"
_DOTTED = rf"(?:{UPPER}[a-z]?\.(?:\s?[-‐‑]?\s?)){{1,5}}"
_PLAIN = rf"{UPPER}(?:[-‐]?{UPPER}){{0,3}}"

_END = r"(?=\s*(?:[,;:.&/(\[“\"‘«]|\band\b|\bAND\b|\bund\b|\by\b|\bet\b|\be\b|$|\d{4}))"
_INVERTED = re.compile(rf"(?P<family>{_FAMILY}{_SUFFIX}?),\s?(?P<given>{_DOTTED}|{_PLAIN}\b\.?){_SUFFIX}?")
_NO_COMMA = re.compile(
    rf"(?P<family>{_FAMILY}{_SUFFIX}?)\s(?P<given>(?:{UPPER}\.[\s\-‐]?){{1,4}}|"
    rf"{_PLAIN}(?![\w’'])\.?){_SUFFIX}?{_END}"
)
_DIRECT = re.compile(
    rf"(?P<given>(?:(?:{UPPER}|{_SHORT_GIVEN})\.[\s\-‐‑]*|"
    rf"{_PLAIN}\s(?={_SHORT_FAMILY}[,;.:]?))+(?:{_UPWORD}\s(?={_UPWORD}|{_PARTICLE}\s)){{0,2}})"
    rf"(?P<family>{_SHORT_FAMILY}(?:-{_UPWORD})?){_SUFFIX}?{_END}"
)
_DIRECT_FULL = re.compile(
    rf"(?P<given>{_UPWORD}(?:\s(?:{_UPWORD}|{UPPER}\.)){{0,2}})\s(?P<family>{_SHORT_FAMILY}){_SUFFIX}?{_END}"
)
_INVERTED_FULL = re.compile(
    rf"(?P<family>{_FAMILY}),\s(?P<given>{_UPWORD}(?:\s(?:{_UPWORD}|"
    rf"{UPPER}\.?(?!\w))){{0,2}}){_SUFFIX}?{_END}"
)
_BRACKETED_GIVEN = re.compile(
    rf"(?P<family>{_FAMILY})\s\((?P<given>{_DOTTED}|{_UPWORD}(?:\s{_UPWORD}|\s{UPPER}\.)?)\){_END}"
)
_ONE_ET_AL = re.compile(rf"(?P<family>{_SHORT_FAMILY})(?P<given>)(?=,?\s+et\.?\s?al\b)")
_CASELESS = re.compile(
    r"(?P<family>[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,4})(?P<given>)(?=[,，、;；.．:：\s]|$)"
)
_DASH = re.compile(r"(?:[—–―⸺⸻_]{2,}|-{3,}|—)(?=[\s.,;])")
_SEPARATOR = re.compile(
    r"\s*(?:[,;，、；/]\s*(?:and\b|AND\b|&|und\b|y\b|et\b(?!\s+al))?|\band\b|\bAND\b|&|\bund\b|\by\b|"
    r"\be\b|\bet\b(?!\s+al)|\bwith\b)\s*\.{0,3}\s*"
)
_ET_AL = re.compile(
    r"[\s,;]*(?:(?:and|&)?\s*\bet\.?\s?al\b\.?|(?:and|&)\s+(?:\d+\s+)?(?:others|co-?workers|"
    r"colleagues)\b\.?|\bu\.\s?a\.|…|等)",
    re.IGNORECASE,
)
_EDITORS = re.compile(r"[\s,]*\(?\b(?:[Ee]ds?|[Hh]rsg|[Ee]ditors?|[Cc]omps?|coords?|orgs?)\b\.?\)?[.,:]?")
_CORPORATE_WORD = re.compile(
    r"\b(?:Organi[sz]ations?|Institut\w*|Associations?|Committees?|Groups?|Cent(?:er|re)s?|Societ(?:y|"
    r"ies)|Councils?|"
    r"Agenc(?:y|ies)|Departments?|Ministr(?:y|ies)|Universit\w+|Offices?|Panel|Collaborations?|"
    r"Consorti(?:um|a)|Team|"
    r"Commissions?|Foundations?|Networks?|Initiatives?|Federations?|Bureau|Services?|Authorit(?:y|"
    r"ies)|Boards?|"
    r"Academ(?:y|ies)|Colleges?|Inc|Ltd|GmbH|Bank|Union|Nations|Investigators|Task Force|"
    r"Program(?:me)?|Alliance|"
    r"Project|Corporation|Company|Laborator(?:y|ies)|Administration|Survey|Secretariat|Parliament|"
    r"Statistics|WHO|"
    r"UNESCO|OECD|IPCC|FAO|NASA|CDC|FDA|EPA|NICE|IEEE|ISO)\b"
)
_WORD_END = re.compile(r"\.\s|[:(\[“\"]|,\s|$")


@dataclass(frozen=True, slots=True)
class AuthorList:
    """The authors at the head of an entry.

    Attributes:
        end: Offset just past them (and past "et al." or "(Eds.)").
        repeated: How many dashes stand for authors of the entry before, at the head of the list.
        alone: Whether one dash stands for all of them.
    """

    authors: tuple[Author, ...]
    end: int
    et_al: bool = False
    repeated: int = 0
    alone: bool = False


_SUFFIXES = word_set("Jr Sr Jr. Sr. II III IV")
_FAMILIES = {
    "inverted": (_INVERTED, _DIRECT, _NO_COMMA),
    "no_comma": (_NO_COMMA, _INVERTED),
    "direct": (_DIRECT, _DIRECT_FULL),
    "inverted_full": (_INVERTED_FULL, _INVERTED, _DIRECT_FULL, _DIRECT),
    "direct_full": (_DIRECT_FULL, _DIRECT),
    "bracketed": (_BRACKETED_GIVEN,),
    "one": (_ONE_ET_AL,),
    "caseless": (_CASELESS,),
}
_NAME_NEXT = re.compile(rf"\.?\s{_SHORT_FAMILY}(?:\.\s|,\s|:\s|\s(?:and|&)\s(?={UPPER})|;|\s\(|\.?$)")
_JOURNAL_AND_YEAR = re.compile(r"\s*(?:[A-Z][\w.]*\s){1,6}\(?(?:1[5-9]|20)\d\d")
# "Chen, Nano Lett. 2010": a journal has begun.
_JOURNAL_WORDS = word_set("Lett Chem Phys Rev Sci Soc Int Proc Trans Acta Biol Med Res Mater Ed")
_MAX_AUTHORS = 3_000


def parse_authors(text: str) -> AuthorList:
    """Read the authors that an entry begins with.

    Args:
        text: The entry on one line, without label.

    Returns:
        No authors and `end` 0 where it does not begin with names.
    """
    at, repeated = _dashes(text)
    authors: list[Author] = []
    if repeated:
        separator = _SEPARATOR.match(text, at)
        patterns: tuple[re.Pattern[str], ...] = (_INVERTED, _DIRECT, _DIRECT_FULL)
        if not separator:
            return AuthorList((), _after(text, at), repeated=repeated, alone=repeated == 1)
        begin = separator.end()
    else:
        shape = _shape(text)
        if shape is None:
            return _organisation(text)
        patterns = _FAMILIES[shape]
        begin = 0
    end = at
    while len(authors) < _MAX_AUTHORS:
        m = _first_match(patterns, text, begin)
        if m is None:
            break
        if m["family"] in _JOURNAL_WORDS:
            break
        authors.append(_author(m))
        end = m.end()
        separator = _SEPARATOR.match(text, end)
        if not separator or _ET_AL.match(text, end):
            break
        begin = separator.end()
    et_al = bool(_ET_AL.match(text, end))
    return AuthorList(tuple(authors), _after(text, end), et_al, repeated)


def _after(text: str, end: int) -> int:
    if et_al := _ET_AL.match(text, end):
        end = et_al.end()
    if editors := _EDITORS.match(text, end):
        end = editors.end()
    return end


def _dashes(text: str) -> tuple[int, int]:
    at = count = 0
    while m := _DASH.match(text, at):
        count += 1
        end = m.end()
        more = re.compile(r"[\s,]+(?=[—–―⸺⸻_\-]{2,})").match(text, end)
        at = more.end() if more else end
        if not more:
            break
    return at, count


def _shape(text: str) -> str | None:
    """Decide how the names are written from the first of them, and from the second where that helps."""
    if _CASELESS.match(text):
        return "caseless"
    if _INVERTED.match(text):
        return "inverted"
    if _DIRECT.match(text):
        return "direct"
    if _ONE_ET_AL.match(text):
        return "one"
    if _BRACKETED_GIVEN.match(text):
        return "bracketed"
    if (m := _NO_COMMA.match(text)) and not _reads_as_full_name(text, m):
        # "World Health O" cannot be told from a name; words of organisations can.
        return None if _CORPORATE_WORD.search(m["family"]) else "no_comma"
    full, direct = _INVERTED_FULL.match(text), _DIRECT_FULL.match(text)
    if direct and _CORPORATE_WORD.search(_head(text)):
        direct = None
    if full and not _CORPORATE_WORD.search(full[0]):
        words = len([w for w in full["family"].split() if w.lower() not in PARTICLES])
        two_by_two = words >= 2 and len(full["given"].split()) >= 2
        if not two_by_two and not _reads_as_title(text, full):
            return "inverted_full"
    if direct and _ends_as_names(text, direct):
        return "direct_full"
    return None


def _reads_as_full_name(text: str, m: re.Match[str]) -> bool:
    """Tell `Sarita V. Adve. Using` (a full name) from `Aker P. Dunes that walk` (initials and title)."""
    if " " in m["family"] or not (following := _NAME_NEXT.match(text, m.end("given"))):
        return False
    if following[0].isupper() and not m["family"].isupper():
        return False
    return not _JOURNAL_AND_YEAR.match(text, following.end())


def _reads_as_title(text: str, m: re.Match[str]) -> bool:
    """Whether what looks like `Family, Given` opens a title (`Growth, Development and ...`)."""
    following = text[m.end() : m.end() + 24]
    return bool(re.match(r"\s[a-z]", following)) and not re.match(r"\s(?:and|und|et|y|e|with)\s", following)


def _ends_as_names(text: str, m: re.Match[str]) -> bool:
    """Whether a full name in direct order is followed as a name is: by another, a stop or a year."""
    after = text[m.end() : m.end() + 60]
    if re.match(r"\s*(?:,\s*(?:and\s|&\s)?|\sand\s|\s&\s|;\s*)", after):
        separator = _SEPARATOR.match(text, m.end())
        following = separator.end() if separator else m.end()
        return any(p.match(text, following) for p in (_DIRECT_FULL, _DIRECT)) or bool(
            _ET_AL.match(text, m.end())
        )
    if _ET_AL.match(after):
        return True
    return bool(re.match(r"\.?\s*\(?(?:1[5-9]|20)\d\d|\.?$|\.\s|:\s|\s*[“\"]|\s*\(", after))


def is_organisation(name: str) -> bool:
    """Whether a name has a word that organisations are named with."""
    return bool(_CORPORATE_WORD.search(name))


def _head(text: str) -> str:
    stop = re.search(r"[.,(:;\d]", text)
    return text[: stop.start()] if stop else text[:100]


def _first_match(patterns: tuple[re.Pattern[str], ...], text: str, at: int) -> re.Match[str] | None:
    for pattern in patterns:
        if m := pattern.match(text, at):
            return m
    return None


def _author(m: re.Match[str]) -> Author:
    given = m["given"].strip(" ,")
    if m["family"] in _SUFFIXES and " " in given:
        # `Danby DN Jr`: the name comes first, whatever order its shape seems to say.
        family, _, initials = given.partition(" ")
        return Author(family=family, given=f"{initials} {m['family']}")
    return Author(family=" ".join(m["family"].split()).strip(" ,"), given=" ".join(given.split()) or None)


def _organisation(text: str) -> AuthorList:
    """An organisation as author: words of organisations, or whatever a year in brackets follows at once."""
    year = re.compile(
        r"[.,]?\s*[(\[](?:(?:1[5-9]|20)\d\d[a-z]?|n\.\s?d\.|in press|forthcoming)|\.\s(?:1[5-9]|"
        r"20)\d\d[a-z]?\.\s",
        re.IGNORECASE,
    ).search(text[:200])
    if year and 2 <= year.start() <= 150:
        head = text[: year.start()].strip(" .,")
        sentences = re.split(r"\.\s", head)
        if len(sentences) == 1 and not re.search(r"\d{3}|[“\"]", head) and len(head.split()) <= 16:
            return AuthorList((Author(family=head, corporate=True),), year.start())
    stop = re.search(r"\.\s|:\s", text[:160])
    if stop:
        head = text[: stop.start()].strip()
        if head and head[0].isupper() and _CORPORATE_WORD.search(head) and len(head.split()) <= 12:
            rest = text[stop.end() :].strip()
            if not re.search(r"\d", head) and rest and rest[0].isupper():
                return AuthorList((Author(family=head, corporate=True),), stop.start())
    return AuthorList((), 0)
