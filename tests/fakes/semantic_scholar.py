"""A look-alike of Semantic Scholar's graph API, traps included.

It answers from a small corpus. Like the real one it finds nothing for a query that holds a colon, a
hyphen, a curly quote or a final full stop, gives nulls in place in batch answers, refuses a batch without
any known id, and leaves out `data` when a search has no hits. Faults are scripted (see `faults`).
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from rapidfuzz import fuzz

from tests.fakes.faults import Answer, json_answer
from tests.fakes.server import FakeServer, Request

_EMPTIES_A_SEARCH = re.compile(r"[:\-–—“”‘’]|\.$")
_PREFIXES = {"DOI": "DOI", "ARXIV": "ArXiv", "PMID": "PubMed", "PMCID": "PubMedCentral"}


def paper(
    paper_id: str,
    title: str,
    authors: Sequence[str] = (),
    year: int | None = None,
    abstract: str | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A paper of the corpus; `fields` go in as they are (`externalIds`, `openAccessPdf`, ...)."""
    return {
        "paperId": paper_id,
        "title": title,
        "authors": [{"authorId": str(i), "name": name} for i, name in enumerate(authors)],
        "year": year,
        "abstract": abstract,
        "externalIds": {},
        "venue": "",
        "url": f"https://www.semanticscholar.org/paper/{paper_id}",
        "publicationTypes": None,
        "openAccessPdf": None,
        **fields,
    }


class FakeSemanticScholar(FakeServer):
    """Serves `/graph/v1/paper/...` from `papers`.

    Args:
        papers: The corpus, best known first.
        key: The only key that is not refused; None takes every request.
    """

    def __init__(self, papers: Sequence[dict[str, Any]] = (), *, key: str | None = None) -> None:
        super().__init__()
        self.papers = list(papers)
        self._key = key

    def respond(self, request: Request) -> Answer | None:
        given = request.headers.get("x-api-key")
        if self._key is not None and given not in (None, self._key):
            return json_answer({"message": "Forbidden"}, status=403)
        match request.method, request.path:
            case "POST", "/graph/v1/paper/batch":
                return self._batch(request)
            case "GET", "/graph/v1/paper/search":
                return self._search(request)
            case "GET", "/graph/v1/paper/search/match":
                return self._match(request)
            case "GET", path if path.startswith("/graph/v1/paper/"):
                return self._one(path.removeprefix("/graph/v1/paper/"), request)
        return None

    def _batch(self, request: Request) -> Answer:
        ids = request.json()["ids"]
        if len(ids) > 500:
            return json_answer({"error": "The number of ids is above 500"}, status=400)
        found = [self._by_id(wanted) for wanted in ids]
        if not any(found):
            return json_answer({"error": "No valid paper ids given"}, status=400)
        return json_answer([_fields(item, request) if item else None for item in found])

    def _search(self, request: Request) -> Answer:
        query = request.query["query"][0]
        limit = int(request.query.get("limit", ["100"])[0])
        hits = [] if _EMPTIES_A_SEARCH.search(query.strip()) else self._ranked(query)
        if not hits:
            return json_answer({"total": 0, "offset": 0})
        data = [_fields(hit, request) for hit in hits[:limit]]
        return json_answer({"total": len(hits), "offset": 0, "next": limit, "data": data})

    def _match(self, request: Request) -> Answer:
        query = request.query["query"][0].lower()
        best = max(self.papers, key=lambda p: fuzz.token_set_ratio(query, _title(p)), default=None)
        if best is None or fuzz.token_set_ratio(query, _title(best)) < 70:
            return json_answer({"error": "Title match not found"}, status=404)
        return json_answer({"data": [{**_fields(best, request), "matchScore": 100.0}]})

    def _one(self, wanted: str, request: Request) -> Answer:
        found = self._by_id(wanted)
        if found is None:
            return json_answer({"error": f"Paper with id {wanted} not found"}, status=404)
        return json_answer(_fields(found, request))

    def _by_id(self, wanted: str) -> dict[str, Any] | None:
        prefix, _, value = wanted.partition(":")
        kind = _PREFIXES.get(prefix.upper())
        for item in self.papers:
            if item["paperId"] == wanted:
                return item
            known = (item["externalIds"] or {}).get(kind)
            if kind and known is not None and str(known).lower() == value.lower():
                return item
        return None

    def _ranked(self, query: str) -> list[dict[str, Any]]:
        wanted = set(re.findall(r"\w+", query.lower()))
        scored = []
        for item in self.papers:
            names = " ".join(author["name"] for author in item["authors"] if isinstance(author, dict))
            words = set(
                re.findall(r"\w+", f"{item['title']} {names} {item['year']} {item['abstract']}".lower())
            )
            share = len(wanted & words) / max(1, len(wanted))
            if share >= 0.5:
                scored.append((share, item))
        return [item for _, item in sorted(scored, key=lambda pair: -pair[0])]


def _title(item: dict[str, Any]) -> str:
    return str(item["title"]).lower()


def _fields(item: dict[str, Any], request: Request) -> dict[str, Any]:
    """Only the fields asked for, as the real one does."""
    asked = request.query.get("fields", ["title"])[0].split(",")
    return {key: value for key, value in item.items() if key in {*asked, "paperId"}}


def ids_of(request: Request) -> list[str]:
    """Ids that a batch request asked for."""
    ids: list[str] = json.loads(request.body)["ids"]
    return ids
