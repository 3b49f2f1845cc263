"""Europe PMC: identifiers of the life sciences in one OR query, else a search by title or words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from veriscite.domain import Author, Identifiers, Notice, NoticeKind, Reference, source_title
from veriscite.domain.identifiers import normalise_doi, normalise_pmcid, normalise_pmid
from veriscite.evidence.http import HttpService, Network
from veriscite.evidence.options import SourceOptions
from veriscite.evidence.politeness import UnusableAnswerError
from veriscite.evidence.query import author_year_title_query, title_query
from veriscite.evidence.records import Record, parse_name
from veriscite.evidence.sources import fields
from veriscite.evidence.sources.finder import HttpFinder, RecordStore, Search
from veriscite.evidence.transport import json_of
from veriscite.ports import Emit

NAME = "europe_pmc"
SEARCH_LIMIT = 10
MAX_NOTICES = 20
_PATH = "/europepmc/webservices/rest/search"
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b|[\"()\[\]{}:^~*?\\/+\-!&|]")
#: In PubMed's words for what was published about an article.
_NOTICES = {
    "retraction in": NoticeKind.RETRACTED,
    "partial retraction in": NoticeKind.RETRACTED,
    "erratum in": NoticeKind.CORRECTED,
    "corrected and republished in": NoticeKind.CORRECTED,
    "expression of concern in": NoticeKind.EXPRESSION_OF_CONCERN,
}


class EuropePmc(HttpFinder):
    """Asks Europe PMC.

    Args:
        options: Address and pace; there is no key.
        network: What all sources share.
        store: Where answers are kept.

    Raises:
        SettingsError: The address cannot be used.
    """

    name = NAME
    title = source_title(NAME)

    def __init__(self, options: SourceOptions, network: Network, store: RecordStore | None = None) -> None:
        http = HttpService(self.title, "EUROPE_PMC", options, network)
        super().__init__(http, store)

    def identifiers(self, reference: Reference) -> tuple[str, ...]:
        """Parts of a query, `DOI:"..."` for one; not a DOI with a quote, which would end the part."""
        ids = reference.identifiers
        parts = (
            f"EXT_ID:{ids.pmid}" if ids.pmid else "",
            f"PMCID:{ids.pmcid}" if ids.pmcid else "",
            f'DOI:"{ids.doi}"' if ids.doi and not set(ids.doi) & set('"\\') else "",
        )
        return tuple(part for part in parts if part)

    async def ask_batch(self, ids: Sequence[str], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Ask for articles by an OR of their identifiers."""
        parts = [f"({one} AND SRC:MED)" if one.startswith("EXT_ID:") else one for one in ids]
        found: dict[str, list[Record]] = {}
        # An article may stand there twice, as a preprint and as itself.
        for record in await self._articles(" OR ".join(parts), 2 * len(ids), emit):
            known = record.identifiers
            names = (f"EXT_ID:{known.pmid}", f"PMCID:{known.pmcid}", f'DOI:"{known.doi}"')
            for name in set(names) & set(ids):
                found.setdefault(name, []).append(record)
        return found

    def searches(self, reference: Reference) -> Sequence[Search]:
        """The title in quotes, then first author, year and title words."""
        title, words = _plain(title_query(reference)), author_year_title_query(reference)
        by_title = []
        if title:
            query = f'TITLE:"{title}"'
            by_title = [Search("search", query, lambda emit: self._articles(query, SEARCH_LIMIT, emit))]
        return [*by_title, *([self.search_words(words)] if _plain(words) else [])]

    def search_words(self, words: str) -> Search:
        """Search by relevance in all fields."""
        query = _plain(words)
        return Search("search", query, lambda emit: self._articles(query, SEARCH_LIMIT, emit))

    async def _articles(self, query: str, size: int, emit: Emit) -> list[Record]:
        def read(body: bytes) -> list[Record]:
            value = json_of(self.title, body)
            results = value.get("resultList") if isinstance(value, dict) else None
            if not isinstance(results, dict) or not isinstance(results.get("result"), list):
                raise UnusableAnswerError(f"{self.title} gave an answer of another form.")
            articles = fields.objects(results["result"])
            return [record for article in articles if (record := record_of_article(article)) is not None]

        params = {"query": query, "format": "json", "resultType": "core", "pageSize": str(size)}
        records: list[Record] = await self._http.read(_PATH, params, emit, read)
        return records


def record_of_article(article: Mapping[str, Any]) -> Record | None:
    """Read an article of Europe PMC as a record; None when it stands for none.

    Args:
        article: As it came; nothing in it is trusted.
    """
    record_id, origin = fields.text(article.get("id"), 100), fields.text(article.get("source"), 20)
    if not record_id:
        return None
    journal = fields.mapping(fields.mapping(article.get("journalInfo")).get("journal"))
    kinds = fields.items(fields.mapping(article.get("pubTypeList")).get("pubType"))
    corrections = fields.objects(
        fields.mapping(article.get("commentCorrectionList")).get("commentCorrection")
    )
    return Record(
        source=NAME,
        record_id=f"{origin}:{record_id}" if origin else record_id,
        # Their titles end with a full stop.
        title=fields.title_text(article.get("title")).removesuffix("."),
        authors=_authors(article),
        year=fields.year(article.get("pubYear")),
        venue=fields.text(journal.get("title"), 500) or fields.text(article.get("journalTitle"), 500) or None,
        identifiers=Identifiers(
            doi=normalise_doi(fields.text(article.get("doi"), 300)),
            pmid=normalise_pmid(fields.text(article.get("pmid"), 20)),
            pmcid=normalise_pmcid(fields.text(article.get("pmcid"), 20)),
        ),
        url=f"https://europepmc.org/article/{origin}/{record_id}" if origin and record_id.isalnum() else None,
        abstract=fields.abstract_text(article.get("abstractText")),
        kinds=tuple(kind for one in kinds[:20] if (kind := fields.text(one, 60))),
        notices=_notices(corrections, [fields.text(one, 60).lower() for one in kinds]),
        published_as=_published_as(corrections),
    )


def _authors(article: Mapping[str, Any]) -> tuple[Author, ...]:
    found = []
    for one in fields.objects(fields.mapping(article.get("authorList")).get("author")):
        family, body = fields.text(one.get("lastName"), 200), fields.text(one.get("collectiveName"), 300)
        given = fields.text(one.get("firstName"), 200) or fields.text(one.get("initials"), 20)
        full = fields.text(one.get("fullName"), 300)
        if family:
            found.append(Author(family=family, given=given or None))
        elif body:
            found.append(Author(family=body, corporate=True))
        elif full:
            found.append(parse_name(full))
    if not found:
        names = fields.text(article.get("authorString"), 20_000).rstrip(".").split(", ")[: fields.MAX_ITEMS]
        found = [parse_name(name) for name in names if name]
    return tuple(found)


def _notices(corrections: Sequence[Mapping[str, Any]], kinds: Sequence[str]) -> tuple[Notice, ...]:
    found: dict[tuple[NoticeKind, str], Notice] = {}
    for one in corrections[:MAX_NOTICES]:
        kind = _NOTICES.get(fields.text(one.get("type"), 60).lower())
        if kind is not None:
            detail = fields.text(one.get("reference"), 200)
            found.setdefault((kind, detail), Notice(kind=kind, source=NAME, detail=detail))
    if "retracted publication" in kinds and not any(kind is NoticeKind.RETRACTED for kind, _ in found):
        found[NoticeKind.RETRACTED, ""] = Notice(kind=NoticeKind.RETRACTED, source=NAME)
    return tuple(found.values())


def _published_as(corrections: Sequence[Mapping[str, Any]]) -> Identifiers | None:
    """The article that a preprint became."""
    for one in corrections:
        if fields.text(one.get("type"), 60).lower() == "preprint of":
            pmid = normalise_pmid(fields.text(one.get("id"), 20))
            if pmid and fields.text(one.get("source"), 20).upper() in ("MED", ""):
                return Identifiers(pmid=pmid)
    return None


def _plain(words: str) -> str:
    """Words without what the query language would read as its own."""
    return " ".join(_OPERATORS.sub(" ", words).split())
