"""What all finders on the network have in common: batches, searches one after the other, kept answers."""

import asyncio
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol
from weakref import WeakKeyDictionary

from veriscite.domain import Component, Reference
from veriscite.errors import SourceError
from veriscite.evidence import matching
from veriscite.evidence.finding import Asked
from veriscite.evidence.http import HttpService
from veriscite.evidence.politeness import BadRequestError
from veriscite.evidence.records import Record
from veriscite.ports import Emit, silent

MAX_REFUSED = 12
"""Requests for parts of one batch that a source may refuse before the rest is given up."""


class RecordStore(Protocol):
    """Keeps what sources answered, by key."""

    def get_records(self, keys: Sequence[str]) -> dict[str, tuple[Record, ...]]:
        """Answers that are there and still valid, by key."""
        ...

    def put_records(self, source: str, records: Mapping[str, Sequence[Record]]) -> None:
        """Keep answers; an empty one says that the source knows nothing."""
        ...


@dataclass(frozen=True)
class Search:
    """One way to search for a reference.

    Attributes:
        kind: Tells apart searches that take the same words.
        query: The words, as they are told to the user.
        ask: Asks for them.
    """

    kind: str
    query: str
    ask: Callable[[Emit], Awaitable[Sequence[Record]]]


class NetworkFinder(ABC):
    """Finds records in one source on the network.

    Subclasses say what its identifiers and searches are, and how its answers become records.

    Args:
        host: Host and port that are asked.
        store: Where answers are kept; None keeps none.
    """

    name: ClassVar[str]
    """Stable name (`crossref`)."""
    title: ClassVar[str]
    """Name for people (`Crossref`)."""
    batch_size: ClassVar[int] = 50
    """Identifiers in one call."""
    revision: ClassVar[str] = "1"
    """Changed when answers are read in another way, so that kept ones are not reused."""

    def __init__(self, host: str, store: RecordStore | None) -> None:
        self.host = host
        self._store = store
        # A lock belongs to the loop that it is first waited for in.
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Lock]] = (
            WeakKeyDictionary()
        )

    @abstractmethod
    def identifiers(self, reference: Reference) -> tuple[str, ...]:
        """Identifiers of the reference in the source's spelling, the surest first."""

    @abstractmethod
    async def ask_batch(self, ids: Sequence[str], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Ask for identifiers in one call.

        Returns:
            Records by identifier; those that the source does not know are left out.
        """

    @abstractmethod
    def searches(self, reference: Reference) -> Sequence[Search]:
        """Ways to search for the reference, best first; each is tried if those before did not find it."""

    @abstractmethod
    def search_words(self, words: str) -> Search:
        """A search for words that somebody else chose."""

    @abstractmethod
    async def aclose(self) -> None:
        """Close connections of the running loop."""

    def pool(self) -> str:
        """How we are served there, in words."""
        return ""

    def component(self) -> Component:
        """Tell the address and how we are served; never a key or an e-mail address."""
        return Component(
            role="evidence source",
            name=self.name,
            detail=", ".join(part for part in (self.host, self.pool()) if part),
            revision=f"{self.host}/{self.name} {self.revision}; {matching.REVISION}",
        )

    async def identified(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> dict[str, Asked | SourceError]:
        """Ask by identifiers: for each reference its first, and the next where that did not lead to it.

        Returns:
            By reference id what was found, or why it could not be asked. A reference without identifiers of
            use here is left out.
        """
        ids = {reference.id: self.identifiers(reference) for reference in references}
        answers: dict[str, Asked | SourceError] = {}
        open_ = [reference for reference in references if ids[reference.id]]
        for index in range(max(map(len, ids.values()), default=0)):
            due = {r.id: ids[r.id][index] for r in open_ if len(ids[r.id]) > index}
            found = await self._ask_all(tuple(dict.fromkeys(due.values())), emit)
            still = []
            for reference in open_:
                if reference.id not in due:
                    still.append(reference)
                    continue
                wanted = due[reference.id]
                new, earlier = found[wanted], answers.get(reference.id)
                if isinstance(new, SourceError):
                    answers[reference.id] = new
                    continue
                answer = _added(earlier if isinstance(earlier, Asked) else Asked(), wanted, new)
                answers[reference.id] = answer
                if not matching.choose(reference, answer.records, by_identifier=True).accepted:
                    still.append(reference)
            open_ = still
        return answers

    async def worded(self, reference: Reference, emit: Emit = silent) -> Asked:
        """Search, in one way after the other until one finds the reference.

        Raises:
            SourceError: The source could not be asked.
        """
        asked = Asked()
        for search in self.searches(reference):
            records = await self.run(search, emit)
            asked = Asked(records=(*asked.records, *records), queries=(*asked.queries, search.query))
            choice = matching.choose(reference, asked.records)
            if choice.accepted or choice.tied:
                break
        return asked

    async def by_identifier(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> Mapping[str, Sequence[Record]]:
        """Records that the identifiers lead to; see `RecordFinder`."""
        answers = await self.identified(references, emit)
        for answer in answers.values():
            if isinstance(answer, SourceError):
                raise answer
        return {key: answer.records for key, answer in answers.items() if isinstance(answer, Asked)}

    async def by_words(self, reference: Reference, emit: Emit = silent) -> Sequence[Record]:
        """Records that may be the work; see `RecordFinder`."""
        return (await self.worded(reference, emit)).records

    async def run(self, search: Search, emit: Emit) -> tuple[Record, ...]:
        """Run a search, or repeat what the same search found before."""
        key = self._key(search.kind, search.query)
        async with self._alone(key):
            known = await self._known([key])
            if key in known:
                return known[key]
            records = tuple(await search.ask(emit))
            await self._keep({key: records})
            return records

    async def _ask_all(self, ids: Sequence[str], emit: Emit) -> dict[str, tuple[Record, ...] | SourceError]:
        """Records by identifier, kept ones first; each gets an answer."""
        answers: dict[str, tuple[Record, ...] | SourceError] = {}
        # One after the other: whoever asks for the same at the same time finds it kept.
        async with self._alone("batch"):
            keys = {wanted: self._key("id", wanted) for wanted in ids}
            known = await self._known(list(keys.values()))
            missing = [wanted for wanted in ids if keys[wanted] not in known]
            answers.update((wanted, known[keys[wanted]]) for wanted in ids if keys[wanted] in known)
            for start in range(0, len(missing), self.batch_size):
                fresh = await self._ask_part(missing[start : start + self.batch_size], emit)
                answers.update(fresh)
                await self._keep(
                    {keys[i]: found for i, found in fresh.items() if not isinstance(found, SourceError)}
                )
        return answers

    async def _ask_part(self, ids: Sequence[str], emit: Emit) -> dict[str, tuple[Record, ...] | SourceError]:
        """Ask for one batch; where the source takes it badly, find out which identifier is at fault."""
        answers: dict[str, tuple[Record, ...] | SourceError] = {}
        waiting, refused = [tuple(ids)], 0
        while waiting:
            part = waiting.pop()
            try:
                found = await self.ask_batch(part, emit)
            except BadRequestError as error:
                refused += 1
                if len(part) > 1 and refused < MAX_REFUSED:
                    middle = len(part) // 2
                    waiting += [part[:middle], part[middle:]]
                else:
                    answers.update(dict.fromkeys(part, error))
            except SourceError as error:
                answers.update(dict.fromkeys(part, error))
            else:
                answers.update((wanted, tuple(found.get(wanted, ()))) for wanted in part)
        return answers

    def _key(self, kind: str, asked: str) -> str:
        text = "\x1f".join((self.name, self.host, self.revision, kind, asked))
        return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

    async def _known(self, keys: Sequence[str]) -> dict[str, tuple[Record, ...]]:
        return await asyncio.to_thread(self._store.get_records, keys) if self._store and keys else {}

    async def _keep(self, records: Mapping[str, Sequence[Record]]) -> None:
        if self._store and records:
            await asyncio.to_thread(self._store.put_records, self.name, records)

    def _alone(self, key: str) -> asyncio.Lock:
        """A lock for whoever asks for the same at the same time, so that it is asked for once."""
        locks = self._locks.setdefault(asyncio.get_running_loop(), {})
        return locks.setdefault(key, asyncio.Lock())


class HttpFinder(NetworkFinder):
    """A finder that asks through the common HTTP layer.

    Args:
        http: The service.
        store: Where answers are kept; None keeps none.
    """

    def __init__(self, http: HttpService, store: RecordStore | None) -> None:
        super().__init__(http.host, store)
        self._http = http

    async def aclose(self) -> None:
        """Close connections of the running loop."""
        await self._http.aclose()


def _added(earlier: Asked, wanted: str, new: Sequence[Record]) -> Asked:
    return Asked(
        records=(*earlier.records, *new),
        queries=(*earlier.queries, wanted),
        unknown=earlier.unknown if new else (*earlier.unknown, wanted),
    )
