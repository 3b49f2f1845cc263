"""How alike two titles are, and what tells them apart although they look alike."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rapidfuzz import fuzz

from veriscite.evidence.folding import MAX_CHARACTERS, STOP_WORDS, content_words, fold

PREFIX_ALIKE = 0.95
CLOSE = 0.9
WORD_ALIKE = 75.0

# Works about a work. Where the entry has no such word, a record that has one is another publication.
_NOTICE_WORDS = (
    r"corrections?|corrigend(?:um|a)|errat(?:um|a)|retractions?(?: note| notice)?|withdrawal|addend(?:um|a)|"
    r"expression of concern|comments?|commentary|reply|replies|response|rejoinder|letter|editorial|"
    r"book review|review|discussion|preface|foreword"
)
_NOTICE_BEFORE = re.compile(
    r"^(?:(?:publisher|author|authors|editorial|notice of|statement of|in|open peer|invited)s? )?"
    rf"(?P<kind>{_NOTICE_WORDS})"
    r"(?: (?:to|on|of|for|by the authors?|from the authors?|re|regarding|about|note|notice)\b"
    r"|(?=\s*[:—–\-\[\"“]))",
    re.IGNORECASE,
)
_NOTICE_AFTER = re.compile(
    rf"[:—–\-.(\[]\s*(?:(?:a|an|the|author'?s?|authors'?|publisher|response and) )?"
    rf"(?P<kind>{_NOTICE_WORDS})\s*[)\]]?\.?\s*$",
    re.IGNORECASE,
)
_RETRACTED_MARK = re.compile(
    r"^\s*[\[(]?(?:retracted(?: article)?|withdrawn)[\])]?\s*[:.\-—]\s*", re.IGNORECASE
)
_RETRACTED_TAIL = re.compile(
    r"\s*[\[(](?:retracted(?: article.{0,200})?|withdrawn)[\])]\s*\.?\s*$", re.IGNORECASE
)

# A subtitle that makes another work of the same main title.
_OTHER_WORK = frozenset(
    "protocol review reply comment comments commentary correction erratum corrigendum retraction editorial "  # noqa: SIM905
    "response rejoinder replication update followup supplement appendix meta metaanalysis part letter "
    "addendum discussion".split()
)
_NEGATIONS = frozenset({"not", "no", "without", "non"})
_SUBTITLE = re.compile(r"\s*(?:[:?!;]|\.(?=\s)|\s[—–-]+\s|[—–]|\()\s*")


_RUNS = re.compile(r"[^\W_]+|[\W_]+")
_APOSTROPHE = re.compile(r"(?<=\w)['’‘ʼ`´](?=\w)")
_JOINERS = frozenset({"", "-", "‐", "–", "_", "&", "/"})


class TitleFit(StrEnum):
    """In which way two titles fit."""

    EXACT = "exact"
    CLOSE = "close"
    PARTIAL = "partial"
    DIFFERENT = "different"


@dataclass(frozen=True)
class TitleMatch:
    """How two titles fit; `score` runs from 0 to 1."""

    fit: TitleFit
    score: float
    note: str = ""


@lru_cache(maxsize=20_000)
def notice_kind(title: str) -> str:
    """Name the kind of notice that a title announces (`erratum`, `comment`), or return ``""``.

    `Retracted: ...` in front of a title marks the paper itself, so it is no notice.
    """
    title = title[:1_000].strip()
    for pattern in (_NOTICE_BEFORE, _NOTICE_AFTER):
        match = pattern.search(title)
        if match:
            return fold(match["kind"]).split()[0].rstrip("s").replace("errata", "erratum")
    return ""


def bare_title(title: str) -> str:
    """Take the mark of a retraction off a title."""
    return _RETRACTED_TAIL.sub("", _RETRACTED_MARK.sub("", title[:3_000]))


def compare_titles(cited: str, found: str) -> TitleMatch:
    """Compare the cited title with a record's.

    Equal after folding is exact. One or two misspelt or split words are close. A title cut short, or one
    without its subtitle, is partial. Other numbers, a word replaced by another, or a subtitle that names
    another kind of work are differences, however alike the strings.

    Args:
        cited: Title as cited; may be truncated or misspelt.
        found: Title of the record.
    """
    a, b = fold(bare_title(cited)), fold(bare_title(found))
    if not a or not b:
        return TitleMatch(TitleFit.DIFFERENT, 0.0, "no title")
    compact_a, compact_b = a.replace(" ", ""), b.replace(" ", "")
    if compact_a == compact_b:
        return TitleMatch(TitleFit.EXACT, 1.0)
    ratio = fuzz.ratio(compact_a, compact_b) / 100
    if ratio >= CLOSE and _numbers(a) == _numbers(b) and _same_words(a, b):
        return TitleMatch(TitleFit.CLOSE, ratio)
    partial = _partial(cited, a, found, b)
    if partial is not None:
        return partial
    note = "other numbers" if ratio >= CLOSE and _numbers(a) != _numbers(b) else "another title"
    return TitleMatch(TitleFit.DIFFERENT, min(ratio, 0.8), note)


def find_title(found: str, raw: str) -> TitleMatch:
    """Look for a record's title inside a raw entry whose own title is not known.

    Args:
        found: Title of the record.
        raw: The entry as it stands in the list.
    """
    title, entry = fold(bare_title(found)), fold(raw)
    if len(content_words(title)) < 2 or len(title) < 10:
        return TitleMatch(TitleFit.DIFFERENT, 0.0, "the title is too short to be looked for")
    place = fuzz.partial_ratio_alignment(title, entry, score_cutoff=85)
    if place is None or len(entry) < len(title):
        return TitleMatch(TitleFit.DIFFERENT, 0.0, "the title is not in the entry")
    start, end = _to_words(entry, place.dest_start, place.dest_end)
    inside = compare_titles(entry[start:end], title)
    if inside.fit in (TitleFit.DIFFERENT, TitleFit.PARTIAL):
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "the title is not in the entry")
    before, after = entry[:start].split(), entry[end:].split()
    if not _stands_alone(raw, len(before), len(entry[start:end].split())):
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "the title is only a part of the entry's")
    if _OTHER_WORK & {*before[-2:], *after[:3]}:
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "the entry is of a work about this one")
    return inside


def _numbers(folded: str) -> list[str]:
    return sorted(str(int(n)) for n in re.findall(r"\d+", folded))


def _same_words(a: str, b: str) -> bool:
    """Whether no word of meaning is replaced by another; one may be missing on one side."""
    lost_a, lost_b = _unmatched(a, b), _unmatched(b, a)
    if (_NEGATIONS | _OTHER_WORK) & {*lost_a, *lost_b}:
        return False
    return not (lost_a and lost_b) and len(lost_a) + len(lost_b) <= 1


def _unmatched(a: str, b: str) -> list[str]:
    words, compact = b.split(), b.replace(" ", "")
    lost = []
    for word in a.split():
        if word in STOP_WORDS or word.isdigit() or len(word) == 1:
            continue
        split_or_joined = len(word) >= 4 and word in compact
        if not split_or_joined and not any(fuzz.ratio(word, other) >= WORD_ALIKE for other in words):
            lost.append(word)
    return lost


def _partial(cited: str, a: str, found: str, b: str) -> TitleMatch | None:
    """Judge one title as the beginning of the other."""
    short, long, long_raw = (a, b, found) if len(a) <= len(b) else (b, a, cited)
    words = len(content_words(short))
    if words >= 2:
        for mark in _SUBTITLE.finditer(long_raw[:1_000]):
            head = fold(long_raw[: mark.start()])
            rest = set(fold(long_raw[mark.start() :]).split())
            if head and rest and not _OTHER_WORK & rest and _numbers(head) == _numbers(short):
                alike = fuzz.ratio(short.replace(" ", ""), head.replace(" ", "")) / 100
                if alike >= PREFIX_ALIKE - 0.05 and _same_words(short, head):
                    return TitleMatch(TitleFit.PARTIAL, 0.93 * alike, "one without the subtitle")
    short_words, long_words = short.split(), long.split()
    head, tail = " ".join(long_words[: len(short_words)]), long_words[len(short_words) :]
    if words < 5 or not tail or _OTHER_WORK & set(tail) or _numbers(head) != _numbers(short):
        return None
    # The last word may itself be cut off.
    compact = short.replace(" ", "")
    alike = fuzz.ratio(compact, head.replace(" ", "")[: len(compact)]) / 100
    if alike >= PREFIX_ALIKE and _same_words(short, head):
        return TitleMatch(TitleFit.PARTIAL, 0.9 * alike, "one is cut short")
    return None


def _stands_alone(raw: str, first: int, count: int) -> bool:
    """Whether signs set off the folded words `first` to `first + count` from the rest of the raw entry."""
    runs = _RUNS.findall(_APOSTROPHE.sub("", raw[:MAX_CHARACTERS]))
    owners = [i for i, run in enumerate(runs) if run[0].isalnum() for _ in fold(run).split()]
    if len(owners) != len(fold(raw).split()) or first + count > len(owners):
        return True  # mark-up across words: where the words stand cannot be told
    start, last = owners[first], owners[first + count - 1]
    begins = first == 0 or runs[start - 1].strip() not in _JOINERS
    ends = first + count == len(owners) or runs[last + 1].strip() not in _JOINERS
    return begins and ends


def _to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a range to the borders of words."""
    while start > 0 and text[start - 1] != " " and text[start : start + 1] != " ":
        start -= 1
    while end < len(text) and text[end] != " " and text[end - 1 : end] != " ":
        end += 1
    return start, end
