"""arXiv: its numbers in one call, else a search by title; tells where a preprint was published."""

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from veriscite.domain import Identifiers, Reference, source_title
from veriscite.domain.identifiers import arxiv_of_doi, normalise_arxiv, normalise_doi
from veriscite.evidence.http import HttpService, Network
from veriscite.evidence.options import SourceOptions
from veriscite.evidence.politeness import UnusableAnswerError
from veriscite.evidence.query import title_query
from veriscite.evidence.records import Record, parse_name
from veriscite.evidence.sources import fields
from veriscite.evidence.sources.finder import HttpFinder, RecordStore, Search
from veriscite.ports import Emit

NAME = "arxiv"
SEARCH_LIMIT = 10
_PATH = "/api/query"
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_NOT_WORDS = re.compile(r"\b(?:AND|OR|ANDNOT)\b|[^\w\s']")
_WITHDRAWN = re.compile(r"\bthis (?:paper|article|submission|manuscript) has been withdrawn\b", re.IGNORECASE)


class ArXiv(HttpFinder):
    """Asks arXiv.

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
        http = HttpService(self.title, "ARXIV", options, network)
        super().__init__(http, store)

    def identifiers(self, reference: Reference) -> tuple[str, ...]:
        """The arXiv number, also where a DOI stands for it."""
        ids = reference.identifiers
        found = ids.arxiv or arxiv_of_doi(ids.doi)
        return (found,) if found else ()

    async def ask_batch(self, ids: Sequence[str], emit: Emit) -> Mapping[str, Sequence[Record]]:
        """Ask for preprints by their numbers."""
        params = {"id_list": ",".join(ids), "max_results": str(len(ids))}
        records = await self._preprints(params, emit)
        return {
            known: (record,) for record in records if (known := record.identifiers.arxiv) and known in ids
        }

    def searches(self, reference: Reference) -> Sequence[Search]:
        """The words of the title, with the first author where there is one."""
        title = _words(title_query(reference))
        if not title:
            return ()
        family = _words(reference.authors[0].family) if reference.authors else ""
        query = f'ti:"{title}"' + (f' AND au:"{family}"' if family else "")
        return [self._search(query), *([self._search(f'ti:"{title}"')] if family else [])]

    def search_words(self, words: str) -> Search:
        """Search in all fields for each of the words."""
        return self._search(" AND ".join(f"all:{word}" for word in _words(words).split()[:20]))

    def _search(self, query: str) -> Search:
        async def ask(emit: Emit) -> Sequence[Record]:
            if not query:
                return ()
            params = {"search_query": query, "max_results": str(SEARCH_LIMIT), "start": "0"}
            return await self._preprints(params, emit)

        return Search("search", query, ask)

    async def _preprints(self, params: Mapping[str, str], emit: Emit) -> list[Record]:
        records: list[Record] = await self._http.read(_PATH, params, emit, records_of_feed)
        return records


def records_of_feed(body: bytes) -> list[Record]:
    """Read an Atom feed.

    Args:
        body: As it came; nothing in it is trusted.

    Raises:
        UnusableAnswerError: It is none.
    """
    try:
        text = body.decode("utf-8")
        # A feed declares nothing: without declarations there is no entity that could grow or read a file.
        root = None if "<!DOCTYPE" in text or "<!ENTITY" in text else ElementTree.fromstring(text)  # noqa: S314
    except (ElementTree.ParseError, ValueError):
        root = None
    if root is None or root.tag != f"{_ATOM}feed":
        raise UnusableAnswerError(
            "arXiv answered with no feed that could be read.",
            advice="A proxy or a sign-in page may stand in between.",
        )
    entries = root.findall(f"{_ATOM}entry")[: fields.MAX_ITEMS]
    return [record for entry in entries if (record := _record(entry)) is not None]


def _record(entry: ElementTree.Element) -> Record | None:
    address = fields.text(entry.findtext(f"{_ATOM}id"))
    number = normalise_arxiv(address)
    if number is None:
        # Errors come as an entry too, whose address is another.
        return None
    doi = normalise_doi(fields.text(entry.findtext(f"{_ARXIV}doi"), 300))
    own = doi is not None and doi.startswith("10.48550/")
    names = [fields.text(one.text, 300) for one in entry.iterfind(f"{_ATOM}author/{_ATOM}name")]
    abstract = fields.abstract_text(entry.findtext(f"{_ATOM}summary"))
    return Record(
        source=NAME,
        record_id=number,
        title=fields.title_text(entry.findtext(f"{_ATOM}title")),
        authors=tuple(parse_name(name) for name in names[: fields.MAX_ITEMS] if name),
        year=fields.year(fields.text(entry.findtext(f"{_ATOM}published"))),
        venue=fields.text(entry.findtext(f"{_ARXIV}journal_ref"), 500) or "arXiv",
        identifiers=Identifiers(arxiv=number),
        url=f"https://arxiv.org/abs/{number}",
        abstract=None if abstract and _WITHDRAWN.search(abstract) else abstract,
        abstract_note="the preprint was withdrawn" if abstract and _WITHDRAWN.search(abstract) else "",
        kinds=("preprint",),
        published_as=Identifiers(doi=doi) if doi and not own else None,
    )


def _words(text: str) -> str:
    return " ".join(_NOT_WORDS.sub(" ", text).split())
