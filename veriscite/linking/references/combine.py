"""Rules and sequence model together: each decides the fields that it was measured to be better at."""

import re
from dataclasses import replace

from veriscite.domain import Author
from veriscite.linking.references.authors import AuthorList, is_organisation, parse_authors
from veriscite.linking.references.fields import clean_title
from veriscite.linking.references.rules import Reading
from veriscite.linking.references.sequence import Stretch, stretches
from veriscite.linking.text import PARTICLES

_ET_AL = re.compile(r"[\s,;]{0,3}\b(?:et\.?\s?al|and\s(?:others|colleagues))\b.*", re.IGNORECASE | re.DOTALL)
_BETWEEN = re.compile(r"\s*(?:;|,\s*(?:and|&)\s|\s(?:and|&|et|und|y)\s|,)\s*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?[-‐]?){1,4}")
_LABEL = re.compile(r"^[\s\[(]*\d{1,4}[\])]?\.?\s*(?=[^\W\d_])")
_EDGES = " .,;:–—-\"“”„«»'‘’`"
_CONTAINER_LEAD = re.compile(r"^(?:(?:in|dans)\b:?|:)\s*", re.IGNORECASE)
_MOST_NAMES = 3_000
_FEW_WORDS = 8
"""An entry of no more words is unlike those that the model was trained on."""


def improve(text: str, ruled: Reading) -> Reading:
    """Return the reading with the fields that the sequence model reads better.

    Args:
        text: The entry on one line, without label and identifiers.
        ruled: What the rules read.
    """
    found = stretches(text, ruled.hints())
    if not found:
        return ruled
    titles = [s for s in found if s.field == "title"]
    title = max(titles, key=lambda s: s.end - s.start, default=None)
    container = _CONTAINER_LEAD.sub("", _first(text, found, "container").strip(_EDGES)).strip(_EDGES)
    read_title = _title(text[title.start : title.end]) if title else None
    authors = _first(text, found, "author")
    if title is None and (not authors or len(text.split()) <= _FEW_WORDS):
        return ruled
    if not container:
        if title is None:
            # Of an entry of a few words the model makes nothing at all.
            read_title = ruled.title
        elif _swallowed(read_title, ruled):
            read_title, container = ruled.title, ruled.venue or ""
        elif ruled.title is None and read_title and len(read_title.split()) <= 3:
            # A few words that the rules know for a journal, in a style that prints no titles.
            read_title = None
    return replace(
        ruled,
        title=read_title,
        names=_names(authors, ruled.names),
        venue=container if re.search(r"[^\W\d_]{2}", container) else None,
    )


def _swallowed(title: str | None, ruled: Reading) -> bool:
    """Whether a title runs on, over a full stop, into what the rules know for its container."""
    if not title or not ruled.title or not ruled.venue or not title.startswith(ruled.title):
        return False
    rest = title[len(ruled.title) :]
    return rest[:1] in ".?!" and rest[1:].strip(_EDGES).startswith(ruled.venue[:10])


def _first(text: str, found: list[Stretch], field: str) -> str:
    return next((text[s.start : s.end] for s in found if s.field == field), "")


def _title(stretch: str) -> str | None:
    title = clean_title(stretch.strip(" .,;:("))
    if title is None:
        return None
    # A bracket that the title opens, and that its stretch does not close, begins what follows it.
    opened = title.rfind("(")
    if opened > 0 and ")" not in title[opened:]:
        title = title[:opened] if len(title) - opened < 3 else title + ")"
    title = title.strip(_EDGES)
    return title if re.search(r"[^\W\d_]", title) else None


def _names(stretch: str, ruled: AuthorList) -> AuthorList:
    stretch = _LABEL.sub("", stretch.strip())
    if not stretch or ruled.repeated:
        return ruled
    names = parse_authors(stretch)
    left = stretch[names.end :]
    if names.authors and not re.search(r"[^\W\d_]{2}", left):
        return names
    people = _people(stretch)
    if people:
        return AuthorList(people, len(stretch), et_al=bool(_ET_AL.search(stretch)))
    return ruled if ruled.authors or not names.authors else names


def _people(stretch: str) -> tuple[Author, ...]:
    """Read names in order of given and family name, and single names, that no pattern of names fits."""
    whole = _ET_AL.sub("", stretch).strip(" .,;:")
    head, comma, members = whole.partition(", ")
    if is_organisation(head):
        people = parse_authors(members).authors if comma else ()
        return (Author(family=head if people else whole, corporate=True), *people)
    authors: list[Author] = []
    for piece in _BETWEEN.split(whole)[:_MOST_NAMES]:
        author = _person(piece.strip(" ,;:").split())
        if author is None:
            return ()
        authors.append(author)
    if len(authors) > 1 and any(a.given is None for a in authors):
        return ()
    return tuple(authors)


def _person(words: list[str]) -> Author | None:
    if len(words) > 2 and words[-1] in ("Jr", "Sr", "II", "III", "Jr.", "Sr."):
        bare = _person(words[:-1])
        return bare and bare.model_copy(update={"given": f"{bare.given} {words[-1]}"})
    if not 1 <= len(words) <= 5 or not words[0][:1].isalpha():
        return None
    initials = [bool(_INITIALS.fullmatch(w)) and len(w.strip(".")) < 4 and w.isupper() for w in words]
    if all(initials[1:]) and len(words) > 1 and not initials[0]:
        return Author(family=words[0].strip("."), given=" ".join(words[1:]))
    if initials[-1] or any(w[:1].islower() and w not in PARTICLES for w in words):
        return None
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in PARTICLES:
        at -= 1
    return Author(family=" ".join(words[at:]), given=" ".join(words[:at]) or None)
