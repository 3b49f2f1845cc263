"""Whether the authors of a record are those that an entry names."""

from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz import fuzz

from veriscite.domain import Author, Reference
from veriscite.evidence.folding import content_words, fold

SAME_FAMILY = 85.0
MAX_COMPARED = 25
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
    """

    fit: AuthorFit
    score: float | None
    overlap: float | None = None
    cited: int = 0
    note: str = ""


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
    if _is_body(cited[0]) or _is_body(authors[0]):
        return _compare_bodies(cited, authors)
    likeness = [[_alike(c, f) for f in authors[:100]] for c in cited]
    overlap = sum(max(row) >= 0.6 for row in likeness) / len(cited)
    first, first_anywhere = likeness[0][0], max(likeness[0])
    if first >= 0.8:
        return AuthorMatch(AuthorFit.SAME, 0.7 + 0.3 * overlap, overlap, len(cited))
    if first_anywhere >= 0.8 or (overlap >= 0.5 and len(cited) >= 3):
        note = "authors in another order" if overlap >= 0.5 else "first author is not the first there"
        fit = AuthorFit.SAME if overlap >= 0.5 else AuthorFit.WEAK
        return AuthorMatch(fit, 0.5 + 0.25 * overlap, overlap, len(cited), note)
    if first >= 0.6:
        return AuthorMatch(AuthorFit.WEAK, 0.5, overlap, len(cited), "other initials")
    return AuthorMatch(AuthorFit.OTHER, 0.2 * overlap, overlap, len(cited), "other authors")


def same_authors(a: tuple[Author, ...], b: tuple[Author, ...]) -> bool:
    """Whether two records name the same people: same first author, and most of the shorter list."""
    if not a or not b or _alike(a[0], b[0]) < 0.6:
        return False
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    short = short[:MAX_COMPARED]
    return sum(max(_alike(x, y) for y in long[:100]) >= 0.6 for x in short) / len(short) >= 0.6


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
    elif (len(mine) > 1 and set(mine) <= set(words)) or (len(other) > 2 and other in mine):
        # A compound name, or initials that the entry glues to the family name.
        alike, swapped = 0.9, False
    elif len(family) > 1 and family in words:
        alike, swapped = 0.85, True
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


def _compare_with_raw(reference: Reference, authors: tuple[Author, ...]) -> AuthorMatch:
    """Search the entry itself for the record's authors; an entry of a title alone says nothing."""
    entry = fold(reference.raw)
    title = fold(reference.title or "")
    rest = entry.replace(title, " ", 1) if title else entry
    if len(content_words(rest)) < 2:
        return _UNKNOWN
    padded = f" {rest} "
    named = [bool(fold(a.family)) and f" {fold(a.family)} " in padded for a in authors[:MAX_COMPARED]]
    if named[0]:
        return AuthorMatch(AuthorFit.SAME, 0.9, None, 0, "first author named in the entry")
    if sum(named) * 2 >= len(named):
        return AuthorMatch(AuthorFit.WEAK, 0.6, None, 0, "some authors named in the entry")
    return AuthorMatch(AuthorFit.OTHER, 0.0, None, 0, "the entry names none of the authors")
