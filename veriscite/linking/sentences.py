"""Sentences of a paragraph that holds citation markers.

nupunkt splits; what it cannot know is repaired here. Markers are blanked before it looks, since they
hide the end of a sentence (`coli.12 This`, `rain.[2] Further`) or feign one (`et al.`, `p. 3`).
"""

import re
from collections.abc import Sequence

from veriscite.linking.text import word_set

_STOPS = ".!?…"
_CLOSING = ")]\"'”’»"
# A marker stands for a word; vowels only, so that no abbreviation is met by chance.
_FILLER = "o"
_BLANK_AFTER = re.compile(r"\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"'/–-])(?:Figs?|Eqs?|Eqns?|Refs?|Tabs?|Secs?|Sects?|Chaps?|Vols?|Nos?|no|pp?|cf|"
    r"e\.\s?g|i\.\s?e|vs|viz|"
    r"ca|approx|resp|incl|est|spp?|subsp|ssp|var|cv|f|nov|gen|sensu|Drs?|Profs?|Mr|Mrs|Ms|St|"
    r"Suppl|Supp|"
    r"App|Thm|Def|Prop|Cor|Lem|Ch|ed|eds|Ltd|Inc|Co|Dept|Univ|U\.S|U\.K|w\.r\.t|a\.k\.a|i\.v|i\.p|s\.c|b\.w|"
    r"min|max|avg|[A-Z])\.$"
)
_ET_AL = re.compile(r"\bet\s+al\.$")
_STARTER = re.compile(
    r"(?:The|This|These|Those|That|It|They|He|She|We|Our|In|On|At|For|However|Moreover|Furthermore|"
    r"Here|There|A|An|"
    r"To|By|As|When|While|Although|Thus|Therefore|Hence|After|Such|Both|Similarly|Conversely)\b"
)
_NUMBER_NEXT = re.compile(r"[\d(\[IVX]")
# nupunkt holds many an everyday word for an abbreviation ("hemp.", "sleep.", "fed."); these are some.
_WORD_AND_STOP = re.compile(
    r"(?<=[\s(])([a-z]{3,30})\.[)\]\"”’]?\s+(?=[\"“(]?(?:[A-Z][a-z]+|A|I|[A-Z]{2,8}s?)[\s,])"
)
_SHORTENED = word_set(
    "approx resp incl excl est spp subsp ssp var nov gen sensu suppl supp ref refs fig figs eqs eqn eqns sec "
    "sect secs sects chap chaps vol vols tab tabs app prof dept univ assoc soc intl natl max "
    "min avg dev std temp "
    "conc ser corp viz cit loc ibid transl repr pers comm obs unpubl orig abbr ext int inst proc trans ann "
    "approxim respectiv vgl bzw etwa usw siehe"
)
# Longer paragraphs are split at a stop first, so that one huge line stays cheap.
_MAX_CHUNK = 60_000
_MAX_SENTENCE = 4_000
_CHUNK_END = re.compile(r"[.!?]\s+(?=[A-Z\"“(\[])")


def _split(text: str) -> list[tuple[int, int]]:
    from nupunkt import sent_spans

    return [(int(a), int(b)) for a, b in sent_spans(text)]


def sentence_spans(
    text: str,
    start: int,
    end: int,
    markers: Sequence[tuple[int, int]],
    hidden: Sequence[tuple[int, int]] = (),
) -> list[tuple[int, int]]:
    """Split a paragraph into sentences.

    A marker after the stop of a sentence belongs to that sentence (`rain.[2] Further`); one that opens a
    clause with a verb in lower case belongs to the next (`rain. [2] showed`).

    Args:
        text: The manuscript's text.
        start: Where the paragraph begins.
        end: Where it ends.
        markers: Offsets of the markers in it, in order, without overlaps.
        hidden: Offsets of what is no part of the prose (a running header), in order.

    Returns:
        Offsets of the sentences, in order, without white space at their ends. None splits a marker.
    """
    shadow = _shadow(text[start:end], [(a - start, b - start) for a, b in markers])
    for a, b in hidden:
        a, b = max(a - start, 0), min(b - start, end - start)
        if a < b:
            shadow = shadow[:a] + " " * (b - a) + shadow[b:]
    spans = [
        (a + at, b + at) for at, chunk in _chunks(shadow) for a, b in _split(chunk) if chunk[a:b].strip()
    ]
    spans = [part for a, b in spans for part in _parted(shadow, a, b)]
    spans = _without_split_markers(spans, [(a - start, b - start) for a, b in markers])
    result = []
    for a, b in _bounded(shadow, _repaired(shadow, spans)):
        while a < b and shadow[a].isspace():
            a += 1
        while b > a and shadow[b - 1].isspace():
            b -= 1
        if a < b:
            result.append((a + start, b + start))
    return result


def _chunks(text: str) -> list[tuple[int, str]]:
    if len(text) <= _MAX_CHUNK:
        return [(0, text)]
    chunks = []
    at = 0
    while at < len(text):
        stop = at + _MAX_CHUNK
        if stop >= len(text):
            chunks.append((at, text[at:]))
            break
        cut = _CHUNK_END.search(text, stop, stop + _MAX_CHUNK)
        stop = cut.end() if cut else stop
        chunks.append((at, text[at:stop]))
        at = stop
    return chunks


def _shadow(text: str, markers: Sequence[tuple[int, int]]) -> str:
    """Return the paragraph with markers as plain words, of the same length."""
    chars = list(text)
    for a, b in markers:
        before = text[:a].rstrip() if a < 200 else text[a - 200 : a].rstrip()
        gap = len(text[max(0, a - 200) : a]) - len(text[max(0, a - 200) : a].rstrip())
        after_stop = bool(before) and (
            before[-1] in _STOPS or (before[-1] in _CLOSING and before[-2:-1] in tuple(_STOPS))
        )
        # A letter alone after a bracket would read as an initial.
        chars[a:b] = (text[a - 1] if a and text[a - 1] in _CLOSING else _FILLER) * (b - a)
        if after_stop and not _is_abbreviated(before) and _ends_its_sentence(text, b, gap):
            stop = a - gap - 1
            while text[stop] in _CLOSING:
                stop -= 1
            # The stop moves behind the marker.
            chars[stop] = _FILLER
            if gap:
                chars[a - gap : a] = " " * gap
            chars[b - 1] = "."
        elif text[a].isupper() or not before or before[-1] in _STOPS:
            chars[a] = _FILLER.upper()
    return "".join(chars)


def _is_abbreviated(before: str) -> bool:
    return bool(_ABBREVIATION.search(before[-24:])) and not re.search(r"[a-z]{3}\)?\.$", before[-5:])


def _ends_its_sentence(text: str, end: int, gap: int) -> bool:
    """Whether a marker after a stop closes the sentence before, by what follows it."""
    nxt = _BLANK_AFTER.match(text, end)
    at = nxt.end() if nxt else end
    if at >= len(text):
        return True
    if at == end and text[at] not in _CLOSING:
        return gap == 0 and not text[at].isalnum()
    return gap == 0 or text[at].isupper() or text[at] in '(["“‘'


def _without_split_markers(
    spans: list[tuple[int, int]], markers: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Join sentences that a marker runs over."""
    result: list[tuple[int, int]] = []
    at = 0
    for a, b in spans:
        while at < len(markers) and markers[at][1] <= a:
            at += 1
        if result and at < len(markers) and markers[at][0] < a < markers[at][1]:
            result[-1] = (result[-1][0], b)
        else:
            result.append((a, b))
    return result


def _parted(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Part what was held together by a word that is no abbreviation."""
    result: list[tuple[int, int]] = []
    at = start
    for m in _WORD_AND_STOP.finditer(text, start, end):
        if m[1] not in _SHORTENED and m.end() > at:
            result.append((at, m.end()))
            at = m.end()
    result.append((at, end))
    return result


def _repaired(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what an abbreviation or an initial has split."""
    result: list[tuple[int, int]] = []
    for a, b in spans:
        if result and _goes_on(text, result[-1], a):
            result[-1] = (result[-1][0], b)
        else:
            result.append((a, b))
    return result


def _bounded(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cut what is too long for a sentence at white space."""
    result: list[tuple[int, int]] = []
    for a, b in spans:
        while b - a > _MAX_SENTENCE:
            cut = text.rfind(" ", a + _MAX_SENTENCE // 2, a + _MAX_SENTENCE)
            cut = cut if cut > a else a + _MAX_SENTENCE
            result.append((a, cut))
            a = cut
        result.append((a, b))
    return result


def _goes_on(text: str, previous: tuple[int, int], start: int) -> bool:
    head = text[max(previous[0], previous[1] - 40) : previous[1]].rstrip()
    tail = text[start : start + 24].lstrip()
    if not head or not tail:
        return True
    if tail[0].islower() and head[-1] != "!" and head[-1] != "?":
        # "eIF4 binds" opens a sentence in lower case: a letter then a capital.
        return not (len(tail) > 2 and (tail[1].isupper() or tail[1].isdigit() or tail[2].isupper()))
    if _ET_AL.search(head):
        return not _STARTER.match(tail)
    if _ABBREVIATION.search(head):
        if head.endswith((" no.", " min.", " max.", " est.", " ed.", " f.", " gen.", " nov.", " cv.")):
            return bool(_NUMBER_NEXT.match(tail)) or tail[0].islower()
        return not _STARTER.match(tail) or not re.search(r"\b[A-Z]\.$", head)
    return tail[0] in ",;:)]"
