"""Small manuscripts, and what pairing says of them."""

from veriscite.domain import Manuscript, Pairing, Reference, Section, Span
from veriscite.linking import CitationPairer, PlainListParser

NUMBERED = "\n".join(
    f"[{n}] Author{letter} B. Title of paper number {n}. J Test. {2000 + n};{n}:1-9."
    for n, letter in enumerate("ABCDEFGHIJKLMNOPQRST", start=1)
)


def manuscript(
    text: str,
    references: str = NUMBERED,
    fmt: str = "text",
    excluded: tuple[Span, ...] = (),
    **fields: object,
) -> Manuscript:
    """Build a manuscript whose list came apart."""
    return Manuscript(
        id="m",
        source_name="m",
        format=fmt,
        text=text,
        body=Span(start=0, end=len(text)),
        excluded=excluded,
        references=PlainListParser().parse(references, offset=None).references,
        content_hash="",
        **fields,
    )


def pair(text: str, references: str = NUMBERED, fmt: str = "text") -> Pairing:
    """Pair a text with a plain list."""
    return CitationPairer().pair(manuscript(text, references, fmt))


def links(pairing: Pairing) -> list[tuple[str, list[int]]]:
    """Return each marker with the positions (1-based) of its entries."""
    return [(m.raw, [int(r.removeprefix("ref-")) for r in m.reference_ids]) for m in pairing.markers]


def claims(pairing: Pairing) -> list[str]:
    """Return the distinct texts of claims in order."""
    return list(dict.fromkeys(c.text for c in pairing.claims))


def section(heading: str | None, start: int, end: int) -> Section:
    """Build a section."""
    return Section(heading=heading, span=Span(start=start, end=end))


def parse(text: str) -> Reference:
    """The one entry of a list."""
    (reference,) = PlainListParser().parse(text, offset=None).references
    return reference
