"""The user's own library as a source: asks nobody, and is asked first."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from heapq import nlargest

from rapidfuzz import fuzz

from veriscite.domain import Component, EvidenceLookup, Found, NoAbstract, NotFound, Reference
from veriscite.evidence.abstracts import Refused, read_abstract
from veriscite.evidence.answers import answer, make_evidence, other_work
from veriscite.evidence.folding import MAX_CHARACTERS, content_words, fold
from veriscite.evidence.records import Record, record_of
from veriscite.ports import Emit, SearchRequest, silent

NAME = "library"
MAX_CANDIDATES = 20
SHARED_WORDS = 0.5
SEARCH_CUTOFF = 0.4
SEARCH_RESULTS = 10

_WORD = re.compile(r"[a-z0-9]+")


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
        self._title_words = [frozenset(content_words(fold(record.title))) for record in self._records]
        self._by_word: dict[str, list[int]] = {}
        for index, words in enumerate(self._title_words):
            for word in words:
                self._by_word.setdefault(word, []).append(index)
        self._by_identifier: dict[str, list[Record]] = {}
        for record in self._records:
            for key in _identifier_keys(record):
                self._by_identifier.setdefault(key, []).append(record)
        self._abstract_words: list[frozenset[str]] | None = None

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

    async def by_identifier(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> Mapping[str, Sequence[Record]]:
        """Entries that share an identifier with these references; see `RecordFinder`."""
        return {
            reference.id: [r for key in _identifier_keys(reference) for r in self._by_identifier.get(key, [])]
            for reference in references
            if reference.identifiers.any()
        }

    async def by_words(self, reference: Reference, emit: Emit = silent) -> Sequence[Record]:
        """Entries whose title shares the most words with the reference; see `RecordFinder`."""
        return self._candidates(reference)

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
        """Entries whose title shares the most words with the reference; matching decides on them."""
        wanted = set(content_words(fold(reference.title or reference.raw)))
        shared: Counter[int] = Counter()
        for word in wanted:
            shared.update(self._by_word.get(word, ()))
        scored = []
        for index, count in shared.items():
            length = len(self._title_words[index])
            # The shorter side counts: a title may be cited without its subtitle.
            share = count / (min(length, len(wanted)) if reference.title else length)
            if share >= SHARED_WORDS:
                scored.append((share + count / (length + len(wanted)), -index))
        return [self._records[-index] for _, index in nlargest(MAX_CANDIDATES, scored)]

    def _search(self, query: str) -> list[Record]:
        """Rank by the share of the query's words that title and abstract hold, titles counting twice."""
        wanted = set(content_words(fold(query)))
        if not wanted:
            return []
        if self._abstract_words is None:
            self._abstract_words = [
                frozenset(_WORD.findall((record.abstract or "")[:MAX_CHARACTERS].lower()))
                for record in self._records
            ]
        scored = []
        for index, (title, abstract) in enumerate(zip(self._title_words, self._abstract_words, strict=True)):
            in_title = wanted & title
            share = len(in_title | (wanted & abstract)) / len(wanted)
            if share >= SEARCH_CUTOFF:
                likeness = fuzz.token_set_ratio(fold(query), fold(self._records[index].title)) / 100
                scored.append((share + len(in_title) / len(wanted) + likeness, -index))
        return [self._records[-index] for _, index in nlargest(SEARCH_RESULTS, scored)]


def _identifier_keys(work: Reference | Record) -> list[str]:
    return [f"{kind}:{value}" for kind, value in work.identifiers.model_dump(exclude_none=True).items()]
