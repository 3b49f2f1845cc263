"""Numeric markers: in brackets, in parentheses, and worded (`Refs. 3 and 4`)."""

import re
from collections.abc import Iterator
from dataclasses import replace

from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import BREAK
from veriscite.linking.markers.found import Doubt, Family, Found, Numbers, Removal
from veriscite.linking.markers.numbers import LIST, read_numbers, resolve_numbers
from veriscite.linking.text import DASHES

_D = re.escape(DASHES)
_LEAD = (
    r"(?:(?:see|see also|cf\.?|e\.\s?g\.,?|i\.e\.,?|reviewed in|for (?:a )?reviews?,? see|"
    r"for example,?|and|also|"
    r"refs?\.?|references?|ref\. no\.|nos?\.)\s{1,3}){0,3}"
)
_LOCATOR = (
    r"(?:\s{0,3}[,;:]\s{0,3}(?:pp?\.|pages?|chap(?:ters?|\.)?|ch\.|sec(?:tions?|t?\.)?|§{1,2}|thm\.?|"
    r"theorem|lemma|"
    r"prop(?:osition|\.)?|def(?:inition|\.)?|cor(?:ollary|\.)?|figs?\.?|figures?|tables?|tab\.|"
    r"eqs?\.?|equations?|"
    r"app(?:endix|\.)?|vol\.|part|and (?:the )?references? therein|and others|among others|"
    r"for (?:a )?reviews?)"
    r"[^\[\]]{0,80}|\s{1,3}(?:and (?:the )?references? therein|for (?:a )?reviews?))"
)
_BRACKET = re.compile(rf"\[\s{{0,3}}{_LEAD}({LIST}){_LOCATOR}?\s{{0,3}}[,.]?\s{{0,3}}\]", re.IGNORECASE)
_PAREN = re.compile(rf"\(\s{{0,3}}{_LEAD}({LIST}){_LOCATOR}?\s{{0,3}}\)", re.IGNORECASE)
_WORDED = re.compile(
    rf"(?<![\w.])(?:[Rr]efs?|REFS?|[Rr]eferences?|[Cc]itations?)(?:\.\s{{0,3}}|\s{{1,3}})"
    rf"(?:\[\s{{0,2}}({LIST})\s{{0,2}}\]|\(\s{{0,2}}({LIST})\s{{0,2}}\)|({LIST})(?![\w%°]|[.,]\d|\s{{0,2}}%))"
)
# [2]–[5], [1], [3] and [1][4] are one marker.
_LINK = re.compile(
    rf"\s{{0,2}}(?:([{_D}])|[,;/]\s{{0,2}}(?:and\s{{1,2}})?|\s(?:and|or|&)\s{{1,2}})?\s{{0,2}}"
)
# No marker chains more numbers than this; the bound keeps joining linear.
_MAX_CHAIN = 100
_POINTER = re.compile(
    r"(?:^|[^\w])(?:[Ff]igs?|FIGS?|[Ff]igures?|FIGURES?|[Tt]abs?|[Tt]ables?|TABLES?|[Ee]qs?|[Ee]qns?|"
    r"[Ee]quations?|Exprs?|"
    r"[Ss]ections?|[Ss]ects?|[Ss]ecs?|[Cc]hapters?|Chaps?|Steps?|Algorithms?|Theorems?|Thm|Lemmas?|"
    r"Lines?|Box|Boxes|Panels?|"
    r"Append(?:ix|ices)|Supplement(?:ary)?|Hypothes[ei]s|Propositions?|Prop|Corollar(?:y|ies)|"
    r"Definitions?|Examples?|"
    r"Schemes?|Plates?|Movies?|Videos?|Conditions?|Formulae?|formulae?|Rules?|Footnotes?|Notes?|"
    r"Exercises?|Parts?|"
    r"Models?|Experiments?|Criteri(?:on|a)|Questions?|Items?|Problems?|Assumptions?|Remarks?|"
    r"Constraints?|Case|"
    r"Days?|Weeks?|Phases?|Stages?|Grades?|Class|Groups?|Levels?|Types?|[Pp]ages?|pp?\.|[Nn]os?\.|[Vv]ols?\.)"
    r"(?:\.|\s{0,3}(?:S|A))?\s{0,3}$"
)
_STATISTIC = re.compile(r"\s{0,2}[=<>≤≥≈]")
_INTERVAL = re.compile(
    r"(?:\b(?:intervals?|ranges?|scale|CI|IQR|domain|bounds?|between|values?|window|rated|"
    r"likert)\b[\s:,=]{0,3}"
    r"(?:of\s|from\s|in\s|was\s)?|[∈=±×<>≤≥]\s{0,2}|\\in\s?)$",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?:^|[^\w])(?:[^\W\d_]|\w{0,30}_\w{0,30}|[a-zA-Z]{1,10}\d{1,4}|\w{0,20}\])$")
_SUBJECT_BEFORE = re.compile(
    r"(?:^|[\s(\u201c\"])(?:by|in|from|of|to|than|with|at|on|following|follow|follows|followed|"
    r"per|via|while|and|"
    r"but|or|as|that|because|whereas|both|unlike|like|using|after|under|through|against|over|into|"
    r"adopts?|adopted|employs?|employed|reproduces?|contradicts?)\s{0,3}$",
    re.IGNORECASE,
)
_VERB_AFTER = re.compile(
    r"\s{1,3}(?:is|are|was|were|has|have|had|does|did|also|first|only|show|shows|showed|find|finds|"
    r"found|report|reports|"
    r"reported|propose|proposes|proposed|use|uses|used|suggest|suggests|suggested|describe|describes|"
    r"described|present|"
    r"presents|presented|demonstrate|demonstrates|demonstrated|argue|argues|argued|neglects?|neglected|"
    r"introduced?|introduces|stud(?:y|ies|ied)|observed?|observes|considers?|considered|examined?|examines|"
    r"investigated?|investigates|reviewed|reviews|gives?|gave|provides?|provided|compares?|compared|"
    r"develops?|developed|confirm(?:s|ed)?|claim(?:s|ed)?|states?|stated|note[sd]?)\b"
)
_TERMINATORS = ".!?:;"


def find_brackets(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find `[1]`, `[1, 3-5]`, `[2]–[5]`, `[1][4]`; doubtful ones say why they are.

    Args:
        text: Masked text of the whole manuscript.
        start: Where to begin.
        end: Where to stop.
        index: The reference list.
    """
    for a, b, numbers in _chained(text, _singles(_BRACKET, text, start, end, index)):
        doubt = _bracket_doubt(text, a, b, numbers)
        yield _found(text, a, b, Family.BRACKET, numbers, index, doubt)


def find_parentheses(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find `(1)`, `(1, 2)`, `(3-5)`: shared with equations, enumerators, counts and years."""
    held: Found | None = None
    enumerated = False
    last = start
    for a, b, numbers in _chained(text, _singles(_PAREN, text, start, end, index)):
        # An enumeration lasts to the end of its paragraph at most.
        same_paragraph = text.find(BREAK, last, a) < 0
        enumerated = enumerated and same_paragraph
        last = b
        doubt = _paren_doubt(text, a, b, numbers, enumerated)
        enumerated = enumerated or doubt is Doubt.ENUMERATOR
        if held is not None:
            yield _enumerator(held) if same_paragraph and _opens_list(held, doubt, numbers) else held
        held = _found(text, a, b, Family.PAREN, numbers, index, doubt)
    if held is not None:
        yield held


def _opens_list(before: Found, doubt: Doubt, numbers: tuple[Numbers, ...]) -> bool:
    """Whether a count is the (1) of an enumeration: "that (1) light matters, (2) heat matters"."""
    counts_on = numbers[0].low == before.numbers[-1].high + 1
    return before.doubt is Doubt.COUNT and doubt is Doubt.ENUMERATOR and counts_on


def _enumerator(found: Found) -> Found:
    return replace(found, doubt=Doubt.ENUMERATOR)


def find_worded(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find `ref. 2`, `Refs. 3 and 4`, `references [5-7]`."""
    for m in _WORDED.finditer(text, start, end):
        numbers = read_numbers(m[1] or m[2] or m[3])
        if not _is_year_or_zero(numbers, index):
            parts = resolve_numbers(numbers, index)
            removal = Removal.DROP if text[m.start() - 1 : m.start()] == "(" else Removal.WORK
            yield Found(m.start(), m.end(), Family.WORDED, parts, removal=removal, numbers=numbers)


def _singles(
    pattern: re.Pattern[str], text: str, start: int, end: int, index: ReferenceIndex
) -> Iterator[tuple[int, int, tuple[Numbers, ...]]]:
    for m in pattern.finditer(text, start, end):
        numbers = read_numbers(m[1])
        if not _is_year_or_zero(numbers, index):
            yield m.start(), m.end(), numbers


def _found(
    text: str,
    a: int,
    b: int,
    family: Family,
    numbers: tuple[Numbers, ...],
    index: ReferenceIndex,
    doubt: Doubt,
) -> Found:
    removal = Removal.WORK if is_subject_or_object(text, a, b) else Removal.DROP
    parts = resolve_numbers(numbers, index)
    apart = text[a - 1 : a].isspace()
    return Found(a, b, family, parts, doubt=doubt, removal=removal, numbers=numbers, apart=apart)


def is_subject_or_object(text: str, start: int, end: int) -> bool:
    """Whether a bracketed marker is a word of its sentence (`as shown in [3]`, `[3] showed that`)."""
    before = text[max(0, start - 40) : start]
    stripped = before.rstrip()
    if before == stripped:
        # Glued to a word: a note to it, not a word of its own.
        return not stripped or stripped[-1] == BREAK
    if stripped[-1:] in _TERMINATORS or not stripped or stripped[-1] == BREAK:
        return bool(_VERB_AFTER.match(text, end))
    return bool(_SUBJECT_BEFORE.search(before))


def _is_year_or_zero(numbers: tuple[Numbers, ...], index: ReferenceIndex) -> bool:
    if any(n.low == 0 for n in numbers):
        return True
    top = max(index.highest, 400)
    return all(1500 <= n.low <= 2100 and n.high <= 2100 and n.low > top for n in numbers)


def _chained(
    text: str, singles: Iterator[tuple[int, int, tuple[Numbers, ...]]]
) -> Iterator[tuple[int, int, tuple[Numbers, ...]]]:
    """Join neighbours that are one marker; a dash between two makes a range of their numbers."""
    held: tuple[int, int, tuple[Numbers, ...]] | None = None
    for a, b, numbers in singles:
        if held is not None:
            link = (
                _LINK.fullmatch(text, held[1], a) if a - held[1] <= 12 and len(held[2]) < _MAX_CHAIN else None
            )
            if link:
                joined = (*held[2], *numbers)
                if link[1] and held[2][-1].low == held[2][-1].high and not held[2][-1].suffix:
                    first, last = held[2][-1], numbers[0]
                    bridge = Numbers(f"{first.raw}-{last.raw}", first.low, last.high)
                    joined = (*held[2][:-1], bridge, *numbers[1:])
                held = (held[0], b, joined)
                continue
            yield held
        held = (a, b, numbers)
    if held is not None:
        yield held


def _bracket_doubt(text: str, a: int, b: int, numbers: tuple[Numbers, ...]) -> Doubt:
    before = text[max(0, a - 40) : a]
    if _POINTER.search(before):
        return Doubt.POINTER
    two_values = len(numbers) == 2 or (len(numbers) == 1 and numbers[0].low != numbers[0].high)
    if two_values and _INTERVAL.search(before):
        return Doubt.INTERVAL
    if before and not before[-1].isspace() and _IDENTIFIER.search(before):
        return Doubt.INDEX
    if two_values and _STATISTIC.match(text, b):
        return Doubt.INTERVAL
    after = text[b : b + 1]
    if after and (after.isalpha() or after in "^_{=+"):
        return Doubt.INDEX
    return Doubt.NONE


def _paren_doubt(text: str, a: int, b: int, numbers: tuple[Numbers, ...], enumerated: bool) -> Doubt:
    before = text[max(0, a - 40) : a]
    stripped = before.rstrip()
    if _POINTER.search(before):
        return Doubt.POINTER
    if before and before == stripped and (stripped[-1].isalnum() or stripped[-1] in ")]_"):
        return Doubt.INDEX
    single = len(numbers) == 1 and numbers[0].low == numbers[0].high
    if not single:
        return Doubt.NONE
    after = text[b : b + 1]
    closes = not after or after in ".,;:)!?" + BREAK
    opens = not stripped or (stripped[-1] in ":;,.!?" + BREAK and not stripped.endswith("al."))
    if opens and (not closes or not stripped):
        return Doubt.ENUMERATOR
    if enumerated and not closes and re.search(r"\b(?:and|or|und)$", stripped):
        return Doubt.ENUMERATOR
    return Doubt.NONE if closes else Doubt.COUNT
