"""Sources in order: each is asked for what the ones before could not give."""

from collections.abc import AsyncIterator, Sequence

from veriscite.domain import (
    Ambiguous,
    Component,
    EvidenceLookup,
    Found,
    LookupFailed,
    NoAbstract,
    NotFound,
    Reference,
)
from veriscite.errors import VeriSciteError
from veriscite.evidence.answers import failed
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, EvidenceSource, SearchRequest, silent

_TITLES = {"library": "the library", "semantic_scholar": "Semantic Scholar"}


class EvidenceChain:
    """Asks local sources, then those on the network, until one gives usable evidence.

    Args:
        local: Sources that ask nobody.
        network: Sources on the network, in order.
        offline: Whether the network may not be asked; answers then say so.
    """

    def __init__(
        self,
        local: Sequence[EvidenceSource],
        network: Sequence[EvidenceSource] = (),
        *,
        offline: bool = False,
    ) -> None:
        self._sources = (*local, *(() if offline else network))
        self._all = (*local, *network)
        self._not_asked = tuple(source.name for source in network) if offline else ()

    @property
    def name(self) -> str:
        """The sources that are asked, in order, in words."""
        return ", then ".join(_title(name) for name in self.sources) or "no source"

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources that are asked, in order."""
        return tuple(source.name for source in self._sources)

    def component(self) -> Component:
        """Tell the order of the sources."""
        return Component(role="evidence", name="chain", detail=f"{self.name}{self._offline_note('; ')}")

    def components(self) -> tuple[Component, ...]:
        """Tell of every source that is asked."""
        return tuple(source.component() for source in self._sources)

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        """Yield one answer for each reference, as soon as nothing better can come."""
        open_: dict[str, Reference] = {reference.id: reference for reference in references}
        said: dict[str, list[EvidenceLookup]] = {reference_id: [] for reference_id in open_}
        for index, source in enumerate(self._sources):
            last = index == len(self._sources) - 1
            async with closing(_ask(source, list(open_.values()), emit)) as answers:
                async for found in answers:
                    said[found.reference_id].append(found)
                    if last or isinstance(found, Found):
                        del open_[found.reference_id]
                        yield self._merge(found.reference_id, said[found.reference_id])
            if not open_:
                return
        for reference_id in open_:
            yield self._merge(reference_id, said[reference_id])

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Search with the planner's words: the cited work if any source has it, else another work."""
        said: list[EvidenceLookup] = []
        for source in self._sources:
            try:
                found = await source.search(request, emit)
            except VeriSciteError as error:
                found = failed(request.reference, source.name, error, (request.query,))
            if isinstance(found, Found) and found.evidence.of_cited_work:
                return found
            said.append(found)
        others = [found for found in said if isinstance(found, Found)]
        return others[0] if others else self._merge(request.reference.id, said)

    async def aclose(self) -> None:
        """Close what sources hold, those included that were not asked."""
        for source in self._all:
            close = getattr(source, "aclose", None)
            if close is not None:
                await close()

    def _merge(self, reference_id: str, said: Sequence[EvidenceLookup]) -> EvidenceLookup:
        """Weigh what the sources said: evidence, a failure, a work without abstract, doubt, nothing."""
        queries = tuple(dict.fromkeys(query for answer in said for query in answer.queries))
        for answer in said:
            if isinstance(answer, Found):
                return answer.model_copy(update={"queries": queries})
        for answer in said:
            if isinstance(answer, LookupFailed):
                # Before all others: the source that could not be asked might have had it.
                return answer.model_copy(update={"queries": queries})
        detail = self._details(said)
        for kind in (NoAbstract, Ambiguous):
            for answer in said:
                if isinstance(answer, kind):
                    return answer.model_copy(update={"queries": queries, "detail": detail})
        misses = [answer for answer in said if isinstance(answer, NotFound)]
        nearest = {(c.source, c.record_id): c for answer in misses for c in answer.nearest}
        return NotFound(
            reference_id=reference_id,
            asked=tuple(dict.fromkeys(name for answer in misses for name in answer.asked)),
            queries=queries,
            detail=detail,
            nearest=tuple(sorted(nearest.values(), key=lambda c: -(c.score or 0.0))[:5]),
        )

    def _details(self, said: Sequence[EvidenceLookup]) -> str:
        parts = []
        for source, answer in zip(self._sources, said, strict=False):
            if not isinstance(answer, Found | LookupFailed) and answer.detail:
                parts.append(f"{_title(source.name)}: {answer.detail}")
        return "; ".join([*parts, *filter(None, [self._offline_note("")])])

    def _offline_note(self, before: str) -> str:
        if not self._not_asked:
            return ""
        names = " and ".join(_title(name) for name in self._not_asked)
        return f"{before}offline: {names} {'was' if len(self._not_asked) == 1 else 'were'} not asked"


async def _ask(
    source: EvidenceSource, references: Sequence[Reference], emit: Emit
) -> AsyncIterator[EvidenceLookup]:
    """Ask one source, and make sure that every reference gets exactly one answer from it."""
    waiting = {reference.id: reference for reference in references}
    problem = VeriSciteError(f"{_title(source.name)} gave no answer for this reference.")
    try:
        async with closing(source.lookup(references, emit)) as answers:
            async for found in answers:
                if waiting.pop(found.reference_id, None) is not None:
                    yield found
    except VeriSciteError as error:
        problem = error
    for reference in waiting.values():
        yield failed(reference, source.name, problem)


def _title(name: str) -> str:
    return _TITLES.get(name, name)
