"""What a source on the network has to be able to do; matching, answers and checks are made from it."""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from veriscite.domain import Frozen, Reference
from veriscite.evidence.records import Record
from veriscite.ports import Emit, silent


@runtime_checkable
class RecordFinder(Protocol):
    """Finds records in one source. Nothing here decides whether a record is the cited work.

    Every method raises `SourceError` where the source could not be asked, and only then: an empty answer
    means that the source knows nothing.
    """

    @property
    def name(self) -> str:
        """Stable name (`crossref`)."""
        ...

    async def by_identifier(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> Mapping[str, Sequence[Record]]:
        """Records that the identifiers of these references lead to, in as few calls as the source allows.

        Returns:
            By reference id; a reference without identifiers of use there is left out, one whose identifiers
            are unknown there has an empty sequence.
        """
        ...

    async def by_words(self, reference: Reference, emit: Emit = silent) -> Sequence[Record]:
        """Records that may be the work, by first author, year and title words, the best few."""
        ...


class Asked(Frozen):
    """What a source was asked about one reference, and what it gave.

    Attributes:
        queries: As they were asked, in order.
        unknown: Identifiers among them that the source does not know.
    """

    records: tuple[Record, ...] = ()
    queries: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
