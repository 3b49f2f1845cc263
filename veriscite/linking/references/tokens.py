"""The tokens of an entry, and what the sequence model is told about each.

Training and reading call the same functions, so that the model sees in use what it saw in training.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veriscite.linking.text import word_set

MAX_TOKENS = 400
"""Tokens of an entry that the model labels; work on an entry is bounded by it."""

_MAX_WORD = 24
# A chunk without white space ends after punctuation before a letter and before brackets, too:
# `Phys.Rev.D71(2005)`. Possessive, so that no input makes it go back.
_MARKS = r".,:;?!)\]}”»\"、，。．；：］）"
_OPENING = r"(\[“«［（"
_WORD = rf"[^\s{_MARKS}{_OPENING}]"
_TOKEN = re.compile(
    rf"[{_MARKS}{_OPENING}]*+{_WORD}++(?:[{_MARKS}]++(?=\d){_WORD}++)*+[{_MARKS}]*+|[{_MARKS}{_OPENING}]++"
)
_CORE = re.compile(r"^[\W_]*(.*?)[\W_]*$", re.DOTALL)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d[a-z]?")
_RANGE = re.compile(r"[A-Za-z]?\d+\s?[-‐-―−]+\s?[A-Za-z]?\d*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[-‐]?){1,4}|[A-ZÀ-Þ]{1,2}")
_OPENING_QUOTE = re.compile(r"[(\[]?(?:[“«„‘\"]|''?|``?)[^\W_\d]|[“«„\"]$")
_CLOSING_QUOTE = re.compile(r"[^\W_]?(?:[”»\"]|[’']['’]?(?=[\W_]*$))(?<![^\W_]s['’])(?=[\W_]*$)")
_CLASSES: dict[str, frozenset[str]] = {
    "month": word_set(
        "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july "
        "august september october november december janvier février mars avril mai juin juillet août "
        "septembre octobre novembre décembre januar februar märz juni juli oktober dezember enero febrero "
        "marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
    ),
    "journal": word_set(
        "j journal proc proceedings trans transactions rev review reviews lett letters ann annals annales "
        "bull bulletin adv advances acta archives arch quarterly int eur phys chem biol med sci nucl "
        "astrophys appl math comput commun soc acad magazine zeitschrift revue revista rivista annual "
        "nature science cell lancet plos bmc ieee acm arxiv mon not roy astron res"
    ),
    "meeting": word_set(
        "conference conf symposium symp workshop congress meeting lecture lectures notes series vol "
        "volume handbook encyclopedia encyclopaedia lncs sigmod icml nips iclr cvpr"
    ),
    "publisher": word_set(
        "press publishing publishers publisher publications verlag springer wiley elsevier academic "
        "university pergamon north-holland mcgraw-hill addison-wesley prentice prentice-hall routledge "
        "birkhäuser éditions blackwell kluwer sage gallimard seuil macmillan penguin harper norton plenum "
        "dekker crc editions edition éd sons inc ltd"
    ),
    "place": word_set(
        "new york london paris berlin cambridge oxford amsterdam boston chicago philadelphia washington "
        "dc princeton heidelberg tokyo dordrecht münchen munich basel wien vienna leipzig stuttgart "
        "frankfurt madrid barcelona roma milano moscow ma ny nj ca uk usa mass geneva stanford baltimore"
    ),
    "thesis": word_set(
        "thesis dissertation phd ph.d diss master's masters doctoral thèse habilitation report technical "
        "tech preprint unpublished manuscript"
    ),
    "editor": word_set("ed eds editor editors edited hrsg dir coord comp trans translated"),
    "in": word_set("in dans within"),
    "locator": word_set(
        "p pp page pages vol vols volume no nr n issue bd band jg heft tome chap chapter art article"
    ),
    "particle": word_set("van von der den de del della di da dos das do du des la le al ten ter zu bin ibn"),
    "organisation": word_set(
        "organization organisation institute institut association committee group centre center society "
        "council agency department ministry office collaboration consortium team commission foundation "
        "network federation bureau board academy bank union nations"
    ),
}


@dataclass(frozen=True, slots=True)
class Token:
    """A word with the punctuation at it; offsets into the text."""

    text: str
    start: int
    end: int


def tokenise(text: str) -> list[Token]:
    """Cut an entry into tokens, `MAX_TOKENS` at most.

    Args:
        text: The entry on one line, without label and identifiers.
    """
    tokens: list[Token] = []
    for m in _TOKEN.finditer(text):
        tokens.append(Token(m[0], m.start(), m.end()))
        if len(tokens) == MAX_TOKENS:
            break
    return tokens


def features(tokens: Sequence[Token], hints: Sequence[str]) -> list[list[str]]:
    """Describe each token by itself, its neighbours and what the rules read there.

    Args:
        tokens: The tokens of one entry.
        hints: For each token, the field that the rules take it for.
    """
    own = [_describe(t.text[:_MAX_WORD]) for t in tokens]
    contexts = _contexts(tokens)
    last = len(tokens) - 1
    rows: list[list[str]] = []
    for n, described in enumerate(own):
        row = [*described.own, *contexts[n], "h=" + hints[n]]
        row.append(f"at={min(n, 6)}")
        row.append(f"left={min(last - n, 4)}")
        if n:
            before = own[n - 1]
            row += before.before
            row.append(f"-h={hints[n - 1]}")
            row.append(f"pp={before.close}|{described.shape}")
            row.append(f"hp={hints[n]}|{before.close}")
            row.append(f"b={before.word}|{described.word}")
        if n > 1:
            row.append(own[n - 2].before_last)
        if n < last:
            after = own[n + 1]
            row += after.after
            row.append(f"+h={hints[n + 1]}")
            row.append(f"pn={described.close}|{after.shape}")
        if n < last - 1:
            row.append(own[n + 2].after_next)
        rows.append(row)
    return rows


@dataclass(frozen=True, slots=True)
class _Description:
    """A token as it is described to itself and to its neighbours."""

    own: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    before_last: str
    after_next: str
    word: str
    shape: str
    close: str


@lru_cache(maxsize=16_384)
def _describe(text: str) -> _Description:
    core = m[1] if (m := _CORE.match(text)) else text
    begin = text.find(core) if core else 0
    opening, close = text[:begin], text[begin + len(core) :][:3] if core else text[:3]
    word = core.lower()
    shape = _shape(core, text)
    near = [
        f"s={shape}",
        f"c={close}",
        f"w={word}",
        *(f"k={k}" for k, words in _CLASSES.items() if word in words),
    ]
    own = (*near, f"o={opening[-2:]}", f"p={word[:3]}", f"e={word[-3:]}", f"sc={shape}|{close}")
    return _Description(
        own,
        tuple("-" + f for f in near),
        tuple("+" + f for f in near),
        f"--sc={shape}|{close}",
        f"++sc={shape}|{close}",
        word,
        shape,
        close,
    )


def _shape(core: str, text: str) -> str:
    if not core:
        return "punct"
    if _YEAR.fullmatch(core):
        return "year"
    if core.isdigit():
        return f"d{min(len(core), 5)}"
    if _RANGE.fullmatch(core):
        return "range"
    if any(c.isdigit() for c in core):
        return "mixed"
    if _INITIALS.fullmatch(core) and (len(core) > 1 or "." in text):
        return "initials" if "." in text else "caps"
    first = core[0]
    if len(core) == 1:
        return "X" if first.isupper() else "x"
    if core.isupper():
        return "XX"
    if first.isupper():
        return "Xx" if core[1:].islower() else "XxX"
    if first.islower():
        return "xx"
    return f"{unicodedata.category(first)}{min(len(core), 7)}"


def _contexts(tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    """Say of each token what it stands in and behind: quotation marks, brackets, `In`, a year, full stops."""
    closings = [n for n, t in enumerate(tokens) if _CLOSING_QUOTE.search(t.text[-4:])]
    last_quote = closings[-1] if closings else -1
    quoted = bracketed = seen_in = seen_year = seen_quote = False
    stops = 0
    found: list[tuple[str, ...]] = []
    for n, token in enumerate(tokens):
        text = token.text
        if not quoted and n <= last_quote and _OPENING_QUOTE.match(text):
            quoted = True
        brackets = text.count("(") + text.count("[") - text.count(")") - text.count("]")
        bracketed = bracketed or brackets > 0
        state = f"{'q' if quoted else 'Q' if seen_quote else ''}{'b' if bracketed else ''}"
        found.append(
            (
                f"in={state}",
                f"stops={min(stops, 4)}",
                f"seen={'i' if seen_in else ''}{'y' if seen_year else ''}",
            )
        )
        if quoted and _CLOSING_QUOTE.search(text[-4:]):
            quoted, seen_quote = False, True
        if brackets < 0:
            bracketed = False
        word = text.strip(".,:;()[]")
        seen_in = seen_in or word == "In" or text == "in:"
        seen_year = seen_year or bool(_YEAR.fullmatch(word))
        if text[-1] in ".?!" and len(word) > 2:
            stops += 1
    return found
