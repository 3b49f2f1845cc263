"""Superscripts that a paste has left as plain digits after a blank: `cells 4, 5 and`, `grows. 7 Then`.

One such number alone says nothing: `day 4`, `in 12 of them`. Only where those of the whole text run through
the list as citations do (first uses in order, most of the list covered) are they markers, and then only
those that come in their turn.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from veriscite.linking.index import ReferenceIndex
from veriscite.linking.layout import BREAK
from veriscite.linking.markers.found import Doubt, Family, Found
from veriscite.linking.markers.numbers import NUMBER, read_numbers, resolve_numbers
from veriscite.linking.text import DASHES, word_set

_D = re.escape(DASHES)
_ITEM = rf"{NUMBER}(?:\s?[{_D}]\s?{NUMBER})?"
_LIST = rf"{_ITEM}(?:\s?[,;]\s?{_ITEM}){{0,40}}"
_AFTER_BLANK = re.compile(
    rf"(?<=[^\W\d_.,;:)\]”\"’%]|[.,;:)\]”\"’%])[ \u00a0\n]({_LIST})(?![\w%°$€£/]|[.,:]\d|-\w)"
)
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[.,;:)\]”\"’%]{0,2}$")
_STOP_BEFORE = re.compile(r"[.!?][)”\"’]?$")
_CLOSES = re.compile(rf"\s?(?:[.,;:)\]?!]|[{BREAK}]|$)")
_NEXT_WORD = re.compile(r"\s?([^\W\d_]+)")

_OTHER_VALUE = re.compile(r"\s?(?:to|of|out of|(?:and|or) \d+)\b")
_YEAR_BEFORE = re.compile(r"\b(?:19|20)\d\d$")
_AT_END = re.compile(rf"\s*(?:{BREAK}|$)")

# What may follow a citation, and hardly ever a count or the name of a thing.
_GOES_ON = word_set(
    "and or but nor yet while whereas although though because since as if when where which that who whose "
    "whom than so in on at by for from of to with without within into through during between among "
    "against under over after before via per upon across along is are was were be been being has have had "
    "do does did can could may might will would shall should must also however therefore thus hence then "
    "not only both either including suggesting indicating showing leading resulting suggest indicate show "
    "shows showed shown found reported demonstrated described proposed observed used using based such it "
    "this these those they we our their its the a an there here"
)
# What stands before a count, a value or a number that is part of a name.
_LEADS_TO_NUMBER = word_set(
    "a an the of in on at by for from to with without within into and or but than as is are was were be "
    "been had has have about approximately around nearly almost roughly circa over under above below "
    "least most only up between after before until since during every each all these those other another "
    "first last next past previous additional further remaining total totaling some exactly just even we "
    "our their its his her them they it this that which who score scores scored scoring equal equals "
    "equaled aged age ages contains contained containing comprised comprising comprises included includes "
    "including versus vs per times time day days week weeks month months year years hour hours minute "
    "minutes figure figures fig figs table tables section sections chapter chapters equation equations eq "
    "step steps part parts box page pages line lines panel panels scheme appendix supplementary "
    "supplement file files note video movie phase phases stage stages grade grades type types group "
    "groups level levels class classes category categories case cases experiment trial cohort wave "
    "cluster clusters arm lane dose item items question questions tasks point points visit patient "
    "participant subject sample samples site sites region regions zone exon exons intron chromosome "
    "chromosomes chr domain residue residues position positions codon helix subunit isoform variant "
    "interleukin caspase factor protein receptor kinase cyclin collagen claudin version number numbers no "
    "nos ref refs reference references volume vol issue article act rule criterion aim objective theorem "
    "lemma example layer channel channels unit units january february march april may june july august "
    "september october november december jan feb mar apr jun jul aug sep sept oct nov dec spring summer "
    "autumn winter one two three four five six seven eight nine ten p n r f t df ph log mean median ratio "
    "value values rank order quarter size sizes temperature range plus minus approx ca set measurement "
    "maximum minimum deviation mark systems excluding"
)
_NAMED_BY_NUMBER = word_set(
    "study task criteria hypothesis model models experiments studies trials algorithm"
)
_SLACK = 3
_COVERED = 0.6
_LEAST = 5
_IN_TURN = 0.6
_RISING = 0.8
_NAME_REPEATS = 3


def find_loose(text: str, start: int, end: int, index: ReferenceIndex) -> Iterator[Found]:
    """Find lists of numbers after a blank that could be citations by the words around them.

    Args:
        text: Masked text of the whole manuscript.
        start: Where to begin.
        end: Where to stop.
        index: The reference list; only numbers that it has are offered.
    """
    if not index.highest:
        return
    for m in _AFTER_BLANK.finditer(text, start, end):
        numbers = read_numbers(m[1])
        if not numbers or any(n.low == 0 or n.high > index.highest or n.high < n.low for n in numbers):
            continue
        if _could_cite(text[max(start, m.start() - 40) : m.start()], text, m.end(1), len(numbers) > 1):
            yield Found(m.start(1), m.end(1), Family.GLUED, resolve_numbers(numbers, index), numbers=numbers)


def _could_cite(before: str, text: str, end: int, several: bool) -> bool:
    closes = _CLOSES.match(text, end) is not None
    follower = _NEXT_WORD.match(text, end)
    goes_on = closes or (follower is not None and follower[1] in _GOES_ON)
    if _OTHER_VALUE.match(text, end) or before[-1] in ":;" or (before[-1] == "," and not goes_on):
        return False
    inside = before.rfind("(") > before.rfind(")")
    if not inside and text[end : end + 1] == ")":
        return False
    if before[-1] == "," and inside:
        return False
    if before[-1] in ')]”"' or _YEAR_BEFORE.search(before):
        return goes_on
    word = _WORD_BEFORE.search(before)
    if word is None or word[1].lower() in _LEADS_TO_NUMBER:
        return False
    if word[1][0].isupper() and word[1].lower() in _NAMED_BY_NUMBER:
        return False
    if word[1] == "al":
        return closes or (follower is not None and follower[1].islower())
    if len(word[1]) < 3 and not word[1].isupper():
        return False
    if _STOP_BEFORE.search(before):
        # A sentence ends before its marker; one that opens with a number goes on in lower case.
        return follower[1][0].isupper() if follower else _AT_END.match(text, end) is not None
    return goes_on or (several and follower is not None and follower[1].islower())


def loose_in_turn(
    text: str, loose: Sequence[Found], glued: Sequence[Found], index: ReferenceIndex
) -> list[Found]:
    """Keep the loose numbers that, with the glued ones, run through the list; none where they do not.

    Args:
        text: Masked text of the whole manuscript.
        loose: As `find_loose` gives them.
        glued: Numbers glued to their words, which a document with loose ones has too.
        index: The reference list.

    Returns:
        Those that stand where a citation of their number may: none higher than the next new one of the
        list, but for a few that the reading has lost.
    """
    loose = _without_names(text, loose)
    own = {f.start for f in loose}
    top = 0
    taken: list[Found] = []
    firsts: list[int] = []
    covered: set[int] = set()
    for f in sorted([*loose, *(g for g in glued if g.doubt is Doubt.NONE)], key=lambda f: f.start):
        if min(n.low for n in f.numbers) > top + 1 + _SLACK:
            continue
        for n in f.numbers:
            if n.low > top + 1 + _SLACK + len(f.numbers):
                break
            if n.low not in covered:
                firsts.append(n.low)
            covered.update(range(n.low, n.high + 1))
            top = max(top, n.high)
        else:
            if f.start in own:
                taken.append(f)
    rising = sum(a < b for a, b in pairwise(firsts))
    if (
        len(covered) < max(_LEAST, _COVERED * index.highest)
        or len(taken) < _IN_TURN * len(loose)
        or rising < _RISING * (len(firsts) - 1)
    ):
        return []
    return [replace(f, family=Family.GLUED) for f in taken]


def _without_names(text: str, loose: Sequence[Found]) -> list[Found]:
    """Leave out words that keep coming back with the same number: names (`caspase 3`), not citations."""
    words = [text[max(0, f.start - 40) : f.start].split()[-1].casefold() for f in loose]
    often = Counter((w, f.numbers[0].low) for w, f in zip(words, loose, strict=True) if len(f.numbers) == 1)
    return [
        f
        for w, f in zip(words, loose, strict=True)
        if len(f.numbers) > 1 or often[w, f.numbers[0].low] < _NAME_REPEATS
    ]
