"""Correcting a `.bib` file: what is told is changed, every other byte stays."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pylatexenc.latexencode import unicode_to_latex

from veriscite.errors import UnreadableFileError
from veriscite.reading.bibliography.bib_fields import BibEntry, BibField, bib_entries, delimited_end

_FIELDS = {
    "title": ("title",),
    "authors": ("author",),
    "year": ("year", "date"),
    "venue": ("journal", "journaltitle", "booktitle"),
    "doi": ("doi",),
    "note": ("note",),
}
_SPECIAL = re.compile(r"(?<!\\)([&%$#_])")
_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class BibChange:
    """A change of one entry.

    Attributes:
        part: `title`, `authors`, `year`, `venue`, `doi` or `note`.
        value: Plain text; authors as `Family, Given` with semicolons between them.
        adds: Only where the entry has no such field; a note is added to the one that is there.
    """

    key: str
    part: str
    value: str
    adds: bool = False


def edit_bibtex(content: bytes, changes: Sequence[BibChange]) -> tuple[bytes, tuple[BibChange, ...]]:
    """Change fields of a `.bib` file.

    Args:
        content: The file.
        changes: What to change; of a key that occurs twice the first entry is meant.

    Returns:
        The new file and the changes that were made. A part that the entry does not have itself (it may come
        from a `crossref` parent) is not changed. Making the same changes again changes nothing.

    Raises:
        UnreadableFileError: The file is not written in an encoding that holds ASCII as it is.
    """
    if content.startswith(_BOMS):
        raise UnreadableFileError("A .bib file in UTF-16 cannot be corrected.", advice="Save it as UTF-8.")
    text = content.decode("utf-8", "surrogateescape")
    plain = text.isascii() or any("\udc80" <= char <= "\udcff" for char in text)
    wanted: dict[str, list[BibChange]] = {}
    for change in changes:
        wanted.setdefault(change.key, []).append(change)
    edits: list[tuple[int, int, str]] = []
    made: list[BibChange] = []
    for entry in bib_entries(text):
        for change in wanted.pop(entry.key, []):
            edit = _edit(text, entry, change, plain)
            if edit is not None:
                edits.append(edit)
                made.append(change)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text.encode("utf-8", "surrogateescape"), tuple(made)


def _edit(text: str, entry: BibEntry, change: BibChange, plain: bool) -> tuple[int, int, str] | None:
    names = _FIELDS.get(change.part, ())
    there = entry.named(*names)
    if change.part == "title" and entry.named("subtitle") is not None:
        return None  # where the one ends and the other begins cannot be told
    value = _written(change, plain)
    if there is None:
        return _added(text, entry, names[0], value) if change.adds and names else None
    old = text[there.value : there.end]
    if change.part == "note":
        if value in old or not _is_one_piece(old):
            return None
        bare = old[1:-1].rstrip()
        joint = ". " if bare and not bare.endswith((".", ";")) else " " if bare else ""
        return (there.value, there.end, f"{old[0]}{bare}{joint}{value}{old[-1]}")
    if change.adds and old.strip('{}" \t\r\n'):
        return None
    new = _delimited_as(old, value)
    return None if new == old else (there.value, there.end, new)


def _written(change: BibChange, plain: bool) -> str:
    """Write a value as BibTeX wants it; without accents where the file has none."""
    value = " ".join(change.value.split())
    value = "".join(char for char in value if char.isprintable())
    if change.part == "authors":
        names = [name.strip() for name in value.split(";") if name.strip()]
        value = " and ".join("others" if name == "et al." else _name(name) for name in names)
    if change.part in ("doi", "year"):
        return value.translate(dict.fromkeys(map(ord, '{}"\\')))
    # A brace of the record's own could end the value early.
    value = value.translate(dict.fromkeys(map(ord, "{}\\"))).replace('"', "''")
    value = _SPECIAL.sub(r"\\\1", value)
    if plain and not value.isascii():
        value = "".join(c if c.isascii() else _tex(c) for c in value)
    return value


def _name(name: str) -> str:
    """A name that holds `and` as a word would become two."""
    return re.sub(r"\band\b", "{and}", name) if re.search(r"\band\b", name) else name


def _tex(char: str) -> str:
    found = str(unicode_to_latex(char, unknown_char_policy="unihex"))
    return found if found.startswith("{") or found.isalnum() else f"{{{found}}}"


def _delimited_as(old: str, value: str) -> str:
    """Put a value between the delimiters that the old one had."""
    if old.startswith("{{") and old.endswith("}}"):
        return "{{" + value + "}}"
    if old.startswith('"') and _is_one_piece(old):
        return f'"{value}"'
    if value.isdigit() and old.isdigit():
        return value
    return "{" + value + "}"


def _is_one_piece(old: str) -> bool:
    """Whether a value is one text in braces or quotes, nothing joined to it."""
    return old[:1] in ("{", '"') and delimited_end(old, 0, len(old)) == len(old)


def _added(text: str, entry: BibEntry, name: str, value: str) -> tuple[int, int, str] | None:
    """A new field after the last one, laid out as that one is."""
    if not entry.fields:
        return None
    last = entry.fields[-1]
    line_start = text.rfind("\n", entry.start, last.start) + 1
    own_line = line_start > 0 and not text[line_start : last.start].strip()
    new = f"{_name_like(text, last, name, aligned=own_line)}{{{value}}}"
    indent = text[line_start : last.start] if own_line else ""
    newline = "\r\n" if text[max(0, line_start - 2) : line_start] == "\r\n" else "\n"
    between = newline + indent if own_line else " "
    comma = re.compile(r"\s*,").match(text, last.end, entry.close)
    if comma is not None:
        return (comma.end(), comma.end(), f"{between}{new},")
    return (last.end, last.end, f",{between}{new}")


def _name_like(text: str, last: BibField, name: str, *, aligned: bool) -> str:
    """`doi    = ` with its sign under the one of the last field."""
    head = text[last.start : last.value]
    before, _, after = head.partition("=")
    space = before[len(before.rstrip()) :]
    return f"{name.ljust(len(before)) if aligned and space else name + space}={after}"
