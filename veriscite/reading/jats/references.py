"""The reference list of a JATS article -> references, from their tags or, untagged, from their words."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from veriscite.domain import Author, Identifiers, ReadingNote, Reference
from veriscite.domain.identifiers import (
    find_identifiers,
    normalise_arxiv,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
)
from veriscite.ports import ParsedList, ReferenceListParser
from veriscite.reading.bibliography.fields import author_from_text, find_year, shorten
from veriscite.reading.plain_list import limit_references
from veriscite.reading.tagged import printed, words_of
from veriscite.reading.xml_safe import line_of

_CITATIONS = frozenset({"mixed-citation", "element-citation", "citation", "nlm-citation"})
_OTHER_ARTICLES = frozenset({"sub-article", "response"})
_TITLES = ("article-title", "chapter-title", "data-title", "part-title", "trans-title")
_VENUES = ("source", "conf-name", "series", "publisher-name")
_NAMES = frozenset({"name", "string-name", "collab", "name-alternatives", "collab-alternatives"})
_SUFFIX = re.compile(r"(?:1[5-9]|20)\d\d\s?([a-z])\b")
_LABEL = re.compile(r"^[\[(]?\s*(.{0,40}?)\s*[\])]?[.:]?$")
_MAX_RAW = 20_000


@dataclass(frozen=True)
class FoundReferences:
    """A reference list, and what names its entries.

    Attributes:
        parsed: The entries.
        ids: Id of an entry, or of a citation inside of one -> the reference's id.
        labels: Printed label -> the reference's id.
    """

    parsed: ParsedList
    ids: Mapping[str, str]
    labels: Mapping[str, str]


def find_references(
    article: Element, parser: ReferenceListParser, name: str, *, max_references: int = 10_000
) -> FoundReferences:
    """Read all entries of an article, wherever their lists stand.

    Args:
        article: The `article` element; the lists of letters inside it are not its own.
        parser: Reads entries without tags.
        name: The file's name, for messages.
        max_references: The most entries.

    Raises:
        TooLargeError: There are more.
    """
    entries = list(_entries(article))
    limit_references(len(entries), name, max_references)
    references: dict[str, Reference] = {}
    notes: list[ReadingNote] = []
    ids: dict[str, str] = {}
    labels: dict[str, str] = {}
    for number, entry in enumerate(entries, 1):
        key = entry.get("id", "").strip() or f"ref-{number}"
        if key in references:
            notes.append(
                ReadingNote(
                    message=f"The id {key!r} occurs again in the reference list; its first entry is used.",
                    raw=shorten(words_of(entry)),
                    line=line_of(entry),
                )
            )
            continue
        reference = _reference(entry, key, parser, notes)
        if reference is None:
            notes.append(
                ReadingNote(message="An entry of the reference list is empty.", raw=key, line=line_of(entry))
            )
            continue
        references[key] = reference
        ids[key] = key
        for citation in _citations(entry):
            ids.setdefault(citation.get("id", "").strip() or key, key)
        if reference.label:
            labels.setdefault(reference.label, key)
    return FoundReferences(ParsedList(tuple(references.values()), tuple(notes)), ids, labels)


def _entries(element: Element) -> Iterator[Element]:
    for child in element:
        if child.tag == "ref":
            yield child
        elif child.tag not in _OTHER_ARTICLES:
            yield from _entries(child)


def _citations(entry: Element) -> list[Element]:
    return [part for part in entry.iter() if part.tag in _CITATIONS]


def _reference(
    entry: Element, key: str, parser: ReferenceListParser, notes: list[ReadingNote]
) -> Reference | None:
    label = _label(entry)
    citations = _citations(entry)
    alternatives = entry.find("citation-alternatives")
    if alternatives is not None:
        # Two forms of one citation: the tagged one for the fields, the other for how it reads.
        tagged = next((c for c in citations if c.tag == "element-citation"), None)
        shown = next((c for c in citations if c.tag == "mixed-citation"), None)
        citations = [tagged if tagged is not None else citations[0]] if citations else []
        raw = _raw(shown) if shown is not None else ""
    else:
        raw = " ".join(part for part in map(_raw, citations) if part)
    if not citations:
        raw = " ".join(words_of(child) for child in entry if child.tag != "label").strip()
    elif len(citations) > 1:
        message = f"An entry holds {len(citations)} works; it is looked up as the first of them."
        notes.append(ReadingNote(message=message, raw=shorten(raw), line=line_of(entry)))
    fields = _fields(citations[0], key, label) if citations else Reference(id=key, raw=raw, label=label)
    raw = raw or fields.raw
    if not raw:
        return None
    fields = fields.model_copy(update={"raw": raw[:_MAX_RAW]})
    if fields.title is None and (not citations or citations[0].tag != "element-citation"):
        fields = _from_words(fields, parser)
    return fields


def _label(entry: Element) -> str | None:
    label = entry.find("label")
    if label is None:
        label = next((c.find("label") for c in _citations(entry) if c.find("label") is not None), None)
    match = _LABEL.match(words_of(label))
    return (match.group(1) if match else words_of(label)[:40]) or None


def _from_words(reference: Reference, parser: ReferenceListParser) -> Reference:
    """Fill in from its words what the tags of an entry do not say."""
    parsed = parser.parse(reference.raw, offset=None).references
    if not parsed:
        return reference
    read = parsed[0]
    return reference.model_copy(
        update={
            "title": read.title,
            "authors": reference.authors or read.authors,
            "year": reference.year or read.year,
            "year_suffix": reference.year_suffix or (None if reference.year else read.year_suffix),
            "venue": reference.venue or read.venue,
            "url": reference.url or read.url,
            "identifiers": reference.identifiers.filled_from(read.identifiers),
        }
    )


def _fields(citation: Element, key: str, label: str | None) -> Reference:
    year_text = words_of(citation.find(".//year"))
    suffix = _SUFFIX.search(year_text)
    title = _first(citation, _TITLES)
    venue = _first(citation, _VENUES)
    if not title and citation.find(".//source") is not None:
        # A book: what is called its source is its title.
        title = words_of(citation.find(".//source"))
        venue = _first(citation, _VENUES[1:])
    authors = _authors(citation)
    pages = [words_of(citation.find(tag)) for tag in ("fpage", "lpage")]
    identifiers = _identifiers(citation)
    parts = [
        title or "",
        " ".join(part for part in (venue, words_of(citation.find("volume"))) if part),
        "–".join(page for page in pages if page),
        f"doi:{identifiers.doi}" if identifiers.doi else "",
        words_of(citation.find("comment")),
    ]
    return Reference(
        id=key,
        label=label,
        raw=printed(authors, year_text, parts),
        title=title.rstrip(" .,;") or None,
        authors=authors,
        year=find_year(year_text),
        year_suffix=suffix.group(1) if suffix else None,
        venue=venue.strip(" .,;") or None,
        identifiers=identifiers,
        url=_url(citation),
    )


def _raw(citation: Element) -> str:
    """The words of a citation, if its punctuation is there to part them."""
    if citation.tag == "element-citation":
        return ""
    pieces: list[str] = []
    _add_words(citation, pieces)
    text = re.sub(r" (?=[,;.])", "", " ".join("".join(pieces).split()))
    parts = sum(1 for part in citation.iter() if part.tag in (*_TITLES, *_VENUES, "year"))
    # Fields without a word or a comma between them are no printed entry.
    bare = parts > 1 and not any((child.tail or "").strip(" \n\t") for child in citation)
    return "" if bare and not (citation.text or "").strip() else text


def _add_words(element: Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        kind = child.get("pub-id-type", "")
        if child.tag == "label":
            pieces.append(" ")
        elif child.tag == "pub-id" and kind in ("pmid", "pmcid"):
            # Not printed as a bare number: a number alone reads like a page.
            pieces.append(f" {kind.upper()}: {words_of(child)} ")
        else:
            _add_words(child, pieces)
        # A name's parts may stand side by side: a page shows them apart.
        pieces.append(child.tail or (" " if element.tag in ("name", "string-name") else ""))


def _first(citation: Element, tags: tuple[str, ...]) -> str:
    for tag in tags:
        found = words_of(citation.find(f".//{tag}"))
        if found:
            return found
    return ""


def _authors(citation: Element) -> tuple[Author, ...]:
    groups = citation.findall("person-group")
    chosen = [group for group in groups if group.get("person-group-type", "author") in ("author", "")]
    direct = [child for child in citation if child.tag in _NAMES]
    names = [name for group in chosen or (() if direct else groups[:1]) for name in _names_in(group)]
    found = [_author(name) for name in [*names, *(direct if not chosen or not names else [])]]
    return tuple(author for author in found if author is not None)


def _names_in(group: Element) -> Iterator[Element]:
    for child in group:
        if child.tag in _NAMES:
            yield child


def _author(name: Element) -> Author | None:
    if name.tag.endswith("-alternatives"):
        return next((author for child in name if (author := _author(child)) is not None), None)
    words = words_of(name)
    if name.tag == "collab":
        return Author(family=words, corporate=True) if words else None
    family, given = words_of(name.find("surname")), words_of(name.find("given-names"))
    if family:
        return Author(family=family, given=given or None)
    return author_from_text(words)


def _identifiers(citation: Element) -> Identifiers:
    tagged: dict[str, str] = {}
    for part in citation.iter():
        if part.tag in ("pub-id", "object-id", "article-id"):
            tagged.setdefault(part.get("pub-id-type", "").lower(), words_of(part))
        elif part.tag == "ext-link":
            kind = part.get("ext-link-type", "").lower()
            address = part.get("href", "")
            if kind in ("doi", "pmid", "pmcid"):
                tagged.setdefault(kind, address or words_of(part))
            elif "doi.org/" in address.lower():
                tagged.setdefault("doi", address)
    return Identifiers(
        doi=normalise_doi(tagged.get("doi", "")),
        arxiv=normalise_arxiv(tagged.get("arxiv", "")),
        pmid=normalise_pmid(tagged.get("pmid", "")),
        pmcid=normalise_pmcid(tagged.get("pmcid", "") or tagged.get("pmc", "")),
    ).filled_from(find_identifiers(words_of(citation)[:5_000]))


def _url(citation: Element) -> str | None:
    for link in citation.iter():
        if link.tag not in ("ext-link", "uri"):
            continue
        address = (link.get("href", "") or words_of(link)).strip()
        if address.startswith(("http://", "https://", "ftp://")) and "doi.org/" not in address.lower():
            return address[:1000]
    return None
