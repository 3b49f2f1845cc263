"""A .docx file -> Document."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from veriscite.domain import Reference
from veriscite.errors import UnreadableFileError
from veriscite.ports import ParsedList
from veriscite.reading.document import Document, merge_spans, sections_of
from veriscite.reading.docx.body import Body, FieldHit, Notes
from veriscite.reading.docx.fields import Cited
from veriscite.reading.docx.package import Package
from veriscite.reading.docx.sources import read_sources
from veriscite.reading.docx.styles import Numbering, Styles
from veriscite.reading.flow import Flow
from veriscite.reading.plain_list import limit_references
from veriscite.reading.stated import Hit, stated_markers
from veriscite.reading.text import read_text
from veriscite.reading.xml_safe import at_path


def read_docx(
    content: bytes, name: str, *, max_characters: int = 10_000_000, max_references: int = 10_000
) -> Document:
    """Read a Word document as its last revision shows it: deletions and hidden text are left out.

    Citation fields of Word, Zotero, Mendeley and EndNote are stated markers, and the items that they hold
    are the reference list; the text of their bibliography is then no prose. Without such fields the text
    stands for itself. Notes and text boxes follow the paragraph that they belong to.

    Args:
        content: The file.
        name: Its name, for messages.
        max_characters: The longest text.
        max_references: The most items that its fields may cite.

    Raises:
        InputError: It is broken, too large, or holds no text.
    """
    flow = Flow(name, max_characters)
    with Package(content, name) as package:
        main = package.main_part()
        root = package.part(main)
        document = at_path(root, "w:body")
        if document is None:
            raise UnreadableFileError(
                f"{name} is a Word document without a text part.",
                advice="Save the document again, or paste the text.",
            )
        styles = Styles(_optional(package, main, "styles.xml", flow))
        numbering = Numbering(_optional(package, main, "numbering.xml", flow))
        notes = Notes(
            {
                (kind, note.get("w:id", "")): note
                for kind in ("footnote", "endnote")
                for note in _children(_optional(package, main, f"{kind}s.xml", flow))
                if note.get("w:type", "normal") == "normal"
            }
        )
        sources = read_sources(_source_parts(package, flow))
    body = Body(flow, styles, numbering, notes, sources)
    body.read(document)
    text = flow.text()
    if not text.strip():
        raise UnreadableFileError(
            f"{name} is a Word document without text; its pages may be pictures.", advice="Paste the text."
        )
    _tell_what_was_left_out(body, flow)
    plain = None if flow.headings else read_text(text)
    keys, references = _references(body.hits)
    limit_references(len(references), name, max_references)
    hits = [Hit(hit.start, hit.end, tuple(keys[item.identity] for item in hit.cited)) for hit in body.hits]
    # Fields that hold no items (those of old versions) tell nothing that the printed list does not.
    stated = bool(references)
    lost = sum(1 for item in _items(body.hits) if item.reference is None)
    if stated and lost:
        flow.note(f"{lost:,} cited items are not kept in the document; their citations stay unresolved.")
    return Document(
        format="docx",
        text=text,
        title=body.title or (plain.title if plain is not None else None),
        sections=plain.sections if plain is not None else sections_of(text, flow.headings),
        excluded=merge_spans(body.lists) if stated else (),
        notes=tuple(flow.notes),
        stated_markers=stated_markers(text, hits, references) if stated else (),
        references=ParsedList(tuple(references)) if stated else None,
    )


def _optional(package: Package, main: str, file: str, flow: Flow) -> Element | None:
    try:
        return package.beside(main, file)
    except UnreadableFileError as error:
        flow.note(f"A part of the document was left out. {error.message}")
        return None


def _source_parts(package: Package, flow: Flow) -> list[Element]:
    """Return the roots of the parts that hold Word's own sources."""
    roots: list[Element] = []
    for name in package.beneath("customXml"):
        try:
            root = package.part(name)
        except UnreadableFileError as error:
            flow.note(f"A part of the document was left out. {error.message}")
            continue
        if root is not None and root.tag == "b:Sources":
            roots.append(root)
    return roots


def _children(root: Element | None) -> list[Element]:
    return [] if root is None else list(root)


def _items(hits: Sequence[FieldHit]) -> list[Cited]:
    """All cited items, each once, in the order cited; the entry with the most to say stands for it."""
    items: dict[str, Cited] = {}
    for hit in hits:
        for item in hit.cited:
            known = items.get(item.identity)
            if known is None or (known.reference is None and item.reference is not None):
                items[item.identity] = item
    return list(items.values())


def _references(hits: Sequence[FieldHit]) -> tuple[dict[str, str], list[Reference]]:
    """Return each item's key by what tells it apart, and the references with these keys as their ids."""
    keys: dict[str, str] = {}
    taken: set[str] = set()
    references: list[Reference] = []
    for item in _items(hits):
        key, number = item.item_id, 2
        # Two authors' libraries may give the same id to different works.
        while key in taken:
            key, number = f"{item.item_id}-{number}", number + 1
        taken.add(key)
        keys[item.identity] = key
        if item.reference is not None:
            references.append(item.reference.model_copy(update={"id": key}))
    return keys, references


def _tell_what_was_left_out(body: Body, flow: Flow) -> None:
    for count, what in (
        (body.deleted, "tracked deletions"),
        (body.hidden, "pieces of hidden text"),
        (body.tables, "tables"),
    ):
        if count:
            flow.note(f"{count:,} {what} were left out.")
