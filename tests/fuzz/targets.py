"""The parsers under test: each reads bytes, and what it gives back is held against what must be true."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.fuzz import seeds
from tests.fuzz.mutate import mutate
from tests.fuzz.structured import mutate_json, mutate_xml
from tests.linking.helpers import NUMBERED, manuscript
from tests.reading.zip_builder import packed
from veriscite.domain import Manuscript, Pairing, Reference
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.ports import ManuscriptInput
from veriscite.reading import DocumentReader, read_references

_PARSER = PlainListParser()
_LISTS = (NUMBERED, seeds.AUTHOR_YEAR, "")


@dataclass(frozen=True)
class Target:
    """A parser.

    Attributes:
        make: Chance -> an input.
        run: Reads it; raises what the parser raises, and AssertionError where the outcome does not hold.
    """

    make: Callable[[random.Random], bytes]
    run: Callable[[bytes], None]


def check_manuscript(read: Manuscript) -> None:
    """Hold that all spans lie in the text, in order, and that ids are unique."""
    length = len(read.text)
    at = 0
    for marker in read.stated_markers:
        assert at <= marker.span.start < marker.span.end <= length, "stated markers out of order"
        at = marker.span.end
    at = 0
    for span in read.excluded:
        assert at <= span.start <= span.end <= length, "excluded spans out of order"
        at = span.end
    for section in read.sections:
        assert 0 <= section.span.start <= section.span.end <= length, "a section outside of the text"
    assert 0 <= read.body.start <= read.body.end <= length, "the body outside of the text"
    for note in read.notes:
        assert note.span is None or note.span.end <= length, "a note outside of the text"
    _check_references(read.references, read.text)


def _check_references(references: Sequence[Reference], text: str | None) -> None:
    assert len({reference.id for reference in references}) == len(references), "an id given twice"
    for reference in references:
        if reference.span is not None and text is not None:
            assert reference.span.of(text) == reference.raw, "a reference whose span is not its text"


def check_pairing(read: Manuscript, pairing: Pairing) -> None:
    """Hold that markers stand in the text in order, and cite what there is."""
    known = {reference.id for reference in read.references}
    markers = {marker.id: marker for marker in pairing.markers}
    at = 0
    for marker in pairing.markers:
        assert marker.span.of(read.text) == marker.raw, "a marker whose span is not its text"
        assert at <= marker.span.start < marker.span.end, "markers out of order"
        assert set(marker.reference_ids) <= known, "a marker of an entry that there is not"
        at = marker.span.end
    for citance in pairing.citances:
        assert all(name in markers for name in citance.marker_ids), "a citance of no marker"
    for claim in pairing.claims:
        assert claim.text.strip(), "a claim without text"


def _read(name: str) -> Callable[[bytes], None]:
    def run(content: bytes) -> None:
        read = DocumentReader(_PARSER).read(ManuscriptInput(content, name))
        check_manuscript(read)
        check_pairing(read, CitationPairer().pair(read))

    return run


def _list(name: str) -> Callable[[bytes], None]:
    def run(content: bytes) -> None:
        _check_references(read_references(content, name, _PARSER).references, None)

    return run


def _split(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    _check_references(_PARSER.parse(text, offset=0).references, text)


def _markers(content: bytes) -> None:
    text = content.decode("utf-8", "replace")
    which = len(content)
    read = manuscript(text, _LISTS[which % 3], ("text", "markdown", "pdf")[which // 3 % 3])
    check_pairing(read, CitationPairer().pair(read))


_EVERYTHING = [
    piece.encode()
    for piece in (
        seeds.TEXT, seeds.MARKDOWN, seeds.LATEX, seeds.JATS, seeds.BIBTEX, seeds.RIS, seeds.CSL,
        seeds.AUTHOR_YEAR, seeds.ENDNOTE, seeds.BBL, seeds.BODY,
    )
]  # fmt: skip


def _from(*contents: str | bytes) -> Callable[[random.Random], bytes]:
    starts = [content.encode() if isinstance(content, str) else content for content in contents]
    return lambda rng: mutate(rng.choice(starts), _EVERYTHING, rng)


def _either(
    structured: Callable[[bytes, random.Random], bytes], *contents: str
) -> Callable[[random.Random], bytes]:
    """Most inputs stay well-formed; the others are mutated as bytes."""
    starts = [content.encode() for content in contents]

    def make(rng: random.Random) -> bytes:
        start = rng.choice(starts)
        return structured(start, rng) if rng.random() < 0.7 else mutate(start, _EVERYTHING, rng)

    return make


def _document(rng: random.Random) -> bytes:
    """A Word document: one of its parts mutated, or the archive as it is stored."""
    if rng.random() < 0.3:
        return mutate(seeds.DOCX, _EVERYTHING, rng)
    parts = {name: content.encode() for name, content in seeds.DOCX_PARTS.items()}
    changed = rng.choice(list(parts))
    structured = rng.random() < 0.7
    parts[changed] = (
        mutate_xml(parts[changed], rng) if structured else mutate(parts[changed], _EVERYTHING, rng)
    )
    return packed(parts)


def _sources(rng: random.Random) -> bytes:
    """An archive of TeX sources: one file mutated, or the archive as it is stored."""
    parts = {"ms/main.tex": seeds.LATEX.encode(), "ms/part.tex": b"More \\citep{fern}.",
             "ms/refs.bib": seeds.BIBTEX.encode()}  # fmt: skip
    if rng.random() < 0.3:
        return mutate(packed(parts), _EVERYTHING, rng)
    changed = rng.choice(list(parts))
    parts[changed] = mutate(parts[changed], _EVERYTHING, rng)
    return packed(parts)


TARGETS: dict[str, Target] = {
    "plain text": Target(_from(seeds.TEXT), _read("pasted text")),
    "Markdown": Target(_from(seeds.MARKDOWN), _read("paper.md")),
    "LaTeX": Target(_from(seeds.LATEX), _read("paper.tex")),
    "TeX archive": Target(_sources, _read("paper.zip")),
    "JATS": Target(_either(mutate_xml, seeds.JATS), _read("paper.xml")),
    "DOCX": Target(_document, _read("paper.docx")),
    "PDF": Target(_from(seeds.PDF), _read("paper.pdf")),
    "BibTeX": Target(_from(seeds.BIBTEX), _list("refs.bib")),
    "RIS": Target(_from(seeds.RIS), _list("refs.ris")),
    "CSL-JSON": Target(_either(mutate_json, seeds.CSL), _list("refs.json")),
    "JSON lines": Target(
        _from('{"title": "On walls", "authors": ["Moss, A."], "year": 2020}\n{"title": "Ferns"}\n'),
        _list("refs.jsonl"),
    ),
    "EndNote XML": Target(_either(mutate_xml, seeds.ENDNOTE), _list("refs.xml")),
    "TeX list": Target(_from(seeds.BBL, seeds.LATEX), _list("refs.bbl")),
    "list splitting": Target(_from(seeds.AUTHOR_YEAR, NUMBERED, "\n\n".join(seeds.STRINGS)), _split),
    "reference string": Target(_from(*seeds.STRINGS), _split),
    "markers": Target(_from(seeds.TEXT, seeds.MARKDOWN), _markers),
}
