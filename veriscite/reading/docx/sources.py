"""Word's own bibliography: the sources that a document keeps, and which of them a field cites."""

import re
from collections.abc import Iterable, Mapping
from xml.etree.ElementTree import Element

from veriscite.domain import Author, Identifiers, Reference
from veriscite.domain.identifiers import find_identifiers, normalise_doi
from veriscite.reading.bibliography.fields import find_year
from veriscite.reading.tagged import printed, words_of
from veriscite.reading.xml_safe import at_path

MAX_SOURCES = 20_000
_CITATION = re.compile(r"\s*CITATION\s+", re.IGNORECASE)
_WORD = re.compile(r'"[^"]{0,500}"|\S+')
# Switches without a value: leave out author, title, year. All others but `\m` have one that cites nothing.
_BARE_SWITCHES = ("\\n", "\\t", "\\y")
_VENUES = (
    "b:JournalName",
    "b:PeriodicalTitle",
    "b:ConferenceName",
    "b:BookTitle",
    "b:InternetSiteTitle",
    "b:Institution",
    "b:Publisher",
)
_PEOPLE = ("b:Author", "b:Artist", "b:Inventor", "b:Interviewee", "b:Director", "b:Editor")
_MAX_TAGS = 500


def read_sources(roots: Iterable[Element]) -> dict[str, Reference]:
    """Read the sources of a document by their tags, in small letters: Word tells no capitals in them.

    Args:
        roots: Roots of the parts that hold sources.
    """
    sources: dict[str, Reference] = {}
    for root in roots:
        for source in root.iter("b:Source"):
            if len(sources) >= MAX_SOURCES:
                return sources
            reference = _reference(source)
            if reference is not None:
                sources.setdefault(reference.id.casefold(), reference)
    return sources


def cited_tags(instruction: str) -> tuple[str, ...]:
    r"""Return the tags that a `CITATION` field cites: the one after the word, and one after each `\m`."""
    begin = _CITATION.match(instruction)
    if begin is None:
        return ()
    words = [match[0].strip('"') for match in _WORD.finditer(instruction[:20_000], begin.end())]
    tags: list[str] = []
    wanted, skipped = True, False
    for word in words:
        if word.startswith("\\"):
            wanted = word.lower() == "\\m"
            skipped = not wanted and word.lower() not in _BARE_SWITCHES
        elif wanted:
            tags.append(word)
            wanted = False
        elif skipped:
            skipped = False
    return tuple(dict.fromkeys(tags))[:_MAX_TAGS]


def is_word_citation(instruction: str) -> bool:
    """Whether a field is one of Word's own citations."""
    return _CITATION.match(instruction) is not None


def source_of(sources: Mapping[str, Reference], tag: str) -> Reference | None:
    """Return the source with a tag."""
    return sources.get(tag.casefold())


def _reference(source: Element) -> Reference | None:
    tag = _text(source, "b:Tag")
    title = _text(source, "b:Title")
    authors = _authors(source)
    if not tag or not (title or authors):
        return None
    year = _text(source, "b:Year")
    venue = next((words for path in _VENUES if (words := _text(source, path))), "")
    volume, pages = _text(source, "b:Volume"), _text(source, "b:Pages")
    url = _text(source, "b:URL")
    number = _text(source, "b:DOI") or _text(source, "b:StandardNumber")
    found = find_identifiers(f"{number}\n{url}\n{_text(source, 'b:Comments')}"[:5_000])
    identifiers = Identifiers(
        doi=normalise_doi(number) or found.doi, arxiv=found.arxiv, pmid=found.pmid, pmcid=found.pmcid
    )
    parts = [title, f"{venue} {volume}".strip(), pages, f"doi:{identifiers.doi}" if identifiers.doi else ""]
    return Reference(
        id=tag[:200],
        raw=printed(authors, year, parts),
        title=title or None,
        authors=authors,
        year=find_year(year),
        venue=venue or None,
        identifiers=identifiers,
        url=url or None,
    )


def _text(element: Element, path: str) -> str:
    return words_of(at_path(element, path))


def _authors(source: Element) -> tuple[Author, ...]:
    for kind in _PEOPLE:
        people = at_path(source, f"b:Author/{kind}")
        if people is None:
            continue
        corporate = _text(people, "b:Corporate")
        if corporate:
            return (Author(family=corporate, corporate=True),)
        named = [_person(person) for person in people.iter("b:Person")]
        if authors := tuple(author for author in named if author is not None):
            return authors
    return ()


def _person(person: Element) -> Author | None:
    family = _text(person, "b:Last")
    given = " ".join(part for path in ("b:First", "b:Middle") if (part := _text(person, path)))
    if not family:
        return Author(family=given) if given else None
    return Author(family=family, given=given or None)
