"""RIS -> references."""

import re
from collections.abc import Mapping
from typing import Any

import rispy

from veriscite.domain import Author, Identifiers, ReadingNote, Reference
from veriscite.domain.identifiers import find_identifiers, normalise_doi
from veriscite.ports import ParsedList
from veriscite.reading.bibliography.fields import (
    author_from_text,
    find_year,
    plain,
    shorten,
    truncate_abstract,
)

_TITLES = ("title", "primary_title", "translated_title", "short_title")
_VENUES = (
    "journal_name",
    "alternate_title3",
    "secondary_title",
    "alternate_title2",
    "alternate_title1",
    "tertiary_title",
    "publisher",
)
_ABSTRACTS = ("abstract", "notes_abstract")
_AUTHORS = ("authors", "first_authors", "secondary_authors")
_TAG_LINE = re.compile(r"([A-Z][A-Z0-9])  -(?: |$)")


def read_ris(text: str) -> ParsedList:
    """Read a RIS file. A record that never ends (`ER` is missing) is closed where the next begins.

    Args:
        text: The file.

    Returns:
        References in the file's order, and notes on lines that belong to no record.
    """
    records, notes = _records(text)
    references: list[Reference] = []
    seen: set[str] = set()
    for number, (line, lines) in enumerate(records, 1):
        raw = "\n".join(lines)
        parsed = rispy.loads(
            "\n".join(_unwrapped(lines)) + "\nER  - \n", skip_unknown_tags=True, enforce_list_tags=False
        )
        if not parsed:
            notes.append(ReadingNote(message="A record could not be read.", raw=shorten(raw), line=line))
            continue
        reference = _reference(parsed[0], raw, number)
        if reference.id in seen:
            message = f"The id {reference.id!r} occurs again; its first record is used."
            notes.append(ReadingNote(message=message, raw=shorten(raw), line=line))
            continue
        seen.add(reference.id)
        references.append(reference)
    return ParsedList(references=tuple(references), notes=tuple(notes))


def _unwrapped(lines: list[str]) -> list[str]:
    """Join lines without a tag to the one before; the library does so for some tags only."""
    joined: list[list[str]] = []
    for line in lines:
        if joined and _TAG_LINE.match(line + " ") is None:
            joined[-1].append(line.strip())
        else:
            joined.append([line])
    return [" ".join(parts) for parts in joined]


def _records(text: str) -> tuple[list[tuple[int, list[str]]], list[ReadingNote]]:
    """Split the file into records, each with its first line's number."""
    records: list[tuple[int, list[str]]] = []
    notes: list[ReadingNote] = []
    current: list[str] | None = None
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        line = line.rstrip()
        match = _TAG_LINE.match(line + " ")
        tag = match.group(1) if match else None
        if tag == "TY":
            if current is not None:
                notes.append(ReadingNote(message="A record has no end (ER); it ends here.", line=number))
            current = [line]
            records.append((number, current))
        elif tag == "ER":
            current = None
        elif current is not None:
            # Within a record only tags may begin a line; the parser appends the rest to the last tag.
            if tag is not None or (len(current) > 1 and line):
                current.append(line)
        elif line.strip():
            notes.append(
                ReadingNote(
                    message="A line outside of any record was left out.", raw=shorten(line), line=number
                )
            )
    return records, notes[:200]


def _text(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = record.get(name)
        if isinstance(value, list):
            value = " ".join(str(part) for part in value)
        if isinstance(value, str) and value.strip():
            return plain(value)
    return ""


def _reference(record: Mapping[str, Any], raw: str, number: int) -> Reference:
    found = find_identifiers(raw)
    doi = normalise_doi(_text(record, ("doi",)))
    urls = record.get("urls") or []
    url = next((str(item).strip() for item in urls if str(item).strip()), None)
    return Reference(
        id=_text(record, ("id",)) or f"ref-{number}",
        raw=raw,
        title=_text(record, _TITLES) or None,
        authors=_authors(record),
        year=find_year(_text(record, ("year", "publication_year", "date"))),
        venue=_text(record, _VENUES) or None,
        identifiers=Identifiers(
            doi=doi or found.doi,
            arxiv=found.arxiv,
            pmid=found.pmid,
            pmcid=found.pmcid,
            semantic_scholar=found.semantic_scholar,
        ),
        url=url,
        abstract=truncate_abstract(_text(record, _ABSTRACTS)),
    )


def _authors(record: Mapping[str, Any]) -> tuple[Author, ...]:
    for name in _AUTHORS:
        value = record.get(name) or []
        names = value if isinstance(value, list) else [value]
        authors = [author for author in (author_from_text(str(item)) for item in names) if author]
        if authors:
            return tuple(authors)
    return ()
