"""Markers by key: pandoc's `[@key; @key2, p. 3]`, `@key`, `[-@key]`, and printed labels (`[Smi20]`)."""

import re
from collections.abc import Iterator

from veriscite.domain import SkipReason
from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import HIDDEN
from veriscite.linking.markers.brackets import groups
from veriscite.linking.markers.found import Family, Found, Part, Removal

# A key opens with @ that no word, address or backslash stands before.
_KEY = re.compile(
    r"(?<![\w\\@./+])(-?)@(?:\{([^{}\s]{1,300})\}|"
    r"((?:doi|pmid|pmcid|arxiv|url|isbn|wikidata|https?):[^\s;\]\[{}]{1,400}|\w[\w:.#$%&\-+?<>~/]{0,300}))",
    re.IGNORECASE,
)
_LOCATOR_GROUP = re.compile(r"\s{1,2}\[[^\[\]@\ue000]{1,200}\](?![({:])")
# Cross-references of Markdown dialects share the @.
_CROSS_REFERENCE = re.compile(
    r"(?:fig|tbl|tab|eq|sec|lst|thm|lem|cor|def|exm|exr|prp|nte|tip|supp)[:\-]", re.IGNORECASE
)
_LABELS = re.compile(r"\[([^\[\]\ue000\ue001@]{1,300})\]")
_LABEL_SEPARATOR = re.compile(r"\s*[,;]\s*")
_LABEL_LOCATOR = re.compile(r"\s*(?:pp?\.|ch\.|chap|sec|§|theorem|thm|lemma|fig|table|eq|app)", re.IGNORECASE)


def find_keys(text: str, start: int, end: int, index: ReferenceIndex, *, known_only: bool) -> Iterator[Found]:
    """Find pandoc citations.

    Args:
        text: Masked text of the whole manuscript.
        start: Where to begin.
        end: Where to stop.
        index: The reference list.
        known_only: Outside Markdown an `@word` is a citation only if the list has that key.
    """
    if text.find("@", start, end) < 0:
        return
    hits = [m for m in _KEY.finditer(text, start, end) if not _CROSS_REFERENCE.match(m[2] or m[3] or "")]
    if known_only:
        hits = [m for m in hits if _resolve(m, text, index)[0].reference_ids]
    if not hits:
        return
    positions = iter(hits)
    current = next(positions, None)
    # The brackets of a note in the text (`^[See @key.]`) hold prose.
    brackets = sorted(
        (
            (g.start, g.end)
            for g in groups(text, start, end)
            if g.opener == "[" and text[max(0, g.start - 1) : g.start] != "^"
        ),
        key=lambda s: (s[0], -s[1]),
    )
    for a, b in brackets:
        while current is not None and current.start() < a:
            yield _narrative(current, text, index)
            current = next(positions, None)
        inside: list[Part] = []
        while current is not None and current.start() < b:
            inside.append(_resolve(current, text, index)[0])
            current = next(positions, None)
        if inside:
            yield Found(a, b, Family.KEY, tuple(inside))
    while current is not None:
        yield _narrative(current, text, index)
        current = next(positions, None)


def _narrative(m: re.Match[str], text: str, index: ReferenceIndex) -> Found:
    part, end = _resolve(m, text, index)
    locator = _LOCATOR_GROUP.match(text, end)
    if locator and HIDDEN not in locator[0]:
        end = locator.end()
    return Found(m.start(), end, Family.KEY, (part,), removal=Removal.WORK)


def _resolve(m: re.Match[str], text: str, index: ReferenceIndex) -> tuple[Part, int]:
    """Tie a key to its entry: the longest reading that the list knows, else pandoc's own reading."""
    if m[2]:
        return part_of_key(m[2], index), m.end()
    raw, at = m[3], m.start(3)
    for end in range(len(raw), 0, -1):
        if index.by_id(raw[:end]) is not None:
            return part_of_key(raw[:end], index), at + end
        if raw[end - 1].isalnum() or len(raw) - end > 8:
            break
    key = raw.rstrip(":.#$%&-+?<>~/,")
    while key.endswith(")") and key.count(")") > key.count("("):
        key = key[:-1].rstrip(".,")
    return part_of_key(key, index), at + len(key)


def part_of_key(key: str, index: ReferenceIndex) -> Part:
    """Tie one key to the entry that has it as its id."""
    reference = index.by_id(key)
    if reference is not None:
        return Part(key, (reference.id,))
    if len(index) == 0:
        return Part(key, reason=SkipReason.NO_REFERENCE_LIST, detail="There is no reference list.")
    return Part(key, reason=SkipReason.NO_ENTRY, detail=f"The reference list has no key {key}.")


def find_labels(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find `[Smi20]`, `[ABC+19, Doe21]`: labels that the list itself prints. All must be known."""
    if not index.has_labels:
        return
    for m in _LABELS.finditer(text, start, end):
        parts: list[Part] = []
        for item in _LABEL_SEPARATOR.split(m[1].strip()):
            ids = tuple(index.by_label(item))
            if len(ids) == 1:
                parts.append(Part(item, ids))
            elif ids:
                parts.append(
                    Part(
                        item,
                        reason=SkipReason.AMBIGUOUS_ENTRY,
                        detail=f"{len(ids)} entries are labelled {item}.",
                        candidates=ids,
                    )
                )
            elif parts and _LABEL_LOCATOR.match(item):
                continue
            else:
                parts = []
                break
        if parts:
            yield Found(m.start(), m.end(), Family.LABEL, tuple(parts))
