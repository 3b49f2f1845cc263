r"""Citation commands: their arguments, and what a reader sees of them."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from veriscite.domain import Author, MarkerStyle, Reference
from veriscite.reading.latex.arguments import Scanner
from veriscite.reading.latex.commands import Show, is_multicite, is_volume_cite

MAX_KEYS = 500
_MAX_SHOWN = 60
_SPACE = re.compile(r"\s+")
_ANGLES = re.compile(r"[ \t]{0,8}<([^<>\n]{0,300})>")
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)([a-z]?)(?!\d)")
_PLACE = re.compile(r"[\divxlcIVXLC]+(?:[-–—]+[\divxlcIVXLC]+)?")


@dataclass(frozen=True)
class CiteGroup:
    """Some keys with the notes around them, as TeX."""

    keys: tuple[str, ...]
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Cite:
    r"""A citation command.

    Attributes:
        keys: All keys, each once, in order; those cited inside of the notes too.
        before: A note before all groups, as TeX (`\cites(see)`).
        after: A note after them.
    """

    show: Show
    groups: tuple[CiteGroup, ...]
    keys: tuple[str, ...]
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Names:
    """What entries are called by."""

    references: Mapping[str, Reference]
    labels: Mapping[str, tuple[str, str]]
    aliases: Mapping[str, str]

    def of(self, key: str) -> tuple[str, str] | None:
        """Return authors and year as printed, or None where they are not known."""
        label = self.labels.get(key)
        if label is not None:
            return label
        reference = self.references.get(key)
        if reference is None or not reference.authors or reference.year is None:
            return None
        return _short(reference.authors), f"{reference.year}{reference.year_suffix or ''}"

    def title(self, key: str) -> str | None:
        """Return an entry's title."""
        reference = self.references.get(key)
        return reference.title if reference is not None else None


def _short(authors: tuple[Author, ...]) -> str:
    if len(authors) == 1:
        return authors[0].family
    if len(authors) == 2:
        return f"{authors[0].family} and {authors[1].family}"
    return f"{authors[0].family} et al."


def read_cite(scanner: Scanner, name: str, show: Show, at: int) -> tuple[Cite, int] | None:
    r"""Read the arguments of a citation command; None where it has no keys.

    Args:
        scanner: The text.
        name: The command, without its backslash and star.
        show: How it reads.
        at: The offset after the command.
    """
    plain = name[:1].lower() + name[1:]
    several = is_multicite(plain)
    before = after = ""
    if several:
        first = scanner.parenthesised(at)
        second = scanner.parenthesised(first[1]) if first else None
        if first and second:
            before, after, at = first[0], second[0], second[1]
        elif first:
            before, at = first
    groups: list[CiteGroup] = []
    keys: list[str] = []
    while len(keys) < MAX_KEYS and (found := _group(scanner, at, volume=is_volume_cite(plain))) is not None:
        group, at = found
        groups.append(group)
        keys.extend(group.keys)
        if not several:
            break
    if not keys:
        return None
    return Cite(show, tuple(groups), tuple(dict.fromkeys(keys)), before, after), at


def _group(scanner: Scanner, at: int, *, volume: bool) -> tuple[CiteGroup, int] | None:
    notes: list[str] = []
    angles = _ANGLES.match(scanner.text, at)
    if angles is not None:
        notes.append(angles[1])
        at = angles.end()
    while len(notes) < 2 and (found := scanner.optional(at)) is not None:
        notes.append(found[0])
        at = found[1]
    if volume:
        first = scanner.group(at)
        second = scanner.optional(first[1]) if first else None
        if first is not None and scanner.group(second[1] if second else first[1]) is not None:
            notes = notes[:1] or [""]
            notes.append(f"vol. {first[0]}" + (f", {second[0]}" if second else ""))
            at = second[1] if second else first[1]
    argument = scanner.group(at)
    if argument is None:
        return None
    keys = split_keys(argument[0])
    if not keys:
        return None
    if len(notes) == 2 or angles is not None:
        return CiteGroup(keys, notes[0], "".join(notes[1:])), argument[1]
    return CiteGroup(keys, "", "".join(notes)), argument[1]


def split_keys(written: str) -> tuple[str, ...]:
    """Return the keys of an argument, each once."""
    keys = (_SPACE.sub(" ", key).strip(" {}\\") for key in written.split(","))
    return tuple(dict.fromkeys(key for key in keys if key and key != "*"))[:MAX_KEYS]


def show_cite(cite: Cite, show: Show, names: Names, plain: Callable[[str], str]) -> tuple[str, MarkerStyle]:
    """Write a citation as a reader sees it.

    Args:
        cite: The citation.
        show: How it reads; not `EITHER`.
        names: What its entries are called by; those not known show their keys.
        plain: TeX -> text, for the notes.

    Returns:
        The text, without white space at its ends, and its style.
    """
    known = all(names.of(key) is not None for group in cite.groups for key in group.keys)
    by_name = known and show not in (Show.ALIAS, Show.ALIAS_PAREN, Show.TITLE)
    style = MarkerStyle.AUTHOR_YEAR if by_name else MarkerStyle.KEY
    items = [item for group in cite.groups for item in _items(group, show, names, plain)]
    before, after = plain(cite.before), plain(cite.after)
    text = (", " if show is Show.TEXT else "; ").join(items)
    text = f"{before} {text}" if before else text
    text = f"{text}, {after}" if after else text
    text = _SPACE.sub(" ", text).strip()
    if show in (Show.PAREN, Show.YEAR_PAREN, Show.ALIAS_PAREN):
        unknown = not any(names.of(key) for group in cite.groups for key in group.keys)
        text = f"[{text}]" if unknown and show is Show.PAREN else f"({text})"
    return text, style


def _items(group: CiteGroup, show: Show, names: Names, plain: Callable[[str], str]) -> list[str]:
    items = [_item(key, show, names) for key in group.keys]
    before, after = plain(group.before), _place(plain(group.after))
    last = names.of(group.keys[-1])
    if show is Show.TEXT and last is not None:
        # natbib puts both notes into the parentheses of the last year.
        inside = ", ".join(part for part in (f"{before} {last[1]}".strip(), after) if part)
        return [*items[:-1], f"{last[0]} ({inside})"]
    if before:
        items[0] = f"{before} {items[0]}"
    if after:
        items[-1] = f"{items[-1]}, {after}"
    return items


def _item(key: str, show: Show, names: Names) -> str:
    if show in (Show.ALIAS, Show.ALIAS_PAREN):
        alias = names.aliases.get(key)
        if alias:
            return alias
        show = Show.TEXT if show is Show.ALIAS else Show.PAREN
    if show is Show.TITLE:
        return names.title(key) or key[:_MAX_SHOWN]
    name = names.of(key)
    if name is None:
        return key[:_MAX_SHOWN]
    authors, year = name
    if show is Show.TEXT:
        return f"{authors} ({year})"
    if show is Show.AUTHOR:
        return authors
    if show in (Show.YEAR, Show.YEAR_PAREN):
        return year
    return f"{authors} {year}"


def _place(note: str) -> str:
    """Write a bare page number as one."""
    if not _PLACE.fullmatch(note):
        return note
    return f"pp. {note}" if re.search(r"[-–—]", note) else f"p. {note}"


def label_names(label: str) -> tuple[str, str] | None:
    """Take authors and year out of a label as natbib writes it (`Smith et al.(2019a)Smith, Wu`).

    Args:
        label: The label as text.
    """
    matches = list(_YEAR.finditer(label[:1_000]))
    if not matches:
        return None
    match = next((m for m in matches if label[m.start() - 1 : m.start()] == "("), matches[0])
    authors = _SPACE.sub(" ", label[: match.start()]).strip(" ([,;")
    return (authors, match[1] + match[2]) if authors else None
