"""The reference list, ready to be asked by number, label, key, and author with year."""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from veriscite.domain import Reference
from veriscite.linking.markers.found import Numbers, Part
from veriscite.linking.text import acronym, fold_space, name_key, name_keys

_POSITION_ID = re.compile(r"ref-\d+")
_NUMBER_LABEL = re.compile(r"(\d{1,6})([a-z]?)")
_UNDATED = re.compile(
    r"\b(?:in press|forthcoming|n\.\s?d\.|no date|submitted|in prep(?:aration)?|under review|accepted|"
    r"to appear|unpublished|s\.\s?f\.|o\.\s?J\.)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d./-])(1[5-9]\d\d|20\d\d)([a-z])?(?![\w/-]|\.\d)")
_LEADING = re.compile(r"[\W\d_]*([^\W\d_][\w'’\-]*(?:\s[^\W\d_][\w'’\-]*)?)")
_BRACKETED_ACRONYM = re.compile(r"[(\[]([A-Z][A-Z&\-]{1,9})[)\]]")
_BRACKETS = re.compile(r"\s*[()\[\]]\s*")
_ET_AL = re.compile(r"\bet\s+al\b|\band (?:\d+ )?(?:others|colleagues)\b|…|\.\.\.", re.IGNORECASE)


class Entry:
    """One reference with what author-year markers compare it by.

    Attributes:
        position: Index (0-based) in the list.
        first_keys: Spellings of the first author, or of the words that the entry begins with.
        author_keys: Spellings of each author.
        years: Every year the entry prints, with its suffix letter; the year of publication is `year`.
        truncated: Whether the entry itself writes "et al.".
    """

    __slots__ = (
        "author_keys", "corporate", "first_given", "first_keys", "position", "raw_key", "reference",
        "title_key", "truncated", "undated", "years",
    )  # fmt: skip

    def __init__(self, position: int, reference: Reference) -> None:
        self.position = position
        self.reference = reference
        head = reference.raw[:400]
        authors = reference.authors
        self.corporate = bool(authors) and authors[0].corporate
        self.author_keys = tuple(name_keys(a.family) for a in authors)
        self.first_given = authors[0].given if authors else None
        first = set(self.author_keys[0]) if authors else set()
        if authors and (self.corporate or " " in authors[0].family):
            first.add(name_key(acronym(authors[0].family)))
            first |= {name_key(m) for m in _BRACKETED_ACRONYM.findall(head)}
        if self.corporate:
            # "US DEA (Drug Enforcement Administration)" is cited by either name.
            first |= {name_key(part) for part in _BRACKETS.split(authors[0].family)}
        if lead := _LEADING.match(head):
            # Whatever was parsed, the entry begins with the name it is cited by.
            first |= name_keys(lead[1].split()[0])
            first |= name_keys(lead[1]) if not authors else frozenset()
        self.first_keys = frozenset(k for k in first if k)
        self.raw_key = name_key(head)
        self.title_key = name_key(reference.title or "")
        self.truncated = bool(_ET_AL.search(head))
        self.undated = reference.year is None and (
            bool(_UNDATED.search(reference.raw)) or _no_year(reference)
        )
        self.years = frozenset((int(m[1]), m[2] or "") for m in _YEAR.finditer(reference.raw[:2000]))


def _no_year(reference: Reference) -> bool:
    return not _YEAR.search(reference.raw)


class ReferenceIndex:
    """A reference list that can be asked.

    Numbers are the printed labels; where no entry has a label, an entry's number is its place. A list
    that is printed twice over (main, supplementary) numbers twice: the first one answers.

    Attributes:
        numbered: Whether entries carry printed numbers.
        highest: The highest number that can be cited; 0 if none can.
        resolved: What numbers and ranges came to, so that each is looked up once.
    """

    def __init__(self, references: Sequence[Reference]) -> None:
        self.entries = [Entry(i, r) for i, r in enumerate(references)]
        self.numbered = False
        self.resolved: dict[Numbers, tuple[Part, ...]] = {}
        self._by_id = {r.id: r for r in references}
        self._numbers: dict[int, list[int]] = {}
        self._parts: dict[tuple[int, str], int] = {}
        self._labels: dict[str, list[str]] = defaultdict(list)
        self._index_numbers(references)
        self._sorted = sorted(self._numbers)
        self.highest = self._sorted[-1] if self._sorted else 0
        self._by_author: dict[str, list[int]] = defaultdict(list)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        for entry in self.entries:
            for key in entry.first_keys:
                self._by_author[key].append(entry.position)
            if entry.title_key:
                self._by_title[entry.title_key[:12]].append(entry.position)

    def __len__(self) -> int:
        return len(self.entries)

    def _index_numbers(self, references: Sequence[Reference]) -> None:
        labels = [(i, r.label.strip()) for i, r in enumerate(references) if r.label]
        previous = 0
        restarted = False
        for i, label in labels:
            m = _NUMBER_LABEL.fullmatch(label)
            if not m:
                self._labels[fold_space(label).casefold()].append(references[i].id)
                continue
            number = int(m[1])
            restarted = restarted or (number < previous and number in self._numbers and number <= 2)
            if restarted and number in self._numbers:
                previous = number
                continue
            self.numbered = True
            self._numbers.setdefault(number, []).append(i)
            if m[2]:
                self._parts[number, m[2]] = i
            previous = number
        if not labels and all(_POSITION_ID.fullmatch(r.id) for r in references):
            self._numbers = {i + 1: [i] for i in range(len(references))}

    def by_id(self, key: str) -> Reference | None:
        """Return the reference of that id."""
        return self._by_id.get(key)

    def by_label(self, label: str) -> Sequence[str]:
        """Return the ids of the entries printed under a label that is no number (`Smi20`)."""
        return self._labels.get(fold_space(label).casefold(), ())

    @property
    def has_labels(self) -> bool:
        """Whether entries carry labels that are no numbers."""
        return bool(self._labels)

    def number(self, number: int, suffix: str = "") -> tuple[str, ...]:
        """Return the ids of the entries of one number; several only where the entry has parts (a), (b)."""
        if suffix:
            at = self._parts.get((number, suffix))
            return () if at is None else (self.entries[at].reference.id,)
        return tuple(self.entries[i].reference.id for i in self._numbers.get(number, ()))

    def is_part_of(self, number: int) -> bool:
        """Whether the entries of that number are parts (a), (b) of one."""
        return all((number, x) in self._parts for x in ("a", "b"))

    def numbers_between(self, low: int, high: int) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the numbers from `low` to `high` that the list has, and the ranges that it lacks.

        The work is bounded by the length of the list, whatever the range.
        """
        have = self._sorted[bisect_left(self._sorted, low) : bisect_right(self._sorted, high)]
        missing: list[tuple[int, int]] = []
        expected = low
        for n in have:
            if n > expected:
                missing.append((expected, n - 1))
            expected = n + 1
        if expected <= high:
            missing.append((expected, high))
        return have, missing

    def by_author(self, keys: Iterable[str]) -> list[Entry]:
        """Return the entries whose first author is written in one of these ways, in list order."""
        positions = {i for key in keys for i in self._by_author.get(key, ())}
        return [self.entries[i] for i in sorted(positions)]

    def by_title(self, title: str) -> list[Entry]:
        """Return the entries whose title begins as `title` does (at least 12 letters of it)."""
        key = name_key(title)
        if len(key) < 12:
            return []
        entries = (self.entries[i] for i in self._by_title.get(key[:12], ()))
        return [e for e in entries if e.title_key.startswith(key[:40]) or key.startswith(e.title_key)]
