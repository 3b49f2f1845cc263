r"""A LaTeX manuscript: opened first, so that its lists can be read; then written out as a document."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from veriscite.domain import ReadingNote, Reference
from veriscite.errors import InputError, UnreadableFileError
from veriscite.ports import ParsedList, ReferenceListParser
from veriscite.reading.decoding import decode
from veriscite.reading.document import Document
from veriscite.reading.latex.assemble import Assembly
from veriscite.reading.latex.blocks import CITE_COMMAND, read_structure
from veriscite.reading.latex.cites import Names
from veriscite.reading.latex.compose import compose, inline
from veriscite.reading.latex.items import TexList, has_list, read_items
from veriscite.reading.latex.macros import MacroTable
from veriscite.reading.latex.numbers import label_numbers
from veriscite.reading.latex.plain import PlainText
from veriscite.reading.latex.structure import Structure
from veriscite.reading.named_files import Folder, named_file
from veriscite.reading.plain_list import limit_references

_BEGIN = re.compile(r"\\begin[ \t]{0,8}\{document\}")
_END = "\\end{document}"
_MAX_LISTS = 20


@dataclass(frozen=True)
class Limits:
    """How much is read: bytes of a file, characters in all, entries of a list."""

    max_bytes: int
    max_characters: int
    max_references: int


class OpenedLatex:
    """A manuscript whose parts are put together and whose lists are known by name.

    Attributes:
        bibliography: Files that it names as its reference list.
        notes: What could not be read of it.
        contents: The bytes of each further file that was read.
    """

    def __init__(
        self, text: str, name: str, root: Folder | None, parser: ReferenceListParser, limits: Limits
    ) -> None:
        self._name = name
        self._root = root
        self._parser = parser
        self._limits = limits
        self._plain = PlainText()
        self._macros = MacroTable()
        assembly = Assembly(root, max_bytes=limits.max_bytes, max_characters=limits.max_characters)
        whole = self._macros.expand(assembly.assemble(text, name))
        self.notes: list[ReadingNote] = assembly.notes
        self.contents: list[bytes] = assembly.contents
        self._structure = _structure(whole)
        stem = PurePosixPath(name).stem
        named = (file.replace("\\jobname", stem).replace("jobname", stem) for file in self._structure.lists)
        self.bibliography = tuple(
            dict.fromkeys(file if PurePosixPath(file).suffix else f"{file}.bib" for file in named)
        )[:_MAX_LISTS]
        self._own = self._own_list(whole)
        if not any(block.tex.strip() for block in self._structure.blocks):
            raise _nothing_to_read(name, is_list=self._own is not None)

    def document(self, references: ParsedList | None) -> Document:
        """Write the manuscript out.

        Args:
            references: The list that was handed in, or that the manuscript names; None where there is none.
                Then the list in the manuscript is used, or the `.bbl` file beside it.
        """
        own = self._own
        if references is None and own is None:
            own = self._list_beside()
        known = references if references is not None else own.parsed if own else ParsedList(references=())
        by_key: Mapping[str, Reference] = {reference.id: reference for reference in known.references}
        labels = own.labels if own is not None and references is None else {}
        convert = inline(self._plain)
        aliases = {key: convert(tex) for key, tex in self._structure.aliases.items()}
        composed = compose(self._structure, Names(by_key, labels, aliases), self._plain)
        title = convert(self._structure.title)[:500] if self._structure.title else ""
        return Document(
            format="latex",
            text=composed.text,
            title=title or None,
            sections=composed.sections,
            notes=(*self.notes, *self._own_notes()),
            bibliography=self.bibliography,
            stated_markers=composed.markers,
            references=own.parsed if own is not None else None,
            parts=tuple(self.contents),
        )

    def _own_list(self, whole: str) -> TexList | None:
        tex = "\n".join(self._structure.bibliographies)
        if not tex and "\\endentry" in whole:
            tex = whole
        if not has_list(tex):
            return None
        return self._read_list(tex, self._name)

    def _read_list(self, tex: str, name: str) -> TexList:
        found = read_items(tex, inline(self._plain), self._parser, self._limits.max_references)
        limit_references(len(found.parsed.references), name, self._limits.max_references)
        return found

    def _list_beside(self) -> TexList | None:
        """Read the `.bbl` file that BibTeX or biber left beside the manuscript."""
        if self._root is None:
            return None
        named = f"{PurePosixPath(self._name).stem}.bbl"
        content, _ = named_file(self._root, named, max_bytes=self._limits.max_bytes, what="its list")
        if content is None:
            return None
        assembly = Assembly(None, max_bytes=0, max_characters=self._limits.max_characters)
        try:
            decoded = decode(content, named, max_characters=self._limits.max_characters)
            tex = self._macros.expand(assembly.assemble(decoded.text, named))
            if not has_list(tex):
                return None
            found = self._read_list(tex, named)
        except InputError as error:
            self.notes.append(ReadingNote(message=str(error), raw=named))
            return None
        self.contents.append(content)
        message = f"The reference list was read from {named}."
        self.notes.append(ReadingNote(message=message, raw=named))
        return found

    def _own_notes(self) -> list[ReadingNote]:
        notes = []
        if self._macros.spent:
            message = "The macros expand without end, or too far; from there on they were left as they are."
            notes.append(ReadingNote(message=message))
        if self._plain.spent:
            message = "Some paragraphs hold too much TeX to be read; only their commands were taken off."
            notes.append(ReadingNote(message=message))
        if self._structure.unread_cites:
            count = self._structure.unread_cites
            message = f"Citations in headings, tables and other parts that are not read as prose: {count}."
            notes.append(ReadingNote(message=message))
        for raw in self._structure.empty_cites:
            notes.append(ReadingNote(message="A citation without a key was left out.", raw=raw))
        return notes


def read_latex_list(
    text: str, name: str, parser: ReferenceListParser, *, max_characters: int, max_references: int
) -> ParsedList:
    r"""Read a reference list in TeX (`thebibliography`, `.bbl`) that comes apart.

    Args:
        text: The file.
        name: Its name, for messages.
        parser: Parses entries in plain text.
        max_characters: The most characters that are accepted.
        max_references: The most entries that are accepted.

    Raises:
        InputError: It is too large.
    """
    assembly = Assembly(None, max_bytes=0, max_characters=max_characters)
    tex = MacroTable().expand(assembly.assemble(text, name))
    found = read_items(tex, inline(PlainText()), parser, max_references).parsed
    return ParsedList(references=found.references, notes=(*assembly.notes, *found.notes))


def _structure(whole: str) -> Structure:
    """Read the preamble for what it names, and the document for what it says."""
    begin = _BEGIN.search(whole)
    # Where no command cites, numbers may be citations: then those of cross-references are not written.
    numbers = label_numbers(whole) if CITE_COMMAND.search(whole) else {}
    if begin is None:
        return read_structure(whole.removesuffix(_END), Structure(numbers=numbers))
    preamble = read_structure(whole[: begin.start()])
    structure = Structure(
        lists=preamble.lists, aliases=preamble.aliases, title=preamble.title, numbers=numbers
    )
    end = whole.find(_END, begin.end())
    return read_structure(whole[begin.end() : end if end >= 0 else len(whole)], structure)


def _nothing_to_read(name: str, *, is_list: bool) -> UnreadableFileError:
    if is_list:
        return UnreadableFileError(
            f"{name} is a reference list (LaTeX), not a manuscript.",
            advice="Give the manuscript first and this file as its reference list.",
        )
    return UnreadableFileError(
        f"{name} is LaTeX without any text of its own.",
        advice="Give the main file, by its path, so that the parts that it takes in are read along.",
    )
