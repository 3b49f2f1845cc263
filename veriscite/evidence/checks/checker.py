"""The state of each reference, asked of all sources with as few calls as they allow."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from veriscite.domain import (
    Component,
    EvidenceLookup,
    Identifiers,
    LookupFailed,
    Reference,
    ReferenceCheck,
    ReferenceStatus,
    source_title,
)
from veriscite.errors import VeriSciteError
from veriscite.evidence.checks.duplicates import duplicates
from veriscite.evidence.checks.hearing import Hearing, published_version
from veriscite.evidence.checks.invented import suspicion
from veriscite.evidence.checks.kinds import cites_preprint
from veriscite.evidence.checks.mismatches import mismatches
from veriscite.evidence.checks.notices import notices
from veriscite.evidence.finding import RecordFinder
from veriscite.evidence.query import author_year_title_query
from veriscite.evidence.records import Record
from veriscite.ports import Emit, silent

BATCH = 500
SMALL_BATCH = 50
CHUNK = 50
CONCURRENT = 8


class SourcesReferenceChecker:
    """Checks references against records of several sources.

    All are asked by identifier, in batches. Whoever no identifier leads to is searched for by words, source
    after source until one knows it. What is known by then is asked for by its DOI where it was not yet, so
    that every source's notices are heard.

    Args:
        network: Sources on the network, in order; not asked when `offline`.
        local: Sources that ask nobody (the user's library). That they hold an entry is no proof that the
            work exists, unless they hold its abstract.
        offline: Whether the network may not be asked.
    """

    def __init__(
        self,
        network: Sequence[RecordFinder] = (),
        *,
        local: Sequence[RecordFinder] = (),
        offline: bool = False,
    ) -> None:
        self._network = () if offline else tuple(network)
        self._local = tuple(local)

    def component(self) -> Component:
        """Tell which sources are asked."""
        names = [source_title(finder.name) for finder in (*self._local, *self._network)]
        detail = f"asks {', '.join(names)}" if names else "duplicates only: no source is asked"
        return Component(role="reference_checker", name="reference checks", detail=detail)

    async def check(
        self,
        references: Sequence[Reference],
        emit: Emit = silent,
        known: Sequence[EvidenceLookup] = (),
    ) -> AsyncIterator[ReferenceCheck]:
        """Yield the state of each reference, in the list's order, as parts of the list are done.

        Args:
            references: The list.
            emit: Hears of waiting.
            known: Lookups of the same references made before. A source that failed or knew nothing then is
                not asked again; what it knew it keeps itself.
        """
        again = await asyncio.to_thread(duplicates, references)
        hearings = {reference.id: Hearing(reference) for reference in references}
        settled = _heard_before(known)
        await asyncio.gather(
            *(self._identify(finder, list(hearings.values()), settled, emit) for finder in self._finders)
        )
        waiting = list(hearings.values())
        for start in range(0, len(waiting), CHUNK):
            chunk = waiting[start : start + CHUNK]
            gate = asyncio.Semaphore(CONCURRENT)
            await asyncio.gather(*(self._search(hearing, settled, gate, emit) for hearing in chunk))
            await asyncio.gather(*(self._ask_by_doi(finder, chunk, emit) for finder in self._network))
            published = await self._published(chunk, emit)
            for hearing in chunk:
                # Comparing is arithmetic: let others have their turn in between.
                await asyncio.sleep(0)
                yield self._judge(hearing, published.get(hearing.reference.id, ()), again)

    @property
    def _finders(self) -> tuple[RecordFinder, ...]:
        return (*self._local, *self._network)

    async def _identify(
        self,
        finder: RecordFinder,
        hearings: Sequence[Hearing],
        settled: Mapping[tuple[str, str], str],
        emit: Emit,
    ) -> None:
        """Ask one source for all that has an identifier."""
        due = [
            hearing
            for hearing in hearings
            if hearing.reference.identifiers.any() and (hearing.reference.id, finder.name) not in settled
        ]
        answers, failures = await _by_identifier(finder, [hearing.reference for hearing in due], emit)
        for hearing in due:
            if hearing.reference.id in failures:
                hearing.fail(finder.name, failures[hearing.reference.id])
            elif hearing.reference.id in answers:
                hearing.hear(finder.name, answers[hearing.reference.id], by_identifier=True)

    async def _search(
        self, hearing: Hearing, settled: Mapping[tuple[str, str], str], gate: asyncio.Semaphore, emit: Emit
    ) -> None:
        """Ask by words: the library always, sources on the network until one knows the work."""
        async with gate:
            for finder in self._local:
                if finder.name not in hearing.accepted:
                    await _by_words(finder, hearing, emit)
            for finder in self._network:
                if any(other.name in hearing.accepted for other in self._network):
                    return
                said = settled.get((hearing.reference.id, finder.name))
                if said is None:
                    await _by_words(finder, hearing, emit)
                elif said:
                    hearing.fail(finder.name, said)
                else:
                    hearing.asked[finder.name] = None
                    hearing.by_words.add(finder.name)

    async def _ask_by_doi(self, finder: RecordFinder, chunk: Sequence[Hearing], emit: Emit) -> None:
        """Ask a source that has not spoken of a known work for it, by what is known of it now."""
        due = {}
        for hearing in chunk:
            best = hearing.best()
            if best is None or finder.name in hearing.accepted or finder.name in hearing.failed:
                continue
            ids = best.record.identifiers
            if hearing.identified:
                ids = hearing.reference.identifiers.filled_from(ids)
            new = ids.model_copy(update={"semantic_scholar": None})
            if new.doi and not (finder.name in hearing.unknown_ids and new == hearing.reference.identifiers):
                due[hearing.reference.id] = hearing.reference.model_copy(update={"identifiers": new})
        answers, failures = await _by_identifier(finder, list(due.values()), emit)
        for hearing in chunk:
            key = hearing.reference.id
            if key in failures:
                hearing.fail(finder.name, failures[key])
            elif key in answers and key in due:
                hearing.add_version(finder.name, due[key], answers[key])

    async def _published(self, chunk: Sequence[Hearing], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Records of what sources name as the published version of a preprint that the list cites."""
        due: dict[str, Reference] = {}
        for hearing in chunk:
            if not cites_preprint(hearing.reference) or published_version(hearing):
                continue
            named = next((m.record.published_as for m in hearing.matches if m.record.published_as), None)
            if named is not None and named.any():
                bare = Reference(id=hearing.reference.id, raw=_spelled(named), identifiers=named)
                due[hearing.reference.id] = bare
        found: dict[str, Sequence[Record]] = {}
        for finder in self._network:
            open_ = [reference for key, reference in due.items() if not found.get(key)]
            answers, _failures = await _by_identifier(finder, open_, emit)
            found.update({key: records for key, records in answers.items() if records})
        return found

    def _judge(
        self, hearing: Hearing, published: Sequence[Record], again: Mapping[str, tuple[str, ...]]
    ) -> ReferenceCheck:
        reference = hearing.reference
        network = [finder.name for finder in self._network]
        status = self._status(hearing)
        found_by = tuple(f.name for f in self._finders if f.name in hearing.accepted)
        found = [*mismatches(reference, hearing.versions)]
        for other in (hearing.wrong_identifier(), hearing.same_title_other_people()):
            if other is not None:
                found.append(other)
        healthy = [name for name in network if name in hearing.by_words and name not in hearing.failed]
        suspected = (
            status is ReferenceStatus.NOT_FOUND
            and len(healthy) == len(network)
            and not hearing.misled
            and not hearing.is_perhaps_known
        )
        best = hearing.best()
        return ReferenceCheck(
            reference_id=reference.id,
            status=status,
            found_by=found_by if status is ReferenceStatus.FOUND else (),
            record=best.record.candidate(best.score) if best else None,
            answers=tuple(
                hearing.answer_of(f.name)
                for f in self._finders
                if f.name in hearing.asked or f.name in hearing.failed
            ),
            mismatches=tuple(found),
            notices=notices([match.record for match in hearing.matches]),
            published_as=published_version(hearing, published),
            duplicates=again.get(reference.id, ()),
            suspicion=suspicion(
                reference, [source_title(name) for name in healthy], author_year_title_query(reference)
            )
            if suspected
            else "",
        )

    def _status(self, hearing: Hearing) -> ReferenceStatus:
        network = {finder.name for finder in self._network}
        if hearing.accepted.keys() & network or self._held_with_abstract(hearing):
            return ReferenceStatus.FOUND
        if hearing.accepted and not network & hearing.asked.keys():
            return ReferenceStatus.FOUND
        if hearing.tied:
            return ReferenceStatus.AMBIGUOUS
        if network and network <= hearing.asked.keys() and not hearing.failed:
            return ReferenceStatus.NOT_FOUND
        return ReferenceStatus.NOT_CHECKED

    def _held_with_abstract(self, hearing: Hearing) -> bool:
        return any(
            match.record.abstract for finder in self._local for match in hearing.accepted.get(finder.name, ())
        )


async def _by_identifier(
    finder: RecordFinder, references: Sequence[Reference], emit: Emit
) -> tuple[dict[str, Sequence[Record]], dict[str, str]]:
    """Ask in large batches; of one that fails ask small parts, so that one bad entry spoils few others.

    Returns:
        Records by reference id, and messages of failure by reference id.
    """
    answers: dict[str, Sequence[Record]] = {}
    failures: dict[str, str] = {}
    for batch in _parts(references, BATCH):
        try:
            answers.update(await finder.by_identifier(batch, emit))
            continue
        except VeriSciteError as error:
            if len(batch) <= SMALL_BATCH:
                failures.update((reference.id, str(error)) for reference in batch)
                continue
        for part in _parts(batch, SMALL_BATCH):
            try:
                answers.update(await finder.by_identifier(part, emit))
            except VeriSciteError as error:
                failures.update((reference.id, str(error)) for reference in part)
    return answers, failures


async def _by_words(finder: RecordFinder, hearing: Hearing, emit: Emit) -> None:
    try:
        records = await finder.by_words(hearing.reference, emit)
    except VeriSciteError as error:
        hearing.fail(finder.name, str(error))
        return
    hearing.hear(finder.name, records, by_identifier=False)


def _heard_before(known: Sequence[EvidenceLookup]) -> dict[tuple[str, str], str]:
    """By reference id and source: why it failed, or an empty text where it knew nothing."""
    said: dict[tuple[str, str], str] = {}
    for lookup in known:
        for answer in lookup.answers:
            if answer.status == "lookup_failed":
                said[lookup.reference_id, answer.source] = answer.detail or "it could not be asked"
            elif answer.status == "not_found" and answer.record is None and not answer.detail:
                said[lookup.reference_id, answer.source] = ""
        if isinstance(lookup, LookupFailed):
            said[lookup.reference_id, lookup.source] = lookup.message
    return said


def _parts(references: Sequence[Reference], size: int) -> list[Sequence[Reference]]:
    return [references[start : start + size] for start in range(0, len(references), size)]


def _spelled(ids: Identifiers) -> str:
    return " ".join(f"{kind}:{value}" for kind, value in ids.model_dump(exclude_none=True).items())
