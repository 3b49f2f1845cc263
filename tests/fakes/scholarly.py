"""Look-alikes of OpenAlex, Crossref, Europe PMC and arXiv, which answer from one small list of works.

Each answers in the form of the real one, and only to what the real one is asked here; an address or a
parameter that it does not know fails the test.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from tests.fakes.faults import Answer, json_answer
from tests.fakes.semantic_scholar import FakeSemanticScholar, paper
from tests.fakes.server import FakeServer, Request

ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True)
class Work:
    """A work that a source may know; authors are (given, family)."""

    title: str
    authors: Sequence[tuple[str, str]] = ()
    year: int | None = None
    abstract: str | None = None
    doi: str | None = None
    pmid: str | None = None
    arxiv: str | None = None


def inverted(text: str | None) -> dict[str, list[int]] | None:
    """An abstract as OpenAlex gives it."""
    if text is None:
        return None
    index: dict[str, list[int]] = {}
    for position, word in enumerate(text.split()):
        index.setdefault(word, []).append(position)
    return index


class FakeSource(FakeServer):
    """Base: finds works by identifier, and by the share of the asked words that their titles hold."""

    def __init__(self, works: Sequence[Work] = ()) -> None:
        super().__init__()
        self.works = list(works)

    def ranked(self, words: str, limit: int) -> list[Work]:
        """Works whose title shares at least half of its words with those asked for."""
        asked = set(re.findall(r"\w+", words.lower()))
        scored = []
        for work in self.works:
            title = set(re.findall(r"\w+", work.title.lower()))
            share = len(asked & title) / len(title)
            if share >= 0.5:
                scored.append((share, work))
        return [work for _, work in sorted(scored, key=lambda one: -one[0])][:limit]


class FakeOpenAlex(FakeSource):
    """Serves `/works`."""

    def respond(self, request: Request) -> Answer | None:
        if request.method != "GET" or request.path != "/works":
            return None
        size = int(request.query.get("per-page", ["25"])[0])
        if size > 200:
            return json_answer({"error": "Invalid query parameters error."}, status=403)
        if "search" in request.query:
            found = self.ranked(request.query["search"][0], size)
        else:
            kind, _, value = request.query["filter"][0].partition(":")
            if "," in value:
                return json_answer({"error": "Invalid query parameters error."}, status=400)
            if kind == "title.search":
                found = self.ranked(value, size)
            else:
                wanted = value.split("|")
                found = [work for work in self.works if getattr(work, kind) in wanted]
        results = [self.work(number, work) for number, work in enumerate(found)]
        return json_answer({"meta": {"count": len(results)}, "results": results})

    def work(self, number: int, work: Work) -> dict[str, Any]:
        """A work as OpenAlex shows it."""
        ids = {"openalex": f"https://openalex.org/W{number + 1}"}
        if work.pmid:
            ids["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}"
        return {
            "id": f"https://openalex.org/W{self.works.index(work) + 1}",
            "doi": f"https://doi.org/{work.doi}" if work.doi else None,
            "ids": ids,
            "title": work.title,
            "publication_year": work.year,
            "authorships": [{"author": {"display_name": f"{g} {f}"}} for g, f in work.authors],
            "primary_location": {"source": {"display_name": "Journal of Tests"}},
            "type": "article",
            "abstract_inverted_index": inverted(work.abstract),
            "is_retracted": False,
        }


class FakeCrossref(FakeSource):
    """Serves `/works`."""

    def respond(self, request: Request) -> Answer | None:
        if request.method != "GET" or request.path != "/works":
            return None
        rows = int(request.query["rows"][0])
        if "filter" in request.query:
            wanted = [part.removeprefix("doi:") for part in request.query["filter"][0].split(",")]
            found = [work for work in self.works if work.doi in wanted]
        else:
            found = [work for work in self.ranked(request.query["query.bibliographic"][0], rows) if work.doi]
        items = [self.item(work) for work in found]
        return json_answer(
            {
                "status": "ok",
                "message-type": "work-list",
                "message": {"total-results": len(items), "items": items},
            }
        )

    def item(self, work: Work) -> dict[str, Any]:
        """A work as Crossref shows it."""
        item: dict[str, Any] = {
            "DOI": work.doi,
            "type": "journal-article",
            "title": [work.title],
            "author": [{"given": g, "family": f, "sequence": "first"} for g, f in work.authors],
            "issued": {"date-parts": [[work.year]]},
            "container-title": ["Journal of Tests"],
            "URL": f"https://doi.org/{work.doi}",
        }
        if work.abstract:
            item["abstract"] = f"<jats:title>Abstract</jats:title><jats:p>{escape(work.abstract)}</jats:p>"
        return item


class FakeEuropePmc(FakeSource):
    """Serves `/europepmc/webservices/rest/search`."""

    def respond(self, request: Request) -> Answer | None:
        if request.method != "GET" or request.path != "/europepmc/webservices/rest/search":
            return None
        query, size = request.query["query"][0], int(request.query["pageSize"][0])
        dois = re.findall(r'DOI:"([^"]+)"', query)
        pmids = re.findall(r"EXT_ID:(\d+)", query)
        if dois or pmids:
            found = [work for work in self.works if work.doi in dois or work.pmid in pmids]
        else:
            found = self.ranked(query.removeprefix("TITLE:"), size)
        results = [self.article(number, work) for number, work in enumerate(found)]
        return json_answer({"hitCount": len(results), "resultList": {"result": results}})

    def article(self, number: int, work: Work) -> dict[str, Any]:
        """A work as Europe PMC shows it."""
        return {
            "id": work.pmid or f"9000{number}",
            "source": "MED",
            "pmid": work.pmid,
            "doi": work.doi,
            "title": f"{work.title}.",
            "authorList": {"author": [{"firstName": g, "lastName": f} for g, f in work.authors]},
            "pubYear": str(work.year),
            "journalInfo": {"journal": {"title": "Journal of Tests"}},
            "abstractText": work.abstract,
        }


class FakeArxiv(FakeSource):
    """Serves `/api/query`."""

    def respond(self, request: Request) -> Answer | None:
        if request.method != "GET" or request.path != "/api/query":
            return None
        if "id_list" in request.query:
            wanted = request.query["id_list"][0].split(",")
            found = [work for work in self.works if work.arxiv in wanted]
        else:
            title = re.search(r'ti:"([^"]*)"', request.query["search_query"][0])
            words = title.group(1) if title else request.query["search_query"][0].replace("all:", " ")
            found = [work for work in self.ranked(words, 10) if work.arxiv]
        entries = "".join(self.entry(work) for work in found)
        feed = f'<?xml version="1.0" encoding="UTF-8"?><feed xmlns="{ATOM}"><title>q</title>{entries}</feed>'
        return Answer(body=feed.encode(), content_type="application/atom+xml", name="feed")

    def entry(self, work: Work) -> str:
        """A work as arXiv shows it."""
        names = "".join(f"<author><name>{escape(f'{g} {f}')}</name></author>" for g, f in work.authors)
        return (
            f"<entry><id>http://arxiv.org/abs/{work.arxiv}v2</id><published>{work.year}-03-01T00:00:00Z"
            f"</published><title>{escape(work.title)}</title><summary>{escape(work.abstract or '')}</summary>"
            f"{names}</entry>"
        )


class FakeScholar(FakeSemanticScholar):
    """Semantic Scholar with the same works."""

    def __init__(self, works: Sequence[Work] = ()) -> None:
        super().__init__(
            [
                paper(
                    f"{number:040x}",
                    work.title,
                    [f"{g} {f}" for g, f in work.authors],
                    work.year,
                    work.abstract,
                    externalIds={
                        key: value
                        for key, value in (("DOI", work.doi), ("PubMed", work.pmid), ("ArXiv", work.arxiv))
                        if value
                    },
                )
                for number, work in enumerate(works)
            ]
        )


FAKES: dict[str, type[FakeSource] | type[FakeScholar]] = {
    "semantic_scholar": FakeScholar,
    "openalex": FakeOpenAlex,
    "crossref": FakeCrossref,
    "europe_pmc": FakeEuropePmc,
    "arxiv": FakeArxiv,
}
