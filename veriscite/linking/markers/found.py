"""What the finders hand on: a marker's place, its parts, and what each part resolves to."""

from dataclasses import dataclass, replace
from enum import StrEnum

from veriscite.domain import MarkerStyle, SkipReason


class Family(StrEnum):
    """Ways of writing markers, finer than `MarkerStyle`: a document keeps to one."""

    BRACKET = "bracket"
    PAREN = "paren"
    SUPERSCRIPT = "superscript"
    GLUED = "glued"
    WORDED = "worded"
    AUTHOR_YEAR = "author_year"
    KEY = "key"
    LABEL = "label"


STYLE_OF = {
    Family.BRACKET: MarkerStyle.NUMERIC,
    Family.PAREN: MarkerStyle.NUMERIC,
    Family.WORDED: MarkerStyle.NUMERIC,
    Family.SUPERSCRIPT: MarkerStyle.SUPERSCRIPT,
    Family.GLUED: MarkerStyle.SUPERSCRIPT,
    Family.AUTHOR_YEAR: MarkerStyle.AUTHOR_YEAR,
    Family.KEY: MarkerStyle.KEY,
    Family.LABEL: MarkerStyle.KEY,
}


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a marker: what it resolves to, or why it does not.

    Attributes:
        raw: As written (`3-5`, `Smith, 2020`).
        reference_ids: What it resolves to; empty if it does not.
        reason: Set when the part, or a rest of it, is not resolved.
        candidates: Reference ids that fit equally well, or nearly.
    """

    raw: str
    reference_ids: tuple[str, ...] = ()
    reason: SkipReason | None = None
    detail: str = ""
    candidates: tuple[str, ...] = ()


class Doubt(StrEnum):
    """Why a shape may not be a marker after all."""

    NONE = ""
    INDEX = "index"
    INTERVAL = "interval"
    POINTER = "pointer"
    ENUMERATOR = "enumerator"
    EXPONENT = "exponent"
    COUNT = "count"
    WEAK_NAME = "weak_name"


class Removal(StrEnum):
    """How a marker leaves the claim's text."""

    DROP = "drop"
    WORK = "work"
    """Subject or object of its sentence: the cited work's authors stand in for it."""


@dataclass(frozen=True, slots=True)
class Found:
    """A marker, or a shape that may be one.

    Attributes:
        cut: Offsets that are taken out of the claim's text; the whole marker unless it is narrative.
        previous: Points to the marker before (`ibid.`).
        numbers: What a numeric marker lists.
        apart: Whether white space stands before it.
    """

    start: int
    end: int
    family: Family
    parts: tuple[Part, ...]
    cut: tuple[int, int] = (-1, -1)
    doubt: Doubt = Doubt.NONE
    removal: Removal = Removal.DROP
    previous: bool = False
    numbers: tuple["Numbers", ...] = ()
    apart: bool = True

    @property
    def span_to_cut(self) -> tuple[int, int]:
        """Offsets that are taken out of the claim's text."""
        return self.cut if self.cut[0] >= 0 else (self.start, self.end)

    @property
    def reference_ids(self) -> tuple[str, ...]:
        """All references of all parts, each once, in the order cited."""
        return tuple(dict.fromkeys(i for part in self.parts for i in part.reference_ids))

    @property
    def resolved(self) -> bool:
        """Whether at least one part is tied to an entry."""
        return any(part.reference_ids for part in self.parts)

    def with_parts(self, *parts: Part) -> "Found":
        """Return the same marker with other parts."""
        return replace(self, parts=parts)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number or a range of numbers inside a numeric marker.

    Attributes:
        suffix: Letter of a part of an entry (`12b`).
    """

    raw: str
    low: int
    high: int
    suffix: str = ""
