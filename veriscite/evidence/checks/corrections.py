"""What may be put right in an entry without asking: only what is serious, and certain."""

from typing import Literal

from veriscite.domain import Candidate, Frozen, Mismatch, Reference, ReferenceCheck, ReferenceStatus
from veriscite.evidence.checks.kinds import EntryKind, cites_preprint, is_preprint_doi, kind_of

SURE_SCORE = 0.9
SURE_SOURCES = 2


class Correction(Frozen):
    """A part of an entry to be replaced or added.

    Attributes:
        value: Plain text; authors as `Family, Given` with semicolons between them.
        why: Told to the user.
        adds: Whether it is only to be added where the entry has no such part.
    """

    reference_id: str
    part: Literal["title", "authors", "year", "venue", "doi", "note"]
    value: str
    why: str
    adds: bool = False


def corrections(reference: Reference, check: ReferenceCheck) -> tuple[Correction, ...]:
    """Say what of an entry is to be corrected.

    Serious mismatches are replaced by what the record has, if an identifier of the entry leads to that
    record or several sources know the work. A missing DOI is added where the match is sure and of the same
    kind (no journal's DOI in an entry that cites the preprint). A published version is noted.

    Args:
        reference: The entry.
        check: What was found out about it.
    """
    if check.status is not ReferenceStatus.FOUND or check.record is None:
        return ()
    found = [
        Correction(
            reference_id=reference.id,
            part=mismatch.part,
            value=mismatch.found,
            why=f"was {mismatch.cited}; {mismatch.note}",
        )
        for mismatch in check.mismatches
        if mismatch.serious
        and _is_certain(reference, check, check.record)
        and (mismatch.part != "doi" or _is_its_doi(reference, mismatch))
    ]
    doi = check.record.identifiers.doi
    if doi and _misses(reference, check, check.record, doi):
        found.append(
            Correction(reference_id=reference.id, part="doi", value=doi, why="the entry had none", adds=True)
        )
    if check.published_as is not None:
        note = _published(check.published_as)
        found.append(
            Correction(
                reference_id=reference.id, part="note", value=note, why="a preprint was cited", adds=True
            )
        )
    return tuple(found)


def _is_certain(reference: Reference, check: ReferenceCheck, record: Candidate) -> bool:
    cited, found = reference.identifiers, record.identifiers
    if any(mismatch.part == "doi" for mismatch in check.mismatches):
        # Its identifier is wrong: the record was found by its words alone.
        return len(_network(check)) >= SURE_SOURCES
    same = (cited.doi is not None and cited.doi == found.doi) or (
        cited.arxiv is not None and cited.arxiv == found.arxiv
    )
    return same or len(_network(check)) >= SURE_SOURCES


def _is_its_doi(reference: Reference, mismatch: Mismatch) -> bool:
    return mismatch.found.startswith("10.") and mismatch.cited == reference.identifiers.doi


def _misses(reference: Reference, check: ReferenceCheck, record: Candidate, doi: str) -> bool:
    if reference.identifiers.doi is not None or kind_of(reference) is EntryKind.OTHER:
        return False
    if any(
        mismatch.part in ("doi", "title", "authors") and mismatch.serious for mismatch in check.mismatches
    ):
        return False
    if cites_preprint(reference) is not is_preprint_doi(doi):
        return False
    if reference.year is None or record.year is None or abs(reference.year - record.year) > 1:
        return False
    return len(_network(check)) >= SURE_SOURCES or (record.score or 0.0) >= SURE_SCORE


def _network(check: ReferenceCheck) -> list[str]:
    return [name for name in check.found_by if name != "library"]


def _published(record: Candidate) -> str:
    where = ", ".join(part for part in (record.venue, str(record.year or "")) if part)
    doi = f", doi:{record.identifiers.doi}" if record.identifiers.doi else ""
    return f"Published version: {where or record.title}{doi}"
