"""Crossref: DOIs in batches, else its bibliographic search; knows of corrections and retractions."""

from collections.abc import Mapping, Sequence
from typing import Any

from veriscite.domain import Author, Identifiers, Notice, NoticeKind, Reference, source_title
from veriscite.domain.identifiers import normalise_doi
from veriscite.evidence.http import HttpService, Network
from veriscite.evidence.options import SourceOptions
from veriscite.evidence.politeness import UnusableAnswerError
from veriscite.evidence.query import author_year_title_query, title_query
from veriscite.evidence.records import Record
from veriscite.evidence.sources import fields
from veriscite.evidence.sources.finder import HttpFinder, RecordStore, Search
from veriscite.evidence.transport import json_of
from veriscite.ports import Emit

NAME = "crossref"
SEARCH_LIMIT = 10
MAX_NOTICES = 20
_NOTICES = {
    "retraction": NoticeKind.RETRACTED,
    "partial_retraction": NoticeKind.RETRACTED,
    "withdrawal": NoticeKind.RETRACTED,
    "removal": NoticeKind.RETRACTED,
    "correction": NoticeKind.CORRECTED,
    "corrigendum": NoticeKind.CORRECTED,
    "erratum": NoticeKind.CORRECTED,
    "expression_of_concern": NoticeKind.EXPRESSION_OF_CONCERN,
}
#: Relations that the record of a work may name, with what they say of it.
_RELATIONS = {
    "is-retracted-by": NoticeKind.RETRACTED,
    "is-corrected-by": NoticeKind.CORRECTED,
    "has-erratum": NoticeKind.CORRECTED,
}


class Crossref(HttpFinder):
    """Asks Crossref.

    Args:
        options: Address, key (of its paid service) and pace.
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
            "CROSSREF",
            options,
            network,
            key_header=lambda key: {"Crossref-Plus-API-Token": f"Bearer {key}"},
        )
        super().__init__(http, store)

    def pool(self) -> str:
        """Which pool serves us."""
        if self._http.has_key:
            return "with a key"
        return "polite pool" if self._http.has_email else "public pool (no e-mail address is set)"

    def identifiers(self, reference: Reference) -> tuple[str, ...]:
        """The DOI, unless it is one that Crossref does not register, or cannot filter by."""
        doi = reference.identifiers.doi
        return () if not doi or "," in doi or doi.startswith("10.48550/") else (doi,)

    async def ask_batch(self, ids: Sequence[str], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Ask for works by a filter that names each DOI."""
        params = {"filter": ",".join(f"doi:{doi}" for doi in ids), "rows": str(len(ids))}
        found: dict[str, list[Record]] = {}
        for record in await self._works(params, emit):
            if record.identifiers.doi in ids:
                found.setdefault(record.identifiers.doi or "", []).append(record)
        return found

    def searches(self, reference: Reference) -> Sequence[Search]:
        """First author, year and title words: the search is made for whole references."""
        words = author_year_title_query(reference) or title_query(reference)
        return [self.search_words(words)] if words else []

    def search_words(self, words: str) -> Search:
        """Search by the words of a bibliographic entry."""

        async def ask(emit: Emit) -> Sequence[Record]:
            return await self._works({"query.bibliographic": words, "rows": str(SEARCH_LIMIT)}, emit)

        return Search("bibliographic", words, ask)

    async def _works(self, params: Mapping[str, str], emit: Emit) -> list[Record]:
        def read(body: bytes) -> list[Record]:
            value = json_of(self.title, body)
            message = value.get("message") if isinstance(value, dict) else None
            if not isinstance(message, dict) or not isinstance(message.get("items"), list):
                raise UnusableAnswerError(f"{self.title} gave an answer of another form.")
            works = fields.objects(message["items"])
            return [record for work in works if (record := record_of_item(work)) is not None]

        records: list[Record] = await self._http.read("/works", params, emit, read)
        return records


def record_of_item(item: Mapping[str, Any]) -> Record | None:
    """Read a work of Crossref as a record; None when it stands for none.

    Args:
        item: As it came; nothing in it is trusted.
    """
    doi = normalise_doi(fields.text(item.get("DOI"), 300))
    if doi is None:
        return None
    kinds = (fields.text(item.get("type"), 60), fields.text(item.get("subtype"), 60))
    return Record(
        source=NAME,
        record_id=doi,
        title=_title(item),
        authors=tuple(
            author for one in fields.objects(item.get("author")) if (author := _author(one)) is not None
        ),
        year=_year(item),
        venue=fields.title_text(fields.first_text(item.get("container-title"), 500)) or None,
        identifiers=Identifiers(doi=doi),
        url=fields.web_address(item.get("URL")),
        abstract=fields.abstract_text(item.get("abstract")),
        kinds=tuple(kind for kind in kinds if kind),
        notices=_notices(item),
        published_as=_published_as(item),
    )


def _title(item: Mapping[str, Any]) -> str:
    """Title and subtitle, which come apart; some titles carry the subtitle too."""
    title = fields.title_text(fields.first_text(item.get("title")))
    subtitle = fields.title_text(fields.first_text(item.get("subtitle"), 500))
    if subtitle and subtitle.lower() not in title.lower():
        return f"{title}: {subtitle}"
    return title


def _author(one: Mapping[str, Any]) -> Author | None:
    family, given = fields.text(one.get("family"), 200), fields.text(one.get("given"), 200)
    body = fields.text(one.get("name"), 300)
    if family:
        return Author(family=family, given=given or None)
    return Author(family=body or given, corporate=bool(body)) if body or given else None


def _year(item: Mapping[str, Any]) -> int | None:
    """The year of the first date that has one; print is what lists cite."""
    for key in ("published-print", "published", "issued", "published-online", "created"):
        parts = fields.items(fields.mapping(item.get(key)).get("date-parts"))
        found = fields.year(fields.items(parts[0])[0]) if parts and fields.items(parts[0]) else None
        if found:
            return found
    return None


def _notices(item: Mapping[str, Any]) -> tuple[Notice, ...]:
    """What was published about this work. `update-to` is the reverse: what this one says of another."""
    found: dict[tuple[NoticeKind, str | None], Notice] = {}
    for update in fields.objects(item.get("updated-by"))[:MAX_NOTICES]:
        kind = _NOTICES.get(fields.text(update.get("type"), 60).lower().replace("-", "_").replace(" ", "_"))
        if kind is None:
            continue
        notice = Notice(
            kind=kind,
            source=NAME,
            doi=normalise_doi(fields.text(update.get("DOI"), 300)),
            date=_date(update.get("updated")),
            detail=fields.text(update.get("label"), 100),
        )
        found.setdefault((kind, notice.doi), notice)
    relation = fields.mapping(item.get("relation"))
    for name, kind in _RELATIONS.items():
        for one in fields.objects(relation.get(name))[:MAX_NOTICES]:
            doi = normalise_doi(fields.text(one.get("id"), 300))
            found.setdefault((kind, doi), Notice(kind=kind, source=NAME, doi=doi))
    return tuple(found.values())


def _published_as(item: Mapping[str, Any]) -> Identifiers | None:
    for one in fields.objects(fields.mapping(item.get("relation")).get("is-preprint-of")):
        doi = normalise_doi(fields.text(one.get("id"), 300))
        if doi:
            return Identifiers(doi=doi)
    return None


def _date(value: Any) -> str | None:
    """An ISO date, as exact as it is given."""
    parts = fields.items(fields.mapping(value).get("date-parts"))
    numbers = fields.items(parts[0]) if parts else ()
    found = fields.year(numbers[0]) if numbers else None
    if found is None:
        return None
    iso = f"{found:04d}"
    for number, most in zip(numbers[1:3], (12, 31), strict=False):
        if not isinstance(number, int) or not 1 <= number <= most:
            break
        iso += f"-{number:02d}"
    return iso
