"""How alike two titles are, and what tells them apart although they look alike."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rapidfuzz import fuzz

from veriscite.evidence.folding import STOP_WORDS, content_words, fold
from veriscite.evidence.wording import compare_words, tells_apart

CLOSE = 0.85
FOUND_IN_ENTRY = 85
MAX_ENTRY = 12_000
"""So much of a raw entry is searched: in front of a title can stand hundreds of authors."""

WITHOUT_SUBTITLE = "one without the subtitle"
CUT_SHORT = "one is cut short"
GOES_ON = "one goes on after the other's last word"
OTHER_KIND = "another kind of work about the same"
_LONG_TITLE = 6

# Works about a work. Where the entry has no such word, a record that has one is another publication.
_NOTICE_WORDS = (
    r"corrections?|corrigend(?:um|a)|errat(?:um|a)|retractions?(?: note| notice)?|withdrawal|addend(?:um|a)|"
    r"expressions? of concern|comments?|commentary|remarks?|notes?|reply|replies|response|rejoinder|letter|"
    r"editorial(?: comment)?|book review|review|reviewers? (?:report|comments?)|referees? report|discussion|"
    r"preface|foreword|decision letter|decision|assessment|tweetorial|poster|slides|protocol|evaluation|"
    r"recommendation|(?:supplement(?:ary|al)?|supporting|additional|research|replication|underlying|raw) "
    r"(?:materials?|data|information|files?|code|tables?|figures?|methods?)|supplement|appendix|appendices|"
    r"data(?:set)?|code|software|figures?|tables?|videos?|moesm"
)
_NUMBER = r"(?: ?#?[a-z]?\d{1,3}[a-z]?)?"
_NOTICE_BEFORE = re.compile(
    r"^(?:an? |the )?"
    r"(?:(?:publisher|author|authors|editorial|notice of|statement of|in|open|peer|open peer|invited|online"
    r"|elife|faculty opinions|faculty of 1000|f1000)s? ){0,2}"
    rf"(?P<kind>{_NOTICE_WORDS}){_NUMBER}"
    r"(?: (?:to|on|of|for|from|by the authors?|from the authors?|re|regarding|about|note|notice)\b"
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
# What reference managers and lists write behind a title.
_BEHIND = re.compile(
    r"\s*(?:[\[(](?:[jmcdpz]|online|preprint|in press|paperback|hardcover|internet|forthcoming|accepted|epub"
    r"|\d(?:st|nd|rd|th) ed(?:ition|n)?\.?)[\])]"
    r"|[,.] (?:arxiv preprint|arxiv|corr abs|corr|in press|preprint|\d(?:st|nd|rd|th) ed(?:ition|n)?\.?))"
    r"\s*\.?\s*$",
    re.IGNORECASE,
)
_CUT_SHORT = re.compile(r"(?:\.\.\.|…|\. \. \.)\s*$")

# A subtitle that makes another work of the same main title.
_OTHER_WORK = frozenset(
    "protocol review reply correction erratum corrigendum retraction replication metaanalysis rejoinder "  # noqa: SIM905
    "addendum revisited revisiting redux reconsidered sequel followup supplementary meta".split()
)
# These do so at the beginning only: `A comment`, but not `Effects on the response`.
_OTHER_WORK_FIRST = frozenset(
    "response comment comments commentary letter discussion update updated editorial supplement appendix "  # noqa: SIM905
    "part".split()
)
NEGATIONS = frozenset({"not", "no", "without", "non", "never", "nor"})
_SUBTITLE = re.compile(r"\s*(?:[:;]|[?!](?=\s+[^\sa-z])|(?<!\bvs)\.(?=\s)|\s[—–-]+\s|[—–]|\()\s*")

_ENTRY_WORDS = frozenset(
    {
        "article",
        "inproceedings",
        "author",
        "authors",
        "editor",
        "title",
        "year",
        "booktitle",
        "journal",
        "misc",
    }
)
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
            return (
                fold(match["kind"])
                .split()[0]
                .rstrip("s")
                .replace("errata", "erratum")
                .replace("replie", "reply")
            )
    return ""


def bare_title(title: str) -> str:
    """Take off the mark of a retraction, and what lists write behind a title (`[J]`, `(in press)`)."""
    return _BEHIND.sub("", _RETRACTED_TAIL.sub("", _RETRACTED_MARK.sub("", title[:3_000])))


def compare_titles(cited: str, found: str) -> TitleMatch:
    """Compare the cited title with a record's.

    Equal after folding is exact. Misspelt or split words, or one word forgotten within a long title, are
    close. A title cut short, or one without its subtitle, is partial. Other numbers, a word replaced by
    another, or a subtitle that names another kind of work are differences, however alike the strings.

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
    if ratio >= CLOSE and _same_wording(a, b):
        return TitleMatch(TitleFit.CLOSE, ratio)
    partial = _without_subtitle(cited, a, found, b) or _cut_short(cited, a, found, b)
    if partial is not None:
        return partial
    note = "other numbers" if ratio >= CLOSE and _numbers(a) != _numbers(b) else "another title"
    return TitleMatch(TitleFit.DIFFERENT, min(ratio, 0.8), note)


def find_title(
    found: str, raw: str, *, people: frozenset[str] = frozenset(), head: bool = True
) -> TitleMatch:
    """Look for a record's title, or its main title, inside a raw entry whose own title is not known.

    Args:
        found: Title of the record.
        raw: The entry as it stands in the list.
        people: Folded words of the names that may stand in front of the title. Other words there are
            another title: the record is of the book or journal that the work is in.
        head: Whether the title without its subtitle will do.
    """
    bare = bare_title(found)
    whole = _find(fold(bare), raw, people)
    if whole.fit is not TitleFit.DIFFERENT or not head:
        return whole
    for mark in _SUBTITLE.finditer(bare[:1_000]):
        main = fold(bare[: mark.start()])
        if len(content_words(main)) >= 4 and not _is_other_work(fold(bare[mark.start() :]).split()):
            inside = _find(main, raw, people, whole_field=True)
            if inside.fit in (TitleFit.EXACT, TitleFit.CLOSE):
                return TitleMatch(TitleFit.PARTIAL, 0.9 * inside.score, WITHOUT_SUBTITLE)
    return whole


def _find(title: str, raw: str, people: frozenset[str], *, whole_field: bool = False) -> TitleMatch:
    """Look for a folded title inside an entry, set off from the words around it.

    Args:
        title: Folded.
        raw: The entry.
        people: As for `find_title`.
        whole_field: Whether no colon may follow, as before a subtitle.
    """
    # Braces end a field of BibTeX as a full stop does elsewhere.
    raw = (
        raw[:MAX_ENTRY].replace("{", " ").replace("}", " . ") if raw.lstrip()[:1] == "@" else raw[:MAX_ENTRY]
    )
    entry = fold(raw, MAX_ENTRY)
    if len(content_words(title)) < 2 or len(title) < 10:
        return TitleMatch(TitleFit.DIFFERENT, 0.0, "the title is too short to be looked for")
    place = fuzz.partial_ratio_alignment(title, entry, score_cutoff=FOUND_IN_ENTRY)
    if place is None or len(entry) < len(title):
        return TitleMatch(TitleFit.DIFFERENT, 0.0, "the title is not in the entry")
    start, end = _to_words(entry, place.dest_start, place.dest_end)
    inside = compare_titles(entry[start:end], title)
    if inside.fit in (TitleFit.DIFFERENT, TitleFit.PARTIAL):
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "the title is not in the entry")
    before, after = entry[:start].split(), entry[end:].split()
    if not _stands_alone(raw, len(before), len(entry[start:end].split()), whole_field=whole_field):
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "only a part of the entry's title")
    if _is_container(before, people):
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "the entry names another title in front of it")
    about = set(before[-2:])
    if not _ends_field(raw, len(before) + len(entry[start:end].split())):
        about |= set(after[:3])
    if (_OTHER_WORK | _OTHER_WORK_FIRST) & about:
        return TitleMatch(TitleFit.DIFFERENT, inside.score, "the entry is of a work about this one")
    return inside


def _numbers(folded: str) -> list[str]:
    return sorted(number.lstrip("0")[:40] for number in re.findall(r"\d+", folded))


def _same_wording(a: str, b: str) -> bool:
    """Whether no word of meaning is replaced by another; one within a long title may be missing."""
    difference = compare_words(a, b)
    if not difference.lost and not difference.added:
        return True
    if difference.at_edge or difference.replaced or len(difference.lost) + len(difference.added) > 1:
        return False
    word = (*difference.lost, *difference.added)[0]
    if word in NEGATIONS | _OTHER_WORK | _OTHER_WORK_FIRST or tells_apart(word):
        return False
    return min(len(content_words(a)), len(content_words(b))) >= _LONG_TITLE


def _without_subtitle(cited: str, a: str, found: str, b: str) -> TitleMatch | None:
    """Judge one title as the other without its subtitle."""
    short, long_raw = (a, found) if len(a) <= len(b) else (b, cited)
    if len(content_words(short)) < 2:
        return None
    for mark in _SUBTITLE.finditer(long_raw[:1_000]):
        head = fold(long_raw[: mark.start()])
        rest = fold(long_raw[mark.start() :]).split()
        if not head or not rest or abs(len(head) - len(short)) > 0.15 * len(short):
            continue
        difference = compare_words(short, head)
        if difference.lost or difference.added:
            continue
        alike = fuzz.ratio(short.replace(" ", ""), head.replace(" ", "")) / 100
        if _is_other_work(rest):
            return TitleMatch(TitleFit.DIFFERENT, 0.8 * alike, OTHER_KIND)
        return TitleMatch(TitleFit.PARTIAL, 0.93 * alike, WITHOUT_SUBTITLE)
    return None


def _cut_short(cited: str, a: str, found: str, b: str) -> TitleMatch | None:
    """Judge one title as the beginning of the other, whose last word may itself be cut off."""
    (short, short_raw), long = ((a, cited), b) if len(a) <= len(b) else ((b, found), a)
    words, long_words = short.split(), long.split()
    told = bool(_CUT_SHORT.search(short_raw))
    if len(content_words(short)) < (3 if told else 5) or len(long_words) < len(words):
        return None
    # Hyphens make the count of words uncertain: the cut is looked for by letters.
    compact, long_compact = short.replace(" ", ""), long.replace(" ", "")
    if long_compact.startswith(compact):
        at = len(compact)
    else:
        places = fuzz.partial_ratio_alignment(compact, long_compact[: len(compact) + 4])
        at = places.dest_end if places else len(compact)
    head, tail = _split_at(long_words, at)
    last = words[-1]
    if head and head[-1] != last and head[-1].startswith(last):
        told = told or len(words) >= 5
        head, words = head[:-1], words[:-1]
    difference = compare_words(" ".join(words), " ".join(head))
    if difference.lost or difference.added or difference.misspelt > 1 + len(words) // 6:
        return None
    if not tail and told and head == long_words:
        return None
    alike = fuzz.ratio(compact, long_compact[:at]) / 100
    if _is_other_work(tail):
        return TitleMatch(TitleFit.DIFFERENT, 0.8 * alike, OTHER_KIND)
    return TitleMatch(TitleFit.PARTIAL, 0.9 * alike, CUT_SHORT if told else GOES_ON)


def _is_other_work(tail: list[str]) -> bool:
    """Whether the words behind a title make another work of it."""
    return bool(_OTHER_WORK.intersection(tail) or _OTHER_WORK_FIRST.intersection(tail[:2]))


def _split_at(words: list[str], at: int) -> tuple[list[str], list[str]]:
    """Split words where `at` letters are counted; a word that is cut goes to the first part."""
    count = 0
    for place, word in enumerate(words):
        if count >= at:
            return words[:place], words[place:]
        count += len(word)
    return words, []


def _is_container(before: list[str], people: frozenset[str]) -> bool:
    """Whether the words in front of a title are those of another title, of a part of it."""
    if before[-1:] == ["in"]:
        return True
    others = [
        word for word in before if len(word) > 3 and word.isalpha() and word not in people | _ENTRY_WORDS
    ]
    return bool(people) and len([word for word in others if word not in STOP_WORDS]) >= 3


def _gaps(raw: str, words: int) -> list[str] | None:
    """Signs in front of each folded word of an entry and behind the last.

    None where mark-up goes across words, so that their places cannot be told.
    """
    runs = _RUNS.findall(_APOSTROPHE.sub("", raw))
    gaps, gap = [], ""
    for run in runs:
        if not run[0].isalnum():
            gap = run
            continue
        for number, _ in enumerate(fold(run).split()):
            gaps.append("" if number else gap)
        gap = ""
    return [*gaps, gap] if len(gaps) == words else None


def _stands_alone(raw: str, first: int, count: int, *, whole_field: bool) -> bool:
    """Whether signs set off the folded words `first` to `first + count` from the rest of the raw entry."""
    gaps = _gaps(raw, len(fold(raw, MAX_ENTRY).split()))
    if gaps is None:
        return not whole_field
    begins = first == 0 or gaps[first].strip() not in _JOINERS
    behind = gaps[first + count]
    ends = first + count == len(gaps) - 1 or behind.strip() not in _JOINERS
    if whole_field and first + count < len(gaps) - 1:
        ends = ends and not behind.lstrip(" )]}”\"'’").startswith((":", "?", "!", "-", "–", "—", "(", ";"))
    return begins and ends


def _ends_field(raw: str, place: int) -> bool:
    """Whether a full stop, a comma or a quotation mark ends a field in front of a folded word of an entry.

    The venue follows then, whose name may hold any word (`Review`); but not where a part is numbered.
    """
    words = fold(raw, MAX_ENTRY).split()
    gaps = _gaps(raw, len(words))
    if gaps is None or place >= len(words) or words[place] == "part":
        return False
    return bool(re.match(r"\s*[.,”\"}]", gaps[place]))


def _to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a range to the borders of words."""
    while start > 0 and text[start - 1] != " " and text[start : start + 1] != " ":
        start -= 1
    while end < len(text) and text[end] != " " and text[end - 1 : end] != " ":
        end += 1
    return start, end
