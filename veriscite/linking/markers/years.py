"""Years as author-year markers write them: `2019`, `2019a,b`, `1900/1953`, `in press`, `n.d.`"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_YEAR = r"(?:1[5-9]\d\d|20\d\d)"
_RUN = re.compile(
    rf"(?<![\w./\-–])(?P<year>{_YEAR})(?:/(?P<second>{_YEAR}))?"
    r"(?:(?P<letter>[a-z])(?P<more>(?:\s?(?:,|&|and|[-–])\s?[a-z](?![\w.])){0,12}))?(?![\w]|[-–/]\d|\.\d)"
    r"|\b(?P<undated>in\spress|n\.\s?d\.|nd(?=\))|no\sdate|forthcoming|in\sprep(?:aration|\.)?|submitted|under\sreview|"
    r"accepted|to\sappear|unpublished)(?!\w)",
    re.IGNORECASE,
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
    for m in _RUN.finditer(text, start, end):
        if m["undated"]:
            yield YearRun(m.start(), m.end(), undated=m["undated"].lower())
            continue
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
