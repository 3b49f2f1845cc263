"""What the readers of bibliography formats share."""

import html
import re

from veriscite.domain import Author

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_SPACE = re.compile(r"\s+")
_MAX_ABSTRACT = 20_000
_PARTICLES = {
    "de",
    "del",
    "della",
    "der",
    "den",
    "di",
    "da",
    "dos",
    "du",
    "la",
    "le",
    "van",
    "von",
    "ter",
    "ten",
    "zu",
}


def find_year(text: str) -> int | None:
    """Return the first plausible year of publication (1500 to 2099) in a date, or None."""
    match = _YEAR.search(text[:200])
    return int(match.group(1)) if match else None


def shorten(text: str, limit: int = 300) -> str:
    """Cut a raw text for a note."""
    text = text.strip()
    return text if len(text) <= limit else text[: limit - 1] + "…"


def truncate_abstract(text: str) -> str | None:
    """Return an abstract, or None when there is none; a whole paper is cut at the limit."""
    text = text.strip()
    return text[:_MAX_ABSTRACT] or None


def plain(text: str) -> str:
    """Take markup (JATS, HTML) and entities out of a text and fold its white space."""
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "&" in text:
        text = html.unescape(text)
    return _SPACE.sub(" ", text).strip()


def author_from_text(name: str) -> Author | None:
    """Read a name written `Family, Given` or `Given Family`; None for an empty one."""
    name = plain(name).strip(" ,;")
    if not name or name.lower() in {"et al", "et al.", "others"}:
        return None
    if "," in name:
        family, _, given = name.partition(",")
        return Author(family=family.strip() or given.strip(), given=given.strip() or None)
    words = name.split()
    if len(words) == 1:
        return Author(family=name)
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    return Author(family=" ".join(words[start:]), given=" ".join(words[:start]))
