"""All works that the recorded answers hold, as records, and which of them are one work.

What is one work is decided here by plain rules of its own, never by the matching that is measured.
"""

import gzip
import hashlib
import json
import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz, process

from veriscite.domain import Author, Identifiers
from veriscite.domain.identifiers import normalise_arxiv, normalise_doi
from veriscite.evidence.records import Record, parse_name

Json = Mapping[str, Any]


def shared_data() -> Path | None:
    """Return the folder of recorded data, or None where there is none."""
    named = os.environ.get("VERISCITE_SHARED")
    folder = (Path(named) if named else Path(__file__).resolve().parents[4] / "shared") / "data"
    return folder if (folder / "api" / "crossref_responses.jsonl.gz").is_file() else None


@dataclass(frozen=True)
class Pool:
    """Records, and the number of the work that each is a version of.

    Attributes:
        works: Per record, the number of its work.
    """

    records: tuple[Record, ...]
    works: tuple[int, ...]

    @cached_property
    def _titles(self) -> list[str]:
        return [plain(record.title) for record in self.records]

    @cached_property
    def versions(self) -> Mapping[int, frozenset[tuple[str, str]]]:
        """Ids of the records of each work."""
        members: dict[int, set[tuple[str, str]]] = defaultdict(set)
        for record, work in zip(self.records, self.works, strict=True):
            members[work].add((record.source, record.record_id))
        return {work: frozenset(ids) for work, ids in members.items()}

    def nearest(self, words: str, count: int = 12) -> tuple[int, ...]:
        """Places of the records whose titles are nearest to these words, nearest first."""
        wanted = plain(words)
        return tuple(
            place
            for _, _, place in process.extract(
                wanted, self._titles, scorer=fuzz.token_sort_ratio, limit=count, processor=None
            )
        )


def plain(text: str) -> str:
    """Lower-case words without accents, tags and punctuation."""
    text = re.sub(r"<[^<>]{0,200}>", "", text)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def held(work: str) -> bool:
    """Whether a work belongs to the half that is only scored, by a hash of its title."""
    return hashlib.sha256(work.encode()).digest()[0] % 2 == 1


def load_pool(data: Path) -> Pool:
    """Load every record with a title once, and tell which are one work."""
    records: dict[tuple[str, str], Record] = {}
    for record in (*_semantic_scholar(data), *_openalex(data), *_crossref(data), *_open_articles(data)):
        records.setdefault((record.source, record.record_id), record)
    kept = tuple(records.values())
    return Pool(kept, _works(kept))


def _works(records: tuple[Record, ...]) -> tuple[int, ...]:
    """Join records that share an identifier, or title and one author's family name."""
    parent = list(range(len(records)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    keys: dict[str, int] = {}
    for place, record in enumerate(records):
        ids = record.identifiers
        arxiv = ids.arxiv or (normalise_arxiv(ids.doi) if (ids.doi or "").startswith("10.48550/") else None)
        title = plain(record.title).replace(" ", "")
        families = [plain(a.family).split() for a in record.authors[:3]]
        named = [f"doi {ids.doi}" if ids.doi else "", f"arxiv {arxiv}" if arxiv else ""]
        # Whole families differ between sources (`de Souza`, `Souza`): the last word of each is enough.
        named += [f"title {title} {family[-1]}" for family in families if family and len(title) > 8]
        for key in filter(None, named):
            parent[root(place)] = root(keys.setdefault(key, place))
    return tuple(root(i) for i in range(len(records)))


def _answers(path: Path) -> Iterator[Json]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            answer = json.loads(line)
            yield from (x for x in (answer if isinstance(answer, list) else [answer]) if isinstance(x, dict))


def _semantic_scholar(data: Path) -> Iterator[Record]:
    for paper in _answers(data / "api" / "semantic_scholar_responses.jsonl.gz"):
        if not paper.get("paperId") or not paper.get("title"):
            continue
        ids = paper.get("externalIds") or {}
        names = [author.get("name") or "" for author in paper.get("authors") or []]
        yield Record(
            source="semantic_scholar",
            record_id=paper["paperId"],
            title=paper["title"],
            authors=tuple(parse_name(name) for name in names if name.strip()),
            year=paper.get("year"),
            venue=paper.get("venue") or None,
            identifiers=Identifiers(
                doi=normalise_doi(ids.get("DOI") or ""), arxiv=normalise_arxiv(ids.get("ArXiv") or "")
            ),
            abstract=paper.get("abstract"),
        )


def _openalex(data: Path) -> Iterator[Record]:
    for work in _answers(data / "api" / "openalex_responses.jsonl.gz"):
        if not work.get("title"):
            continue
        names = [(a.get("author") or {}).get("display_name") or "" for a in work.get("authorships") or []]
        yield Record(
            source="openalex",
            record_id=work["id"],
            title=work["title"],
            authors=tuple(parse_name(name) for name in names if name.strip()),
            year=work.get("publication_year"),
            venue=((work.get("primary_location") or {}).get("source") or {}).get("display_name"),
            identifiers=Identifiers(doi=normalise_doi(work.get("doi") or "")),
            kinds=(work["type"],) if work.get("type") else (),
        )


def _crossref(data: Path) -> Iterator[Record]:
    for work in _answers(data / "api" / "crossref_responses.jsonl.gz"):
        titles = [title for title in work.get("title") or [] if title.strip()]
        if not titles:
            continue
        parts = [*((work.get("published") or {}).get("date-parts") or [[]])[0], None]
        yield Record(
            source="crossref",
            record_id=work["DOI"],
            title=" ".join(titles[0].split()),
            authors=tuple(filter(None, map(_crossref_author, work.get("author") or []))),
            year=parts[0],
            venue=next(iter(work.get("container-title") or []), None),
            identifiers=Identifiers(doi=normalise_doi(work["DOI"])),
            abstract=work.get("abstract"),
            kinds=(work["type"],) if work.get("type") else (),
        )


def _crossref_author(author: Json) -> Author | None:
    if author.get("family"):
        return Author(family=author["family"], given=author.get("given"))
    return Author(family=author["name"], corporate=True) if author.get("name") else None


def _open_articles(data: Path) -> Iterator[Record]:
    path = data / "abstracts" / "cc_by.jsonl.gz"
    for article in _answers(path) if path.is_file() else ():
        year = str(article.get("year") or "")
        yield Record(
            source="open articles",
            record_id=article["file"],
            title=article["title"],
            authors=tuple(parse_name(name) for name in article["authors"] if name.strip()),
            year=int(year) if year.isdigit() else None,
            venue=article.get("journal"),
            identifiers=Identifiers(doi=normalise_doi(article.get("doi") or "")),
            abstract=" ".join(section["text"] for section in article.get("sections") or []),
        )
