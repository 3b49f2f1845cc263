"""The product, called as a person's paste would call it, and its entries told from the printed ones."""

from dataclasses import dataclass

from tests.benchmarks.linking.scoring import plain
from veriscite.domain import Manuscript, Pairing
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading.reader import DocumentReader


@dataclass(frozen=True)
class FoundLink:
    """A marker that the product found and one entry that it is tied to; -1 is no printed entry."""

    start: int
    end: int
    entry: int


def read(content: bytes, name: str, references: str | None = None) -> tuple[Manuscript, Pairing]:
    """Read and pair, with the list apart or in the file itself."""
    apart = references.encode() if references is not None else None
    manuscript = DocumentReader(PlainListParser()).read(
        ManuscriptInput(content, name, apart, "references.txt")
    )
    return manuscript, CitationPairer().pair(manuscript)


def printed_entries(manuscript: Manuscript, entries: tuple[str, ...]) -> dict[str, int]:
    """Tell which printed entry each reference was read from: the one it shares most text with.

    References and entries stand in the same order, so that each is looked for after the one before.
    """
    whole = ""
    ends: list[int] = []
    for entry in entries:
        whole += plain(entry)
        ends.append(len(whole))
    found: dict[str, int] = {}
    cursor = 0
    for reference in manuscript.references:
        raw = plain(reference.raw)
        at = whole.find(raw, cursor)
        if not raw or at < 0:
            continue
        cursor = at + len(raw)
        shared = [
            (min(end, cursor) - max(start, at), -n)
            for n, (start, end) in enumerate(zip([0, *ends], ends, strict=False))
        ]
        found[reference.id] = -max(shared)[1]
    return found


def found_links(manuscript: Manuscript, pairing: Pairing, entry_of: dict[str, int]) -> list[FoundLink]:
    """List every link that the product made."""
    return [
        FoundLink(m.span.start, m.span.end, entry_of.get(r, -1))
        for m in pairing.markers
        for r in m.reference_ids
    ]
