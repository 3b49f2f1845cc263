"""Plain text of a reference list -> `Reference` entries; a `ReferenceListParser`."""

from veriscite.domain import ReadingNote, Reference, Span
from veriscite.linking.references.parser import parse_entry
from veriscite.linking.references.splitter import RawEntry, split_list
from veriscite.ports import ParsedList

_MAX_PARSED = 5_000
"""Characters of an entry that are read for fields; its raw text is kept whole."""


class PlainListParser:
    """Splits a reference list in plain text and parses each entry; a `ReferenceListParser`."""

    def parse(self, text: str, *, offset: int | None = 0) -> ParsedList:
        """Split a list into entries and parse each.

        Args:
            text: The list, without its heading.
            offset: Where `text` begins in `Manuscript.text`; None when the list came apart.

        Returns:
            The entries in order, with ids `ref-1`...; an entry whose fields cannot be read still has its
            raw text. Notes name what stands between entries and is none.
        """
        entries, left_out = split_list(text)
        references: list[Reference] = []
        for n, entry in enumerate(entries, start=1):
            references.append(_reference(n, entry, references[-1] if references else None, offset))
        notes = tuple(
            ReadingNote(
                message="Not an entry of the reference list.",
                raw=part.text,
                span=None if offset is None else Span(start=offset + part.start, end=offset + part.end),
                line=text.count("\n", 0, part.start) + 1,
            )
            for part in left_out
        )
        return ParsedList(tuple(references), notes)


def _reference(n: int, entry: RawEntry, previous: Reference | None, offset: int | None) -> Reference:
    fields = parse_entry(entry.body[:_MAX_PARSED], previous)
    return Reference(
        id=f"ref-{n}",
        label=entry.label,
        raw=entry.text,
        span=None if offset is None else Span(start=offset + entry.start, end=offset + entry.end),
        title=fields.title,
        authors=fields.authors,
        year=fields.year,
        year_suffix=fields.year_suffix,
        venue=fields.venue,
        identifiers=fields.identifiers,
        url=fields.url,
    )
