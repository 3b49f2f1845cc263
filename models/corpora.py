"""Corpora of tagged references and lists: which items training may see, and how texts are compared."""

from __future__ import annotations

import hashlib
import re
import sys
import unicodedata
from xml.etree import ElementTree


def half_of(name: str) -> str:
    """Return `open` (may be looked at) or `held` (is only scored), by a hash of the item's name."""
    return "open" if hashlib.sha256(name.encode()).digest()[0] % 2 == 0 else "held"


def parse_xml(content: bytes, name: str) -> ElementTree.Element | None:
    """Parse a file of a corpus; one that is no XML is left out, and named on standard error."""
    try:
        return ElementTree.fromstring(content)  # noqa: S314 - a corpus of the training data, read offline
    except ElementTree.ParseError as error:
        print(f"left out: {name} is no XML ({error})", file=sys.stderr)
        return None


def local_name(node: ElementTree.Element) -> str:
    """Return an element's name without its namespace."""
    return node.tag.rpartition("}")[2]


_NOT_WORD = re.compile(r"[\W_]+")
_SPECIAL = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i"})


def plain(text: str) -> str:
    """Return `text` without case, accents, punctuation and white space."""
    folded = unicodedata.normalize("NFKD", text).casefold().translate(_SPECIAL)
    return _NOT_WORD.sub("", "".join(c for c in folded if not unicodedata.combining(c)))
