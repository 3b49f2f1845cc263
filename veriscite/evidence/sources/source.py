"""Evidence from any finder: by identifiers in batches, else by words; the same matching for all."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from veriscite.domain import Component, EvidenceLookup, NotFound, Reference
from veriscite.errors import SourceError
from veriscite.evidence.answers import answer, failed, other_work
from veriscite.evidence.finding import Asked
from veriscite.evidence.query import plain_words
from veriscite.evidence.sources.finder import NetworkFinder
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, SearchRequest, silent

CONCURRENT_SEARCHES = 4
MAX_QUERY = 300


class FinderSource:
    """A finder as a source of evidence.

    Args:
        finder: Finds the records.
    """

    def __init__(self, finder: NetworkFinder) -> None:
        self._finder = finder

    @property
    def name(self) -> str:
        """The finder's name."""
        return self._finder.name

    def component(self) -> Component:
        """Tell what the finder is."""
        return self._finder.component()

    async def aclose(self) -> None:
        """Close connections of the running loop."""
        await self._finder.aclose()

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        """Yield one answer for each reference: first those with identifiers, then those searched for."""
        waiting: dict[str, tuple[Reference, NotFound | None]] = {r.id: (r, None) for r in references}
        named = [reference for reference in references if self._finder.identifiers(reference)]
        for start in range(0, len(named), self._finder.batch_size):
            part = named[start : start + self._finder.batch_size]
            answers = await self._finder.identified(part, emit)
            for reference in part:
                found = self._by_identifier(reference, answers[reference.id])
                if isinstance(found, NotFound):
                    waiting[reference.id] = (reference, found)
                else:
                    del waiting[reference.id]
                    yield found
        async with closing(self._search_all(list(waiting.values()), emit)) as searched:
            async for found in searched:
                yield found

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Search with the planner's words."""
        reference = request.reference
        query = plain_words(request.query)[:MAX_QUERY]
        if not query:
            return NotFound(reference_id=reference.id, asked=(self.name,), detail="no words to search for")
        try:
            records = await self._finder.run(self._finder.search_words(query), emit)
        except SourceError as error:
            return failed(reference, self.name, error, (query,))
        return other_work(reference, records, source=self.name, queries=(query,))

    def _by_identifier(self, reference: Reference, asked: Asked | SourceError) -> EvidenceLookup:
        """Answer from what identifiers lead to; NotFound means that a search is still to come."""
        if isinstance(asked, SourceError):
            return failed(reference, self.name, asked, self._finder.identifiers(reference)[:1])
        unknown = " and ".join(asked.unknown)
        verb = "is" if len(asked.unknown) == 1 else "are"
        return answer(
            reference,
            asked.records,
            source=self.name,
            queries=asked.queries,
            by_identifier=True,
            detail=f"{unknown} {verb} not known there" if unknown and not asked.records else "",
        )

    async def _search_all(
        self, waiting: Sequence[tuple[Reference, NotFound | None]], emit: Emit
    ) -> AsyncIterator[EvidenceLookup]:
        gate = asyncio.Semaphore(CONCURRENT_SEARCHES)

        async def one(reference: Reference, earlier: NotFound | None) -> EvidenceLookup:
            async with gate:
                return await self._search_for(reference, earlier, emit)

        tasks = [asyncio.create_task(one(reference, earlier)) for reference, earlier in waiting]
        try:
            for next_done in asyncio.as_completed(tasks):
                yield await next_done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _search_for(self, reference: Reference, earlier: NotFound | None, emit: Emit) -> EvidenceLookup:
        before = earlier.queries if earlier else ()
        if not self._finder.searches(reference):
            return earlier or NotFound(
                reference_id=reference.id,
                asked=(self.name,),
                detail="the entry holds no words to search for",
            )
        try:
            asked = await self._finder.worded(reference, emit)
        except SourceError as error:
            return failed(reference, self.name, error, before)
        queries = (*before, *asked.queries)
        found = answer(reference, asked.records, source=self.name, queries=queries)
        return _joined(earlier, found) if isinstance(found, NotFound) else found


def _joined(earlier: NotFound | None, later: NotFound) -> NotFound:
    """Keep what an earlier question found out beside what a later one did."""
    if earlier is None:
        return later
    details = dict.fromkeys(part for part in (earlier.detail, later.detail) if part)
    nearest = {candidate.record_id: candidate for candidate in (*earlier.nearest, *later.nearest)}
    return later.model_copy(
        update={
            "queries": tuple(dict.fromkeys((*earlier.queries, *later.queries))),
            "detail": "; ".join(details),
            "nearest": tuple(nearest.values())[:5],
        }
    )
