"""Citation fields of Word, Zotero, Mendeley and EndNote: what a field's instruction says it cites."""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veriscite.domain import Reference
from veriscite.errors import InputError
from veriscite.reading.bibliography.csl_json import read_items
from veriscite.reading.bibliography.endnote import cited_references
from veriscite.reading.docx.sources import cited_tags, is_word_citation, source_of

_CSL = re.compile(r"\s*ADDIN\s+(?:ZOTERO_ITEM\s+)?(?:CSL_CITATION|Mendeley Citation)", re.IGNORECASE)
_ZOTERO = re.compile(r"\s*ADDIN\s+ZOTERO_ITEM\b", re.IGNORECASE)
_ENDNOTE = re.compile(r"\s*ADDIN\s+EN\.CITE(?!\.DATA)\b", re.IGNORECASE)
_ENDNOTE_DATA = re.compile(r"\s*ADDIN\s+EN\.CITE\.DATA\b", re.IGNORECASE)
_LIST = re.compile(
    r"\s*(?:ADDIN\s+(?:ZOTERO_BIBL|EN\.REFLIST|Mendeley Bibliography|CSL_BIBLIOGRAPHY)|BIBLIOGRAPHY)\b",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"\s*(?:TOC|INDEX|TOA)\b", re.IGNORECASE)
_MENDELEY_TAG = "MENDELEY_CITATION_V3_"
_LIST_TAGS = ("MENDELEY_BIBLIOGRAPHY", "ZOTERO_BIBL")
_MAX_ITEMS = 500


class FieldKind(StrEnum):
    """What a field is to the reader."""

    CITATION = "citation"
    LIST = "list"
    CONTENTS = "contents"
    DATA = "data"
    OTHER = "other"


@dataclass(frozen=True)
class Cited:
    """One item of a citation field.

    Attributes:
        identity: What tells the item apart from all others: its address or its key.
        reference: The item, if the field holds it; its id is the field's own.
        item_id: That id.
    """

    identity: str
    item_id: str
    reference: Reference | None


class BrokenFieldError(Exception):
    """A citation field that cannot be read; the text it shows stays."""


def kind_of(instruction: str) -> FieldKind:
    """Tell what a field's instruction asks for."""
    if any(pattern.match(instruction) for pattern in (_CSL, _ZOTERO, _ENDNOTE)) or is_word_citation(
        instruction
    ):
        return FieldKind.CITATION
    if _ENDNOTE_DATA.match(instruction):
        return FieldKind.DATA
    if _LIST.match(instruction):
        return FieldKind.LIST
    return FieldKind.CONTENTS if _CONTENTS.match(instruction) else FieldKind.OTHER


def kind_of_tag(tag: str) -> FieldKind:
    """Tell what a content control is by its tag."""
    if tag.upper().startswith(_MENDELEY_TAG):
        return FieldKind.CITATION
    return FieldKind.LIST if tag.upper().startswith(_LIST_TAGS) else FieldKind.OTHER


def read_citation(instruction: str, data: str, sources: Mapping[str, Reference]) -> list[Cited]:
    """Read what a citation field cites.

    Args:
        instruction: The field's instruction, whole.
        data: What EndNote keeps beside it, in base64.
        sources: Word's own sources of the document.

    Raises:
        BrokenFieldError: It cannot be read.
    """
    if _ENDNOTE.match(instruction):
        begin = instruction.find("<EndNote")
        xml = instruction[begin:] if begin >= 0 else _decoded(data)
        return _endnote(xml)
    if is_word_citation(instruction):
        cited = [(tag, source_of(sources, tag)) for tag in cited_tags(instruction)]
        return [Cited(f"word:{tag.casefold()}", tag[:200], reference) for tag, reference in cited]
    return _csl(instruction)


def read_tag(tag: str) -> list[Cited]:
    """Read the citation in the tag of a content control.

    Raises:
        BrokenFieldError: It cannot be read.
    """
    return _csl(_decoded(tag[len(_MENDELEY_TAG) :]))


def _decoded(data: str) -> str:
    packed = re.sub(r"[^A-Za-z0-9+/_-]", "", data).replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError) as error:
        raise BrokenFieldError("its data is no base64") from error
    wide = raw[:2] in (b"\xff\xfe", b"<\0")
    return raw.decode("utf-16-le" if wide else "utf-8", "replace").replace("\0", "").lstrip("\ufeff")


def _csl(text: str) -> list[Cited]:
    begin = text.find("{")
    if begin < 0:
        raise BrokenFieldError("it holds no data")
    try:
        data, _ = json.JSONDecoder().raw_decode(text[begin:])
    except (ValueError, RecursionError) as error:
        raise BrokenFieldError("its data is not valid JSON") from error
    items = data.get("citationItems") if isinstance(data, Mapping) else None
    if not isinstance(items, list) or not items:
        raise BrokenFieldError("it names no item")
    cited = [_item(item, number) for number, item in enumerate(items[:_MAX_ITEMS], 1)]
    return [item for item in cited if item is not None]


def _item(item: Any, number: int) -> Cited | None:
    if not isinstance(item, Mapping):
        return None
    found = item.get("itemData")
    data = dict(found) if isinstance(found, Mapping) else None
    uris = item.get("uris") or item.get("uri")
    address = next((u for u in uris if isinstance(u, str)), "") if isinstance(uris, list) else ""
    raw_id = item.get("id", data.get("id") if data else None)
    item_id = str(raw_id).strip()[:200] if isinstance(raw_id, (str, int)) else ""
    identity = address or item_id
    if not identity and data is None:
        return None
    item_id = item_id or address.rsplit("/", 1)[-1] or f"item-{number}"
    reference = None
    if data:
        data["id"] = item_id
        parsed = read_items([data]).references
        reference = parsed[0] if parsed else None
    return Cited(identity or (reference.raw if reference else item_id), item_id, reference)


def _endnote(xml: str) -> list[Cited]:
    end = xml.rfind("</EndNote>")
    if not xml.lstrip().startswith("<EndNote") or end < 0:
        raise BrokenFieldError("it holds no data")
    try:
        found = cited_references(xml[: end + len("</EndNote>")])
    except InputError as error:
        raise BrokenFieldError("its data is not well-formed XML") from error
    if not found:
        raise BrokenFieldError("it names no item")
    return [Cited(identity, reference.id, reference) for identity, reference in found[:_MAX_ITEMS]]
