"""Year, title and venue of an entry, once its authors are known."""

import re
from dataclasses import dataclass

YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_LEADING_YEAR = re.compile(
    rf"[\s.,;:]*(?:[(\[]\s*(?:[A-Za-z.]{{1,9}}\s|"
    rf"©\s?)?(?P<a>{YEAR})(?P<as>[a-z])?(?:\s*[,/;]?[^()\[\]]{{0,40}})?[)\]]"
    rf"|(?P<b>{YEAR})(?P<bs>[a-z])?(?=[.,:;]|\s[\"“‘A-Z])(?!-\d))[\s.,:;]*"
)
_LEADING_UNDATED = re.compile(
    r"[\s.,;:]*[(\[]?\s*(?:in press|forthcoming|n\.\s?d\.|no date|submitted|in prep(?:aration|\.)?|"
    r"under review|"
    r"to appear|accepted)\s*[)\]]?[\s.,:;]+",
    re.IGNORECASE,
)
_ANY_YEAR = re.compile(
    rf"(?<![\d\-–—/.:])(?<!\d\s[-–]\s)({YEAR})([a-z](?![a-z]))?(?!\d|[-–—]\d|\.\d|\s?[-–]\s?\d)"
)
_BRACKETED_YEAR = re.compile(
    rf"[(\[](?:[^()\[\]]{{0,24}}\s)?({YEAR})([a-z])?(?:[\s,;\-/][^()\[\]]{{0,24}})?[)\]]"
)
_ISSUED_YEAR = re.compile(rf"(?<![\d\-–—/])({YEAR})([a-z])?(?=(?:\s\w{{3,9}}\.?(?:\s\d{{1,2}})?)?\s?;)")

_QUOTES = {"“": "”", '"': '"', "„": "“”", "«": "»", "‘": "’", "''": "''", "``": "''"}
_ABBREVIATED = re.compile(
    r"(?:^|[\s(:])(?:[A-Z]|vs|St|Dr|Mr|Mrs|Ms|cf|e\.g|i\.e|etc|no|No|al|sp|spp|ssp|subsp|var|cv|vol|"
    r"Vol|pt|Pt|U\.S|U\.K|"
    r"ca|approx|resp|ed|Jr|Sr|II|Co|Fig|Prof)\.$"
)
_SENTENCE_END = re.compile(r"([.?!])(?:[.”\"’]{0,2})\s+(?=[^\s])|[?!]\.?\s")
_JOURNAL_WORDS = re.compile(
    r"\b(?:J|Journal|Proc|Proceedings|Trans|Transactions|Rev|Review|Lett|Letters|Ann|Annals|Bull|"
    r"Bulletin|Adv|Advances|"
    r"Acta|Archives?|Arch|Quarterly|Int|Eur|Am|Phys|Chem|Biol|Med|Sci|Nucl|Astrophys|Appl|Math|Comput|"
    r"Commun|Soc|Acad|"
    r"Conf|Conference|Symp|Symposium|Workshop|Magazine|arXiv|Nature|Science|Cell|PLoS|PLOS|BMC|Lancet|"
    r"IEEE|ACM)\b"
)
_ABBREVIATIONS = (
    "Phys|Rev|Lett|J|Chem|Soc|Am|Nat|Sci|Proc|Acad|Nucl|Astrophys|Astron|Appl|Mater|Int|Eur|Acta|Ann|"
    "Biol|Med|Mol|Natl|"
    "Trans|Comput|Math|Commun|Res|Acc|Angew|Ed|Engl|Adv|Bull|Opt|Instrum|Meth|Geophys|Environ|"
    "Technol|Biochem|Biophys|Surf|"
    "Interfaces|Org|Inorg|Electrochem|Polym|Eng|Ind|Solid|State|Mod|Z|Mon|Not|Roy|R|Clin|Exp|"
    "Pharmacol|Physiol|Neurosci|"
    "Annu|Cryst|Crystallogr|Catal|Synth|Tetrahedron|Theor|Struct|Funct|Jpn|Can|Aust|Ber|Dtsch|Zh|"
    "Eksp|Teor|Fiz|Russ"
)
_JOURNAL_FIRST = re.compile(
    rf"(?:(?:{_ABBREVIATIONS})\.\s?|[A-Z][\w&’'\-]*\s|(?:of|and|the|in|for|&)\s|"
    rf"[A-Z]\.?:?\s){{0,8}}(?:{_ABBREVIATIONS})\.,?\s?"
    rf"(?:[A-Z][\w]*\s){{0,2}}(?:\(?[A-Z]\)?,?\s)?(?:vol\.?\s?|\(?{YEAR}|[A-Z]?\d+)"
)
_BARE_JOURNAL = re.compile(
    r"(?:[A-Z][\w&'’.\-]*,?\s|(?:of|and|the|for|in|on|&|de|der|für)\s){1,7}(?:[Vv]ol\.?\s?|"
    r"VOL\.?\s?)?[A-Z]?\d+\s?(?:\(\d+\))?\s?"
    r"(?:[,:;(]\s?(?:pp?\.?\s?|[Nn]o\.?\s?)?[A-Z]?\d|\((?:1[5-9]|20)\d\d\))"
)
_NEXT_SENTENCE = re.compile(r"\s*([A-Z][^.?!\d:]{12,160}[.?!])\s+(?=[A-Z][^.?!]{0,40}(?:[\s.,]\d|\.\s[A-Z]))")
_IN = re.compile(
    r"[.,;]?\s+(?:In:\s?|In\s(?=[A-Z“\"])|in:\s?|in\s(?=Proc|[A-Z][\w.]+\s(?:Proc|Conf|Symp|Workshop)))"
)
_TYPE_MARK = re.compile(
    r"\s*[\[\(](?:[JMDCRNPSZ](?:/OL)?|[^\[\]()]{0,24}(?:[eé]d(?:ition|n|\.)|software|thesis|dataset|"
    r"computer program)[^\[\]()]{0,24})[\])]\s*$",
    re.IGNORECASE,
)
_FLAG = re.compile(r"^(?:RETRACTED(?: ARTICLE)?|WITHDRAWN|Retraction of|Erratum:?)\s*:\s*", re.IGNORECASE)
_VENUE_END = re.compile(rf"[,;:(\[]|\s(?=\d)|\b(?:vol|no|pp?|Vol|No)\b\.?|\.\s(?=[A-Z][a-z]+:|\d|{YEAR})|\.$")
_PLACE_PUBLISHER = re.compile(r"^[A-Z][\w.\- ]{1,30}(?:,\s[A-Z][\w.]{1,14})?:\s")
_TRAILING = " .,;:–—-"
_PUBLISHER = re.compile(
    r"(?:[A-Z][\w.&’'\-]*\s(?:&\s|and\s|of\s)?){0,4}(?:Press|Verlag|Springer(?:-Verlag)?|Publish\w*|Wiley|Elsevier|"
    r"Pergamon|North-Holland|McGraw-Hill|Addison-Wesley|Prentice(?:-|\s)?Hall|UP|Éditions|Routledge|Birkhäuser)\b"
    r"|[A-Z][\w.]+(?:\s[A-Z][\w.]+){0,2}(?:,\s[A-Z][\w.]{1,14})?:\s[A-Z]"
)
_IMPRINT = re.compile(rf"\s\(\s?[A-Z][^()]{{3,80}}[\s,]{YEAR}\s?\)")
_COLLABORATION = re.compile(
    r"[^,.:;“\"]{2,50}\b[Cc]ollaborations?,\s+(?:(?:[A-Z]\.[\s-]?){1,4}[A-Z][\w’'\-]+(?:\set\sal\.?)?,\s+)?"
)
_COMMA_ABBREVIATION = re.compile(rf",\s?(?:{_ABBREVIATIONS})$")
_KNOWN_ABBREVIATION = re.compile(rf"(?:{_ABBREVIATIONS}|N|Br|Semin|Curr|Arch|Am|Scand|Cell|Cancer|Immunol)\Z")
# `... in Canada N Engl J Med 1999; 341:233-239`: a journal without a stop before it.
_RUN_ON_JOURNAL = re.compile(
    rf"((?:\s[A-Z][A-Za-z]{{0,14}}){{1,7}})\s(?:\(?{YEAR}\)?[;,]?\s?)?\d+\s?(?:\(\d+\))?:\s?\d+"
)
_CODE = re.compile(r"[A-Z0-9][^\"“”,]{1,40}:\s(?=[\"“])")


@dataclass(frozen=True, slots=True)
class Year:
    """A year of publication and where it stands; `leading` means right after the authors."""

    year: int | None
    suffix: str | None
    start: int
    end: int
    leading: bool


def find_year(text: str, authors_end: int) -> Year | None:
    """Find the year of publication.

    A year right after the authors counts first, then one before a volume (`2001;3:1`), one in brackets,
    and the last one that is no page number.

    Args:
        text: The entry on one line, without label and identifiers.
        authors_end: Where the authors end.
    """
    if authors_end and (m := _LEADING_YEAR.match(text, authors_end)):
        group = "a" if m["a"] else "b"
        return Year(int(m[group]), m[group + "s"] or None, m.start(), m.end(), True)
    if authors_end and (m := _LEADING_UNDATED.match(text, authors_end)):
        return Year(None, None, m.start(), m.end(), True)
    for pattern in (_ISSUED_YEAR, _BRACKETED_YEAR, _ANY_YEAR):
        found = list(pattern.finditer(text, authors_end))
        found = [
            m for m in found if not re.search(r"\bpp?\.?\s*$", text[max(0, m.start() - 6) : m.start()])
        ] or found
        if found:
            m = found[-1]
            return Year(int(m[1]), m[2] or None, m.start(), m.end(), False)
    return None


@dataclass(frozen=True, slots=True)
class Title:
    """A title; `end` is past it in the text that it was found in."""

    text: str | None
    end: int


def find_title(text: str, start: int, *, after_comma: bool) -> Title:
    """Find the title that begins at or after `start`.

    Args:
        text: The entry on one line, without label and identifiers.
        start: Past authors and a leading year.
        after_comma: Whether a comma parts authors and title, so that one may end the title too.

    Returns:
        No title where none is printed, as in some journals of chemistry and physics.
    """
    while start < len(text) and text[start] in " .,:;)]":
        start += 1
    for before in (_COLLABORATION, _CODE):
        if found := before.match(text, start):
            start = found.end()
    rest = text[start:]
    if quoted := _quoted(rest):
        return Title(clean_title(quoted[0]), start + quoted[1])
    if not rest or _JOURNAL_FIRST.match(rest) or _BARE_JOURNAL.match(rest):
        return Title(None, start)
    end = _sentence_end(rest)
    if within := _IN.search(rest, 0, end):
        end = within.start() if within.start() > 0 else end
    elif (following := _NEXT_SENTENCE.match(rest, end + 1)) and _is_prose(following[1]):
        # A second sentence of the title; the journal comes after it.
        end = following.end(1) - 1
    if imprint := _IMPRINT.search(rest, 0, end):
        end = imprint.start()
    if after_comma or end >= len(rest.rstrip(" .")) - 1:
        end = min(end, _comma_end(rest, end))
    if abbreviation := _COMMA_ABBREVIATION.search(rest, 0, end):
        end = abbreviation.start()
    end = min(end, _run_on(rest, end))
    title = clean_title(rest[:end])
    if not title or not re.search(r"[^\W\d_]{2}", title):
        return Title(None, start)
    return Title(title, start + end)


def _is_prose(sentence: str) -> bool:
    return len(re.findall(r"\s[a-z]{3,}", sentence)) >= 3 and not _JOURNAL_WORDS.search(sentence)


def _quoted(rest: str) -> tuple[str, int] | None:
    for opening, closing in _QUOTES.items():
        if not rest.startswith(opening):
            continue
        at = len(opening)
        while True:
            ends = [
                i
                for c in (closing if len(closing) < 3 and closing != "''" else [closing])
                if (i := rest.find(c, at)) >= 0
            ]
            if not ends:
                return None
            end = min(ends)
            after = rest[end + 1 : end + 3]
            before = rest[end - 1 : end]
            # A quotation inside the title closes before a word; the title's own closes before the venue.
            if (
                before in ".,?!"
                or not after.strip()
                or after[0] in ".,;:("
                or opening != '"'
                or after[1:2].isupper()
            ):
                return rest[len(opening) : end], end + 1
            at = end + 1
    return None


def _sentence_end(rest: str) -> int:
    for m in _SENTENCE_END.finditer(rest):
        mark = m.start()
        if rest[mark] in "?!":
            return mark + 1
        head = rest[max(0, mark - 12) : mark + 1]
        following = rest[m.end() : m.end() + 1]
        if _ABBREVIATED.search(head) or not (
            following.isupper()
            or following.isdigit()
            or following in '"“([<‘«'
            or rest.startswith("arXiv", m.end())
        ):
            continue
        return mark
    return len(rest)


def _comma_end(rest: str, limit: int) -> int:
    """Return where a title ends that a comma parts from its journal; `limit` if none does."""
    for m in re.finditer(r",\s+", rest[:limit]):
        segment = re.split(r",\s", rest[m.end() : m.end() + 120], maxsplit=1)[0].rstrip(" .")
        if re.match(r"(?:in|In|vol\.?|pp?\.|ed\.?|PhD|Ph\.D)\b", segment):
            return m.start()
        if (
            re.search(rf"\s[A-Z]?\d+(?:[-–]\d+)?(?:\s?\(\d+\))?(?:\s\({YEAR}\))?$", segment)
            and segment[0].isupper()
        ):
            return m.start()
        if re.match(rf"\(?{YEAR}\b", segment) or _PUBLISHER.match(rest, m.end()):
            return m.start()
        if segment[:1].isupper() and _JOURNAL_WORDS.search(segment) and re.search(r"\.|^[A-Z]", segment):
            return m.start()
    return limit


def _run_on(rest: str, limit: int) -> int:
    """Return where a title ends that its journal follows without a stop; `limit` if none does."""
    m = _RUN_ON_JOURNAL.search(rest, 0, min(len(rest), limit + 12))
    if m is None or m.start() < 10:
        return limit
    at = m.start(1)
    words = m[1].split()
    for n, word in enumerate(words):
        if _KNOWN_ABBREVIATION.match(word) and len(words) - n >= 2:
            return at
        at = rest.index(word, at) + len(word)
    return limit


def clean_title(title: str) -> str | None:
    """Strip what is printed around a title: brackets, quotation marks, its type, a retraction, stops."""
    title = title.strip()
    if title.startswith("[") and title.endswith("]"):
        title = title[1:-1]
    title = _TYPE_MARK.sub("", title)
    title = _FLAG.sub("", title.strip().strip('"“”'))
    title = re.sub(r"([?!])\.$", r"\1", title.strip())
    return title.strip(_TRAILING).strip() or None


def find_venue(text: str, start: int) -> str | None:
    """Find the journal or book that follows a title; None where a place and a publisher stand instead."""
    rest = text[start:].lstrip(' .,;:”"’»)]?!')
    rest = re.sub(r"^(?:In:?|in:?)\s+", "", rest)
    rest = re.sub(rf"^\(?{YEAR}[a-z]?\)?[.,;:]?\s*", "", rest)
    if _PLACE_PUBLISHER.match(rest):
        return None
    m = _VENUE_END.search(rest)
    venue = (rest[: m.start()] if m else rest).strip(_TRAILING)
    if not 2 <= len(venue) <= 150 or not venue[:1].isupper() or not re.search(r"[^\W\d_]{2}", venue):
        return None
    return venue
