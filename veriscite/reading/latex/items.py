r"""Reference lists in TeX: `thebibliography`, and the `.bbl` files of BibTeX and biblatex."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from veriscite.domain import Author, Identifiers, ReadingNote, Reference
from veriscite.domain.identifiers import find_identifiers, normalise_arxiv, normalise_doi
from veriscite.ports import ParsedList, ReferenceListParser
from veriscite.reading.bibliography.fields import find_year, shorten
from veriscite.reading.bibliography.latex import latex_to_unicode
from veriscite.reading.latex.arguments import Scanner
from veriscite.reading.latex.cites import label_names

_ITEM = re.compile(r"\\bibitem(?![A-Za-z@])")
_AUTHOR_YEAR_LABEL = re.compile(r"\\citeauthoryear(?![A-Za-z])")
_ENTRY = re.compile(r"\\entry\{([^{}\n]{1,300})\}\{([^{}\n]{0,60})\}")
_MAX_NOTES = 200
_END_ENTRY = "\\endentry"
_NAME_LIST = re.compile(r"\\name\{(author|editor)\}\{\d+\}\{[^{}]*\}")
_FIELD = re.compile(r"\\(?:field|list)\{([A-Za-z]{1,30})\}(?:\{\d+\})?(?=\{)")
_VERB = re.compile(r"\\verb\{(doi|url|eprint)\}\s{0,20}\\verb\s([^\n]{1,500})")
_NAME_PART = re.compile(r"\b(family|given|prefix)\s?=\s?(?=\{)")


@dataclass(frozen=True)
class TexList:
    """A reference list, and its labels as natbib prints them: key -> authors and year."""

    parsed: ParsedList
    labels: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class _Item:
    key: str
    label: str
    raw: str
    text: str


def has_list(text: str) -> bool:
    """Whether a text holds entries of a list."""
    return "\\bibitem" in text or _ENTRY.search(text) is not None


def read_items(tex: str, plain: Callable[[str], str], parser: ReferenceListParser, limit: int) -> TexList:
    """Read the entries of a list; each keeps its key as id and its TeX as raw text.

    Args:
        tex: The list, without comments, its macros expanded.
        plain: TeX -> text.
        parser: Parses entries in plain text.
        limit: The most entries that are read; what follows is left out and counted by one more.
    """
    if _ITEM.search(tex) is None:
        return _read_entries(tex, limit)
    notes: list[ReadingNote] = []
    items: dict[str, _Item] = {}
    starts = list(_ITEM.finditer(tex))[: limit + 1]
    ends = [match.start() for match in starts[1:]] + [len(tex)]
    scanner = Scanner(tex)
    for match, end in zip(starts, ends, strict=True):
        raw = tex[match.start() : end].strip()
        item = _item(scanner, match.end(), end, raw, plain)
        if item is None:
            notes.append(ReadingNote(message="An entry without a key was left out.", raw=shorten(raw)))
        elif item.key in items:
            message = f"The key {item.key!r} occurs again; its first entry is used."
            notes.append(ReadingNote(message=message, raw=shorten(raw)))
        else:
            items[item.key] = item
    labels = {key: names for key, item in items.items() if (names := label_names(item.label)) is not None}
    references = [
        _finished(item, reference, labels.get(item.key), number)
        for number, (item, reference) in enumerate(_parsed(list(items.values()), parser), 1)
    ]
    return TexList(ParsedList(references=tuple(references), notes=tuple(notes[:_MAX_NOTES])), labels)


def _item(scanner: Scanner, at: int, end: int, raw: str, plain: Callable[[str], str]) -> _Item | None:
    label = scanner.optional(at, before_group=True)
    key = scanner.group(label[1] if label else at)
    if key is None or key[1] > end or not key[0].strip():
        return None
    label_tex = label[0] if label else ""
    return _Item(" ".join(key[0].split()), _label(label_tex, plain), raw, plain(scanner.text[key[1] : end]))


def _label(tex: str, plain: Callable[[str], str]) -> str:
    """Read a label; those of older styles hold authors and year as arguments."""
    match = _AUTHOR_YEAR_LABEL.search(tex)
    if match is None:
        return plain(tex)
    scanner = Scanner(tex)
    parts: list[str] = []
    at = match.end()
    while (found := scanner.group(at)) is not None:
        parts.append(plain(found[0]))
        at = found[1]
    return f"{parts[-2] if len(parts) > 2 else parts[0]}({parts[-1]})" if len(parts) > 1 else ""


def _parsed(items: list[_Item], parser: ReferenceListParser) -> list[tuple[_Item, Reference | None]]:
    """Have the parser read all entries as one numbered list; one by one where it parts them otherwise."""
    whole = parser.parse("\n".join(f"[{n}] {item.text}" for n, item in enumerate(items, 1)), offset=None)
    found = whole.references
    if len(found) == len(items) and all(r.label == str(n) for n, r in enumerate(found, 1)):
        return list(zip(items, found, strict=True))
    pairs: list[tuple[_Item, Reference | None]] = []
    for item in items:
        single = parser.parse(f"[1] {item.text}", offset=None).references
        pairs.append((item, single[0] if len(single) == 1 else None))
    return pairs


def _finished(item: _Item, parsed: Reference | None, names: tuple[str, str] | None, number: int) -> Reference:
    label = str(number) if not item.label else item.label if names is None else None
    identifiers = find_identifiers(re.sub(r"[{}]", " ", item.raw[:5_000]))
    if parsed is None:
        parsed = Reference(id=item.key, raw=item.raw, identifiers=identifiers)
    merged = parsed.identifiers.filled_from(identifiers)
    update: dict[str, object] = {"id": item.key, "raw": item.raw, "label": label, "identifiers": merged}
    if names is not None:
        authors, year = names
        if parsed.year is None:
            update["year"] = find_year(year)
        if year[4:]:
            update["year_suffix"] = year[4:]
        if not parsed.authors:
            family = re.split(r" et al| and | & |,", authors)[0].strip()
            update["authors"] = (Author(family=family or authors),)
    return parsed.model_copy(update=update)


def _read_entries(tex: str, limit: int) -> TexList:
    """Read the entries of biblatex, whose fields come apart."""
    references: dict[str, Reference] = {}
    notes: list[ReadingNote] = []
    for match in _ENTRY.finditer(tex):
        if len(references) > limit:
            break
        # What is not closed ends where the next entry begins.
        following = _ENTRY.search(tex, match.end())
        stop = following.start() if following else len(tex)
        end = tex.find(_END_ENTRY, match.end(), stop)
        raw = tex[match.start() : end if end >= 0 else min(stop, match.end() + 10_000)]
        key = match[1].strip()
        if key in references:
            continue
        if end < 0 and len(notes) < _MAX_NOTES:
            notes.append(ReadingNote(message=f"The entry {key!r} has no end.", raw=shorten(raw)))
        references[key] = _entry(key, raw)
    return TexList(ParsedList(references=tuple(references.values()), notes=tuple(notes)), {})


def _entry(key: str, raw: str) -> Reference:
    scanner = Scanner(raw)
    fields = {
        match[1]: latex_to_unicode(found[0].strip("{}"))
        for match in _FIELD.finditer(raw)
        if (found := scanner.group(match.end())) is not None
    }
    verbs = {match[1]: match[2].strip() for match in _VERB.finditer(raw)}
    title = fields.get("title", "")
    if title and fields.get("subtitle"):
        title = f"{title}: {fields['subtitle']}"
    stated = find_identifiers("\n".join(verbs.values()))
    return Reference(
        id=key,
        raw=raw.strip(),
        title=title or None,
        authors=_authors(scanner),
        year=find_year(fields.get("year", "") or fields.get("date", "")),
        year_suffix=None,
        venue=fields.get("journaltitle") or fields.get("booktitle") or fields.get("publisher") or None,
        identifiers=Identifiers(
            doi=normalise_doi(verbs.get("doi", "")) or stated.doi,
            arxiv=normalise_arxiv(verbs.get("eprint", "")) or stated.arxiv,
            pmid=stated.pmid,
            pmcid=stated.pmcid,
        ),
        url=verbs.get("url") or None,
    )


def _authors(scanner: Scanner) -> tuple[Author, ...]:
    names = _NAME_LIST.search(scanner.text)
    block = scanner.group(names.end()) if names else None
    if block is None:
        return ()
    inner = Scanner(block[0])
    authors: list[Author] = []
    at = 0
    while (person := inner.group(at)) is not None:
        parts_scanner = Scanner(person[0])
        parts = {
            match[1]: latex_to_unicode(found[0])
            for match in _NAME_PART.finditer(person[0])
            if (found := parts_scanner.group(match.end())) is not None
        }
        family = " ".join(part for part in (parts.get("prefix"), parts.get("family")) if part)
        if family:
            authors.append(Author(family=family, given=parts.get("given") or None))
        at = person[1]
    return tuple(authors)
