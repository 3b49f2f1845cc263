"""A folder of PDFs as a source: the files of cited works, named by key, DOI or arXiv number.

Only files whose name leads to a cited work are opened, and the title must stand on the first pages: a file
under the wrong name must not become evidence.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from rapidfuzz import fuzz

from veriscite.domain import (
    Component,
    EvidenceLookup,
    Found,
    NoAbstract,
    NotFound,
    Reference,
)
from veriscite.domain.identifiers import normalise_arxiv
from veriscite.errors import VeriSciteError
from veriscite.evidence.abstracts import Refused, read_abstract
from veriscite.evidence.answers import make_evidence
from veriscite.evidence.folding import fold
from veriscite.evidence.records import Record
from veriscite.ports import Emit, SearchRequest, silent

NAME = "pdf_folder"
MAX_FILES = 5_000
MAX_BYTES = 50_000_000
MAX_OPENED = 500
FIRST_PAGES = 12_000
"""Characters within which title and abstract are looked for."""
MAX_ABSTRACT = 5_000
LONG_ABSTRACT = 3_500
"""A heading beyond this many characters is not the one that ends the abstract."""
TITLE_WITHIN = 6_000
TITLE_LIKENESS = 88.0

_ABSTRACT = re.compile(
    r"^[^\w\n]{0,5}(?:abstract|a b s t r a c t|summary|zusammenfassung|résumé|resumen)\b"
    r"[ \t]{0,5}[:.—–-]{0,3}",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER = re.compile(
    # A heading alone on its line, or one that its text may follow: prose may begin a line with either word.
    r"^[^\w\n]{0,5}(?:(?:\d{1,2}|I)[.)]?[ \t]{1,5})?"
    r"(?:(?:introduction|einleitung|significance statement|author summary|abbreviations|main text"
    r"|statement of need|learning objectives|ccs concepts)[ \t:.]{0,5}$"
    r"|(?:key[ -]?words?|index terms)[ \t]{0,3}[:.—–-]|key[ -]?words?[ \t]{0,5}$|subjects?[ \t]{1,3}[A-Z])",
    re.IGNORECASE | re.MULTILINE,
)
_HYPHENATED = re.compile(r"(?<=[a-z])-\n(?=[a-z])")


@dataclass(frozen=True)
class _File:
    path: Path
    size: int


class PdfFolder:
    """PDFs of cited works.

    Args:
        folder: Where they are; folders in it are not looked into.
        read: Makes text of a PDF's bytes and name; raises `InputError` for what it cannot read.
    """

    def __init__(self, folder: Path, read: Callable[[bytes, str], str]) -> None:
        self._folder = folder
        self._read = read
        self._by_name: dict[str, _File] = {}
        self._left_out = 0
        for path in _pdfs(folder):
            if len(self._by_name) >= MAX_FILES:
                self._left_out += 1
                continue
            self._by_name.setdefault(_name_key(path.stem), _File(path, path.stat().st_size))
        self._opened = 0

    @property
    def name(self) -> str:
        """`pdf_folder`."""
        return NAME

    def component(self) -> Component:
        """Tell how many files there are."""
        more = f", {self._left_out} more left out" if self._left_out else ""
        return Component(
            role="evidence source",
            name=NAME,
            detail=f"{len(self._by_name)} PDFs in {self._folder.name}{more}",
        )

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        """Yield one answer for each reference, in their order."""
        for reference in references:
            file = self._file_of(reference)
            if file is None:
                yield NotFound(reference_id=reference.id, asked=(NAME,))
            else:
                yield await asyncio.to_thread(self._answer, reference, file)

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Nothing: what a file is about is only known by its name."""
        return NotFound(
            reference_id=request.reference.id, asked=(NAME,), detail="files are known by name only"
        )

    def _file_of(self, reference: Reference) -> _File | None:
        ids = reference.identifiers
        names = (reference.id, reference.label, ids.doi, ids.arxiv, ids.pmcid, ids.pmid)
        for name in names:
            if name and (file := self._by_name.get(_name_key(name))) is not None:
                return file
        return None

    def _answer(self, reference: Reference, file: _File) -> EvidenceLookup:
        shown = file.path.name
        record = Record(
            source=NAME,
            record_id=shown[:200],
            title=reference.title or "",
            authors=reference.authors,
            year=reference.year,
            venue=reference.venue,
            identifiers=reference.identifiers,
        )

        def without(reason: str) -> NoAbstract:
            return NoAbstract(
                reference_id=reference.id, record=record.candidate(), detail=f"{shown}: {reason}"
            )

        if file.size > MAX_BYTES:
            return without(f"larger than {MAX_BYTES // 1_000_000} MB, not read")
        if self._opened >= MAX_OPENED:
            return without(f"not read: {MAX_OPENED} files were read already")
        self._opened += 1
        try:
            text = self._read(file.path.read_bytes(), shown)[:FIRST_PAGES]
        except (VeriSciteError, OSError) as error:
            return without(error.message if isinstance(error, VeriSciteError) else "cannot be read")
        if reference.title and not _holds(text, reference.title):
            return without("the cited title does not stand on its first pages")
        found = abstract_in(text)
        if found is None:
            return without("no abstract was found in it")
        abstract = read_abstract(found, reference.title or "")
        if isinstance(abstract, Refused):
            return without(abstract.detail)
        evidence = make_evidence(record, abstract, None, f"the user's own file {shown}")
        return Found(reference_id=reference.id, evidence=evidence)


def abstract_in(text: str) -> str | None:
    """Find the abstract on the first pages of a paper.

    Args:
        text: The pages, with line ends.

    Returns:
        What stands between the heading of the abstract and the next heading or the blank line after a good
        deal of text; None without such a heading.
    """
    heading = _ABSTRACT.search(text)
    if heading is None:
        return None
    rest = text[heading.end() : heading.end() + MAX_ABSTRACT]
    # Where lines are broken by hand, "Introduction" begins a line of its own.
    after = _AFTER.search(rest, 80)
    near = after is not None and after.start() <= LONG_ABSTRACT
    rest = rest[: after.start()] if after is not None and near else _first_paragraphs(rest)
    return " ".join(_HYPHENATED.sub("", rest).split()) or None


def _holds(text: str, title: str) -> bool:
    """Whether a title stands in a text, line ends and faults of the PDF aside."""
    wanted = fold(title)
    pages = [fold(text[start : start + 2_000]) for start in range(0, TITLE_WITHIN, 1_500)]
    return any(
        len(page) >= len(wanted) and fuzz.partial_ratio(wanted, page) >= TITLE_LIKENESS for page in pages
    )


def _first_paragraphs(text: str) -> str:
    """Paragraphs until there is enough text for an abstract."""
    taken = ""
    for paragraph in text.split("\n\n"):
        taken += f"{paragraph}\n\n"
        if len(taken) >= 400:
            break
    return taken


def _pdfs(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf" and path.is_file())
    except OSError:
        return []


def _name_key(name: str) -> str:
    """One spelling for a name and what it stands for: a DOI's slash cannot stand in a file's name."""
    name = unquote(name[:400]).strip().lower().removeprefix("doi:").removeprefix("doi_")
    # Without the version that downloads carry (`1706.03762v5`).
    name = normalise_arxiv(name) or name
    return re.sub(r"[^\w.]+|_+", "_", name).strip("_.")
