"""The `semanticscholar` client, with a requester of ours below it.

The client builds addresses and reads papers; its own requester cannot be used as it is:

- it hands on neither status nor headers, so `Retry-After` cannot be read, and it turns 502, 503 and
  `{"error": ...}` into an empty result, which looks like "no such paper";
- it writes the API key to the log at level DEBUG;
- it raises KeyError, JSONDecodeError or bare httpx errors, depending on the body;
- the client drops the nulls of a batch answer, whose items are told apart by position only;
- it reads bodies of any size, and a drip of bytes never times out.
"""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from semanticscholar import AsyncSemanticScholar
from semanticscholar.ApiRequester import ApiRequester
from semanticscholar.SemanticScholarException import ObjectNotFoundException

from veriscite.evidence.politeness import UnusableAnswerError
from veriscite.evidence.transport import Reply, Transport, json_of, raise_failure

PAPER_FIELDS = (
    "paperId externalIds title year authors venue abstract url publicationTypes openAccessPdf".split()  # noqa: SIM905
)
NAME = "Semantic Scholar"

NotFoundError = ObjectNotFoundException
"""Raised by the client when the service answers, and knows no such paper."""


class Client(AsyncSemanticScholar):  # type: ignore[misc]
    """The client, with our requester and without its habits.

    Args:
        api_url: Base address.
        api_key: Key, or None.
        timeout_s: Seconds that one request may take in all.
    """

    debug = False
    """Shadows the base's property, whose setter configures the root logger of the whole program."""

    def __init__(self, api_url: str, api_key: str | None, timeout_s: float) -> None:
        super().__init__(timeout=timeout_s, api_key=api_key, api_url=api_url, retry=False)
        self._requester = Requester(timeout_s)

    def _get_not_found_ids(self, paper_ids: list[str], papers: list[Any]) -> list[str]:
        """Nothing: batch answers are aligned by position, and the base warns about each id."""
        return []

    async def aclose(self) -> None:
        """Close connections."""
        await self._requester.aclose()


class Requester(ApiRequester):  # type: ignore[misc]
    """Sends one request and translates every way in which it can go wrong.

    Args:
        timeout_s: Seconds that one request may take in all, body included.
    """

    def __init__(self, timeout_s: float) -> None:
        super().__init__(timeout_s, retry=False)
        self._transport = Transport(NAME, timeout_s)

    async def aclose(self) -> None:
        """Close connections."""
        await self._transport.aclose()

    async def get_data_async(
        self,
        url: str,
        parameters: str,
        headers: Mapping[str, str],
        payload: Mapping[str, Any] | None = None,
    ) -> Any:
        """Answer in the base's stead.

        Raises:
            TransientError: 429, 5xx or a time-out.
            UnusableAnswerError: Not an answer of this protocol.
            RefusedRequestError: Key or address are refused.
            ObjectNotFoundException: The service knows no such paper.
        """
        method = "GET" if payload is None else "POST"
        reply = await self._transport.send(
            method, url, params=parameters.lstrip("&"), headers=headers, payload=payload
        )
        if reply.status != 200:
            _raise_failure(reply)
        value = json_of(NAME, reply.body)
        if payload is not None:
            return _batch(value, len(payload["ids"]))
        return _search(value, match=url.endswith("/match"))


def _raise_failure(reply: Reply) -> NoReturn:
    """Say what a status other than 200 means; here some of them are answers."""
    said = _error_text(reply.body)
    if reply.status == 404 and said:
        raise NotFoundError(said)
    if reply.status == 400 and "no valid paper ids" in said.lower():
        raise NotFoundError(said)
    raise_failure(NAME, reply, key_setting="SEMANTIC_SCHOLAR_API_KEY", url_setting="SEMANTIC_SCHOLAR_API_URL")


def _error_text(body: bytes) -> str:
    """What a JSON error says; empty for anything else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    said = value.get("error") or value.get("message") if isinstance(value, dict) else None
    return said[:300] if isinstance(said, str) else ""


def _batch(value: Any, asked: int) -> list[dict[str, Any]]:
    """Check a batch answer, and keep its nulls in place as papers without an id."""
    if not isinstance(value, list) or len(value) != asked:
        raise UnusableAnswerError(f"{NAME} gave no answer for each identifier.")
    return [_paper(item) if isinstance(item, dict) else {"paperId": ""} for item in value]


def _search(value: Any, *, match: bool) -> dict[str, Any]:
    """Check the answer to a search. No hits come as `data: []`, or as `total: 0` without `data`."""
    if not isinstance(value, dict) or ("data" not in value and value.get("total") != 0):
        raise UnusableAnswerError(f"{NAME} gave an empty answer, which says nothing.")
    data = value.get("data", [])
    if not isinstance(data, list):
        raise UnusableAnswerError(f"{NAME} gave an answer of another form.")
    papers = [_paper(item) for item in data if isinstance(item, dict)]
    if match and not papers:
        # The client would take the first of none.
        raise NotFoundError("Title match not found")
    return {"total": len(papers), "offset": 0, "data": papers}


def _paper(item: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the fields that were asked for, each only if it has the form that the client expects."""
    forms: dict[str, type | tuple[type, ...]] = {
        "paperId": str,
        "title": str,
        "year": (int, str),
        "venue": str,
        "abstract": str,
        "url": str,
        "externalIds": dict,
        "openAccessPdf": dict,
        "publicationTypes": list,
    }
    paper = {key: item[key] for key, form in forms.items() if isinstance(item.get(key), form)}
    paper.setdefault("paperId", "")
    authors = item.get("authors")
    paper["authors"] = [
        {"name": author} if isinstance(author, str) else {"name": str(author.get("name") or "")}
        for author in (authors if isinstance(authors, list) else [])
        if isinstance(author, str | dict)
    ]
    return paper
