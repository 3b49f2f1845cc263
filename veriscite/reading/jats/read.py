"""A JATS article -> Document."""

from xml.etree.ElementTree import Element

from veriscite.errors import UnreadableFileError
from veriscite.ports import ReferenceListParser
from veriscite.reading.document import Document, sections_of
from veriscite.reading.flow import Flow
from veriscite.reading.jats.prose import Prose
from veriscite.reading.jats.references import find_references
from veriscite.reading.stated import stated_markers
from veriscite.reading.xml_safe import parse_xml

_NO_ABSTRACTS = frozenset({"graphical", "toc", "teaser", "video", "key-points", "highlights"})


def read_jats(
    text: str,
    name: str,
    parser: ReferenceListParser,
    *,
    max_characters: int = 10_000_000,
    max_references: int = 10_000,
) -> Document:
    """Read an article: abstract, body, appendices, captions, and its reference list as data.

    Tables, displayed formulas, acknowledgements and what else is no prose are left out; notes and captions
    are paragraphs of their own after the one that they stand in.

    Args:
        text: The file, decoded.
        name: Its name, for messages.
        parser: Reads the entries whose parts are not tagged.
        max_characters: The longest text.
        max_references: The most entries of the list.

    Raises:
        InputError: It is broken, too large, or holds no text.
    """
    tree = parse_xml(text, name, lines_of=("ref", "xref"))
    article = _article(tree.root)
    if article is None:
        raise UnreadableFileError(
            f"{name} is XML, but holds no JATS article.", advice="Give the article's full text."
        )
    found = find_references(article, parser, name, max_references=max_references)
    flow = Flow(name, max_characters)
    prose = Prose(flow, found.ids, found.labels)
    _read_article(article, prose)
    flow_text = flow.text()
    if not flow_text.strip():
        raise UnreadableFileError(
            f"{name} is a JATS article without a text: it has neither abstract nor body.",
            advice="Give the article's full text.",
        )
    _tell_what_is_missing(tree.root, article, prose, flow)
    return Document(
        format="jats",
        text=flow_text,
        title=_title(article),
        sections=sections_of(flow_text, flow.headings),
        notes=(*tree.notes, *flow.notes),
        stated_markers=stated_markers(flow_text, prose.hits, found.parsed.references),
        references=found.parsed if found.parsed.references else None,
    )


def _article(root: Element) -> Element | None:
    if root.tag == "article":
        return root
    return next((article for article in root.iter("article") if len(article)), None)


def _read_article(article: Element, prose: Prose) -> None:
    front = article.find("front")
    for abstract in front.iter("abstract") if front is not None else ():
        if abstract.get("abstract-type", "") not in _NO_ABSTRACTS:
            prose.section(abstract, "Abstract")
    for part in article:
        if part.tag == "body":
            prose.body(part)
        elif part.tag == "floats-group" or part.tag == "floats-wrap":
            prose.floats(part)
        elif part.tag == "back":
            _read_back(part, prose)


def _read_back(back: Element, prose: Prose) -> None:
    """Read appendices, and notes that cite; the rest of the back matter makes no claims."""
    for part in back:
        if part.tag == "app-group":
            prose.body(part)
        elif part.tag == "app" or (part.tag == "sec" and _cites(part)):
            prose.section(part)
        elif part.tag in ("fn-group", "notes"):
            citing = [
                note for note in ([part] if part.tag == "notes" else part.findall("fn")) if _cites(note)
            ]
            if citing:
                group = Element("sec")
                group.extend(citing)
                prose.section(group, "Notes")


def _cites(element: Element) -> bool:
    return any(xref.get("ref-type") == "bibr" for xref in element.iter("xref"))


def _title(article: Element) -> str | None:
    title = article.find("front/article-meta/title-group/article-title")
    if title is None:
        title = article.find("front/article-meta/article-title")
    if title is None:
        return None
    words = "".join(_shown(title))
    return " ".join(words.split())[:500] or None


def _shown(element: Element) -> list[str]:
    """The words of a title without the marks of its notes."""
    pieces = [element.text or ""]
    for child in element:
        if child.tag not in ("xref", "fn"):
            pieces += _shown(child)
        pieces.append(child.tail or "")
    return pieces


def _tell_what_is_missing(root: Element, article: Element, prose: Prose, flow: Flow) -> None:
    if prose.in_tables:
        flow.note(f"{prose.in_tables:,} citations stand in tables, which are not read as claims.")
    parts = len(article.findall("sub-article")) + len(article.findall("response"))
    if parts:
        flow.note(f"{parts:,} further articles inside this one (letters, responses) were not read.")
    others = sum(1 for other in root.iter("article") if other is not article)
    if others:
        flow.note(f"The file holds {others:,} further articles; only the first was read.")
