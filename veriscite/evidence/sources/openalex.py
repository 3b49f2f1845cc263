"""OpenAlex: DOIs and PubMed numbers in batches, else a search; abstracts come as an inverted index."""

from collections.abc import Mapping, Sequence
from typing import Any

from veriscite.domain import Identifiers, Notice, NoticeKind, Reference, source_title
from veriscite.domain.identifiers import arxiv_of_doi, normalise_doi, normalise_pmcid, normalise_pmid
from veriscite.evidence.http import HttpService, Network
from veriscite.evidence.options import SourceOptions
from veriscite.evidence.politeness import UnusableAnswerError
from veriscite.evidence.query import author_year_title_query, title_query
from veriscite.evidence.records import Record, parse_name
from veriscite.evidence.sources import fields
from veriscite.evidence.sources.finder import HttpFinder, RecordStore, Search
from veriscite.evidence.transport import json_of
from veriscite.ports import Emit

NAME = "openalex"
SEARCH_LIMIT = 10
MAX_POSITIONS = 20_000
_FIELDS = (
    "id,doi,ids,title,display_name,publication_year,authorships,primary_location,type,"
    "abstract_inverted_index,is_retracted"
)


class OpenAlex(HttpFinder):
    """Asks OpenAlex.

    Args:
        options: Address, key and pace.
        network: What all sources share.
        store: Where answers are kept.

    Raises:
        SettingsError: Address or key cannot be used.
    """

    name = NAME
    title = source_title(NAME)

    def __init__(self, options: SourceOptions, network: Network, store: RecordStore | None = None) -> None:
        http = HttpService(
            self.title,
            "OPENALEX",
            options,
            network,
            # A header, not the parameter: addresses are written to logs.
            key_header=lambda key: {"Authorization": f"Bearer {key}"},
        )
        super().__init__(http, store)

    def pool(self) -> str:
        """Whether there is a key or an e-mail address."""
        if self._http.has_key:
            return "with a key"
        return "polite pool" if self._http.has_email else "without a key or an e-mail address"

    def identifiers(self, reference: Reference) -> tuple[str, ...]:
        """`doi:...` and `pmid:...`; not those that hold the filter's own separators."""
        ids = reference.identifiers
        doi = ids.doi or (f"10.48550/arxiv.{ids.arxiv}" if ids.arxiv else None)
        found = (f"doi:{doi}" if doi and not set(doi) & set(",|") else "", f"pmid:{ids.pmid or ''}")
        return tuple(one for one in found if one and not one.endswith(":"))

    async def ask_batch(self, ids: Sequence[str], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Ask for works of one kind of identifier each: a filter takes alternatives of one kind only."""
        found: dict[str, list[Record]] = {}
        for kind in ("doi", "pmid"):
            wanted = {one.partition(":")[2] for one in ids if one.startswith(f"{kind}:")}
            if not wanted:
                continue
            params = {"filter": f"{kind}:{'|'.join(sorted(wanted))}", "per-page": str(len(wanted))}
            for record in await self._works(params, emit):
                value = getattr(record.identifiers, kind)
                # Several records may carry one identifier; all of them are looked at.
                if value in wanted:
                    found.setdefault(f"{kind}:{value}", []).append(record)
        return found

    def searches(self, reference: Reference) -> Sequence[Search]:
        """First the words of the title, then first author, year and title words in all fields."""
        title, words = title_query(reference), author_year_title_query(reference)
        by_title = [Search("title", title, lambda emit: self._by_title(title, emit))] if title else []
        return [*by_title, *([self.search_words(words)] if words else [])]

    def search_words(self, words: str) -> Search:
        """Search by relevance in all fields."""

        async def ask(emit: Emit) -> Sequence[Record]:
            return await self._works({"search": words, "per-page": str(SEARCH_LIMIT)}, emit)

        return Search("search", words, ask)

    async def _by_title(self, title: str, emit: Emit) -> Sequence[Record]:
        params = {"filter": f"title.search:{title.replace(',', ' ')}", "per-page": str(SEARCH_LIMIT)}
        return await self._works(params, emit)

    async def _works(self, params: Mapping[str, str], emit: Emit) -> list[Record]:
        def read(body: bytes) -> list[Record]:
            value = json_of(self.title, body)
            if not isinstance(value, dict) or not isinstance(value.get("results"), list):
                raise UnusableAnswerError(f"{self.title} gave an answer of another form.")
            works = fields.objects(value["results"])
            return [record for work in works if (record := record_of_work(work)) is not None]

        records: list[Record] = await self._http.read("/works", {**params, "select": _FIELDS}, emit, read)
        return records


def record_of_work(work: Mapping[str, Any]) -> Record | None:
    """Read a work of OpenAlex as a record; None when it stands for none.

    Args:
        work: As it came; nothing in it is trusted.
    """
    record_id = fields.text(work.get("id"), 200).rpartition("/")[2]
    if not record_id:
        return None
    ids = fields.mapping(work.get("ids"))
    names = [
        fields.text(fields.mapping(one.get("author")).get("display_name"), 300)
        or fields.text(one.get("raw_author_name"), 300)
        for one in fields.objects(work.get("authorships"))
    ]
    location = fields.mapping(work.get("primary_location"))
    kind = fields.text(work.get("type"), 60)
    retracted = work.get("is_retracted") is True
    doi = normalise_doi(fields.text(work.get("doi") or ids.get("doi")))
    return Record(
        source=NAME,
        record_id=record_id,
        title=fields.title_text(work.get("title") or work.get("display_name")),
        authors=tuple(parse_name(name) for name in names if name),
        year=fields.year(work.get("publication_year")),
        venue=fields.text(fields.mapping(location.get("source")).get("display_name"), 500) or None,
        identifiers=Identifiers(
            doi=doi,
            arxiv=arxiv_of_doi(doi),
            pmid=_id(ids.get("pmid"), normalise_pmid),
            pmcid=_id(ids.get("pmcid"), normalise_pmcid),
        ),
        url=fields.web_address(work.get("id")),
        abstract=from_inverted_index(work.get("abstract_inverted_index")),
        kinds=(kind,) if kind else (),
        notices=(Notice(kind=NoticeKind.RETRACTED, source=NAME),) if retracted else (),
    )


def from_inverted_index(index: Any) -> str | None:
    """Put an abstract together from the positions of its words.

    Args:
        index: Word -> positions (0-based); nothing in it is trusted.

    Returns:
        The words in order, those of equal position side by side; None when there are none.
    """
    if not isinstance(index, dict):
        return None
    placed: list[tuple[int, str]] = []
    for word, positions in index.items():
        if not isinstance(word, str) or not isinstance(positions, list):
            continue
        for position in positions[:MAX_POSITIONS]:
            # Words are placed by order, so that a huge position costs no memory.
            if isinstance(position, int) and not isinstance(position, bool) and position >= 0:
                placed.append((position, word))
        if len(placed) > MAX_POSITIONS:
            break
    placed.sort(key=lambda one: one[0])
    return " ".join(word for _, word in placed)[: fields.MAX_ABSTRACT].strip() or None


def _id(value: Any, normalise: Any) -> str | None:
    """The last part of an identifier's address."""
    found: str | None = normalise(fields.text(value, 200).rstrip("/").rpartition("/")[2])
    return found
