"""Venues: abbreviated or not, one journal or two."""

import re

from rapidfuzz import fuzz

from veriscite.domain import Reference
from veriscite.evidence.checks.differences import SAME, Compared, Difference
from veriscite.evidence.checks.kinds import is_preprint_venue
from veriscite.evidence.folding import fold
from veriscite.evidence.records import Record

_SKIPPED = frozenset(
    "the of and in for on a an de la le les des du et der die das und fur y del van zum int annual ann "  # noqa: SIM905
    "international official online print usa us uk london oxford series section part ser sect ed".split()
)
_JOURNAL_KINDS = ("journal", "article", "review", "letter")
_NO_JOURNAL = re.compile(
    r"\b(?:proc\w*|conf\w*|workshops?|symposi\w*|meeting|congress|lecture notes|lncs|lnai|ccis|press|"
    r"publish\w*|verlag|springer|elsevier|wiley|university|universit\w*|institute|book|chapter|thesis|report|handbook|"
    r"encyclop\w*|advances in|studies in|series|findings|companion|track|volume|vol|eds?|chi)\b|\d{4}",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"[A-Z][A-Za-z\d&/+\-']{0,11}(?:[ .]+[A-Z\d&/+\-]{1,12}){0,4}\.?")
_CUT = re.compile(r"\s*[:=/(\[].*$|\s+[—–-]\s.*$|[.,]\s*\d.*$", re.DOTALL)
_COUNTRY = re.compile(r"\bU\. ?S\.(?: ?A\.)?|\bU\. ?K\.")
_ALIKE = 80.0


def compare_venues(reference: Reference, record: Record) -> Compared:
    """Compare an entry's journal with a record's.

    Only journals are compared: conferences have too many names. Abbreviations, acronyms, subtitles, places
    and former parts of a name are no differences; nor is a preprint server on either side.
    """
    cited, found = (reference.venue or "").strip()[:300], (record.venue or "").strip()[:300]
    if not fold(cited) or not fold(found):
        return None
    if is_preprint_venue(cited) or is_preprint_venue(found):
        return None
    if same_venue(cited, found):
        return SAME
    if _NO_JOURNAL.search(cited) or _NO_JOURNAL.search(found) or not _is_journal_article(record):
        return None
    if _may_be_acronym(cited) or _may_be_acronym(found):
        return None
    return Difference(cited, found, serious=True, note="another journal")


def same_venue(a: str, b: str) -> bool:
    """Whether two names may be one venue's."""
    for first in {a, _CUT.sub("", a)}:
        for second in {b, _CUT.sub("", b)}:
            mine, theirs = _words(first), _words(second)
            if not mine or not theirs:
                continue
            if "".join(mine) == "".join(theirs) or fuzz.ratio(" ".join(mine), " ".join(theirs)) >= _ALIKE:
                return True
            if _abbreviates(mine, theirs) or _abbreviates(theirs, mine):
                return True
            if _is_acronym_of(mine, second) or _is_acronym_of(theirs, first):
                return True
    return False


def _words(venue: str) -> list[str]:
    plain = _COUNTRY.sub(" ", venue.replace("&", " and "))
    return [word for word in fold(plain).split() if word not in _SKIPPED]


def _abbreviates(short: list[str], long: list[str]) -> bool:
    """Whether each word of one stands, cut short, in the other, in order; the other may go on."""
    at = 0
    for word in short:
        while at < len(long) and not _cuts(word, long[at]):
            at += 1
        if at == len(long):
            return False
        at += 1
    return True


def _cuts(short: str, long: str) -> bool:
    """Whether a word is another one cut: `chem` of `chemical`, `natl` of `national`, `intl`, `rsch`."""
    if long.startswith(short) or (len(long) >= 4 and short.startswith(long)):
        return True
    if short[0] != long[0] or len(short) < 3 or len(short) >= len(long):
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _is_acronym_of(words: list[str], name: str) -> bool:
    if len(words) != 1 or not 2 <= len(words[0]) <= 8:
        return False
    own = fold(name).split()
    initials = "".join(word[0] for word in own)
    heavy = "".join(word[0] for word in own if word not in _SKIPPED)
    return words[0] in (initials, heavy)


def _may_be_acronym(venue: str) -> bool:
    """Whether a name is a word of capitals or a row of them, whose full name cannot be known here."""
    return bool(_ACRONYM.fullmatch(venue)) and sum(char.isupper() for char in venue) >= 2


def _is_journal_article(record: Record) -> bool:
    kinds = " ".join(record.kinds).lower()
    return not kinds or any(kind in kinds for kind in _JOURNAL_KINDS)
