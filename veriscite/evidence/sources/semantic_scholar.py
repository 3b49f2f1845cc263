"""Semantic Scholar: identifiers in one call, the one title that fits best, and searches.

Asked through the `semanticscholar` client, whose requester is ours (see `s2_client`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from veriscite.domain import Identifiers, Reference, source_title
from veriscite.domain.identifiers import normalise_arxiv, normalise_doi, normalise_pmcid, normalise_pmid
from veriscite.evidence.http import Network
from veriscite.evidence.options import SourceOptions
from veriscite.evidence.query import author_year_title_query, identifier_queries, quoted, title_query
from veriscite.evidence.records import Record, parse_name
from veriscite.evidence.sources.fields import YEARS
from veriscite.evidence.sources.finder import NetworkFinder, RecordStore, Search
from veriscite.evidence.transport import checked_address, checked_secret
from veriscite.ports import Emit

NAME = "semantic_scholar"
SEARCH_LIMIT = 10


class SemanticScholar(NetworkFinder):
    """Asks Semantic Scholar.

    Args:
        options: Address, key and pace.
        network: What all sources share.
        store: Where answers are kept.

    Raises:
        SettingsError: Address or key cannot be used.
    """

    name = NAME
    title = source_title(NAME)
    batch_size = 500

    def __init__(self, options: SourceOptions, network: Network, store: RecordStore | None = None) -> None:
        super().__init__(checked_address(self.title, options.api_url, "SEMANTIC_SCHOLAR_API_URL"), store)
        self._url = options.api_url.rstrip("/")
        given = options.api_key.get_secret_value() if options.api_key else None
        self._key_value = checked_secret(f"key of {self.title}", given, "SEMANTIC_SCHOLAR_API_KEY")
        self._timeout_s = network.timeout_s(options)
        self._caller = network.caller(self.title, self.host, options)
        self._clients: dict[asyncio.AbstractEventLoop, Any] = {}

    def pool(self) -> str:
        """Whether there is a key."""
        return "with a key" if self._key_value else "without a key (pool shared by everyone)"

    async def aclose(self) -> None:
        """Close connections of the running loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def identifiers(self, reference: Reference) -> tuple[str, ...]:
        """Identifiers with the prefixes of the service (`DOI:10.1000/xyz`)."""
        return identifier_queries(reference)

    async def ask_batch(self, ids: Sequence[str], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Ask for up to 500 papers; the answer is aligned by position, with nulls for unknown ones."""
        from veriscite.evidence.sources.s2_client import PAPER_FIELDS

        async def call() -> list[Any]:
            papers: list[Any] = await self._client().get_papers(list(ids), fields=PAPER_FIELDS)
            return papers

        papers = await self._ask_papers(call, emit)
        return {
            wanted: (record,)
            for wanted, paper in zip(ids, papers, strict=False)
            if (record := record_of_paper(paper.raw_data)) is not None
        }

    def searches(self, reference: Reference) -> Sequence[Search]:
        """The title that fits best; first author, year and title words; the title alone.

        An entry without authors is searched for first: the one best title could be one of several alike.
        """
        words, title = author_year_title_query(reference), title_query(reference)
        match = [Search("match", title, lambda emit: self._match(title, emit))] if title else []
        search = [self.search_words(words)] if words else []
        alone = [self.search_words(title)] if title and title != words else []
        return [*match, *search, *alone] if reference.authors else [*search, *match, *alone]

    def search_words(self, words: str) -> Search:
        """Search by relevance."""
        return Search("search", words, lambda emit: self._find(words, emit))

    async def _find(self, query: str, emit: Emit) -> list[Record]:
        """Search; only the first page, and never by iterating over results."""
        from veriscite.evidence.sources.s2_client import PAPER_FIELDS

        async def call() -> list[Any]:
            results = await self._client().search_paper(
                quoted(query), fields=PAPER_FIELDS, limit=SEARCH_LIMIT
            )
            items: list[Any] = results.items
            return items

        return _records(await self._ask_papers(call, emit))

    async def _match(self, query: str, emit: Emit) -> list[Record]:
        """Ask for the one paper whose title fits best."""
        from veriscite.evidence.sources.s2_client import PAPER_FIELDS

        async def call() -> list[Any]:
            return [
                await self._client().search_paper(
                    quoted(query), fields=PAPER_FIELDS, limit=1, match_title=True
                )
            ]

        return _records(await self._ask_papers(call, emit))

    async def _ask_papers(self, call: Callable[[], Awaitable[list[Any]]], emit: Emit) -> list[Any]:
        from veriscite.evidence.sources.s2_client import NotFoundError

        async def or_none() -> list[Any]:
            try:
                return await call()
            except NotFoundError:
                return []

        return await self._caller.ask(or_none, emit)

    def _client(self) -> Any:
        """The client of the running loop: connections cannot be shared between loops."""
        from veriscite.evidence.sources.s2_client import Client

        loop = asyncio.get_running_loop()
        for old in [known for known in self._clients if known.is_closed()]:
            del self._clients[old]
        if loop not in self._clients:
            self._clients[loop] = Client(self._url, self._key_value, self._timeout_s)
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
        year=int(year) if year.isascii() and year.isdigit() and int(year) in YEARS else None,
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
