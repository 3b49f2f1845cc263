"""Markdown that cites by identifier (`[@doi:10.1/x]`): each such key is an entry without any list."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from veriscite.domain import ReadingNote, Reference, Span
from veriscite.domain.identifiers import find_identifiers
from veriscite.ports import ParsedList

_KEY = re.compile(
    r"(?<![\w\\@./+])@(?:\{([^{}\s]{1,400})\}|"
    r"((?:doi|pmid|pmcid|arxiv|url|isbn|wikidata|https?):[^\s;\]\[{}]{1,400}))",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"(doi|pmid|pmcid|arxiv|url|isbn|wikidata|https?):\S", re.IGNORECASE)
_TRAILING = ":.#$%&-+?<>~/,"
_MOST = 10_000


def with_identifier_keys(parsed: ParsedList, text: str, excluded: Sequence[Span]) -> ParsedList:
    """Add an entry for each key that is an identifier and that the list does not hold.

    Args:
        parsed: The manuscript's list; empty if it has none.
        text: A Markdown manuscript.
        excluded: Spans that are no prose, in order: keys there cite nothing.

    Returns:
        The list, the new entries behind its own in the order of their first mention, with the key as id.
    """
    known = {reference.id for reference in parsed.references}
    starts = [span.start for span in excluded]
    added: dict[str, Reference] = {}
    for match in _KEY.finditer(text):
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < excluded[before].end:
            continue
        key = match[1] or _bare(match[2])
        if key in known or key in added or not _PREFIX.match(key):
            continue
        if len(added) >= _MOST:
            break
        added[key] = _reference(key)
    if not added:
        return parsed
    note = ReadingNote(message=f"{len(added)} works are cited by identifier, without an entry in a list.")
    return ParsedList((*parsed.references, *added.values()), (*parsed.notes, note))


def _bare(raw: str) -> str:
    """Take off what closes the sentence or a parenthesis around the key."""
    key = raw.rstrip(_TRAILING)
    while key.endswith(")") and key.count(")") > key.count("("):
        key = key[:-1].rstrip(".,")
    return key


def _reference(key: str) -> Reference:
    kind, _, rest = key.partition(":")
    address = rest if kind.lower() == "url" else key if kind.lower().startswith("http") else None
    return Reference(id=key, raw=key, identifiers=find_identifiers(key), url=address)
