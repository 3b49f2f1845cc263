"""Citances: the sentences that carry markers, and the sentence before where it is needed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from veriscite.linking.layout import Layout
from veriscite.linking.markers.found import Found
from veriscite.linking.sentences import sentence_spans

# An adverb may open the sentence; behind a preposition ("In these cells") it mostly stands alone.
_CONNECTIVE = (
    r"(?:(?:However|Moreover|Furthermore|In addition|Additionally|Also|Thus|Therefore|Hence|Indeed|"
    r"Consequently|"
    r"Similarly|Likewise|In contrast|By contrast|Conversely|Nevertheless|Nonetheless|Finally|Further|Besides|"
    r"Accordingly|In particular|In turn|Interestingly|Importantly|Notably|Yet|But|And|So|Still|Then|Instead|"
    r"For example|For instance|In fact|Although|While|Since|As|If|When|Where)(?:,\s|\s))?"
)
_TO_BE = (
    r"is|are|was|were|has|have|had|can|could|may|might|will|would|should|does|do|did|also|suggests?|indicates?|"
    r"showed|shows?|leads?|led|appears?|appeared|seems?|seemed|implies|means|results?"
)
_BACKWARD = re.compile(
    rf"\W{{0,3}}{_CONNECTIVE}(?:this|these|those|that|it|its|they|their|theirs|them|such|he|she|his|her|both|"
    r"the (?:latter|former|same|two|other)|the (?:effect|finding|findings|result|results)\b)(?!\w)(?!-)",
    re.IGNORECASE,
)
_NAMED_BACKWARD = re.compile(
    rf"\W{{0,3}}{_CONNECTIVE}(?:this|these|those)\s(?!(?:{_TO_BE})\b)[^\W\d_]", re.IGNORECASE
)
# "It is known that" and "In this study" point to nothing before; "It was shown to" does.
_EXPLETIVE = re.compile(
    r"\W{0,3}(?:[A-Z]\w+,\s)?it\s(?:\w+\s){1,4}?(?:possible|important|necessary|advisable|essential|crucial|useful|"
    r"difficult|hard|easy|likely|unlikely|clear|unclear|evident|obvious|interesting|noteworthy|worth\w*|unknown)\s"
    r"(?:\w+\s){0,2}?(?:that|to|whether|how|why)\b|"
    r"\W{0,3}(?:[A-Z]\w+,\s)?it\s(?:\w+\s){0,4}?(?:known|believed|thought|assumed|accepted|recogni[sz]ed|established|"
    r"estimated|reported|suggested|proposed|shown|found|argued|noted|observed|hypothesi[sz]ed|recommended|demonstrated|"
    r"expected|stated|seems|appears|follows|out)\s(?:\w+\s){0,1}?(?:that|whether|how|why)\b|"
    r"\W{0,3}(?:[A-Z]\w+,\s)?(?:in|for|throughout|to)\s(?:this|these)\s(?:study|paper|work|article|"
    r"review|section|"
    r"manuscript|report|thesis|chapter|end|purpose|context|respect)\b|"
    r"\W{0,3}(?:[A-Z]\w+,\s)?(?:this|the present)\s(?:study|paper|work|article|review|manuscript)\b|"
    r"\W{0,3}(?:both\s[^.]{1,40}\sand\s|such as\b|that\sis\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A citance's place.

    Attributes:
        span: The sentence.
        before: The sentence before in the same paragraph, if there is one.
        markers: The markers that stand in it, in order.
        before_markers: Those of the sentence before.
        paragraph: Index of its paragraph.
    """

    span: tuple[int, int]
    before: tuple[int, int] | None
    markers: tuple[Found, ...]
    before_markers: tuple[Found, ...]
    paragraph: int


def find_citances(layout: Layout, markers: Sequence[Found]) -> list[Sentence]:
    """Find the sentence of each marker; only paragraphs that hold markers are split.

    Args:
        layout: The manuscript's layout.
        markers: All markers in reading order, without overlaps.
    """
    placed = [(layout.paragraph_at(m.start), m) for m in markers]
    citances: list[Sentence] = []
    for number, group in groupby(placed, key=lambda p: p[0]):
        if number is None:
            continue
        inside = [m for _, m in group]
        paragraph = layout.paragraphs[number]
        spans = sentence_spans(
            layout.text,
            paragraph.start,
            paragraph.end,
            [(m.start, min(m.end, paragraph.end)) for m in inside],
            layout.left_out_between(paragraph.start, paragraph.end),
        )
        citances += _assign(spans, inside, number)
    return citances


def _assign(spans: Sequence[tuple[int, int]], markers: Sequence[Found], paragraph: int) -> list[Sentence]:
    result: list[Sentence] = []
    previous: tuple[Found, ...] = ()
    at = 0
    for i, (a, b) in enumerate(spans):
        inside: list[Found] = []
        while at < len(markers) and markers[at].start < b:
            if markers[at].start >= a:
                inside.append(markers[at])
            at += 1
        if inside:
            result.append(Sentence((a, b), spans[i - 1] if i else None, tuple(inside), previous, paragraph))
        previous = tuple(inside)
    return result


def needs_context(claim: str, *, cited_before: bool = False) -> bool:
    """Whether a claim points to the sentence before, and cannot be understood without it.

    It does where it opens with a demonstrative that has a noun ("This effect"); with a bare pronoun only
    where the sentence before cites nothing: a cited one says its own thing, of its own source.

    Args:
        claim: The claim's text.
        cited_before: Whether the sentence before carries markers.
    """
    if _EXPLETIVE.match(claim):
        return False
    return bool((_NAMED_BACKWARD if cited_before else _BACKWARD).match(claim))
