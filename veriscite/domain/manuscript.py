"""The manuscript: its text, sections, reference list, and what its citations claim."""

from enum import StrEnum

from pydantic import Field

from veriscite.domain.base import Frozen, Span


class Author(Frozen):
    """One author; a corporate author keeps its whole name in `family`."""

    family: str
    given: str | None = None
    corporate: bool = False


class Identifiers(Frozen):
    """Identifiers of a work, normalised: no URL prefix, DOI in lower case."""

    doi: str | None = None
    arxiv: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    semantic_scholar: str | None = None

    def any(self) -> bool:
        """Whether at least one identifier is known."""
        return any((self.doi, self.arxiv, self.pmid, self.pmcid, self.semantic_scholar))

    def filled_from(self, other: "Identifiers") -> "Identifiers":
        """Return these identifiers, with those of another source where one is missing."""
        return Identifiers(**{name: value or getattr(other, name) for name, value in self})


class Reference(Frozen):
    """An entry of the reference list; the raw text is always kept.

    Attributes:
        id: Unique within the manuscript: the BibTeX key, or `ref-<n>` by position (1-based).
        label: The label as printed in the list (`12`, `Smith20`), if any.
        raw: The entry as it was read.
        span: Where the raw entry stands in `Manuscript.text`; None when the list came apart.
        year: Year of publication, without its suffix letter.
        year_suffix: The letter that tells apart works of one author and year (`a`).
        abstract: The abstract that the user's own library gives for it, if any.
    """

    id: str
    raw: str
    label: str | None = None
    span: Span | None = None
    title: str | None = None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    year_suffix: str | None = None
    venue: str | None = None
    identifiers: Identifiers = Identifiers()
    url: str | None = None
    abstract: str | None = None


class Section(Frozen):
    """A section of the manuscript; `span` covers its body without the heading."""

    heading: str | None
    level: int = 1
    span: Span


class MarkerStyle(StrEnum):
    """How a citation marker is written."""

    NUMERIC = "numeric"
    SUPERSCRIPT = "superscript"
    AUTHOR_YEAR = "author_year"
    KEY = "key"


class CitationMarker(Frozen):
    """A place in the text that cites one or several entries of the reference list.

    Attributes:
        id: `m<n>` in reading order (1-based).
        span: Offsets into `Manuscript.text`.
        raw: The marker as written.
        reference_ids: What it resolves to, in the order cited; may be empty (see skipped).
    """

    id: str
    span: Span
    raw: str
    style: MarkerStyle
    reference_ids: tuple[str, ...] = ()


class Citance(Frozen):
    """The sentence that carries one or several markers.

    Attributes:
        text: The sentence as it stands, markers included, white space folded.
    """

    id: str
    span: Span
    text: str
    marker_ids: tuple[str, ...]
    section: str | None = None


class NotFindingKind(StrEnum):
    """What a citation is for that asserts nothing about the cited work."""

    METHOD = "method"
    DATA = "data"
    SOFTWARE = "software"
    POINTER = "pointer"
    BACKGROUND = "background"
    DEFINITION = "definition"


class NotFinding(Frozen):
    """Why a claim is *not a finding*: there is nothing in it that the cited work could support."""

    kind: NotFindingKind
    reason: str


class Claim(Frozen):
    """What a citance asserts of one reference.

    Attributes:
        id: `c<n>` in reading order (1-based).
        text: The citance, or the clause of it that cites this reference, with its markers taken out.
        span: Offsets of the citance, or of that clause, in `Manuscript.text`.
        context: The sentence before, where this one cannot be understood alone.
        not_finding: Set where the claim asserts nothing about the cited work; None for a finding.
    """

    id: str
    citance_id: str
    reference_id: str
    text: str
    span: Span
    context: str | None = None
    not_finding: NotFinding | None = None


class SkipReason(StrEnum):
    """Why a marker, or a part of it, gave no claim."""

    NO_ENTRY = "no_entry"
    AMBIGUOUS_ENTRY = "ambiguous_entry"
    NO_REFERENCE_LIST = "no_reference_list"
    NO_CLAIM_TEXT = "no_claim_text"
    LIMIT = "limit"


class SkippedMarker(Frozen):
    """A marker, or a part of one, that could not be tied to a claim.

    Attributes:
        part: What could not be resolved, as written (`99` of `[3, 99]`).
        candidates: Reference ids that fit equally well, when the reason is ambiguity.
    """

    marker_id: str
    span: Span
    part: str
    reason: SkipReason
    detail: str
    candidates: tuple[str, ...] = ()


class ReadingNote(Frozen):
    """Something that a reader left out or could not parse, with its place."""

    message: str
    raw: str = ""
    span: Span | None = None
    line: int | None = None


class StatedMarker(Frozen):
    r"""A citation that the file itself marks as one: `\cite`, `<xref>`, a field of Word.

    Attributes:
        span: Offsets into `Manuscript.text` of what a reader sees (`[3]`, `Smith (2019)`).
        keys: What it cites, as the file names it: ids of references, in order; at least one.
        style: How it reads.
        narrative: Whether it is a part of its sentence (`Smith (2019) found`), not an addition to it.
    """

    span: Span
    keys: tuple[str, ...] = Field(min_length=1)
    style: MarkerStyle = MarkerStyle.KEY
    narrative: bool = False


class Manuscript(Frozen):
    """A manuscript as read.

    Attributes:
        id: First 16 hex digits of `content_hash`.
        source_name: File name or `pasted text`; never a whole path.
        format: `text`, `markdown`, `pdf`, `latex`, `jats` or `docx`.
        text: The text that every span is an offset into. The raw text for text and Markdown.
        body: The part of `text` that carries claims (the reference list is not in it).
        excluded: Spans of `text` that are no prose: code, front matter, comments, page furniture. In
            order, without overlaps.
        references: The reference list, in its own order.
        stated_markers: Citations that the format marks as such, in order, without overlaps. Where there are
            any, the text is not searched for more.
        content_hash: SHA-256 (hex) of the bytes read, manuscript and reference list.
    """

    id: str
    source_name: str
    format: str
    title: str | None = None
    text: str
    body: Span
    excluded: tuple[Span, ...] = ()
    sections: tuple[Section, ...] = ()
    references: tuple[Reference, ...] = ()
    stated_markers: tuple[StatedMarker, ...] = ()
    notes: tuple[ReadingNote, ...] = ()
    content_hash: str


class Pairing(Frozen):
    """Step 1's answer: claims tied to references, and the markers that gave none."""

    markers: tuple[CitationMarker, ...] = Field(default=())
    citances: tuple[Citance, ...] = ()
    claims: tuple[Claim, ...] = ()
    skipped: tuple[SkippedMarker, ...] = ()
