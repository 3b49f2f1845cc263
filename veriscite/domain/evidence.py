"""What was found out about a cited work: evidence, or the reason why there is none.

*Missing* (`NotFound`, `NoAbstract`) and *could not look* (`LookupFailed`) are different answers. `answers`
keeps what each source said that was asked, in order; a single source leaves it empty.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from veriscite.domain.base import Frozen
from veriscite.domain.manuscript import Author, Identifiers


class Scope(StrEnum):
    """How much of the cited work the evidence covers."""

    ABSTRACT = "abstract"
    TITLE = "title"
    FULL_TEXT = "full_text"


class Evidence(Frozen):
    """Text of a cited work that a claim can be judged against.

    Attributes:
        source: Name of the source that gave it (`library`, `semantic_scholar`).
        record_id: The source's own id of the record.
        sentences: The text, split; rationales are indices (0-based) into it. Never empty.
        match_score: How well the record fits the reference, 0 to 1; None if it was not measured
            (an identifier named by the reference, or the user's own entry, needs no match).
        of_cited_work: False for a record of *another* work, found by the planner's own search: it
            may inform a conclusion, but can never support this citation.
    """

    source: str
    record_id: str
    title: str
    year: int | None = None
    authors: tuple[Author, ...] = ()
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    sentences: tuple[str, ...] = Field(min_length=1)
    scope: Scope = Scope.ABSTRACT
    match_score: float | None = None
    matched_by: str = ""
    of_cited_work: bool = True
    retrieved_at: datetime


class Candidate(Frozen):
    """A record that a source offered, told briefly.

    Attributes:
        authors: The first ten, as people say their names.
    """

    source: str
    record_id: str
    title: str
    year: int | None = None
    authors: tuple[str, ...] = ()
    score: float | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()


class SourceAnswer(Frozen):
    """What one source said of a reference.

    Attributes:
        source: Its name (`crossref`).
        status: As the lookups name it (`found`, `not_found`, `lookup_failed`, ...).
        detail: In words, where there is something to tell.
        record: The record that it took for the work, if it took one.
    """

    source: str
    status: str
    detail: str = ""
    record: Candidate | None = None


class Found(Frozen):
    """Evidence was found."""

    status: Literal["found"] = "found"
    reference_id: str
    evidence: Evidence
    queries: tuple[str, ...] = ()
    answers: tuple[SourceAnswer, ...] = ()


class NotFound(Frozen):
    """Every source that was asked answered, and none knows the work."""

    status: Literal["not_found"] = "not_found"
    reference_id: str
    asked: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    answers: tuple[SourceAnswer, ...] = ()
    detail: str = ""
    nearest: tuple[Candidate, ...] = ()


class Ambiguous(Frozen):
    """Several records fit equally well."""

    status: Literal["ambiguous"] = "ambiguous"
    reference_id: str
    candidates: tuple[Candidate, ...]
    queries: tuple[str, ...] = ()
    answers: tuple[SourceAnswer, ...] = ()
    detail: str = ""


class NoAbstract(Frozen):
    """The work was found, but no source gives an abstract of it."""

    status: Literal["no_abstract"] = "no_abstract"
    reference_id: str
    record: Candidate
    queries: tuple[str, ...] = ()
    answers: tuple[SourceAnswer, ...] = ()
    detail: str = ""


class LookupFailed(Frozen):
    """A source could not be asked; nothing is known about whether the work exists."""

    status: Literal["lookup_failed"] = "lookup_failed"
    reference_id: str
    source: str
    code: str
    message: str
    retryable: bool = True
    queries: tuple[str, ...] = ()
    answers: tuple[SourceAnswer, ...] = ()


EvidenceLookup = Annotated[
    Found | NotFound | Ambiguous | NoAbstract | LookupFailed, Field(discriminator="status")
]
"""The answer of step 2 for one reference."""

_SOURCE_TITLES = {
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "europe_pmc": "Europe PMC",
    "arxiv": "arXiv",
}


def source_title(name: str) -> str:
    """A source's name as people write it; the name itself, without underscores, where we know no other."""
    return _SOURCE_TITLES.get(name, name.replace("_", " "))
