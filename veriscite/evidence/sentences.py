"""Abstracts -> sentences, the units that rationales point at."""

import re

MAX_SENTENCE = 1_200

_HEADING_ONLY = re.compile(r"^[A-Z][A-Za-z/&,' -]{2,60}[:.]$")
_HEADING_INSIDE = re.compile(
    r"[.!?] (?P<heading>[A-Z][A-Za-z]{2,20}(?: (?:and |of )?[A-Za-z]{2,20}){0,3}[:.]) "
)
_HEADING_WORDS = frozenset(
    "abstract background introduction objective objectives aim aims purpose method methods material "  # noqa: SIM905
    "materials patients participants design setting settings intervention interventions results result "
    "findings conclusion conclusions discussion interpretation significance importance funding context "
    "motivation main outcome outcomes measures measurements data sources methodology principal limitations "
    "registration study perspective sample trial and of the".split()
)
_ENDS = re.compile(r"[.!?][\"”’')\]]*$")


def split_sentences(text: str) -> tuple[str, ...]:
    """Split an abstract into sentences.

    The heading of a section stays with its first sentence. What was split after an abbreviation is put
    together again. A sentence longer than `MAX_SENTENCE` characters is cut at a word, so that no single
    input can flood a model.

    Args:
        text: Plain text, white space folded.
    """
    from nupunkt import sent_tokenize  # a tenth of a second at import

    pieces: list[str] = []
    for section in _sections(text):
        at = 0
        for index, sentence in enumerate(sent_tokenize(section)):
            piece = sentence.strip()
            if not piece:
                continue
            start = section.find(piece, at)
            glued = start > 0 and not section[start - 1].isspace()
            at = max(at, start + len(piece))
            goes_on = index > 0 and (_is_heading(pieces[-1]) or _goes_on(pieces[-1], piece))
            if pieces and (glued or goes_on):
                pieces[-1] += piece if glued else f" {piece}"
            else:
                pieces.append(piece)
    if len(pieces) > 1 and _is_heading(pieces[-1]):
        pieces.pop()
    return tuple(part for piece in pieces for part in _bounded(piece))


def _sections(text: str) -> list[str]:
    """Cut a structured abstract before its headings, which sentence splitters can overlook."""
    sections, start = [], 0
    for match in _HEADING_INSIDE.finditer(text):
        if _is_heading(match["heading"]):
            sections.append(text[start : match.start("heading")])
            start = match.start("heading")
    return [*sections, text[start:]]


def _is_heading(piece: str) -> bool:
    """Whether a piece is only the heading of a section (`Methods:`, `RESULTS.`)."""
    if len(piece) > 60 or not _HEADING_ONLY.match(piece):
        return False
    words = re.findall(r"[a-z]+", piece.lower())
    return bool(words) and all(word in _HEADING_WORDS for word in words)


def _goes_on(before: str, piece: str) -> bool:
    """Whether a piece goes on with the sentence before it."""
    if not _ENDS.search(before) or not any(c.isalpha() for c in piece):
        return True
    # `vs. placebo`, `approx. 5`: no sentence of prose begins with a small letter after a short word.
    return piece[0].islower() and bool(re.search(r"(?:^|\s)\w{1,6}\.$", before)) and not piece[:2].isupper()


def _bounded(piece: str) -> list[str]:
    parts = []
    while len(piece) > MAX_SENTENCE:
        at = piece.rfind(" ", MAX_SENTENCE // 2, MAX_SENTENCE)
        at = at if at > 0 else MAX_SENTENCE
        parts.append(piece[:at].strip())
        piece = piece[at:].strip()
    return [*parts, piece] if piece else parts
