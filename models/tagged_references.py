"""Tagged reference strings, as the sequence model of references is trained on them.

Only the half of each corpus that the benchmark leaves open is read, and of it no string that the benchmark
holds out elsewhere: corpora repeat one another.
"""

from __future__ import annotations

import difflib
import gzip
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from models.corpora import half_of, local_name, parse_xml, plain
from veriscite.linking.references.parser import prepare
from veriscite.linking.references.rules import read_by_rules
from veriscite.linking.references.sequence import spread
from veriscite.linking.references.tokens import Token, features, tokenise
from veriscite.linking.text import word_set

CORPORA = ("anystyle core", "anystyle good", "GROBID citations")

_ANYSTYLE = {
    "author": "author",
    "title": "title",
    "journal": "container",
    "container-title": "container",
    "collection-title": "container",
    "editor": "editor",
    "translator": "editor",
    "director": "author",
    "producer": "author",
    "publisher": "publisher",
    "location": "publisher",
    "date": "date",
    "volume": "locator",
    "pages": "locator",
    "citation-number": "number",
}
_GROBID = {
    "author": "author",
    "authors": "author",
    "editor": "editor",
    "date": "date",
    "publisher": "publisher",
    "publishe": "publisher",
    "pubPlace": "publisher",
    "pubplace": "publisher",
    "biblScope": "locator",
    "page": "locator",
    "volumes": "locator",
}
_LOCATOR_WORDS = word_set("p pp page pages vol volume v no n nr bd band jg issue art s")


@dataclass(frozen=True)
class Tagged:
    """A string, and for each of its characters that is no white space the field that it is tagged as."""

    name: str
    corpus: str
    text: str
    fields: tuple[str, ...]


def read(data: Path) -> Iterator[Tagged]:
    """Yield every tagged string.

    Args:
        data: The folder of tagged reference strings.
    """
    for corpus, file in (
        ("anystyle core", "anystyle_core.xml.gz"),
        ("anystyle good", "anystyle_good.xml.gz"),
    ):
        name = corpus.replace(" core", "")
        root = ElementTree.fromstring(gzip.decompress((data / file).read_bytes()))  # noqa: S314 - data of our own choice
        for n, sequence in enumerate(root.iter("sequence")):
            yield _tagged(f"{name} {n}", corpus, list(_anystyle(sequence)))
    with tarfile.open(data / "grobid_citation_corpus.tar.gz") as archive:
        for member in sorted((m for m in archive if m.isfile()), key=lambda m: m.name):
            file_object = archive.extractfile(member)
            root_or_none = parse_xml(file_object.read(), member.name) if file_object else None
            for bibl in root_or_none.iter() if root_or_none is not None else ():
                if local_name(bibl) == "bibl":
                    chapter = any(local_name(n) == "title" and n.get("level") == "a" for n in bibl.iter())
                    yield _tagged(member.name, "GROBID citations", list(_grobid(bibl, "", chapter)))


def trainable(strings: list[Tagged]) -> list[Tagged]:
    """Return the strings of the open half that are none of the held half, each once."""
    held = {plain(s.text) for s in strings if half_of(s.name) == "held"}
    titles = {t for s in strings if half_of(s.name) == "held" and len(t := _title(s)) >= 20}
    seen: set[str] = set()
    kept: list[Tagged] = []
    for string in strings:
        key = plain(string.text)
        if half_of(string.name) != "open" or key in held or key in seen or _title(string) in titles:
            continue
        if not {"author", "title"} & set(string.fields):
            continue
        seen.add(key)
        kept.append(string)
    return kept


def examples(string: Tagged) -> tuple[list[list[str]], list[str]]:
    """Return the features and the labels of the tokens of one string, read as the product reads it."""
    text = prepare(string.text)
    tokens = tokenise(text)
    fields = _aligned(string, text)
    at = 0
    labels: list[str] = []
    for token in tokens:
        own = fields[at : at + len(token.text)]
        at += len(token.text)
        labels.append(_majority(token, own))
    for n, label in enumerate(labels):
        if label == "previous":
            labels[n] = labels[n - 1] if n else "note"
    for n, token in enumerate(tokens):
        # One corpus has `In` with the container or its editors, the other with nothing.
        if labels[n] in ("container", "editor") and (not n or labels[n - 1] != labels[n]):
            labels[n] = "note" if token.text.strip(".,:;()[] ").lower() in ("in", "dans") else labels[n]
    begun = [f"{'I' if n and labels[n - 1] == label else 'B'}-{label}" for n, label in enumerate(labels)]
    return features(tokens, spread(tokens, read_by_rules(text).hints())), begun


def _majority(token: Token, own: list[str]) -> str:
    counted = [f for c, f in zip(token.text, own, strict=True) if c.isalnum()]
    known = [f for f in counted if f]
    if 2 * len(known) >= len(counted) > 0:
        return max(dict.fromkeys(known), key=known.count)
    if not counted:
        tagged = [f for f in own if f]
        return tagged[0] if tagged else "previous"
    word = token.text.strip(".,:;()[] ").lower()
    return "locator" if word in _LOCATOR_WORDS else "note"


def _aligned(string: Tagged, text: str) -> list[str]:
    """Carry the fields over to the characters of the text as the product prepares it."""
    before = "".join(string.text.split())
    after = "".join(text.split())
    if before.endswith(after):
        return list(string.fields[len(before) - len(after) :])
    carried = [""] * len(after)
    for a, b, size in difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
        carried[b : b + size] = string.fields[a : a + size]
    return carried


def _tagged(name: str, corpus: str, pieces: list[tuple[str, str]]) -> Tagged:
    text = " ".join("".join(piece for piece, field in pieces if field != "number").split())
    fields = [field for piece, field in pieces if field != "number" for c in piece if not c.isspace()]
    return Tagged(name, corpus, text, tuple(fields))


def _anystyle(sequence: ElementTree.Element) -> Iterator[tuple[str, str]]:
    for piece in sequence:
        yield "".join(piece.itertext()) + " ", _ANYSTYLE.get(piece.tag, "note")


def _grobid(node: ElementTree.Element, field: str, chapter: bool) -> Iterator[tuple[str, str]]:
    name = local_name(node)
    if name == "lb":
        yield " ", field
    yield node.text or "", field
    for child in node:
        yield from _grobid(child, _grobid_field(child, chapter) or field, chapter)
        yield child.tail or "", field


def _grobid_field(node: ElementTree.Element, chapter: bool) -> str:
    name = local_name(node)
    if name == "title":
        return (
            "title" if node.get("level") == "a" or (node.get("level") == "m" and not chapter) else "container"
        )
    if name == "orgName":
        return "author" if node.get("type") == "collaboration" else "publisher"
    return _GROBID.get(name, "" if name in ("lb", "hi") else "note")


def _title(string: Tagged) -> str:
    letters = "".join(string.text.split())
    return plain("".join(c for c, f in zip(letters, string.fields, strict=True) if f == "title"))
