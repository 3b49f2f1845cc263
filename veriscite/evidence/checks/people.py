"""The authors of an entry beside those of a record: who is missing, added, replaced or misspelt."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from veriscite.domain import Author, Reference
from veriscite.evidence.checks.differences import SAME, Compared, Difference
from veriscite.evidence.checks.kinds import EntryForm, form_of, is_other_version
from veriscite.evidence.folding import fold
from veriscite.evidence.records import Record, display_name

MAX_PEOPLE = 100
MISSPELT = 80.0
_SHARE_OF_STRANGERS = 3
_SHARE_THAT_CHANGES = 5
_LONG_LIST = 20
_SHORT_NAME = 3
_OTHERS = frozenset({"others", "et al", "al", "et", "and others"})
_BODY = frozenset(
    "organization organisation group consortium collaboration collaborators committee agency association "  # noqa: SIM905
    "society council institute university ministry department investigators network team foundation "
    "commission initiative study trial working program programme centre center openai deepmind google meta "
    "anthropic nvidia project developers contributors authors".split()
)
_AND_OTHERS = re.compile(
    r"\bet\.? ?al\b|\bet\.? ?alii\b|\band others\b|\bu\. ?a\b|\bund andere\b|\by otros\b|\be outros\b|…|"
    r"\.\.\.|&\s?others|<etal|\bet collab",
    re.IGNORECASE,
)
_ROUND_LIMITS = frozenset({1, 3, 6, 7, 10, 20})
"""So many authors styles print before they stop; the sign for the rest may be lost on the way to us."""

_NICKNAMES = tuple(
    frozenset(names.split())
    for names in (
        "william bill will billy", "robert bob rob bobby", "richard dick rick", "edward ted ed eddie",
        "margaret peggy maggie meg", "elizabeth liz beth betty lisa", "katherine kate kathy", "james jim",
        "charles chuck", "henry harry hank", "john jack", "anthony tony", "alexander sasha alex",
        "michael mike misha", "eugene gene", "lawrence larry", "albert bert al", "joseph joe", "thomas tom",
        "dmitry mitya dima", "nicholas nick", "patricia pat trish", "ronald ron", "zachary zach", "susan sue",
    )
)  # fmt: skip
_GERMAN = (("ae", "a"), ("oe", "o"), ("ue", "u"))


def compare_people(reference: Reference, record: Record) -> Compared:
    """Compare the authors that an entry names with a record's.

    Lists that end in *et al.*, initials, accents, transliterations, the order of family and given name and
    compound names are no differences.
    """
    cited = [a for a in reference.authors[:MAX_PEOPLE] if fold(a.family) not in _OTHERS and fold(a.family)]
    found = [a for a in record.authors[:MAX_PEOPLE] if fold(a.family)]
    if not cited or not found or _unclear(reference, cited, found):
        return None
    whole_record = len(record.authors) <= MAX_PEOPLE
    prose = form_of(reference) is EntryForm.PROSE
    text = f" {fold(reference.raw)} " if prose else ""
    strangers = [c for c in cited if not any(same_person_name(c, f) for f in found)]
    if len(strangers) * _SHARE_THAT_CHANGES <= len(cited) and is_other_version(reference, record):
        strangers = []  # from one version of a manuscript to the next, a few authors come and go
    if strangers and whole_record:
        return _strangers(cited, found, strangers, text)
    same_version = not is_other_version(reference, record)
    notes = [*_order(cited, found), *_given_names(cited, found, same_version), *_spelling(cited, found)]
    missing = [f for f in found if not any(same_person_name(c, f) for c in cited)]
    missing = [f for f in missing if not (text and _named_in(text, f))]
    if missing and not _may_be_cut(reference, len(cited)):
        notes.append(f"{len(cited)} of {len(record.authors)} authors are named, without et al.")
    if not notes:
        return SAME
    return Difference(
        _listed(cited), _listed(found, len(record.authors)), serious=False, note="; ".join(notes)
    )


def same_person_name(a: Author, b: Author) -> bool:
    """Whether two family names may be one: spelling, transliteration, compounds, swapped names."""
    mine, theirs = _spellings(a.family), _spellings(b.family)
    if mine & theirs:
        return True
    first, second = max(mine, key=len), max(theirs, key=len)
    if min(len(first), len(second)) >= 4 and fuzz.ratio(first, second) >= MISSPELT:
        return True
    words, others = set(fold(display_name(a)).split()), set(fold(display_name(b)).split())
    family, other = set(fold(a.family).split()), set(fold(b.family).split())
    compound = family <= others or other <= words or bool(family & other - _short(family & other))
    return compound or _joined(words) == _joined(others)


def _unclear(reference: Reference, cited: Sequence[Author], found: Sequence[Author]) -> bool:
    """Whether the lists cannot be compared: bodies, editors, a name that was not taken apart."""
    if any(_is_body(a) for a in (*cited, *found)):
        return True
    if form_of(reference) is EntryForm.BIBTEX and not re.search(
        r"[\s,{(]author\s{0,10}=", reference.raw[:20_000], re.IGNORECASE
    ):
        return True
    # A list read as one name says nothing of who is missing.
    return any(len(fold(a.family).split()) > 5 or re.search(r"\band\b|&|;", a.family) for a in cited)


def _strangers(
    cited: Sequence[Author], found: Sequence[Author], strangers: Sequence[Author], text: str
) -> Compared:
    """Authors whom the record does not name."""
    if text and all(_named_in(text, f) for f in found):
        return None  # all are there: what is left over was split off wrongly when the entry was read
    replaced_first = cited[0] in strangers and not any(same_person_name(c, found[0]) for c in cited)
    if text and replaced_first and _named_in(text, found[0]):
        replaced_first = False
    several = len(strangers) >= 2 and len(strangers) * _SHARE_OF_STRANGERS > len(cited)
    names = ", ".join(display_name(a) for a in strangers[:5])
    note = f"the record does not name {names}{' and others' if len(strangers) > 5 else ''}"
    if replaced_first and not several and _same_given(cited[0], found[0]) and len(cited) == len(found):
        replaced_first = False  # one given name, another family name: people marry
    if cited[0] in strangers and len(cited) == 1 and len(found) > 1 and not replaced_first:
        return None
    serious = replaced_first or several
    return Difference(_listed(cited), _listed(found), serious=serious, note=note)


def _order(cited: Sequence[Author], found: Sequence[Author]) -> list[str]:
    first, families = found[0], [fold(f.family) for f in found]
    if families == sorted(families):
        return []  # some proceedings are listed in alphabetical order whatever the paper has
    if same_person_name(cited[0], first) or not any(same_person_name(c, first) for c in cited[1:]):
        return []
    return ["in another order"]


def _given_names(cited: Sequence[Author], found: Sequence[Author], same_version: bool) -> list[str]:
    """People of the same family name but other given names."""
    other = []
    for c in cited:
        bearers = [f for f in found if _spellings(c.family) & _spellings(f.family)]
        taken = [f for f in bearers if any(d is not c and _is_person(d, f) for d in cited)]
        if bearers and len(taken) == len(bearers) and not same_version:
            continue  # the record does not name this one at all: see `_SHARE_THAT_CHANGES`
        if bearers and not any(_same_given(c, f) for f in bearers):
            other.append(f"{display_name(c)} ({display_name(bearers[0])})")
    return [f"other given names: {', '.join(other[:5])}"] if other else []


def _spelling(cited: Sequence[Author], found: Sequence[Author]) -> list[str]:
    odd = []
    for c in cited:
        if any(_alike_exactly(c, f) for f in found):
            continue
        near = [f for f in found if same_person_name(c, f)]
        if near and len(fold(c.family)) >= 4 and len(fold(c.family).split()) == 1:
            odd.append(f"{c.family} ({near[0].family})")
    return [f"other spelling: {', '.join(odd[:5])}"] if odd else []


def _is_person(a: Author, b: Author) -> bool:
    return bool(_spellings(a.family) & _spellings(b.family)) and _same_given(a, b)


def _alike_exactly(a: Author, b: Author) -> bool:
    """As `same_person_name`, but for misspelling."""
    if _spellings(a.family) & _spellings(b.family):
        return True
    words, others = set(fold(display_name(a)).split()), set(fold(display_name(b)).split())
    family, other = set(fold(a.family).split()), set(fold(b.family).split())
    return family <= others or other <= words or _joined(words) == _joined(others)


def _may_be_cut(reference: Reference, cited: int) -> bool:
    raw = reference.raw[:20_000]
    if _AND_OTHERS.search(raw) or re.search(r"\bothers\b", raw[:20_000], re.IGNORECASE):
        return True
    return cited >= _LONG_LIST or (form_of(reference) is EntryForm.PROSE and cited in _ROUND_LIMITS)


def _named_in(text: str, author: Author) -> bool:
    return any(f" {spelling} " in text for spelling in _spellings(author.family)) or (
        f" {fold(author.family)} " in text
    )


def _spellings(family: str) -> set[str]:
    """Spellings of a family name that are one: without spaces, with and without the German `e`."""
    whole = fold(family).replace(" ", "")
    reduced = whole
    for pair, vowel in _GERMAN:
        reduced = reduced.replace(pair, vowel)
    words = [word for word in fold(family).split() if len(word) > 1]
    # Initials and particles that the entry or the record counts to the family name.
    bare = words[-1] if words and all(len(w) <= 3 for w in words[:-1]) else whole
    return {whole, reduced, bare}


def _short(words: set[str]) -> set[str]:
    return {word for word in words if len(word) <= 3}


def _joined(words: set[str]) -> str:
    return "".join(sorted("".join(words)))


def _same_given(a: Author, b: Author) -> bool:
    """Whether given names may be one person's; names that are missing contradict nothing."""
    mine, theirs = fold(a.given or "").split(), fold(b.given or "").split()
    if not mine or not theirs:
        return True
    initials = _initials(a.given or ""), _initials(b.given or "")
    if initials[0] & initials[1]:
        return True
    first, second = "".join(mine), "".join(theirs)
    if min(len(first), len(second)) >= _SHORT_NAME and (first in second or second in first):
        return True
    return any(set(mine) & names and set(theirs) & names for names in _NICKNAMES)


def _initials(given: str) -> set[str]:
    glued = given.replace(".", "").replace("-", "").replace(" ", "")
    if len(glued) <= 4 and glued.isupper():
        return set(fold(" ".join(glued)).split())
    return {word[0] for word in fold(given).split()}


def _is_body(author: Author) -> bool:
    return author.corporate or bool(_BODY & set(fold(author.family).split()))


def _listed(authors: Sequence[Author], total: int = 0) -> str:
    """Names as `Family, Given`, with semicolons between them."""
    names = [f"{a.family}, {a.given}" if a.given else a.family for a in authors]
    return "; ".join([*names, *(["et al."] if total > len(authors) else [])])
