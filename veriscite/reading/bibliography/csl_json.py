"""CSL-JSON and JSON lines -> references.

Beside the CSL field names, the plain ones that exports use (`authors`, `year`, `doi`, `venue`) are known.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from veriscite.domain import Author, Identifiers, ReadingNote, Reference
from veriscite.domain.identifiers import (
    find_identifiers,
    normalise_arxiv,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
)
from veriscite.errors import UnreadableFileError
from veriscite.ports import ParsedList
from veriscite.reading.bibliography.fields import (
    author_from_text,
    find_year,
    plain,
    shorten,
    truncate_abstract,
)
from veriscite.reading.plain_list import limit_references

_ID_FIELDS = ("id", "key", "citation-key", "citationKey", "citekey")
_TITLES = ("title", "title-short", "display_name")
_VENUES = ("container-title", "container_title", "journal", "venue", "publisher")
_YEARS = ("issued", "year", "date", "published", "published-print", "published-online")
_LISTS = ("items", "references", "entries")
_MAX_RAW = 50_000


def read_csl_json(text: str, name: str, *, max_references: int = 10_000) -> ParsedList:
    """Read CSL-JSON: a list of items, one item, or an object that holds the list under `items`.

    Args:
        text: The file.
        name: Its name, for messages.
        max_references: The most items that are accepted.

    Raises:
        UnreadableFileError: It is no JSON, or holds no list of items.
        TooLargeError: It holds more items than are accepted.
    """
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except RecursionError as error:
        raise UnreadableFileError(
            f"{name} is nested too deeply.", advice="Export the reference list again."
        ) from error
    except ValueError as error:
        raise UnreadableFileError(
            f"{name} is not valid JSON: {error}.", advice="Export the reference list again."
        ) from error
    items = _items(data)
    if items is None:
        raise UnreadableFileError(
            f"{name} is JSON, but holds no list of references.",
            advice="Give CSL-JSON (a list of items), JSON lines, BibTeX or RIS.",
        )
    limit_references(len(items), name, max_references)
    return read_items(items)


def read_items(items: Sequence[Any]) -> ParsedList:
    """Read CSL-JSON items that are parsed already.

    Args:
        items: What should be objects; one that is none becomes a note.
    """
    return _collect((number, None, item) for number, item in enumerate(items, 1))


def read_json_lines(text: str) -> ParsedList:
    """Read JSON lines: one reference a line. A line that is no object becomes a note.

    Args:
        text: The file.
    """
    notes: list[ReadingNote] = []
    items: list[tuple[int, int | None, Any]] = []
    for line_number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            items.append((len(items) + 1, line_number, json.loads(line)))
        except (ValueError, RecursionError):
            notes.append(
                ReadingNote(message="A line is not valid JSON.", raw=shorten(line), line=line_number)
            )
    parsed = _collect(iter(items))
    return ParsedList(references=parsed.references, notes=(*notes, *parsed.notes))


def _items(data: Any) -> Sequence[Any] | None:
    if isinstance(data, list):
        return data
    if isinstance(data, dict):
        for field in _LISTS:
            if isinstance(data.get(field), list):
                return list(data[field])
        if any(field in data for field in (*_TITLES, "DOI", "doi")):
            return [data]
        nested = [
            dict(value, id=value.get("id", key)) for key, value in data.items() if isinstance(value, dict)
        ]
        if nested and len(nested) == len(data):
            return nested
    return None


def _collect(items: Iterator[tuple[int, int | None, Any]]) -> ParsedList:
    references: list[Reference] = []
    notes: list[ReadingNote] = []
    seen: set[str] = set()
    for number, line, item in items:
        if not isinstance(item, Mapping):
            notes.append(ReadingNote(message=f"Item {number} is not an object; it was left out.", line=line))
            continue
        reference = _reference(item, number)
        if reference.id in seen:
            message = f"The id {reference.id!r} occurs again; its first item is used."
            notes.append(ReadingNote(message=message, raw=shorten(reference.raw), line=line))
            continue
        seen.add(reference.id)
        references.append(reference)
    return ParsedList(references=tuple(references), notes=tuple(notes))


def _text(item: Mapping[str, Any], fields: Sequence[str]) -> str:
    for field in fields:
        value = item.get(field)
        if isinstance(value, list) and value:
            value = " ".join(part for part in value if isinstance(part, str))
        if isinstance(value, bool):
            continue
        if isinstance(value, int):
            value = str(value) if abs(value) < 10**18 else ""
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _reference(item: Mapping[str, Any], number: int) -> Reference:
    url = _text(item, ("URL", "url"))
    return Reference(
        id=_text(item, _ID_FIELDS) or f"ref-{number}",
        raw=_raw(item),
        title=plain(_text(item, _TITLES)) or None,
        authors=_authors(item),
        year=_year(item),
        venue=plain(_text(item, _VENUES)) or None,
        identifiers=_identifiers(item, url),
        url=url or None,
        abstract=truncate_abstract(_abstract(item)),
    )


def _raw(item: Mapping[str, Any]) -> str:
    try:
        return json.dumps(item, ensure_ascii=False)[:_MAX_RAW]
    except RecursionError:
        return "(nested too deeply to be shown)"


def _abstract(item: Mapping[str, Any]) -> str:
    value = item.get("abstract")
    if isinstance(value, list):
        return plain(" ".join(part for part in value if isinstance(part, str)))
    return plain(value) if isinstance(value, str) else ""


def _authors(item: Mapping[str, Any]) -> tuple[Author, ...]:
    value = item.get("author") or item.get("authors") or item.get("editor") or ()
    if isinstance(value, str):
        value = [part for part in value.replace(" and ", ";").split(";") if part.strip()]
    if not isinstance(value, (list, tuple)):
        return ()
    authors = [_author(part) for part in value]
    return tuple(author for author in authors if author is not None)


def _author(value: Any) -> Author | None:
    if isinstance(value, str):
        return author_from_text(value)
    if not isinstance(value, Mapping):
        return None
    literal = plain(_text(value, ("literal",)))
    if literal:
        return Author(family=literal, corporate=True)
    family = plain(_text(value, ("family", "last", "lastName")))
    if not family:
        return author_from_text(_text(value, ("name", "display_name", "given")))
    particles = [_text(value, (field,)) for field in ("dropping-particle", "non-dropping-particle")]
    family = " ".join(part for part in (*particles, family) if part)
    return Author(family=family, given=plain(_text(value, ("given", "first", "firstName"))) or None)


def _year(item: Mapping[str, Any]) -> int | None:
    for field in _YEARS:
        value = item.get(field)
        if isinstance(value, Mapping):
            parts = value.get("date-parts")
            while isinstance(parts, list) and parts:
                parts = parts[0]
            value = parts if isinstance(parts, (str, int)) else _text(value, ("raw", "literal"))
        if isinstance(value, int) and not isinstance(value, bool) and 1500 <= value < 2100:
            return value
        if isinstance(value, str):
            year = find_year(value)
            if year is not None:
                return year
    return None


def _identifiers(item: Mapping[str, Any], url: str) -> Identifiers:
    found = find_identifiers("\n".join((url, _text(item, ("note",))))[:5_000])
    return Identifiers(
        doi=normalise_doi(_text(item, ("DOI", "doi"))) or found.doi,
        arxiv=normalise_arxiv(_text(item, ("arxiv", "arXiv", "arxiv_id", "eprint"))) or found.arxiv,
        pmid=normalise_pmid(_text(item, ("PMID", "pmid"))) or found.pmid,
        pmcid=normalise_pmcid(_text(item, ("PMCID", "pmcid"))) or found.pmcid,
        semantic_scholar=_text(item, ("paperId", "semantic_scholar")).lower() or found.semantic_scholar,
    )
