"""BibTeX and BibLaTeX -> references. What cannot be parsed becomes a note with its line."""

import calendar
import logging
import re
from collections.abc import Iterator, Mapping

from bibtexparser.middlewares.names import parse_single_name_into_parts, split_multiple_persons_names
from bibtexparser.model import (
    Block,
    DuplicateBlockKeyBlock,
    DuplicateFieldKeyBlock,
    Entry,
    ImplicitComment,
    ParsingFailedBlock,
)
from bibtexparser.splitter import Splitter

from veriscite.domain import Author, Identifiers, ReadingNote, Reference
from veriscite.domain.identifiers import (
    find_identifiers,
    normalise_arxiv,
    normalise_doi,
    normalise_pmcid,
    normalise_pmid,
)
from veriscite.ports import ParsedList
from veriscite.reading.bibliography.fields import find_year, shorten, truncate_abstract
from veriscite.reading.bibliography.latex import latex_to_unicode

# What fails is told in notes; without a handler the library would print it as well.
logging.getLogger("bibtexparser").addHandler(logging.NullHandler())

_MONTHS = {month.lower()[:3]: month for month in calendar.month_name[1:]}
_VENUES = ("journal", "journaltitle", "booktitle", "publisher", "school", "institution", "howpublished")
_MAX_AUTHORS = 5_000
_NOT_INHERITED = {
    "crossref",
    "xref",
    "xdata",
    "ids",
    "label",
    "shorthand",
    "key",
    "abstract",
    "doi",
    "author",
}
_PARENT_TYPES = {
    "book",
    "proceedings",
    "collection",
    "mvbook",
    "mvproceedings",
    "mvcollection",
    "periodical",
    "reference",
}


def read_bibtex(text: str) -> ParsedList:
    """Read a `.bib` file.

    Entries keep their key as id. `@string` macros and `#` are resolved, missing fields are taken from a
    `crossref` parent, of a doubled key the first entry stays.

    Args:
        text: The file.

    Returns:
        References in the file's order, and a note for each block that could not be used.
    """
    library = Splitter(text).split()
    notes: list[ReadingNote] = []
    entries: dict[str, Entry] = {}
    for block in library.blocks:
        entry = _usable(block, notes)
        if entry is None:
            continue
        key = entry.key.strip()
        if key in entries:
            notes.append(_note(f"The key {key!r} occurs again; its first entry is used.", entry))
        else:
            entries[key] = entry
    strings = {key.lower(): string.value for key, string in library.strings_dict.items()}
    values = {key: _values(entry, strings, notes) for key, entry in entries.items()}
    references = tuple(
        _reference(key, entries[key], _with_parent(key, values, notes, entries)) for key in entries
    )
    return ParsedList(references=references, notes=tuple(sorted(notes, key=lambda note: note.line or 0)))


def _usable(block: Block, notes: list[ReadingNote]) -> Entry | None:
    """Take an entry out of a block, or note why there is none."""
    if isinstance(block, Entry):
        if block.key.strip():
            return block
        notes.append(_note("An entry without a key was left out.", block))
        return None
    if isinstance(block, DuplicateFieldKeyBlock):
        inner = block.ignore_error_block
        fields = ", ".join(sorted(block.duplicate_keys))
        notes.append(_note(f"A field occurs twice ({fields}); its first value is used.", block))
        return inner if isinstance(inner, Entry) and inner.key.strip() else None
    if isinstance(block, DuplicateBlockKeyBlock):
        inner = block.ignore_error_block
        if isinstance(inner, Entry):
            return inner
        notes.append(_note(f"{block.key!r} is defined again; its first definition is used.", block))
    elif isinstance(block, ParsingFailedBlock):
        reason = str(getattr(block.error, "abort_reason", block.error)).strip().rstrip(".")
        notes.append(_note(f"An entry could not be read: {reason}.", block))
    elif isinstance(block, ImplicitComment):
        text = "\n".join(
            line for line in (block.comment or "").splitlines() if not line.lstrip().startswith("%")
        )
        if text.strip():
            notes.append(_note("Text outside of any entry was left out.", block))
    return None


def _note(message: str, block: Block) -> ReadingNote:
    line = None if block.start_line is None else block.start_line + 1
    return ReadingNote(message=message, raw=shorten(block.raw or ""), line=line)


def _values(entry: Entry, strings: Mapping[str, str], notes: list[ReadingNote]) -> dict[str, str]:
    """Resolve an entry's fields to TeX without delimiters; of a doubled field the first value stays."""
    values: dict[str, str] = {}
    for field in entry.fields:
        name = field.key.lower()
        if name in values:
            continue
        unknown: list[str] = []
        value = _resolve(str(field.value), strings, unknown)
        values[name] = value
        if unknown:
            notes.append(
                ReadingNote(
                    message=f"{entry.key}: {name} uses {', '.join(unknown)}, which no @string defines.",
                    raw=shorten(str(field.value)),
                    line=field.start_line + 1,
                )
            )
    return values


def _resolve(raw: str, strings: Mapping[str, str], unknown: list[str], depth: int = 0) -> str:
    """Join the parts of a value (`jan # " 1"`), replacing macros."""
    parts = []
    for part in _parts(raw):
        if part[:1] in '{"' and len(part) >= 2 and part[-1:] in '}"':
            parts.append(part[1:-1])
        elif part.isdigit() or not part:
            parts.append(part)
        elif part.lower() in strings and depth < 10:
            parts.append(_resolve(strings[part.lower()], strings, unknown, depth + 1))
        elif part.lower() in _MONTHS:
            parts.append(_MONTHS[part.lower()])
        else:
            parts.append(part)
            if re.fullmatch(r"[A-Za-z_][\w:.+/-]*", part):
                unknown.append(part)
    return "".join(parts)


def _parts(raw: str) -> Iterator[str]:
    """Split at each `#` that stands outside of braces and quotes."""
    if "#" not in raw:
        yield raw.strip()
        return
    depth, quoted, start = 0, False, 0
    for index, char in enumerate(raw):
        escaped = index > 0 and raw[index - 1] == "\\"
        if char == "{" and not escaped:
            depth += 1
        elif char == "}" and not escaped:
            depth -= 1
        elif char == '"' and depth == 0 and not escaped:
            quoted = not quoted
        elif char == "#" and depth == 0 and not quoted:
            yield raw[start:index].strip()
            start = index + 1
    yield raw[start:].strip()


def _with_parent(
    key: str, values: Mapping[str, dict[str, str]], notes: list[ReadingNote], entries: Mapping[str, Entry]
) -> dict[str, str]:
    """Fill an entry's missing fields from its `crossref` parent (one step, as BibTeX does)."""
    own = dict(values[key])
    parent_key = own.get("crossref", "").strip()
    if not parent_key:
        return own
    parent = values.get(parent_key)
    if parent is None:
        notes.append(_note(f"{key}: its crossref {parent_key!r} is not in the file.", entries[key]))
        return own
    if parent_key == key:
        return own
    if entries[parent_key].entry_type.lower() in _PARENT_TYPES and "title" in parent:
        own.setdefault("booktitle", parent["title"])
    for name, value in parent.items():
        if name not in _NOT_INHERITED and name != "title":
            own.setdefault(name, value)
    if "author" not in own and "editor" not in values[key] and "author" in parent:
        own["author"] = parent["author"]
    return own


def _reference(key: str, entry: Entry, values: Mapping[str, str]) -> Reference:
    title = latex_to_unicode(values.get("title", ""))
    subtitle = latex_to_unicode(values.get("subtitle", ""))
    if title and subtitle:
        title = f"{title}: {subtitle}"
    venue = next((latex_to_unicode(values[name]) for name in _VENUES if values.get(name, "").strip()), None)
    url = values.get("url", "").strip().replace("\\_", "_").replace("\\%", "%").replace("\\&", "&")
    return Reference(
        id=key,
        raw=(entry.raw or "").strip(),
        title=title or None,
        authors=_authors(values.get("author") or values.get("editor") or ""),
        year=find_year(latex_to_unicode(values.get("year", "")))
        or find_year(latex_to_unicode(values.get("date", ""))),
        venue=venue or None,
        identifiers=_identifiers(values),
        url=url.strip("{}<>") or None,
        abstract=truncate_abstract(latex_to_unicode(values.get("abstract", ""))),
    )


def _authors(field: str) -> tuple[Author, ...]:
    authors: list[Author] = []
    for raw in split_multiple_persons_names(re.sub(r"\s+", " ", field))[:_MAX_AUTHORS]:
        name = raw.strip()
        if not name or name.lower() == "others":
            continue
        author = _author(name)
        if author.family:
            authors.append(author)
    return tuple(authors)


def _author(name: str) -> Author:
    if _is_one_group(name):
        return Author(family=latex_to_unicode(name), corporate=True)
    parts = parse_single_name_into_parts(name, strict=False)
    family = latex_to_unicode(" ".join([*parts.von, *parts.last]))
    given = latex_to_unicode(" ".join([*parts.first, *parts.jr]))
    if not family:
        return Author(family=given)
    return Author(family=family, given=given or None)


def _is_one_group(name: str) -> bool:
    """Whether braces hold the whole name together: BibTeX's way to write an organisation."""
    if not (name.startswith("{") and name.endswith("}")):
        return False
    depth = 0
    for index, char in enumerate(name):
        depth += (char == "{") - (char == "}")
        if depth == 0 and index < len(name) - 1:
            return False
    return " " in name.strip("{} ") or name.startswith("{{")


def _identifiers(values: Mapping[str, str]) -> Identifiers:
    kind = (values.get("eprinttype") or values.get("archiveprefix") or "").strip().lower()
    eprint = latex_to_unicode(values.get("eprint", ""))
    doi = normalise_doi(values.get("doi", "").strip("{} "))
    arxiv = normalise_arxiv(values.get("arxiv", "") or values.get("arxivid", ""))
    pmid = normalise_pmid(values.get("pmid", "").strip("{} "))
    pmcid = normalise_pmcid(values.get("pmcid", "").strip("{} "))
    if eprint and kind in ("arxiv", ""):
        arxiv = arxiv or normalise_arxiv(eprint)
    elif eprint and kind in ("pubmed", "pmid"):
        pmid = pmid or normalise_pmid(eprint)
    elif eprint and kind in ("pmc", "pmcid"):
        pmcid = pmcid or normalise_pmcid(eprint)
    names = ("url", "journal", "journaltitle", "howpublished", "note", "eprint", "volume")
    found = find_identifiers("\n".join(values[name] for name in names if name in values))
    return Identifiers(
        doi=doi or found.doi,
        arxiv=arxiv or found.arxiv,
        pmid=pmid or found.pmid,
        pmcid=pmcid or found.pmcid,
        semantic_scholar=found.semantic_scholar,
    )


__all__ = ["read_bibtex"]
