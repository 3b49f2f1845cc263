"""The user's own library as a source: asks nobody, and is asked first."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from rapidfuzz import fuzz, process

from veriscite.domain import Component, EvidenceLookup, Found, NoAbstract, NotFound, Reference
from veriscite.evidence.abstracts import Refused, read_abstract
from veriscite.evidence.answers import answer, make_evidence, other_work
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.records import Record, record_of
from veriscite.ports import Emit, SearchRequest, silent

NAME = "library"
MAX_CANDIDATES = 20
TITLE_CUTOFF = 60.0
SEARCH_CUTOFF = 0.4
SEARCH_RESULTS = 10


class LibrarySource:
    """Entries that the user gave, with their abstracts.

    Args:
        entries: The library's entries.
        own_list: Whether the manuscript's reference list *is* this file. Only then does an equal id mean
            the same work; keys of two different files say nothing about each other.
    """

    def __init__(self, entries: Sequence[Reference], *, own_list: bool) -> None:
        self._own_list = own_list
        self._entries = {entry.id: entry for entry in entries}
        self._records = [record_of(entry, NAME) for entry in entries]
        self._titles = [fold(record.title) for record in self._records]
        self._by_identifier: dict[str, list[Record]] = {}
        for record in self._records:
            for key in _identifier_keys(record):
                self._by_identifier.setdefault(key, []).append(record)
        self._words: list[frozenset[str]] | None = None

    @property
    def name(self) -> str:
        """`library`."""
        return NAME

    def component(self) -> Component:
        """Tell how many entries and abstracts there are."""
        usable = sum(entry.abstract is not None for entry in self._entries.values())
        return Component(
            role="evidence source",
            name=NAME,
            detail=f"{len(self._entries)} entries, {usable} with an abstract",
        )

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        """Yield one answer for each reference, in their order."""
        for reference in references:
            yield self._look_up(reference)
            await asyncio.sleep(0)

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Search titles and abstracts for the planner's words."""
        records = await asyncio.to_thread(self._search, request.query)
        return other_work(request.reference, records, source=NAME, queries=(request.query,))

    def _look_up(self, reference: Reference) -> EvidenceLookup:
        if self._own_list and reference.id in self._entries:
            return self._own(reference)
        known = [r for key in _identifier_keys(reference) for r in self._by_identifier.get(key, [])]
        if known:
            found = answer(reference, known, source=NAME, by_identifier=True)
            if not isinstance(found, NotFound):
                return found
        return answer(reference, self._candidates(reference), source=NAME)

    def _own(self, reference: Reference) -> EvidenceLookup:
        """Answer from the entry itself, which needs no match."""
        record = record_of(self._entries[reference.id], NAME)
        if not (record.abstract or "").strip():
            # That the list names a work is no proof that it exists: this is no NoAbstract.
            return NotFound(
                reference_id=reference.id, asked=(NAME,), detail="the entry in the list carries no abstract"
            )
        abstract = read_abstract(record.abstract, record.title)
        if isinstance(abstract, Refused):
            return NoAbstract(reference_id=reference.id, record=record.candidate(), detail=abstract.detail)
        evidence = make_evidence(record, abstract, None, "the user's own entry")
        return Found(reference_id=reference.id, evidence=evidence)

    def _candidates(self, reference: Reference) -> list[Record]:
        wanted = fold(reference.title or "")
        if wanted:
            hits = process.extract(
                wanted, self._titles, scorer=fuzz.ratio, limit=MAX_CANDIDATES, score_cutoff=TITLE_CUTOFF
            )
            # A title without its subtitle is far from the whole by ratio, but begins it.
            begins = [
                i
                for i, title in enumerate(self._titles)
                if title and (title.startswith(wanted) or wanted.startswith(title))
            ]
            found = [index for _, _, index in hits] + begins[:MAX_CANDIDATES]
        else:
            entry = fold(reference.raw)
            hits = process.extract(
                entry, self._titles, scorer=fuzz.partial_ratio, limit=MAX_CANDIDATES, score_cutoff=85
            )
            found = [index for _, _, index in hits]
        return [self._records[index] for index in dict.fromkeys(found)]

    def _search(self, query: str) -> list[Record]:
        """Rank by the share of the query's words that title and abstract hold, titles counting twice."""
        wanted = set(content_words(fold(query)))
        if not wanted:
            return []
        if self._words is None:
            self._words = [frozenset(content_words(fold(record.abstract or ""))) for record in self._records]
        scored = []
        for index, (title, words) in enumerate(zip(self._titles, self._words, strict=True)):
            in_title = wanted & set(title.split())
            share = len(in_title | (wanted & words)) / len(wanted)
            likeness = fuzz.token_set_ratio(fold(query), title) / 100 if in_title else 0.0
            if share >= SEARCH_CUTOFF:
                scored.append((share + len(in_title) / len(wanted) + likeness, -index))
        scored.sort(reverse=True)
        return [self._records[-index] for _, index in scored[:SEARCH_RESULTS]]


def _identifier_keys(work: Reference | Record) -> list[str]:
    return [f"{kind}:{value}" for kind, value in work.identifiers.model_dump(exclude_none=True).items()]
