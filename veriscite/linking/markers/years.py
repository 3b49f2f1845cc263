"""Years as author-year markers write them (`2019a,b`, `1900/1953`), and what stands for one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge

_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_RUN = re.compile(
    rf"(?<![\w./\-–])(?P<year>{_YEAR})(?:/(?P<second>{_YEAR}))?"
    r"(?:(?P<letter>[a-z])(?P<more>(?:\s?(?:,|&|and|[-–])\s?[a-z](?![\w.])){0,12}))?(?![\w]|[-–/]\d|\.\d)"
)
_UNDATED = re.compile(
    r"\b(?:[Ii]n\s(?:[Pp]ress|[Pp]rep(?:aration|\.)?)|[Nn]\.\s?[Dd]\.|nd(?=\))|[Nn]o\s[Dd]ate|"
    r"[Ff]orthcoming|[Ss]ubmitted|"
    r"[Uu]nder\s[Rr]eview|[Aa]ccepted|[Tt]o\s[Aa]ppear|[Uu]npublished)(?!\w)"
)
_PAGE_BEFORE = re.compile(r"(?:\bpp?\.?|\bpages?|[:§])\s{0,3}(?:\d{1,5}\s?[-–]\s?)?$", re.IGNORECASE)
_MORE = re.compile(r"([-–])?\s?([a-z])(?![\w.])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class YearRun:
    """One or several years of the same authors' works, written together.

    Attributes:
        years: Each year with its suffix letter ("" for none).
        undated: What stands in place of a year (`in press`), in lower case.
        alternative: The second of `1900/1953`.
    """

    start: int
    end: int
    years: tuple[tuple[int, str], ...] = ()
    undated: str = ""
    alternative: int | None = None


def find_years(text: str, start: int, end: int) -> Iterator[YearRun]:
    """Find years and what stands for them; page numbers that look like years are left out."""
    undated = (YearRun(m.start(), m.end(), undated=m[0].lower()) for m in _UNDATED.finditer(text, start, end))
    yield from merge(_dated(text, start, end), undated, key=lambda run: run.start)


def _dated(text: str, start: int, end: int) -> Iterator[YearRun]:
    for m in _RUN.finditer(text, start, end):
        if _PAGE_BEFORE.search(text[max(start, m.start() - 16) : m.start()]):
            continue
        year = int(m["year"])
        letters = [m["letter"].lower()] if m["letter"] else [""]
        for more in _MORE.finditer(m["more"] or ""):
            letter = more[2].lower()
            if more[1] and letters[-1] < letter:
                letters += [chr(c) for c in range(ord(letters[-1]) + 1, ord(letter))]
            letters.append(letter)
        second = int(m["second"]) if m["second"] else None
        yield YearRun(m.start(), m.end(), tuple((year, x) for x in letters), alternative=second)
