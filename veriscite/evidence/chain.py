"""Sources in order: each is asked for what the ones before could not give."""

import time
from collections.abc import AsyncIterator, Callable, Sequence

from veriscite.domain import (
    Ambiguous,
    Candidate,
    Component,
    EvidenceLookup,
    Found,
    LookupFailed,
    NoAbstract,
    NotFound,
    Reference,
    SourceAnswer,
    source_title,
)
from veriscite.domain.events import RetrievalProgress
from veriscite.errors import VeriSciteError
from veriscite.evidence.answers import failed
from veriscite.evidence.records import display_name
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, EvidenceSource, SearchRequest, silent

_TITLES = {"library": "the library", "pdf_folder": "the folder of PDFs"}
TOLD_EVERY_S = 5.0
"""Progress is told no oftener."""


class EvidenceChain:
    """Asks local sources, then those on the network, until one gives usable evidence.

    Args:
        local: Sources that ask nobody.
        network: Sources on the network, in order.
        offline: Whether the network may not be asked; answers then say so.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        local: Sequence[EvidenceSource],
        network: Sequence[EvidenceSource] = (),
        *,
        offline: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
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
        """Yield one answer for each reference, as soon as nothing better can come.

        What one source finds out about a work (its DOI, its number in PubMed) is what the next is asked by.
        """
        open_: dict[str, Reference] = {reference.id: reference for reference in references}
        said: dict[str, list[EvidenceLookup]] = {reference_id: [] for reference_id in open_}
        progress = _Progress(len(open_), emit, self._clock)
        for index, source in enumerate(self._sources):
            last = index == len(self._sources) - 1
            progress.begin(source.name, len(open_))
            async with closing(_ask(source, list(open_.values()), emit)) as answers:
                async for found in answers:
                    said[found.reference_id].append(found)
                    settled = last or isinstance(found, Found)
                    if settled:
                        del open_[found.reference_id]
                    elif isinstance(found, NoAbstract):
                        open_[found.reference_id] = _with_identifiers(open_[found.reference_id], found)
                    progress.one(settled=settled)
                    if settled:
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
            said.append(found)
            if isinstance(found, Found) and found.evidence.of_cited_work:
                break
        chosen = self._merge(request.reference.id, said)
        own = next((one for one in said if isinstance(one, Found) and one.evidence.of_cited_work), None)
        return chosen if own is None else own.model_copy(update={"answers": chosen.answers})

    async def aclose(self) -> None:
        """Close what sources hold, those included that were not asked."""
        for source in self._all:
            close = getattr(source, "aclose", None)
            if close is not None:
                await close()

    def _merge(self, reference_id: str, said: Sequence[EvidenceLookup]) -> EvidenceLookup:
        """Weigh what the sources said: evidence, a failure, a work without abstract, doubt, nothing."""
        told = tuple(
            source_answer(source.name, answer) for source, answer in zip(self._sources, said, strict=False)
        )
        queries = tuple(dict.fromkeys(query for answer in said for query in answer.queries))
        kept: dict[str, object] = {"queries": queries, "answers": told}
        for answer in said:
            if isinstance(answer, Found):
                return answer.model_copy(update=kept)
        for answer in said:
            if isinstance(answer, LookupFailed):
                # Before all others: the source that could not be asked might have had it.
                return answer.model_copy(update=kept)
        kept["detail"] = detail = self._details(said)
        for kind in (NoAbstract, Ambiguous):
            for answer in said:
                if isinstance(answer, kind):
                    return answer.model_copy(update=kept)
        misses = [answer for answer in said if isinstance(answer, NotFound)]
        nearest = {(c.source, c.record_id): c for answer in misses for c in answer.nearest}
        return NotFound(
            reference_id=reference_id,
            asked=tuple(dict.fromkeys(name for answer in misses for name in answer.asked)),
            queries=queries,
            answers=told,
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
    return _TITLES.get(name) or source_title(name)


def source_answer(source: str, answer: EvidenceLookup) -> SourceAnswer:
    """Tell briefly what one source said."""
    record: Candidate | None = None
    if isinstance(answer, Found):
        evidence = answer.evidence
        record = Candidate(
            source=evidence.source,
            record_id=evidence.record_id,
            title=evidence.title,
            year=evidence.year,
            authors=tuple(display_name(author) for author in evidence.authors[:10]),
            score=evidence.match_score,
            identifiers=evidence.identifiers,
        )
        return SourceAnswer(source=source, status=answer.status, detail=evidence.matched_by, record=record)
    if isinstance(answer, LookupFailed):
        return SourceAnswer(source=source, status=answer.status, detail=answer.message)
    record = answer.record if isinstance(answer, NoAbstract) else None
    return SourceAnswer(source=source, status=answer.status, detail=answer.detail, record=record)


def _with_identifiers(reference: Reference, found: NoAbstract) -> Reference:
    """Add the identifiers of the record that was taken for the work, where the entry has none."""
    filled = reference.identifiers.filled_from(found.record.identifiers)
    return reference.model_copy(update={"identifiers": filled})


class _Progress:
    """Tells how far the retrieval is, and about how long the source asked now will take."""

    def __init__(self, total: int, emit: Emit, clock: Callable[[], float]) -> None:
        self._total, self._emit, self._clock = total, emit, clock
        self._settled = self._answered = self._asked = 0
        self._source = ""
        self._began = self._told = clock()

    def begin(self, source: str, asked: int) -> None:
        self._source, self._asked, self._answered, self._began = source, asked, 0, self._clock()

    def one(self, *, settled: bool) -> None:
        self._answered += 1
        self._settled += settled
        now = self._clock()
        if now - self._told < TOLD_EVERY_S:
            return
        self._told = now
        left = (now - self._began) / self._answered * (self._asked - self._answered)
        self._emit(
            RetrievalProgress(
                source=self._source,
                done=self._settled,
                total=self._total,
                answered=self._answered,
                asked=self._asked,
                seconds_left=round(left, 1),
            )
        )
