"""What all sources said of one entry, gathered question by question, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from veriscite.domain import Candidate, Mismatch, Reference, SourceAnswer
from veriscite.evidence.authors import AuthorFit
from veriscite.evidence.checks.kinds import (
    EntryForm,
    cites_preprint,
    form_of,
    is_preprint_doi,
    is_preprint_venue,
)
from veriscite.evidence.checks.mismatches import Version
from veriscite.evidence.checks.people import compare_people
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.matching import Decision, Match, choose, compare
from veriscite.evidence.records import Record
from veriscite.evidence.titles import TitleFit

_TYPO = 80.0
_TITLE_WORDS = 5
_NEAR = 0.75
"""A title as much alike is worth a look by a person."""


@dataclass
class Hearing:
    """What was heard of one entry.

    Attributes:
        accepted: Records taken for the work, by source, the best version first.
        tied: Candidates by source, where several works fit equally well.
        misled: What an identifier of the entry led to although it is another work.
        seen: All records that words led to.
        failed: Why a source could not be asked.
        asked: Sources that answered; both ways where both were possible.
        by_words: Sources that were asked by words.
        unknown_ids: Sources to which the entry's identifiers say nothing.
    """

    reference: Reference
    accepted: dict[str, list[Match]] = field(default_factory=dict)
    identified: set[str] = field(default_factory=set)
    tied: dict[str, tuple[Match, ...]] = field(default_factory=dict)
    misled: list[Record] = field(default_factory=list)
    seen: list[Record] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    asked: dict[str, None] = field(default_factory=dict)
    by_words: set[str] = field(default_factory=set)
    unknown_ids: set[str] = field(default_factory=set)

    def hear(self, source: str, records: Sequence[Record], *, by_identifier: bool) -> bool:
        """Take in what a source answered; says whether it knows the work."""
        self.asked[source] = None
        choice = choose(self.reference, records, by_identifier=by_identifier)
        accepted = list(choice.accepted)
        if by_identifier and not accepted:
            # Authors give manuscripts on servers new titles.
            matches = [compare(self.reference, record, by_identifier=True) for record in records]
            accepted = [
                match
                for match in matches
                if match.authors.fit is AuthorFit.SAME and _may_be_retitled(self.reference, match.record)
            ]
        elif not accepted and not choice.tied:
            accepted = self._but_for_the_year(records)
        if accepted:
            self.accepted[source] = accepted
            if by_identifier:
                self.identified.add(source)
            return True
        if by_identifier:
            self.misled += records
            if not records:
                self.unknown_ids.add(source)
            return False
        self.by_words.add(source)
        self.seen += records
        if choice.tied:
            self.tied[source] = choice.tied
        return False

    def _but_for_the_year(self, records: Sequence[Record]) -> list[Match]:
        """The one work of this very title by these people, whatever its year.

        As evidence for a claim it is not taken, since some people use one title again. But a reader looks for
        it under the wrong year, which is what a check of the reference is for.
        """
        matches = [
            match
            for record in records
            if record.year and len(content_words(fold(record.title))) >= _TITLE_WORDS
            # As if it were cited with the record's own year: nothing else speaks against it.
            for match in [compare(self.reference.model_copy(update={"year": record.year}), record)]
            if match.decision is Decision.ACCEPT
            and match.title.fit is TitleFit.EXACT
            and match.authors.fit is AuthorFit.SAME
        ]
        return matches if len({match.record.year for match in matches}) == 1 else []

    def add_version(self, source: str, reference: Reference, records: Sequence[Record]) -> None:
        """Take in a source's record of a work that is known by now, asked for by its DOI."""
        self.asked[source] = None
        choice = choose(reference, records, by_identifier=True)
        if choice.accepted:
            self.accepted[source] = list(choice.accepted)

    def fail(self, source: str, message: str) -> None:
        """Note that a source could not be asked."""
        self.failed.setdefault(source, message)

    @property
    def matches(self) -> list[Match]:
        """Records of the work: those that identifiers led to first."""
        own = [m for source, ms in self.accepted.items() if source in self.identified for m in ms]
        return own + [m for source, ms in self.accepted.items() if source not in self.identified for m in ms]

    @property
    def versions(self) -> list[Version]:
        """The same as `matches`, for the comparison."""
        return [
            Version(m.record, by_identifier=m.record.source in self.identified or self._same_doi(m.record))
            for m in self.matches
        ]

    def best(self) -> Match | None:
        """The record that the entry is compared with first."""
        found = self.matches
        if not found:
            return None
        if cites_preprint(self.reference):
            preprints = [m for m in found if not is_published(m.record)]
            found = preprints or found
        return next((m for m in found if m.record.identifiers.doi), found[0])

    def answer_of(self, source: str) -> SourceAnswer:
        """Tell briefly what a source said."""
        if source in self.accepted:
            match = self.accepted[source][0]
            return SourceAnswer(source=source, status="found", record=match.record.candidate(match.score))
        if source in self.failed:
            return SourceAnswer(source=source, status="lookup_failed", detail=self.failed[source])
        if source in self.tied:
            titles = "; ".join(f"{m.record.title[:100]} ({m.record.year})" for m in self.tied[source][:3])
            return SourceAnswer(source=source, status="ambiguous", detail=f"fit equally well: {titles}")
        misled = next((r for r in self.misled if r.source == source), None)
        detail = f"its identifier leads to “{misled.title[:120]}” ({misled.year})" if misled else ""
        nearest = max(
            (compare(self.reference, r) for r in self.seen if r.source == source),
            key=lambda match: match.title.score,
            default=None,
        )
        if not detail and nearest is not None and nearest.title.score >= _NEAR:
            record = nearest.record
            detail = (
                f"nearest is “{record.title[:120]}” ({record.year or 'no year'}), not taken: {nearest.reason}"
            )
        return SourceAnswer(source=source, status="not_found", detail=detail)

    def wrong_identifier(self) -> Mismatch | None:
        """The entry's identifier if it leads to another work, or nowhere while the work has another one."""
        if self.identified:
            return None
        right = next((m.record.identifiers.doi for m in self.matches if m.record.identifiers.doi), None)
        misled = next((record for record in self.misled if self._is_other_work(record)), None)
        if misled is not None:
            own = right if right and not self._is_preprint_of(right) else None
            return Mismatch(
                part="doi",
                cited=_identifier(self.reference, misled),
                found=own or f"“{misled.title[:300]}” ({misled.year or 'no year'})",
                source=misled.source,
                serious=True,
                note=f"it leads to “{misled.title[:300]}” ({misled.year or 'no year'})"
                if own
                else "it leads to another work",
            )
        return self._dead_doi(right) or self._new_title()

    def _new_title(self) -> Mismatch | None:
        """An identifier that leads to the same system or much the same words, if not to the same people."""
        title = self.reference.title
        record = next((r for r in self.misled if title and _may_be_retitled(self.reference, r)), None)
        if record is None or title is None or self.accepted:
            return None
        note = f"{_identifier(self.reference, record)} leads to a work of this title; it may have had another"
        return Mismatch(part="title", cited=title, found=record.title, source=record.source, note=note)

    def same_title_other_people(self) -> Mismatch | None:
        """A work of the same title by other people, where nothing is known by the people cited."""
        title = self.reference.title
        if self.accepted or self._new_title() or not title or len(content_words(fold(title))) < _TITLE_WORDS:
            return None
        if form_of(self.reference) is EntryForm.PROSE and len(self.reference.authors) < 2:
            return None
        for record in self.seen:
            match = compare(self.reference, record)
            near = self.reference.year and record.year and abs(self.reference.year - record.year) <= 1
            if match.title.fit is TitleFit.EXACT and match.authors.fit is AuthorFit.OTHER and near:
                told = compare_people(self.reference, record)
                if told is None or not getattr(told, "serious", False):
                    continue
                return Mismatch(
                    part="authors",
                    cited=getattr(told, "cited", ""),
                    found=getattr(told, "found", ""),
                    source=record.source,
                    serious=True,
                    note="the work of this title is by other people",
                )
        return None

    @property
    def is_perhaps_known(self) -> bool:
        """Whether a record was seen that may be the work."""
        if self.tied:
            return True
        for record in (*self.seen, *self.misled):
            match = compare(self.reference, record)
            if match.decision is not Decision.REJECT or match.title.fit is not TitleFit.DIFFERENT:
                return True
            if match.authors.fit is AuthorFit.SAME and match.title.score >= 0.7:
                return True
        return False

    def _same_doi(self, record: Record) -> bool:
        doi = self.reference.identifiers.doi
        return doi is not None and record.identifiers.doi == doi

    def _is_other_work(self, record: Record) -> bool:
        """Whether what an identifier led to is surely another work: the entry may have been read wrongly."""
        match = compare(self.reference, record, by_identifier=True)
        if match.decision is not Decision.REJECT or not fold(record.title):
            return False
        same_people = match.authors.fit is AuthorFit.SAME
        if form_of(self.reference) is EntryForm.PROSE and same_people:
            return False
        if not fold(record.title).replace(" ", "").isascii() or not self.reference.title:
            return False
        return not _may_be_retitled(self.reference, record)

    def _is_preprint_of(self, doi: str) -> bool:
        cited = self.reference.identifiers.doi
        return cited is not None and is_preprint_doi(doi) is not is_preprint_doi(cited)

    def _dead_doi(self, right: str | None) -> Mismatch | None:
        cited = self.reference.identifiers.doi
        if cited is None or right is None or right == cited or self.misled or self._is_preprint_of(right):
            return None
        typo = fuzz.ratio(cited, right) >= _TYPO
        longer = cited.startswith(right)
        if self.failed or not self.unknown_ids or (len(self.unknown_ids) < 2 and not typo):
            return None
        source = next(m.record.source for m in self.matches if m.record.identifiers.doi == right)
        note = "no source asked knows this DOI; the work has another one"
        if longer:
            note = "the DOI goes on behind its end"
        return Mismatch(part="doi", cited=cited, found=right, source=source, serious=not longer, note=note)


def is_published(record: Record) -> bool:
    """Whether a record is of a work that a journal or a conference published."""
    kinds = " ".join(record.kinds).lower()
    if "preprint" in kinds or "posted" in kinds or is_preprint_venue(record.venue or ""):
        return False
    doi = record.identifiers.doi
    return bool(record.venue) and (doi is None or not is_preprint_doi(doi))


def published_version(hearing: Hearing, extra: Sequence[Record] = ()) -> Candidate | None:
    """The published version of a cited preprint, if one is known.

    Args:
        hearing: What was heard of the entry.
        extra: Records of what sources named as the published version.
    """
    if not cites_preprint(hearing.reference):
        return None
    for record in (*extra, *(m.record for m in hearing.matches)):
        if record.source != "library" and is_published(record):
            return record.candidate()
    return None


def _may_be_retitled(reference: Reference, record: Record) -> bool:
    """Whether an identifier of a preprint leads to the same people, system or words."""
    ids = reference.identifiers
    preprint = is_preprint_doi(ids.doi) if ids.doi else ids.arxiv is not None
    if not preprint or not reference.title:
        return False
    match = compare(reference, record, by_identifier=True)
    if match.authors.fit is AuthorFit.SAME:
        return True
    name, colon, _ = reference.title.partition(":")
    other, other_colon, _ = record.title.partition(":")
    if colon and other_colon and fold(name) == fold(other):
        return True
    mine, theirs = set(content_words(fold(reference.title))), set(content_words(fold(record.title)))
    return 2 * len(mine & theirs) >= min(len(mine), len(theirs)) > 0


def _identifier(reference: Reference, record: Record) -> str:
    """The identifier of the entry that led to a record."""
    cited, found = reference.identifiers, record.identifiers
    if cited.doi and (cited.doi == found.doi or not (cited.arxiv or cited.pmid or cited.pmcid)):
        return cited.doi
    if cited.arxiv and (cited.arxiv == found.arxiv or not (cited.pmid or cited.pmcid)):
        return f"arXiv:{cited.arxiv}"
    if cited.pmid and (cited.pmid == found.pmid or not cited.pmcid):
        return f"PMID:{cited.pmid}"
    return cited.doi or cited.pmcid or cited.semantic_scholar or cited.arxiv or ""
