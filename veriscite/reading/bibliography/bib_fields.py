"""Where the fields of a `.bib` file stand, so that one can be changed and all else be left as it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_ENTRY = 200_000
"""Characters; a longer entry is left alone."""

_START = re.compile(r"@[ \t]*([A-Za-z]{1,40})[ \t\n\r]*([{(])")
_NEXT = re.compile(r"\n[ \t]*@[ \t]*[A-Za-z]{1,40}[ \t]*[{(]")
_KEY = re.compile(r"\s*([^\s,{}()=\"#%]+)\s*(,|(?=[})]))")
# Between fields some programs take what follows a per cent sign for a remark.
_BETWEEN = re.compile(r"(?:[\s,]|%[^\n]*\n)*")
_NAME = re.compile(r"([A-Za-z_][\w:.+/\-]{0,60})\s*=\s*")
_BARE = re.compile(r"[^\s,{}()\"#=]+")
_NO_ENTRIES = frozenset({"comment", "string", "preamble"})


@dataclass(frozen=True)
class BibField:
    """A field: `text[start:end]` is `name = value`, `text[value:end]` its value with its delimiters."""

    name: str
    start: int
    value: int
    end: int


@dataclass(frozen=True)
class BibEntry:
    """An entry: its key, its fields in order, and where its closing bracket stands."""

    key: str
    kind: str
    start: int
    close: int
    fields: tuple[BibField, ...] = field(default=())

    def named(self, *names: str) -> BibField | None:
        """The first field of one of these names, tried in this order."""
        for name in names:
            for one in self.fields:
                if one.name == name:
                    return one
        return None


def bib_entries(text: str) -> Iterator[BibEntry]:
    """Find the entries that can be read; one that cannot spoils no other.

    Args:
        text: The file, line ends as they are.
    """
    at = 0
    while (start := _START.search(text, at)) is not None:
        following = _NEXT.search(text, start.end())
        limit = min(following.start() if following else len(text), start.end() + MAX_ENTRY)
        entry = None if start.group(1).lower() in _NO_ENTRIES else _entry(text, start, limit)
        if entry is not None:
            yield entry
            at = entry.close + 1
        elif start.group(1).lower() in _NO_ENTRIES:
            at = _after_block(text, start, limit)
        else:
            at = limit


def _entry(text: str, start: re.Match[str], limit: int) -> BibEntry | None:
    key = _KEY.match(text, start.end(), limit)
    if key is None:
        return None
    close = "}" if start.group(2) == "{" else ")"
    fields, at = [], key.end()
    while True:
        between = _BETWEEN.match(text, at, limit)
        at = between.end() if between else at
        name = _NAME.match(text, at, limit)
        if name is None:
            break
        end = _value_end(text, name.end(), limit)
        if end is None:
            return None
        fields.append(BibField(name.group(1).lower(), name.start(1), name.end(), end))
        at = end
    if at >= limit or text[at] != close:
        return None
    return BibEntry(key.group(1), start.group(1).lower(), start.start(), at, tuple(fields))


def _value_end(text: str, at: int, limit: int) -> int | None:
    """Where a value ends: braces, quotes or bare words, joined by `#`."""
    while True:
        if at >= limit:
            return None
        if text[at] in '{"':
            end = delimited_end(text, at, limit)
        else:
            bare = _BARE.match(text, at, limit)
            end = bare.end() if bare else None
        if end is None:
            return None
        joint = re.compile(r"\s*#\s*").match(text, end, limit)
        if joint is None:
            return end
        at = joint.end()


def delimited_end(text: str, at: int, limit: int) -> int | None:
    """The end of a value in braces or quotes; a quote inside of braces ends nothing."""
    quoted = text[at] == '"'
    depth = 0
    for mark in re.compile(r'[{}"]').finditer(text, at + quoted, limit):
        place = mark.start()
        if place > at and text[place - 1] == "\\" and (place < 2 or text[place - 2] != "\\"):
            continue
        if mark.group() == '"':
            if quoted and depth == 0:
                return place + 1
            continue
        depth += 1 if mark.group() == "{" else -1
        if depth == 0 and not quoted:
            return place + 1
        if depth < 0:
            return None
    return None


def _after_block(text: str, start: re.Match[str], limit: int) -> int:
    """Where a comment, a macro or a preamble ends; its own braces hold whatever looks like an entry."""
    if start.group(2) == "{":
        # A comment may hold whole entries, so the next `@` does not bound it.
        end = delimited_end(text, start.end() - 1, min(len(text), start.end() + MAX_ENTRY))
        if end is not None:
            return end
    return limit
