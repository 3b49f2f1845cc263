"""The clause that belongs to each marker of a sentence that cites several works for several things.

Only a clause that stands by itself (a subject and a verb of its own) is cut off. What leans on the words
before it (`but not B [2]`, `and it grew [3]`) keeps them, from the beginning of the clause that it leans on.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from veriscite.linking.markers.found import Found, Removal
from veriscite.linking.text import word_set

Clause = tuple[int, int]

_GLUE = re.compile(r"(?:[\s,;&/()\[\]–-]|and|or|also|see|as well as|e\.g\.)*", re.IGNORECASE)
_JOINT = re.compile(
    r"\s*(?:[;,]\s*(?:(?:and|but)\s+)?(?:whereas|while|although|though)\b|[;,]\s*however\b,?"
    r"|[;,]?\s*\b(?:but|whereas|while|although|though|yet|and)\b|;)\s*",
    re.IGNORECASE,
)
_FRONT = re.compile(r"\s*(?:although|though|while|whereas)\s+", re.IGNORECASE)
_CONDITION = re.compile(
    r"\s*(?:if|when|unless|because|since|given|provided|assuming|until|once)\b", re.IGNORECASE
)
_PAIRED = re.compile(r"\b(?:both|either|neither|between|not only)\b", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_LEADING = re.compile(
    r"(?:[\s,;]|(?:however|in contrast|by contrast|conversely|on the other hand|similarly|likewise|moreover|"
    r"furthermore|also|then|thus|therefore|hence),?\s)+",
    re.IGNORECASE,
)
_AUXILIARY = word_set(
    "is are was were has have had does do did can could may might will would shall should must cannot isn't "
    "aren't wasn't weren't hasn't doesn't didn't remains remain remained became becomes become"
)
_VERBS = (
    "burn absorb accelerate accumulate activate affect allow appear argue bind block carry cause change "
    "claim conclude confirm contain contribute correlate decline decrease delay demonstrate depend "
    "describe differ disappear drive enable enhance estimate exceed exhibit explain stay need mean act "
    "express fail favour favor follow form grow harm help impair improve include increase indicate "
    "induce inhibit interact involve kill lack limit live lower measure mediate modulate note observe "
    "occur outperform persist play predict prefer prevent produce promote propose protect prove provide "
    "raise reach reduce regulate release rely remove report require respond restore result retain "
    "reveal settle show slow stabilise stabilize state stimulate suggest support suppress survive "
    "target trigger use vary worsen yield converge generalise generalize perform scale decay evolve "
    "emit dissolve"
)
_IRREGULAR = word_set(
    "found finds find led leads lead rose rises fell falls grew grows kept keeps held holds made makes "
    "gave gives took takes saw sees showed shown spread spreads began begins drew draws lost loses won "
    "wins bound binds met arose arises drove drives froze sank sinks shrank shrinks slept sleeps fed "
    "feeds ate eats dried dries carried carries varied varies applied applies relied relies came comes "
    "went goes ran runs"
)
_RELATIVE = word_set("that which who whose whom where to than")
_PRONOUNS = word_set(
    "it they this these he she its their such both those that him her them his there one others"
)
_NOT_SUBJECT = word_set(
    "not in on at by for from with without of to as than also only its their even more less mainly "
    "partly often then thus hence therefore further subsequently ultimately finally"
)
# A sentence of more markers is a list, or crafted.
_MAX_MARKERS = 40
_WORD = re.compile(r"[^\W\d_][\w'’-]*")


def _forms() -> frozenset[str]:
    forms: set[str] = set()
    for verb in _VERBS.split():
        stem = verb.removesuffix("e")
        forms |= {verb, verb + "s", stem + "ed", verb + verb[-1] + "ed"}
        if verb.endswith("y"):
            forms |= {verb[:-1] + "ies", verb[:-1] + "ied"}
        if verb.endswith(("s", "sh", "ch", "x")):
            forms.add(verb + "es")
    return frozenset(forms) | _AUXILIARY | _IRREGULAR


_FINITE = _forms()


def clauses_of(text: str, span: Clause, markers: Sequence[Found]) -> list[Clause]:
    """Find the clause of each marker of a sentence.

    Args:
        text: The manuscript's text.
        span: The sentence.
        markers: Its markers in order.

    Returns:
        For each marker the offsets of its clause, without the words that join it to others; the whole
        sentence where it cannot be parted.
    """
    if not 1 < len(markers) <= _MAX_MARKERS:
        return [span] * len(markers)
    offset = span[0]
    # Offsets into the sentence alone, so that the cost does not grow with the place in the text.
    inner = [
        replace(m, start=m.start - offset, end=m.end - offset, cut=(m.cut[0] - offset, m.cut[1] - offset))
        if m.cut[0] >= 0
        else replace(m, start=m.start - offset, end=m.end - offset)
        for m in markers
    ]
    found = _clauses(text[offset : span[1]], inner)
    return [(a + offset, b + offset) for a, b in found]


def _clauses(text: str, markers: Sequence[Found]) -> list[Clause]:
    places = _places(text, markers)
    span = start, end = 0, len(text)
    if len(places) < 2 or _CONDITION.match(text, start, end):
        return [span] * len(markers)
    shadow = _without_markers(text, span, markers)
    cuts = [_joint(shadow, span, place[-1].end, after[0].start) for place, after in pairwise(places)]
    front = _FRONT.match(text, start, end)
    pieces: list[tuple[int, int]] = []
    at = front.end() if front and any(cuts) else start
    for cut in cuts:
        if cut is None:
            pieces.append((at, -1))
            continue
        pieces.append((at, cut[0]))
        at = cut[1]
    pieces.append((at, end))
    return _spread(places, _whole(shadow, _merged(pieces), at_end=end), span)


def _places(text: str, markers: Sequence[Found]) -> list[list[Found]]:
    """Group markers that stand in one place: `[1], [2] and [3]`."""
    places: list[list[Found]] = []
    for marker in markers:
        narrative = marker.removal is Removal.WORK or marker.cut[0] >= 0
        if places and not narrative and _GLUE.fullmatch(text, places[-1][-1].end, marker.start):
            places[-1].append(marker)
        else:
            places.append([marker])
    return places


def _without_markers(text: str, span: Clause, markers: Sequence[Found]) -> str:
    """Return the text up to the sentence's end, its markers blanked; a marker that is a word becomes one."""
    pieces, at = [""], span[0]
    for marker in markers:
        a, b = marker.span_to_cut
        a, b = max(a, at), min(max(b, at), span[1])
        fill = "X" if marker.removal is Removal.WORK else " "
        pieces += (text[at:a], fill * (b - a))
        at = b
    return "".join(pieces) + text[at : span[1]]


def _joint(shadow: str, span: Clause, low: int, high: int) -> Clause | None:
    """Find where a clause ends between two places, and where the next one begins."""
    opened_by = _FRONT.match(shadow, span[0], span[1])
    first = next(
        (m for m in _JOINT.finditer(shadow, low, high) if _outside(shadow, span[0], m.start())), None
    )
    if first is None and opened_by:
        first = _COMMA.search(shadow, low, high)
    if first is None or first.end() >= high + 1:
        return None
    if first[0].strip(" ,;").lower() in ("and", "but") and _PAIRED.search(shadow, span[0], first.start()):
        return None
    return first.start(), first.end()


def _outside(shadow: str, start: int, at: int) -> bool:
    return shadow.count("(", start, at) <= shadow.count(")", start, at)


def _merged(pieces: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Join pieces without a joint between them: offsets, and how many places each holds."""
    merged: list[tuple[int, int, int]] = []
    open_from, held = -1, 0
    for a, b in pieces:
        open_from = a if held == 0 else open_from
        held += 1
        if b >= 0:
            merged.append((open_from, b, held))
            held = 0
    return merged


def _whole(shadow: str, pieces: list[tuple[int, int, int]], *, at_end: int) -> list[tuple[int, int, int]]:
    """Let what does not stand by itself lean on what stands before it."""
    if not _stands(shadow, pieces[0][0], pieces[0][1]):
        # The first piece is a part of a list of subjects: nothing can be told apart.
        return [(-1, -1, sum(p[2] for p in pieces))]
    result: list[tuple[int, int, int]] = []
    base = pieces[0][0]
    for n, (a, b, held) in enumerate(pieces):
        begin = _LEADING.match(shadow, a, b)
        a = begin.end() if begin and n else a
        if n == 0 or _stands(shadow, a, b):
            base = a
            result.append((a, b, held))
        elif result[-1][0] == base and result[-1][2] > 1:
            # A list: what its last item joins was one piece already.
            result[-1] = (base, b, result[-1][2] + held)
        else:
            result.append((base, b, held))
    last = result[-1]
    return [*result[:-1], (last[0], at_end, last[2])]


def _stands(shadow: str, start: int, end: int) -> bool:
    """Whether a piece has a subject and a verb of its own."""
    words = [m[0].lower() for m in _WORD.finditer(shadow, start, end)]
    if not words or words[0] in _PRONOUNS or words[0] in _NOT_SUBJECT:
        return False
    verb = next((n for n, word in enumerate(words) if word in _FINITE), None)
    return verb is not None and verb > 0 and not any(word in _RELATIVE for word in words[:verb])


def _spread(
    places: Sequence[Sequence[Found]], pieces: list[tuple[int, int, int]], span: Clause
) -> list[Clause]:
    result: list[Clause] = []
    at = 0
    for a, b, held in pieces:
        for place in places[at : at + held]:
            result += [span if a < 0 else (a, b)] * len(place)
        at += held
    return result
