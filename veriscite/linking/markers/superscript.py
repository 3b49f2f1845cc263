"""Superscript markers: as Unicode superscripts, or glued to their word where a paste has lost the style."""

import re
from collections import Counter
from collections.abc import Iterator

from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import BREAK
from veriscite.linking.markers.found import Doubt, Family, Found
from veriscite.linking.markers.numbers import LIST, read_numbers, resolve_numbers
from veriscite.linking.text import DASHES, LETTER

_SUPERS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TO_PLAIN = str.maketrans(_SUPERS + "⁻˒⸴", "0123456789-,,")
_D = re.escape(DASHES)
_RUN = rf"[{_SUPERS}]{{1,4}}"
_SUPERSCRIPT = re.compile(rf"{_RUN}(?:\s{{0,3}}(?:[,;˒⸴]\s{{0,3}}|[⁻{_D}]{{1,2}}\s{{0,3}}){_RUN}){{0,40}}")
_ION = re.compile(r"[⁺⁻+]")
_UNIT = re.compile(
    r"(?:^|[\s\d(/·.*])(?:[kcdmµμnp]?m|ft|in|yd|mi|[mµμn]?s|inch|px|pixels?|Å|dm|days?|years?|weeks?|"
    r"kg/?m|h|Hz|V|A)$"
)
_VARIABLE = re.compile(rf"(?:^|[^\w])(?:{LETTER}|[Rrχηωε]|eta|chi|log|sin|cos|tan)$")
_NUMBER_BEFORE = re.compile(r"(\d+)$")

# Pasted text: "bias14,15 and", "coli.12 This".
# BMJ style parts the numbers with blanks: "groups.2 3 8 One".
_GLUED_LIST = rf"{LIST}(?:[ \u00a0]{LIST}(?=[\s{BREAK}.,;)]|$)){{0,6}}"
_GO_ON = rf"(?=[\s{BREAK})\]]|$)"
_AFTER_STOP = re.compile(
    rf"(?<=[^\W\d_][.,;:!?])({_GLUED_LIST}){_GO_ON}"
    rf"|(?<=[)\]”\"%'’][.,;:])({_GLUED_LIST}){_GO_ON}|(?<=[)”\"’])({_GLUED_LIST})(?=[\s{BREAK}.,;:]|$)"
)
_ENDED = rf"(?=[\s{BREAK}.,;:)\]?!—]|$)"
# Short words are no names of things that are numbered: "shown by12 and", "Baker et al31".
_AFTER_WORD = re.compile(
    rf"(?<=[a-zà-öø-ÿ]{{3}})({_GLUED_LIST}){_ENDED}"
    rf"|(?<=\s(?:al|as|at|by|in|of|on|or|to))({_GLUED_LIST}){_ENDED}|(?<=\d%)({_GLUED_LIST}){_ENDED}"
)
_AFTER_ACRONYM = re.compile(rf"(?<![\w\-])([A-Z]{{2,8}}s?)({_GLUED_LIST}){_ENDED}")
_ACRONYM = re.compile(r"(?<![\w\-])[A-Z]{2,8}s?(?![\w\-])")
_VERSION = re.compile(r"(?:^|\W)[A-Zv]\.$")
_NUMBERED_THING = re.compile(
    r"\b(?:exon|intron|type|phase|day|week|group|table|fig|figure|level|model|version|chapter|step|part|case|class|"
    r"grade|stage|eq|cluster|layer|site|line|arm|wave|time|item|task|dose|lane)s?$",
    re.IGNORECASE,
)
_STOP_AND_LOWER = re.compile(r"\s+[a-z]")


def find_superscripts(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find runs of Unicode superscript digits; exponents, isotopes and charges are doubtful.

    Args:
        text: Masked text of the whole manuscript.
        start: Where to begin.
        end: Where to stop.
        index: The reference list.
    """
    for m in _SUPERSCRIPT.finditer(text, start, end):
        plain = m[0].translate(_TO_PLAIN)
        numbers = read_numbers(plain)
        if not numbers or any(n.low == 0 for n in numbers):
            continue
        doubt = _doubt(text, m.start(), m.end(), plain)
        yield Found(
            m.start(),
            m.end(),
            Family.SUPERSCRIPT,
            resolve_numbers(numbers, index),
            doubt=doubt,
            numbers=numbers,
        )


def _doubt(text: str, a: int, b: int, plain: str) -> Doubt:
    before = text[max(0, a - 12) : a]
    after = text[b : b + 2]
    if _ION.match(after) or before[-1:] in "⁻⁺^":
        return Doubt.EXPONENT
    single = plain.isdigit()
    if not single:
        return Doubt.NONE
    value = int(plain)
    if not before or before[-1].isspace() or before[-1] in "([-–/":
        # ³H, [¹⁴C]glucose: an isotope stands before its element.
        return Doubt.EXPONENT if after[:1].isupper() else Doubt.NONE
    if number := _NUMBER_BEFORE.search(before):
        return Doubt.NONE if len(number[1]) == 4 and number[1][:2] in ("19", "20") else Doubt.EXPONENT
    if value <= 6 and _UNIT.search(before):
        return Doubt.EXPONENT
    if value <= 4 and _VARIABLE.search(before):
        return Doubt.EXPONENT
    return Doubt.NONE


def find_glued(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find numbers glued to a word or its stop, as a paste leaves superscripts.

    Only numbers that the list has are offered: `exon2` in a list of one is none.
    """
    if not index.highest:
        return
    hits = [m.span() for finder in (_AFTER_STOP, _AFTER_WORD) for m in finder.finditer(text, start, end)]
    hits += _after_acronyms(text, start, end)
    for a, b in sorted(hits):
        numbers = read_numbers(text[a:b])
        if not numbers or any(n.low == 0 or n.high > index.highest or n.high < n.low for n in numbers):
            continue
        before = text[max(0, a - 3) : a]
        # No sentence ends before a word in lower case: "the MY.11 study", but "et al.4 and".
        if before[-1:] == "." and before != "al." and _STOP_AND_LOWER.match(text, b):
            continue
        if _VERSION.search(before) or _numbered_thing(text[max(0, a - 12) : a], text[a:b]):
            continue
        yield Found(a, b, Family.GLUED, resolve_numbers(numbers, index), numbers=numbers)


def _numbered_thing(before: str, numbers: str) -> bool:
    """Whether the numbers name a thing: `exon2`, `Stage1-4`; `levels16,18` are two citations."""
    thing = _NUMBERED_THING.search(before)
    return thing is not None and (numbers.isdigit() or thing[0][0].isupper())


def _after_acronyms(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Find numbers glued to an acronym that is used without them: `CBT17` beside `CBT`, but no `CD4`."""
    hits = list(_AFTER_ACRONYM.finditer(text, start, end))
    if not hits:
        return
    alone = Counter(m[0] for m in _ACRONYM.finditer(text, start, end))
    whole = Counter(m[0] for m in hits)
    glued = Counter(m[1] for m in hits)
    for m in hits:
        # The name of a gene or a cell comes back with its number; the acronym itself hardly comes alone.
        if whole[m[0]] == 1 and alone[m[1]] >= 2 * glued[m[1]]:
            yield m.span(2)
