"""A file or pasted text -> Manuscript, whatever its format."""

import hashlib
from dataclasses import replace
from pathlib import PurePath, PurePosixPath

from veriscite.domain import Manuscript, ReadingNote, Span
from veriscite.errors import InputError, TooLargeError
from veriscite.ports import ManuscriptInput, ParsedList, ReferenceListParser
from veriscite.reading.bibliography import read_references
from veriscite.reading.decoding import decode
from veriscite.reading.document import Document
from veriscite.reading.docx import read_docx
from veriscite.reading.formats import TextKind, is_docx, is_pdf, manuscript_kind
from veriscite.reading.identifier_keys import with_identifier_keys
from veriscite.reading.jats import read_jats
from veriscite.reading.latex import Limits, OpenedLatex
from veriscite.reading.markdown import read_markdown
from veriscite.reading.named_files import Folder, named_file
from veriscite.reading.pdf import read_pdf
from veriscite.reading.plain_list import limit_references, parse_spans
from veriscite.reading.reference_list import FoundList, find_reference_list
from veriscite.reading.source_archive import SourceArchive, is_source_archive
from veriscite.reading.text import read_text
from veriscite.reading.xml_safe import as_utf8

_Apart = tuple[ParsedList | None, bytes | None, list[ReadingNote]]
"""A list that comes apart, its bytes, and what could not be read of it."""


class DocumentReader:
    r"""Reads plain text, Markdown, LaTeX, PDF, JATS and Word manuscripts; a `ManuscriptReader`.

    The format is told by the content, with the name as a hint. `Manuscript.text` is the decoded text with
    every kind of line end written as `\n`, unchanged otherwise; of a PDF it is the text put together from
    the pages (see `veriscite.reading.pdf`), of LaTeX what a reader sees (see `veriscite.reading.latex`), of
    JATS and Word the text without its markup. A ZIP archive of TeX sources is read like
    a folder, from its main file. All offsets count code points of that text.

    The reference list is, in this order: the one handed in, those that the manuscript names (where
    `ManuscriptInput.root` allows to read them), the one that the format holds as data (JATS, citation fields
    of Word, `thebibliography`), the one at the end of the text.

    Args:
        parser: Splits and parses a reference list in plain text.
        max_bytes: The largest file, in bytes.
        max_characters: The longest text, in characters.
        max_pages: The most pages of a PDF.
        max_references: The most entries of a reference list.
    """

    def __init__(
        self,
        parser: ReferenceListParser,
        *,
        max_bytes: int = 50_000_000,
        max_characters: int = 10_000_000,
        max_pages: int = 1_000,
        max_references: int = 10_000,
    ) -> None:
        self._parser = parser
        self._max_bytes = max_bytes
        self._max_characters = max_characters
        self._max_pages = max_pages
        self._max_references = max_references

    def read(self, source: ManuscriptInput) -> Manuscript:
        """Read a manuscript and its reference list.

        A manuscript without any list is read too, with a note: its markers may name identifiers.

        Args:
            source: What the user hands in.

        Raises:
            InputError: The manuscript or its list is empty, too large, broken, or of a kind that cannot be
                read; the subclass and the message say which.
        """
        name = _base_name(source.name, "pasted text")
        self._limit_bytes(source.content, name)
        content_hash = hashlib.sha256(source.content)
        if is_source_archive(source.content):
            document, (apart, apart_bytes, notes) = self._archive(source, name)
        else:
            document, (apart, apart_bytes, notes) = self._document_and_list(source, name, source.root)
        for part in document.parts:
            content_hash.update(b"\0part\0" + part)
        # A list that the format holds as data is no part of the text.
        found = None if document.references else find_reference_list(document.text, document.excluded)
        if apart_bytes is not None:
            content_hash.update(b"\0references\0" + apart_bytes)
        own = document.references or self._own_list(document, found, name)
        parsed = apart if apart is not None else own
        if document.format == "markdown":
            parsed = with_identifier_keys(parsed, document.text, document.excluded)
        notes = [*document.notes, *notes, *parsed.notes]
        if found is not None:
            notes.extend(found.notes(document.text))
        if apart is not None and found is not None and found.heading is not None:
            message = "The reference list in the manuscript was not used, since another one was given."
            notes.append(ReadingNote(message=message, span=found.lists[0]))
        if not parsed.references:
            notes.append(ReadingNote(message="No reference list was found."))
        digest = content_hash.hexdigest()
        return Manuscript(
            id=digest[:16],
            source_name=name,
            format=document.format,
            title=document.title,
            text=document.text,
            body=self._body(document, found, apart=apart is not None),
            excluded=document.excluded,
            sections=document.sections,
            references=parsed.references,
            stated_markers=document.stated_markers,
            notes=tuple(notes),
            content_hash=digest,
        )

    def _archive(self, source: ManuscriptInput, name: str) -> tuple[Document, _Apart]:
        """Read TeX sources that come packed: their main file, with the archive as its folder."""
        archive = SourceArchive(source.content, name, max_bytes=self._max_bytes)
        main = replace(source, content=archive.main_content(), name=_base_name(archive.main, name))
        document, apart = self._text_and_list(main, main.name, archive)
        if archive.left_out:
            message = (
                f"{archive.left_out:,} files of the archive are links, or lead out of it; they were left out."
            )
            document = _with_note(document, message)
        return _with_note(document, f"The manuscript was read from {archive.main} in {name}."), apart

    def _document_and_list(
        self, source: ManuscriptInput, name: str, root: Folder | None
    ) -> tuple[Document, _Apart]:
        content = source.content
        if is_docx(content):
            document = read_docx(
                content, name, max_characters=self._max_characters, max_references=self._max_references
            )
        elif is_pdf(content, name):
            document = read_pdf(content, name, max_pages=self._max_pages, max_characters=self._max_characters)
        else:
            return self._text_and_list(source, name, root)
        return document, self._list_apart(source, document.bibliography, root)

    def _text_and_list(
        self, source: ManuscriptInput, name: str, root: Folder | None
    ) -> tuple[Document, _Apart]:
        decoded = decode(as_utf8(source.content), name, max_characters=self._max_characters)
        kind = manuscript_kind(decoded.text, name)
        if kind is TextKind.LATEX:
            limits = Limits(self._max_bytes, self._max_characters, self._max_references)
            opened = OpenedLatex(decoded.text, name, root, self._parser, limits)
            # Citations are shown by author and year, so the list comes first.
            apart = self._list_apart(source, opened.bibliography, root)
            document = opened.document(apart[0])
        else:
            document = self._document(decoded.text, name, kind)
            apart = self._list_apart(source, document.bibliography, root)
        return document if decoded.note is None else _with_note(document, decoded.note), apart

    def _document(self, text: str, name: str, kind: TextKind) -> Document:
        if kind is TextKind.JATS:
            return read_jats(
                text,
                name,
                self._parser,
                max_characters=self._max_characters,
                max_references=self._max_references,
            )
        return read_markdown(text) if kind is TextKind.MARKDOWN else read_text(text)

    def _body(self, document: Document, found: FoundList | None, *, apart: bool) -> Span:
        """Where the prose stands; a list told by its shape only is prose when another list was given."""
        if found is None or (apart and found.heading is None):
            return Span(start=0, end=len(document.text))
        return Span(start=0, end=found.start)

    def _own_list(self, document: Document, found: FoundList | None, name: str) -> ParsedList:
        if found is None:
            return ParsedList(references=())
        parsed = parse_spans(document.text, found.lists, self._parser, apart=False)
        limit_references(len(parsed.references), name, self._max_references)
        return parsed

    def _list_apart(
        self, source: ManuscriptInput, bibliography: tuple[str, ...], root: Folder | None
    ) -> _Apart:
        """Read the list that was handed in, or those that the manuscript names."""
        if source.references is not None:
            name = _base_name(source.references_name, "references")
            return self._read_list(source.references, name), source.references, []
        references: list[ParsedList] = []
        contents: list[bytes] = []
        notes: list[ReadingNote] = []
        for named in bibliography:
            content, problem = self._named_file(root, named)
            if content is None:
                notes.append(ReadingNote(message=problem, raw=named))
                continue
            try:
                references.append(self._read_list(content, PurePosixPath(named).name))
            except InputError as error:
                notes.append(ReadingNote(message=str(error), raw=named))
                continue
            contents.append(content)
        if not references:
            return None, None, notes
        return _joined(references), b"\0".join(contents), notes

    def _read_list(self, content: bytes, name: str) -> ParsedList:
        self._limit_bytes(content, name)
        return read_references(
            content,
            name,
            self._parser,
            max_characters=self._max_characters,
            max_references=self._max_references,
        )

    def _named_file(self, root: Folder | None, named: str) -> tuple[bytes | None, str]:
        """Read a file that the manuscript names, if it lies in the folder that may be read."""
        if root is None:
            return None, f"The manuscript names {named} as its reference list; give it along to have it read."
        return named_file(root, named, max_bytes=self._max_bytes, what="its reference list")

    def _limit_bytes(self, content: bytes, name: str) -> None:
        if len(content) > self._max_bytes:
            raise TooLargeError(
                f"{name} holds {len(content):,} bytes; the limit is {self._max_bytes:,}.",
                advice="Split it, or raise VERISCITE_READING_MAX_BYTES.",
            )


def _base_name(name: str, default: str) -> str:
    """Take the folder off a name, whichever way its slashes lean."""
    return PurePath(name.replace("\\", "/")).name[:200] or default


def _with_note(document: Document, message: str) -> Document:
    return replace(document, notes=(ReadingNote(message=message), *document.notes))


def _joined(lists: list[ParsedList]) -> ParsedList:
    """Join several lists; of a doubled id the first stays."""
    references = {}
    notes: list[ReadingNote] = []
    for parsed in lists:
        notes.extend(parsed.notes)
        for reference in parsed.references:
            if reference.id in references:
                message = f"The key {reference.id!r} stands in two reference lists; its first entry is used."
                notes.append(ReadingNote(message=message))
            else:
                references[reference.id] = reference
    return ParsedList(references=tuple(references.values()), notes=tuple(notes))
