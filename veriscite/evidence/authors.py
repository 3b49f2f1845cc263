"""Whether the authors of a record are those that an entry names."""

import re
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from veriscite.domain import Author, Reference
from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.wording import is_misspelt

SAME_FAMILY = 85.0
MAX_COMPARED = 25
MAX_FOUND = 300
MAX_ENTRY = 12_000
_PEOPLE_FIELD = re.compile(r"\b(?:author|editor)s?\s*=\s*[{\"]*[^\W_]", re.IGNORECASE)
_PEOPLE_BEHIND = re.compile(
    r"\b(?:by|eds?)\b|(?<![^\W_])[A-Z]\. ?(?:[A-Z]\. ?)?[A-Z][a-z]"
    r"|[A-Z][a-z]+,? [A-Z]\.|[A-Z][a-z]+ [A-Z]{1,2}[,.;]"
)
_OTHERS = frozenset({"others", "et al", "al", "et"})
_BODY_WORDS = frozenset(
    "organization organisation group consortium collaboration collaborators committee agency association "  # noqa: SIM905
    "society council institute university ministry department investigators network team foundation "
    "commission initiative study trial".split()
)


class AuthorFit(StrEnum):
    """In which way the authors fit."""

    SAME = "same"
    WEAK = "weak"
    UNKNOWN = "unknown"
    OTHER = "other"


@dataclass(frozen=True)
class AuthorMatch:
    """How the authors fit.

    Attributes:
        score: 0 to 1; None when there was nothing to compare.
        overlap: Share of the cited authors that the record names too; None as above.
        cited: How many cited authors were compared.
        in_order: Whether the first author cited is the record's first; None where it was not to be told.
    """

    fit: AuthorFit
    score: float | None
    overlap: float | None = None
    cited: int = 0
    note: str = ""
    in_order: bool | None = None


_UNKNOWN = AuthorMatch(AuthorFit.UNKNOWN, None, note="no authors to compare")


def compare_authors(reference: Reference, authors: tuple[Author, ...]) -> AuthorMatch:
    """Compare the authors that an entry names with those of a record.

    The first author must be the record's first; or at least half of the cited authors must be among the
    record's. Equal family names with other initials are a weak fit. An entry without parsed authors is
    searched for the family names of the record's authors.
    """
    cited = [a for a in reference.authors if fold(a.family) and fold(a.family) not in _OTHERS][:MAX_COMPARED]
    if not authors:
        return _UNKNOWN
    if not cited:
        return _compare_with_raw(reference, authors)
    cited = [_whole_name(author) for author in cited]
    if _is_body(cited[0]) or _is_body(authors[0]):
        return _compare_bodies(cited, authors)
    likeness = [[_alike(c, f) for f in authors[:MAX_FOUND]] for c in cited]
    overlap = sum(max(row) >= 0.6 for row in likeness) / len(cited)
    first, first_anywhere = likeness[0][0], max(likeness[0])
    if first >= 0.8:
        return AuthorMatch(AuthorFit.SAME, 0.7 + 0.3 * overlap, overlap, len(cited), in_order=True)
    if first_anywhere >= 0.8 or (overlap >= 0.5 and len(cited) >= 3):
        note = "authors in another order" if overlap >= 0.5 else "first author is not the first there"
        fit = AuthorFit.SAME if overlap >= 0.5 else AuthorFit.WEAK
        return AuthorMatch(fit, 0.5 + 0.25 * overlap, overlap, len(cited), note, in_order=False)
    if first >= 0.6:
        return AuthorMatch(AuthorFit.WEAK, 0.5, overlap, len(cited), "other initials")
    return AuthorMatch(AuthorFit.OTHER, 0.2 * overlap, overlap, len(cited), "other authors")


def same_authors(a: tuple[Author, ...], b: tuple[Author, ...], *, any_order: bool = False) -> bool:
    """Whether two records name the same people: most of the shorter list, and the same first author.

    Args:
        a: Authors of one record.
        b: Authors of the other.
        any_order: Whether two or more people in common will do, whoever comes first.
    """
    if not a or not b:
        return False
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    short = short[:MAX_COMPARED]
    shared = sum(max(_alike(x, y) for y in long[:MAX_FOUND]) >= 0.6 for x in short)
    first = _alike(a[0], b[0]) >= 0.6 or (any_order and shared >= 2)
    return first and shared / len(short) >= 0.6


def _alike(cited: Author, found: Author) -> float:
    """Likeness of two names: 0, or 0.6 (family only) to 1."""
    family, other = fold(cited.family), fold(found.family)
    words = f"{fold(found.given or '')} {other}".split()
    if not family or not words:
        return 0.0
    mine = family.split()
    if family == other:
        alike, swapped = 1.0, False
    elif len(family) >= 5 and fuzz.ratio(family, other) >= SAME_FAMILY:
        alike, swapped = 0.9, False
    elif len(family) >= 6 and abs(len(family) - len(other)) <= 1 and is_misspelt(family, other):
        alike, swapped = 0.8, False
    elif (len(mine) > 1 and set(mine) <= set(words)) or (len(other) > 2 and other in mine):
        # A compound name, or initials that the entry glues to the family name.
        alike, swapped = 0.9, False
    elif (len(family) > 1 and family in words) or (len(other) > 1 and fold(cited.given or "") == other):
        # Given and family names in the other order; the rest has to agree.
        rest = family if family not in words else fold(cited.given or "")
        own = fold(found.given or "") if family not in words else other
        alike, swapped = 0.85, not rest or not own or rest[0] == own[0]
    else:
        return 0.0
    if swapped or _initials_agree(cited.given, found.given):
        return alike
    return 0.6


def _initials_agree(a: str | None, b: str | None) -> bool:
    """Whether two given names share an initial; names that are missing contradict nothing."""
    mine, theirs = _initials(a), _initials(b)
    return not mine or not theirs or bool(mine & theirs)


def _initials(given: str | None) -> set[str]:
    if not given:
        return set()
    glued = given.replace(".", "").replace("-", "")
    if len(glued) <= 4 and glued.isupper():
        return set(fold(" ".join(glued)).split())
    return {word[0] for word in fold(given).split()}


def _is_body(author: Author) -> bool:
    return author.corporate or bool(_BODY_WORDS & set(fold(author.family).split()))


def _compare_bodies(cited: list[Author], authors: tuple[Author, ...]) -> AuthorMatch:
    """Compare bodies with bodies; a body beside persons tells neither for nor against."""
    bodies = [a for a in authors[:100] if _is_body(a) or not a.given]
    names = [fold(f"{a.given or ''} {a.family}") for a in (bodies or authors[:1])]
    mine = fold(f"{cited[0].given or ''} {cited[0].family}")
    if any(fuzz.token_set_ratio(mine, name) >= 90 or _is_acronym(mine, name) for name in names):
        return AuthorMatch(AuthorFit.SAME, 0.9, 1.0, len(cited))
    persons = [c for c in cited if not _is_body(c)]
    if persons and any(_alike(c, f) >= 0.8 for c in persons for f in authors[:100]):
        return AuthorMatch(AuthorFit.SAME, 0.8, 0.5, len(cited))
    if _is_body(cited[0]) and _is_body(authors[0]):
        return AuthorMatch(AuthorFit.OTHER, 0.0, 0.0, len(cited), "another body")
    return AuthorMatch(AuthorFit.UNKNOWN, None, note="a body beside persons")


def _is_acronym(a: str, b: str) -> bool:
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    return " " not in short and len(short) >= 2 and "".join(w[0] for w in content_words(long)) == short


def _whole_name(author: Author) -> Author:
    """Take initials off a family name that they were left at (`Smith JA`)."""
    if author.given or author.corporate or " " not in author.family.strip():
        return author
    first, _, last = author.family.strip().rpartition(" ")
    glued = last.replace(".", "").replace("-", "")
    if 0 < len(glued) <= 3 and glued.isalpha() and glued.isupper() and not author.family.isupper():
        return Author(family=first.rstrip(","), given=last)
    return author


def _compare_with_raw(reference: Reference, authors: tuple[Author, ...]) -> AuthorMatch:
    """Search the entry itself for the record's authors; an entry that names nobody says nothing."""
    if reference.title and _names_nobody(reference.raw, reference.title):
        return _UNKNOWN
    entry = fold(reference.raw[:MAX_ENTRY], MAX_ENTRY)
    title = fold(reference.title or "")
    rest = entry.replace(title, " ", 1) if title else entry
    if len(content_words(rest)) < 2:
        return _UNKNOWN
    words = rest.split()
    named = [_named(author, words) for author in authors[:MAX_COMPARED]]
    if named[0] == 1:
        return AuthorMatch(AuthorFit.SAME, 0.9, None, 0, "first author named in the entry")
    if named[0] or sum(map(bool, named)) * 2 >= len(named):
        note = "other initials in the entry" if named[0] else "some authors named in the entry"
        return AuthorMatch(AuthorFit.WEAK, 0.6, None, 0, note)
    return AuthorMatch(AuthorFit.OTHER, 0.0, None, 0, "the entry names none of the authors")


def _names_nobody(raw: str, title: str) -> bool:
    """Whether nothing but a label stands in front of the title, or a BibTeX entry has no field of people."""
    if raw.lstrip().startswith("@"):
        return not _PEOPLE_FIELD.search(raw[:MAX_ENTRY])
    before, found, after = raw[:MAX_ENTRY].partition(title[:MAX_ENTRY].strip())
    if not found or len(re.findall(r"[^\W\d_]{2,}", before)):
        return False
    # Some styles put people behind the title: there they stand as initials beside a name, or after `by`.
    return not _PEOPLE_BEHIND.search(after[:300])


def _named(author: Author, words: list[str]) -> float:
    """Whether the words of an entry name a person: 1 with an initial that agrees or none, 0.5 with others."""
    family = fold(author.family).split()
    if not family:
        return 0.0
    initials = _initials(author.given)
    best = 0.0
    for at in range(len(words) - len(family) + 1):
        if words[at : at + len(family)] != family:
            continue
        after = words[at + len(family) : at + len(family) + 2]
        before = words[max(0, at - 2) : at]
        if not initials or not any(len(word) <= 2 for word in (*after[:1], *before[-1:])):
            return 1.0  # a whole given name, or none, stands beside it: nothing to compare
        if any(set(word) & initials for word in (*before, *after) if len(word) <= 3):
            return 1.0
        best = 0.5
    return best
