"""EndNote XML -> references: exported lists, and the records that EndNote keeps in Word's fields."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from veriscite.domain import Author, Identifiers, ReadingNote, Reference
from veriscite.domain.identifiers import find_identifiers, normalise_doi, normalise_pmid
from veriscite.ports import ParsedList
from veriscite.reading.bibliography.fields import (
    author_from_text,
    find_year,
    plain,
    shorten,
    truncate_abstract,
)
from veriscite.reading.plain_list import limit_references
from veriscite.reading.tagged import printed, words_of
from veriscite.reading.xml_safe import line_of, parse_xml

_VENUES = (
    "titles/secondary-title",
    "periodical/full-title",
    "alt-periodical/full-title",
    "periodical/abbr-1",
    "publisher",
)
_AUTHORS = ("contributors/authors/author", "contributors/secondary-authors/author")
_PUBMED = ("pubmed", "medline", "nlm")


def read_endnote_xml(text: str, name: str, *, max_references: int = 10_000) -> ParsedList:
    """Read a list that EndNote exports as XML.

    A record's id is its number in the library, or its place where it has none. A record without title and
    authors becomes a note.

    Args:
        text: The file.
        name: Its name, for messages.
        max_references: The most records that are accepted.

    Raises:
        InputError: It is broken, or holds too many records.
    """
    tree = parse_xml(text, name, lines_of=("record",))
    records = list(tree.root.iter("record"))
    limit_references(len(records), name, max_references)
    references: dict[str, Reference] = {}
    notes = list(tree.notes)
    for number, record in enumerate(records, 1):
        reference = _reference(record, words_of(record.find("rec-number")) or f"ref-{number}")
        if reference is None:
            message = "A record has neither title nor authors; it was left out."
            notes.append(ReadingNote(message=message, raw=shorten(words_of(record)), line=line_of(record)))
        elif reference.id in references:
            message = f"The record number {reference.id!r} occurs again; its first record is used."
            notes.append(ReadingNote(message=message, raw=shorten(reference.raw), line=line_of(record)))
        else:
            references[reference.id] = reference
    return ParsedList(tuple(references.values()), tuple(notes))


def cited_references(xml: str) -> list[tuple[str, Reference]]:
    """Read the records of one of Word's citation fields.

    Args:
        xml: `<EndNote>` with its `<Cite>` elements.

    Returns:
        For each cited work what tells it apart from all others, and the work itself.

    Raises:
        InputError: It is not well-formed.
    """
    return list(_cited(parse_xml(xml, "An EndNote field").root))


def _cited(root: Element) -> Iterator[tuple[str, Reference]]:
    for cite in root.iter("Cite"):
        record = cite.find("record")
        number = words_of(cite.find("RecNum")) or words_of(cite.find("record/rec-number"))
        author, year = words_of(cite.find("Author")), words_of(cite.find("Year"))
        key = number or f"{author} {year}".strip()
        if not key:
            continue
        # Numbers count within a library: two authors' libraries may share them.
        library = cite.find("record/foreign-keys/key")
        identity = f"{library.get('db-id', '')}:{key}" if library is not None else f":{key} {author} {year}"
        reference = _reference(record, key) if record is not None else None
        if reference is None:
            reference = Reference(
                id=key,
                raw=f"{author} ({year})" if year else author or key,
                authors=(Author(family=author),) if author else (),
                year=find_year(year),
            )
        yield identity, reference


def _reference(record: Element, key: str) -> Reference | None:
    title = plain(words_of(record.find("titles/title")))
    authors = _authors(record)
    if not title and not authors:
        return None
    year = words_of(record.find("dates/year"))
    venue = next((words for path in _VENUES if (words := words_of(record.find(path)))), "")
    url = next((words for e in record.iter("url") if (words := words_of(e)).startswith("http")), None)
    identifiers = _identifiers(record, url or "")
    volume, pages = words_of(record.find("volume")), words_of(record.find("pages"))
    parts = [title, f"{venue} {volume}".strip(), pages, f"doi:{identifiers.doi}" if identifiers.doi else ""]
    return Reference(
        id=key,
        raw=printed(authors, year, parts),
        title=title or None,
        authors=authors,
        year=find_year(year) or find_year(words_of(record.find("dates"))),
        venue=venue or None,
        identifiers=identifiers,
        url=url,
        abstract=truncate_abstract(plain(words_of(record.find("abstract")))),
    )


def _authors(record: Element) -> tuple[Author, ...]:
    for path in _AUTHORS:
        names = [words_of(author) for author in record.findall(path)]
        found = [_author(name) for name in names]
        if authors := tuple(author for author in found if author is not None):
            return authors
    return ()


def _author(name: str) -> Author | None:
    # A comma at the end marks a name that is not to be taken apart: an organisation's.
    if name.endswith(",") and len(name) > 1:
        return Author(family=name.rstrip(", "), corporate=True) if name.strip(", ") else None
    return author_from_text(name)


def _identifiers(record: Element, url: str) -> Identifiers:
    number = words_of(record.find("electronic-resource-num"))
    accession = words_of(record.find("accession-num"))
    database = words_of(record.find("remote-database-name")).lower()
    from_pubmed = any(word in database for word in _PUBMED) or "ncbi.nlm.nih.gov" in url
    found = find_identifiers(f"{number}\n{url}\n{words_of(record.find('custom2'))}"[:5_000])
    return Identifiers(
        doi=normalise_doi(number) or found.doi,
        arxiv=found.arxiv,
        pmid=(normalise_pmid(accession) if from_pubmed else None) or found.pmid,
        pmcid=found.pmcid,
    )
