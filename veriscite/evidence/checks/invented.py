"""Whether an entry may be invented: a suspicion, never a finding, and only where much speaks for it."""

from collections.abc import Sequence
from datetime import UTC, datetime

from veriscite.domain import Reference
from veriscite.evidence.checks.kinds import EntryKind, is_english, kind_of, title_words

MIN_SOURCES = 2
MIN_TITLE_WORDS = 4
FIRST_YEAR = 1960
"""Older papers are often in no source."""


def suspicion(reference: Reference, asked: Sequence[str], query: str, *, this_year: int | None = None) -> str:
    """Say why an entry that no source knows may be invented.

    Args:
        reference: An entry of which every one of `asked` says that it knows nothing.
        asked: Sources, as people call them.
        query: The words that they were asked for.
        this_year: Papers of this year may not have reached the sources.

    Returns:
        A sentence or two; empty where sources need not know the work, or where too few were asked.
    """
    year = this_year or datetime.now(UTC).year
    if len(asked) < MIN_SOURCES or not _must_be_known(reference, year):
        return ""
    sources = f"{', '.join(asked[:-1])} and {asked[-1]}"
    return (
        f"{sources} were asked for “{query}” and know no such work, although they list most papers of this "
        "kind. The entry may be invented, or so garbled that nobody can find it: look for the paper yourself."
    )


def _must_be_known(reference: Reference, this_year: int) -> bool:
    if kind_of(reference) is EntryKind.OTHER or not reference.title or not reference.authors:
        return False
    if reference.year is None or not FIRST_YEAR <= reference.year < this_year:
        return False
    return title_words(reference) >= MIN_TITLE_WORDS and is_english(reference.title)
