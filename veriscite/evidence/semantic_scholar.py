"""Semantic Scholar as a source: identifiers in one call, else a search whose hits must match."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from veriscite.domain import (
    Component,
    EvidenceLookup,
    Identifiers,
    NotFound,
    Reference,
)
from veriscite.domain.identifiers import normalise_arxiv, normalise_doi, normalise_pmcid, normalise_pmid
from veriscite.errors import SettingsError, SourceError
from veriscite.evidence import matching
from veriscite.evidence.answers import answer, failed, other_work
from veriscite.evidence.options import NetworkOptions, SemanticScholarOptions
from veriscite.evidence.politeness import PoliteCaller, Sleep
from veriscite.evidence.query import (
    author_year_title_query,
    identifier_queries,
    plain_words,
    quoted,
    title_query,
)
from veriscite.evidence.records import Record, parse_name
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, SearchRequest, silent

NAME = "semantic_scholar"
BATCH_SIZE = 500
SEARCH_LIMIT = 10
CONCURRENT_SEARCHES = 4
MAX_QUERY = 300
_YEARS = range(1400, 2200)


class SemanticScholarSource:
    """Asks Semantic Scholar through the `semanticscholar` client.

    Args:
        options: Address, key and pace.
        network: Time-out, attempts and the longest wait.
        backoff_s: First wait between attempts when the service names none.
        sleep: How to wait; tests inject their own.
        clock: Monotonic seconds.

    Raises:
        SettingsError: Address or key cannot be used.
    """

    def __init__(
        self,
        options: SemanticScholarOptions,
        network: NetworkOptions,
        *,
        backoff_s: float = 1.0,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = options.api_url.rstrip("/")
        self._host = _host(self._url)
        self._key = _checked_key(options.api_key.get_secret_value() if options.api_key else None)
        self._timeout_s = network.timeout_s
        self._caller = PoliteCaller(
            "Semantic Scholar",
            attempts=network.attempts,
            max_wait_s=network.max_wait_s,
            per_second=options.requests_per_second,
            backoff_s=backoff_s,
            sleep=sleep,
            clock=clock,
        )
        self._clients: dict[asyncio.AbstractEventLoop, Any] = {}

    @property
    def name(self) -> str:
        """`semantic_scholar`."""
        return NAME

    def component(self) -> Component:
        """Tell the address, and whether a key is set; never the key."""
        pool = "with a key" if self._key else "without a key (pool shared by everyone)"
        return Component(
            role="evidence source",
            name=NAME,
            detail=f"{self._host}, {pool}",
            revision=f"{self._host}/graph/v1; {matching.REVISION}",
        )

    async def aclose(self) -> None:
        """Close connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        """Yield one answer for each reference: first those with identifiers, then those searched for."""
        waiting: dict[str, tuple[Reference, NotFound | None]] = {r.id: (r, None) for r in references}
        rounds = max((len(identifier_queries(r)) for r in references), default=0)
        for index in range(rounds):
            due = [
                (reference, ids[index])
                for reference, _ in waiting.values()
                if len(ids := identifier_queries(reference)) > index
            ]
            for start in range(0, len(due), BATCH_SIZE):
                part = due[start : start + BATCH_SIZE]
                for found in await self._ask_batch(part, emit):
                    if isinstance(found, NotFound):
                        earlier = waiting[found.reference_id]
                        waiting[found.reference_id] = (earlier[0], _joined(earlier[1], found))
                    else:
                        del waiting[found.reference_id]
                        yield found
        async with closing(self._search_all(list(waiting.values()), emit)) as answers:
            async for found in answers:
                yield found

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Search with the planner's words."""
        reference = request.reference
        query = plain_words(request.query)[:MAX_QUERY]
        if not query:
            return NotFound(reference_id=reference.id, asked=(NAME,), detail="no words to search for")
        try:
            records = await self._find(query, emit)
        except SourceError as error:
            return failed(reference, NAME, error, (query,))
        return other_work(reference, records, source=NAME, queries=(query,))

    async def _ask_batch(self, due: Sequence[tuple[Reference, str]], emit: Emit) -> list[EvidenceLookup]:
        """Ask for identifiers in one call; NotFound means that a search is still to come."""
        from veriscite.evidence.s2_client import PAPER_FIELDS, NotFoundError

        ids = list(dict.fromkeys(wanted for _, wanted in due))

        async def call() -> list[Any]:
            try:
                papers: list[Any] = await self._client().get_papers(ids, fields=PAPER_FIELDS)
            except NotFoundError:
                return []
            return papers

        try:
            papers = await self._caller.ask(call, emit)
        except SourceError as error:
            return [failed(reference, NAME, error, (wanted,)) for reference, wanted in due]
        records = {
            wanted: record
            for wanted, paper in zip(ids, papers, strict=False)
            if (record := record_of_paper(paper.raw_data)) is not None
        }
        return [
            answer(
                reference,
                [records[wanted]] if wanted in records else [],
                source=NAME,
                queries=(wanted,),
                by_identifier=True,
                detail="" if wanted in records else f"{wanted} is not known there",
            )
            for reference, wanted in due
        ]

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
        """Search by author, year and title words, then by the title alone."""
        queries: tuple[str, ...] = earlier.queries if earlier else ()
        found: EvidenceLookup = earlier or NotFound(
            reference_id=reference.id, asked=(NAME,), detail="the entry holds no words to search for"
        )
        records: list[Record] = []
        steps = ((self._find, author_year_title_query(reference)), (self._match, title_query(reference)))
        for ask, query in steps:
            if not query:
                continue
            queries = (*queries, query)
            try:
                records += await ask(query, emit)
            except SourceError as error:
                return failed(reference, NAME, error, queries)
            found = answer(reference, records, source=NAME, queries=queries)
            if not isinstance(found, NotFound):
                return found
        return _joined(earlier, found) if isinstance(found, NotFound) and found is not earlier else found

    async def _find(self, query: str, emit: Emit) -> list[Record]:
        """Search by relevance; only the first page, and never by iterating over results."""
        from veriscite.evidence.s2_client import PAPER_FIELDS

        async def call() -> list[Any]:
            results = await self._client().search_paper(
                quoted(query), fields=PAPER_FIELDS, limit=SEARCH_LIMIT
            )
            items: list[Any] = results.items
            return items

        return _records(await self._ask_papers(call, emit))

    async def _match(self, query: str, emit: Emit) -> list[Record]:
        """Ask for the one paper whose title fits best."""
        from veriscite.evidence.s2_client import PAPER_FIELDS

        async def call() -> list[Any]:
            return [
                await self._client().search_paper(
                    quoted(query), fields=PAPER_FIELDS, limit=1, match_title=True
                )
            ]

        return _records(await self._ask_papers(call, emit))

    async def _ask_papers(self, call: Callable[[], Awaitable[list[Any]]], emit: Emit) -> list[Any]:
        from veriscite.evidence.s2_client import NotFoundError

        async def or_none() -> list[Any]:
            try:
                return await call()
            except NotFoundError:
                return []

        return await self._caller.ask(or_none, emit)

    def _client(self) -> Any:
        """The client of the running loop: connections cannot be shared between loops."""
        from veriscite.evidence.s2_client import Client

        loop = asyncio.get_running_loop()
        for old in [known for known in self._clients if known.is_closed()]:
            del self._clients[old]
        if loop not in self._clients:
            self._clients[loop] = Client(self._url, self._key, self._timeout_s)
        return self._clients[loop]


def record_of_paper(paper: Mapping[str, Any]) -> Record | None:
    """Read a paper of the service as a record; None when it stands for no paper.

    Args:
        paper: Raw fields; the values of nested objects are not trusted.
    """
    record_id = paper.get("paperId")
    if not record_id:
        return None
    title, year, url = paper.get("title"), str(paper.get("year") or ""), paper.get("url")
    names = [author.get("name") for author in paper.get("authors") or []]
    open_access = paper.get("openAccessPdf") or {}
    kinds = paper.get("publicationTypes") or []
    return Record(
        source=NAME,
        record_id=str(record_id)[:200],
        title=" ".join((title or "").split())[:2_000],
        authors=tuple(parse_name(name) for name in names[:500] if name and name.strip()),
        year=int(year) if year.isascii() and year.isdigit() and int(year) in _YEARS else None,
        venue=(paper.get("venue") or "")[:500] or None,
        identifiers=_identifiers(str(record_id), paper.get("externalIds") or {}),
        url=url[:2_000] if url and url.startswith(("https://", "http://")) else None,
        abstract=paper.get("abstract"),
        abstract_note=str(open_access.get("disclaimer") or "")[:500],
        kinds=tuple(str(kind)[:60] for kind in kinds[:20]),
    )


def _records(papers: Sequence[Any]) -> list[Record]:
    return [record for paper in papers if (record := record_of_paper(paper.raw_data)) is not None]


def _identifiers(record_id: str, ids: Mapping[str, Any]) -> Identifiers:
    def of(key: str, normalise: Callable[[str], str | None]) -> str | None:
        value = ids.get(key)
        return normalise(str(value)) if isinstance(value, str | int) else None

    return Identifiers(
        doi=of("DOI", normalise_doi),
        arxiv=of("ArXiv", normalise_arxiv),
        pmid=of("PubMed", normalise_pmid),
        pmcid=of("PubMedCentral", normalise_pmcid),
        semantic_scholar=record_id if len(record_id) == 40 else None,
    )


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


def _host(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SettingsError(
            f"The address of Semantic Scholar cannot be used: {url[:100]!r}.",
            advice="Set SEMANTIC_SCHOLAR_API_URL to an address that begins with https://.",
        )
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname


def _checked_key(key: str | None) -> str | None:
    """Refuse a key that cannot be a header: the HTTP library would quote it in its error."""
    key = (key or "").strip()
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise SettingsError(
            "The key of Semantic Scholar holds characters that no key has.",
            advice="Set SEMANTIC_SCHOLAR_API_KEY again, without quotes or line breaks.",
        )
    return key or None


__all__ = ["NAME", "SemanticScholarSource", "record_of_paper"]
