"""Short ways to write references, and to gather answers."""

from collections.abc import AsyncIterator, Sequence

from veriscite.domain import EvidenceLookup, Identifiers, Reference
from veriscite.evidence.records import Record, parse_name


def ref(
    title: str | None = None,
    authors: str = "",
    year: int | None = None,
    *,
    id: str = "r1",
    raw: str | None = None,
    abstract: str | None = None,
    **identifiers: str,
) -> Reference:
    """A reference; `authors` are separated by semicolons."""
    if raw is None:
        raw = ". ".join(str(part) for part in (authors.replace(";", ","), year, title) if part)
    return Reference(
        id=id,
        raw=raw,
        title=title,
        authors=tuple(parse_name(name) for name in authors.split(";") if name.strip()),
        year=year,
        identifiers=Identifiers(**identifiers),
        abstract=abstract,
    )


def rec(
    title: str,
    authors: str = "",
    year: int | None = None,
    *,
    id: str = "p1",
    abstract: str | None = None,
    **identifiers: str,
) -> Record:
    """A record; `authors` are separated by semicolons."""
    return Record(
        source="test",
        record_id=id,
        title=title,
        authors=tuple(parse_name(name) for name in authors.split(";") if name.strip()),
        year=year,
        identifiers=Identifiers(**identifiers),
        abstract=abstract,
    )


async def gather(answers: AsyncIterator[EvidenceLookup]) -> dict[str, EvidenceLookup]:
    """All answers by reference id; a second answer for one reference fails."""
    found: dict[str, EvidenceLookup] = {}
    async for answer in answers:
        assert answer.reference_id not in found
        found[answer.reference_id] = answer
    return found


def statuses(found: dict[str, EvidenceLookup], ids: Sequence[str]) -> list[str]:
    """Statuses in the order of `ids`."""
    return [found[i].status for i in ids]
