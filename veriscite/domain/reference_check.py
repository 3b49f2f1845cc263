"""What is wrong with a reference itself, told apart from what is claimed of it."""

from enum import StrEnum
from typing import Literal

from veriscite.domain.base import Frozen
from veriscite.domain.evidence import Candidate, SourceAnswer


class NoticeKind(StrEnum):
    """What publishers say of a work after it appeared."""

    RETRACTED = "retracted"
    CORRECTED = "corrected"
    EXPRESSION_OF_CONCERN = "expression_of_concern"


class Notice(Frozen):
    """A retraction, a correction, or an expression of concern.

    Attributes:
        source: Who says so.
        doi: Of the notice itself, if it has one.
        date: ISO date, as exact as the source gives it.
    """

    kind: NoticeKind
    source: str
    doi: str | None = None
    date: str | None = None
    detail: str = ""


class Mismatch(Frozen):
    """A part of the entry that differs from the record.

    Attributes:
        cited: As the entry has it.
        found: As the record has it.
        serious: Whether a reader would be led to another work, or credit another person; else a slip.
    """

    part: Literal["title", "authors", "year", "venue", "doi"]
    cited: str
    found: str
    source: str
    serious: bool = False
    note: str = ""


class ReferenceStatus(StrEnum):
    """Whether the cited work is known."""

    FOUND = "found"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not_found"
    NOT_CHECKED = "not_checked"


class ReferenceCheck(Frozen):
    """The state of one reference.

    Attributes:
        status: NOT_CHECKED where no source could be asked: an outage says nothing of the work.
        found_by: Sources that know the work, in the order asked.
        record: The record that the entry was compared with.
        answers: What each source said.
        mismatches: Cited against found.
        notices: Without repeats of one notice by several sources.
        published_as: The published version of a cited preprint.
        duplicates: Ids of other entries that cite the same work.
        suspicion: Why the entry may be invented, with what was asked; empty where there is no such reason.
            Never a finding: several sources knew nothing of it.
    """

    reference_id: str
    status: ReferenceStatus
    found_by: tuple[str, ...] = ()
    record: Candidate | None = None
    answers: tuple[SourceAnswer, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    notices: tuple[Notice, ...] = ()
    published_as: Candidate | None = None
    duplicates: tuple[str, ...] = ()
    suspicion: str = ""

    @property
    def needs_a_look(self) -> bool:
        """Whether there is anything that an author should look at."""
        return bool(
            self.mismatches
            or self.notices
            or self.published_as
            or self.duplicates
            or self.suspicion
            or self.status in (ReferenceStatus.AMBIGUOUS, ReferenceStatus.NOT_FOUND)
        )
