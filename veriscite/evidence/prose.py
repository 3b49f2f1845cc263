"""Texts that stand where an abstract should and are none: lists of references, tables of contents."""

import re
from itertools import pairwise

_YEAR = re.compile(r"(?<![\d])(?:19|20)\d\d[a-z]?(?![\d])")
_REFERENCE_SIGNS = re.compile(
    r"\bdoi\b|\bet al\b|\bpp?\.? ?\d|\d{1,4}\(\d{1,3}\)|\bvol\.? ?\d|\d{1,4}[–-]\d{1,4}\b|;\d{1,4}:"
    r"|[A-Z][a-z]+,? [A-Z]\.(?: ?[A-Z]\.)?,|\[\d{1,3}\] [A-Z]|\bIn: |\bProc\b|\barXiv\b"
    r"|& [A-Z][a-z]+, [A-Z]\.",
    re.IGNORECASE,
)
_CROSSREF_LIST = re.compile(
    r"^\W*(?:references|bibliography|literature cited|works cited)\b\W", re.IGNORECASE
)
_LEADERS = re.compile(r"(?:\. ?){4,}\s*\d{1,4}|…\s*\d{1,4}")
_CHAPTER = re.compile(
    r"\b(?:chapter|part|section|appendix|lecture|unit) (?:\d{1,3}|[IVXLC]{1,6})\b", re.IGNORECASE
)
_NUMBERED = re.compile(r"(?<![\w.])(\d{1,2})(?:\.\d{1,2}){0,2}\.? [A-Z]")
_CONTENTS_HEAD = re.compile(
    r"^\W*(?:table of contents|contents|inhalt(?:sverzeichnis)?|cover|front matter|frontmatter|title page)\b"
    r"\W+(?!of\b|and\b|validity|analysis)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|be|been|we|can|may|show|shows|showed|found|find|suggests?|provides?"
    r"|presents?|describes?|proposes?|demonstrates?|introduces?|discuss(?:es)?|will|which|that)\b",
    re.IGNORECASE,
)


def is_bibliography(text: str) -> bool:
    """Whether a text is a list of references rather than prose.

    Args:
        text: Plain text; the first 6,000 characters are read.
    """
    text = text[:6_000]
    words = max(1, len(text.split()))
    years, signs = len(_YEAR.findall(text)), len(_REFERENCE_SIGNS.findall(text))
    verbs = len(_VERB.findall(text))
    if _CROSSREF_LIST.match(text) and years >= 2:
        return True
    return years >= 3 and signs >= 4 and (years + signs) / words > 0.1 and verbs / words < 0.03


def is_contents(text: str) -> bool:
    """Whether a text is a table of contents.

    Args:
        text: Plain text; the first 6,000 characters are read.
    """
    text = text[:6_000]
    words = max(1, len(text.split()))
    verbs = len(_VERB.findall(text))
    if len(_LEADERS.findall(text)) >= 3:
        return True
    if verbs / words > 0.03:
        return False
    numbers = [int(found) for found in _NUMBERED.findall(text)]
    rising = sum(after - before == 1 for before, after in pairwise(numbers))
    head = bool(_CONTENTS_HEAD.match(text))
    pieces = text.count(";") + text.count(" - ") + text.count(" -- ") + text.count(" | ")
    return len(_CHAPTER.findall(text)) >= 3 or rising >= 4 or (head and (rising >= 2 or pieces >= 3))
