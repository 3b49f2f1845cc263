"""One entry of a reference list -> its fields; what cannot be read stays empty, the raw text is kept."""

import re
from dataclasses import dataclass, field, replace

from veriscite.domain import Author, Identifiers, Reference
from veriscite.domain.identifiers import find_identifiers
from veriscite.linking.references.authors import parse_authors
from veriscite.linking.references.combine import improve
from veriscite.linking.references.rules import read_by_rules
from veriscite.linking.text import fold_space

_URL = re.compile(r"(?:https?://|ftp://|www\.)[^\s<>\"“”]{2,1000}", re.IGNORECASE)
_URL_OVER_LINES = re.compile(
    r"((?:https?://|www\.)\S{2,1000}[/\-_=&?%.])\n[ \t]*(?=[a-z0-9]\S*[/\-._?=]|[a-z0-9-]+/?\s*$)"
)
_HYPHEN_BREAK = re.compile(r"(?<=[a-zà-öø-ÿ])[-\u2010\u00ad]\n[ \t]*(?=[a-zà-öø-ÿ])")
_RANGE_BREAK = re.compile(r"(?<=\d[-\u2010-\u2015])\n[ \t]*(?=\d)|(?<=[A-Z]-)\n[ \t]*(?=[A-Z0-9])")
_NOT_FIELDS = re.compile(
    r"(?:\bdoi:?\s*|\bDOI:?\s*)?(?:https?://(?:dx\.)?doi\.org/)?\b10\.\d{4,9}/\S+"
    r"|\barXiv\s?:\s?\S+(?:\s?\[[^\]]{1,30}\])?"
    r"|\bPM(?:ID|CID):?\s*(?:PMC)?\d+\.?"
    r"|\bISBN:?\s*[\d\-X ]{10,20}|\bISSN:?\s*[\dX\-]{8,9}"
    r"|[\[(]?\b(?:Accessed|Retrieved|Last accessed|Last visited|Available(?: online)?|Visited|Cited|"
    r"Zugriff(?: am)?|Consulté(?: le)?)\b"
    r"(?:\s(?:on|from|at|in))?:?[^.;\[\]]{0,40}[\])]?",
)
_LEAD = re.compile(
    r"^(?:for (?:an? )?(?:recent )?(?:reviews?|examples?|overviews?)[^:.]{0,40}[:,]|see(?: also|"
    r",? for example)?[:,]?|"
    r"e\.g\.,?|cf\.|[*•●–-])\s+",
    re.IGNORECASE,
)
_SPACE_COMMA = re.compile(r"\s+([,;.:])(?=\s|$)")
# Text out of some PDFs has the space before the punctuation: `Lattices ,Rept .Prog .Phys .79`.
_SPACE_BEFORE = re.compile(r"(?<=[^\W\d_])\s([,.;:])(?=[^\W\d_]|\d)")
_ISO_DATE = re.compile(r"\(((?:1[5-9]|20)\d\d)-\d\d-\d\d\)")
_TRAILING = ".,;:!?)]}>'\"’”*"


@dataclass(frozen=True, slots=True)
class Fields:
    """What an entry says; empty where it does not, or not readably."""

    authors: tuple[Author, ...] = ()
    title: str | None = None
    year: int | None = None
    year_suffix: str | None = None
    venue: str | None = None
    identifiers: Identifiers = field(default_factory=Identifiers)
    url: str | None = None


def parse_entry(body: str, previous: Reference | None = None) -> Fields:
    """Read the fields of one entry.

    Args:
        body: The entry without its label, with its line breaks.
        previous: The entry before, whose authors dashes stand for.
    """
    body = _LEAD.sub("", body.strip())
    joined = _URL_OVER_LINES.sub(r"\1", body)
    url = _url(joined)
    identifiers = find_identifiers(body)
    if block := _title_first(joined):
        return replace(block, identifiers=identifiers, url=url)
    text = prepare(joined)
    ruled = read_by_rules(text)
    fields = improve(text, ruled)
    authors = fields.names
    return Fields(
        authors=_with_repeated(authors.authors, authors.repeated, authors.alone, previous),
        title=fields.title,
        year=fields.year.year if fields.year else None,
        year_suffix=fields.year.suffix if fields.year else None,
        venue=fields.venue,
        identifiers=identifiers,
        url=url,
    )


def prepare(body: str) -> str:
    """Return an entry on one line, without identifiers and addresses.

    Only they and white space are taken out, so that training can align the rest with tagged text.
    """
    text = _without_identifiers(fold_space(_RANGE_BREAK.sub("", _HYPHEN_BREAK.sub("", body))))
    text = _SPACE_COMMA.sub(r"\1", text)
    if len(_SPACE_BEFORE.findall(text)) >= 2:
        text = fold_space(_SPACE_BEFORE.sub(r"\1 ", text))
    return text


def _with_repeated(
    authors: tuple[Author, ...], repeated: int, alone: bool, previous: Reference | None
) -> tuple[Author, ...]:
    if not repeated or previous is None:
        return authors
    # One dash alone repeats all names; dashes in a list stand for one name each.
    return previous.authors if alone else previous.authors[:repeated] + authors


def _url(text: str) -> str | None:
    for m in _URL.finditer(text):
        url = m[0]
        while url and (url[-1] in _TRAILING) and not (url[-1] == ")" and url.count("(") >= url.count(")")):
            url = url[:-1]
        if "doi.org/" not in url.lower():
            return url
    return None


def _without_identifiers(text: str) -> str:
    text = _URL.sub(" ", text)
    return fold_space(_NOT_FIELDS.sub(" ", text))


def _title_first(body: str) -> Fields | None:
    """Read an entry of lines (title, authors, venue with a date), as Manubot prints them."""
    date = _ISO_DATE.search(body)
    lines = [line.strip() for line in body.split("\n") if line.strip()]
    if not date or len(lines) < 3:
        return None
    at = next((i for i, line in enumerate(lines) if _ISO_DATE.search(line)), 0)
    if at < 2:
        return None
    for split in range(1, at):
        names = fold_space(" ".join(lines[split:at]))
        found = parse_authors(names + ".")
        if found.authors and not names[found.end :].strip(" .,;"):
            venue = _ISO_DATE.split(lines[at])[0].strip(" .,;*_") or None
            title = fold_space(" ".join(lines[:split]))
            return Fields(authors=found.authors, title=title, year=int(date[1]), venue=venue)
    return None
