"""XML -> a tree, with nothing fetched, nothing expanded, and bounds on what is built.

The parser never learns of an entity that a file declares: names known from HTML become their characters
before parsing, all others stay as they are written. So no entity can grow, read a file or ask a server.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from html.entities import html5
from xml.etree.ElementTree import Element
from xml.parsers import expat

from veriscite.domain import ReadingNote
from veriscite.errors import TooLargeError, UnreadableFileError

MAX_DEPTH = 120
"""No document nests deeper; the readers walk the tree by recursion."""

MAX_NODES = 1_500_000
LINE = "#line"
"""The attribute that holds an element's line, on the tags for which it was asked."""

_ENTITY = re.compile(r"&([A-Za-z_][\w.-]{0,60});")
_PREDEFINED = frozenset({"amp", "lt", "gt", "quot", "apos"})
_ENCODING = re.compile(rb"^\s{0,20}<\?xml[^>]{0,100}?encoding\s{0,5}=\s{0,5}[\"']([A-Za-z0-9._-]{1,30})[\"']")
# Others are no encodings of text, or cost more than they are worth.
_TRUSTED = re.compile(
    r"iso-?8859-\d{1,2}|windows-125\d|cp125\d|us-ascii|ascii|latin-?\d|shift[_-]jis|gb2312|gbk|gb18030|big5|"
    r"euc-(?:jp|kr)|koi8-[ru]|macintosh",
    re.IGNORECASE,
)
# What XML 1.0 does not allow; a file that holds a few is read without them.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True)
class XmlTree:
    """A parsed file and what was strange about it."""

    root: Element
    notes: tuple[ReadingNote, ...] = ()


def as_utf8(content: bytes) -> bytes:
    """Write XML in UTF-8 where it declares another usual encoding; else return it unchanged."""
    declared = _ENCODING.match(content[:300])
    if not declared:
        return content
    encoding = declared.group(1).decode("ascii")
    if not _TRUSTED.fullmatch(encoding):
        return content
    try:
        return content.decode(encoding).encode("utf-8")
    except (UnicodeDecodeError, LookupError):
        return content


def parse_xml(
    text: str,
    name: str,
    *,
    prefixes: Mapping[str, str] | None = None,
    lines_of: Collection[str] = (),
    max_nodes: int = MAX_NODES,
) -> XmlTree:
    """Parse XML without trusting it.

    Args:
        text: The file, decoded.
        name: Its name, for messages.
        prefixes: Namespace -> prefix to write its tags and attributes with (`w:p`); those of other
            namespaces lose theirs. Without it prefixes are cut off as they stand, bound or not.
        lines_of: Tags whose elements keep their line as the attribute `LINE`.
        max_nodes: The most elements.

    Raises:
        UnreadableFileError: It is not well-formed; the message says where.
        TooLargeError: It holds too many elements, or nests too deeply.
    """
    notes: list[ReadingNote] = []
    text = _FORBIDDEN.sub("", _with_characters(text.lstrip("\ufeff \t\n"), notes))
    parser = expat.ParserCreate("utf-8", "}" if prefixes is not None else None)
    build = _Builder(parser, name, prefixes, frozenset(lines_of), max_nodes)
    parser.buffer_text = True
    parser.StartElementHandler = build.start
    parser.EndElementHandler = build.end
    parser.CharacterDataHandler = build.data
    # With this handler set, entities that the file declares are not expanded.
    parser.DefaultHandler = lambda _data: None
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise UnreadableFileError(
            f"{name} is not well-formed XML: {expat.errors.messages[error.code]} "
            f"(line {error.lineno}, column {error.offset + 1}).",
            advice="Export it again, or repair that place.",
        ) from error
    if build.root is None:
        raise UnreadableFileError(f"{name} holds no XML element.", advice="Export it again.")
    return XmlTree(build.root, tuple(notes))


def _with_characters(text: str, notes: list[ReadingNote]) -> str:
    unknown: dict[str, int] = {}

    def replace(match: re.Match[str]) -> str:
        entity = match.group(1)
        if entity in _PREDEFINED:
            return match.group()
        character = html5.get(entity + ";")
        if character is None:
            unknown.setdefault(entity, match.start())
            return f"&amp;{entity};"
        # No line is added, so that the parser's lines are the file's.
        return " " if character.isspace() and character != "\u00a0" else _escaped(character)

    replaced = _ENTITY.sub(replace, text) if "&" in text else text
    for entity, offset in list(unknown.items())[:20]:
        notes.append(
            ReadingNote(
                message=f"The entity &{entity}; is not known; it was left as it is written.",
                raw=f"&{entity};",
                line=text.count("\n", 0, offset) + 1,
            )
        )
    return replaced


def _escaped(characters: str) -> str:
    return characters.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@dataclass
class _Builder:
    parser: expat.XMLParserType
    name: str
    prefixes: Mapping[str, str] | None
    lines_of: frozenset[str]
    max_nodes: int
    root: Element | None = None
    stack: list[Element] = field(default_factory=list)
    nodes: int = 0
    pieces: list[str] = field(default_factory=list)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._flush()
        self.nodes += 1
        if self.nodes > self.max_nodes:
            raise TooLargeError(
                f"{self.name} holds more than {self.max_nodes:,} XML elements.", advice="Split it."
            )
        if len(self.stack) >= MAX_DEPTH:
            raise TooLargeError(
                f"{self.name} nests its XML elements deeper than {MAX_DEPTH} "
                f"(line {self.parser.CurrentLineNumber}).",
                advice="Export it again.",
            )
        named: dict[str, str] = {}
        for key, value in attributes.items():
            short = self._named(key)
            # `id` is itself; `xml:id` stands in for it only where it is missing.
            if short == key or short not in attributes:
                named[short] = value
        element = Element(self._named(tag), named)
        if element.tag in self.lines_of:
            element.set(LINE, str(self.parser.CurrentLineNumber))
        if self.stack:
            self.stack[-1].append(element)
        elif self.root is None:
            self.root = element
        self.stack.append(element)

    def end(self, _tag: str) -> None:
        self._flush()
        self.stack.pop()

    def data(self, characters: str) -> None:
        # Joined once: text that thousands of comments cut up would be copied as often.
        self.pieces.append(characters)

    def _flush(self) -> None:
        if not self.pieces:
            return
        characters = "".join(self.pieces)
        self.pieces.clear()
        if not self.stack:
            return
        element = self.stack[-1]
        if len(element):
            element[-1].tail = characters
        else:
            element.text = characters

    def _named(self, tag: str) -> str:
        if self.prefixes is None:
            return tag.rpartition(":")[2]
        namespace, _, local = tag.rpartition("}")
        prefix = self.prefixes.get(namespace)
        return f"{prefix}:{local}" if prefix else local


def line_of(element: Element) -> int | None:
    """Return the line that an element stood on, where it was kept."""
    line = element.get(LINE)
    return int(line) if line is not None and line.isdigit() else None


def at_path(element: Element | None, path: str) -> Element | None:
    """Return the first element at a path of child tags (`w:rPr/w:vanish`), or None.

    `Element.find` reads a prefix as a namespace to be looked up; here it is a part of the tag.
    """
    for tag in path.split("/"):
        if element is None:
            return None
        element = next((child for child in element if child.tag == tag), None)
    return element
