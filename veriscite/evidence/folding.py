"""Spelling differences that mean nothing, folded away before anything is compared."""

import html
import re
from functools import lru_cache

from anyascii import anyascii

MAX_CHARACTERS = 3_000
"""Longer texts are no titles and no entries; the bound keeps every comparison cheap."""

_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "  # noqa: SIM905
        "upsilon phi chi psi omega".split(),
        strict=True,
    )
)
_GREEK_LETTER = re.compile(r"(?<![Ͱ-Ͽ])[α-ωΑ-Ω](?![Ͱ-Ͽ])")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_LATEX_GREEK = re.compile(r"\\(alpha|beta|gamma|delta|epsilon|kappa|lambda|mu|sigma|tau|omega)\b")
_LATEX_COMMAND = re.compile(r"\\[a-zA-Z]{1,20}\s?|[{}$\\]")
_APOSTROPHE = re.compile(r"(?<=\w)['’‘ʼ`´](?=\w)")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}

STOP_WORDS = frozenset(
    "a about after all among an and any are as at be been between both but by can could do does "  # noqa: SIM905
    "during each et for from had has have how in into is it its may more most new of on onto or our "
    "over s such than that the their them then there these they this those to toward towards under "
    "upon use used using via was we were what when where which while who why will with you your".split()
)
"""Words that say nothing about which work is meant; words of negation are not among them."""


@lru_cache(maxsize=20_000)
def fold(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Fold a text to lower-case ASCII words with single spaces.

    Accents, scripts, dashes, quotes, mark-up and entities are folded; a lone Greek letter becomes its name
    (`TNF-α` and `TNF-alpha` are one), and Roman numerals from II on become digits.

    Args:
        text: Any text.
        limit: How many characters of it are read; the rest is ignored.
    """
    text = html.unescape(text[:limit])
    text = _TAG.sub("", text)
    text = _LATEX_GREEK.sub(r" \1 ", text)
    text = _LATEX_COMMAND.sub("", text)
    text = _GREEK_LETTER.sub(lambda m: f" {_GREEK[m.group().lower()]} ", text)
    text = _APOSTROPHE.sub("", text)
    words = _NOT_WORD.sub(" ", anyascii(text).lower()).split()
    return " ".join(_ROMAN.get(word, word) for word in words)


def content_words(folded: str) -> list[str]:
    """Words of a folded text that say what it is about, in order."""
    return [word for word in folded.split() if word not in STOP_WORDS and (len(word) > 1 or word.isdigit())]
