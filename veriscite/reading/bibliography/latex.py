"""TeX in bibliography fields -> Unicode, only where there is any (decoding is slow)."""

import re
from functools import lru_cache

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalkerError

_NEEDS_DECODING = re.compile(r"[\\{}$~]|--|``|''")
_BARE_PERCENT = re.compile(r"(?<!\\)%")
_MONEY = re.compile(r"(?<!\\)\$(?=\d[\d,.]{0,20}(?:\s|$|[,.;:)]))")
_SPACE = re.compile(r"\s+")
_MAX_NESTING = 40
_MAX_DECODED = 20_000
_MAX_COMMANDS = 2_000

_CONVERTER = LatexNodes2Text(keep_comments=True, strict_latex_spaces=False, math_mode="text")


@lru_cache(maxsize=4096)
def latex_to_unicode(value: str) -> str:
    """Decode TeX accents, symbols and braces, and fold white space.

    What is too long or too deeply nested to be a field's TeX only loses its braces.

    Args:
        value: A field's value without its delimiters.

    Returns:
        The text as a reader would see it.
    """
    if _NEEDS_DECODING.search(value):
        value = _decode(value) if _sane(value) else _strip_braces(value)
    return _SPACE.sub(" ", value).strip()


def _sane(value: str) -> bool:
    if len(value) > _MAX_DECODED or value.count("\\") + value.count("$") > _MAX_COMMANDS:
        return False
    depth = deepest = 0
    for char in value:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
        if depth < 0:
            return False
    return depth == 0 and deepest <= _MAX_NESTING


def _decode(value: str) -> str:
    # A percent sign is a comment to TeX, yet in these files it is meant as one.
    value = _BARE_PERCENT.sub(r"\\%", value)
    value = _MONEY.sub(r"\\$", value)
    if len(re.findall(r"(?<!\\)\$", value)) % 2:
        value = re.sub(r"(?<!\\)\$", r"\\$", value)
    try:
        decoded: str = _CONVERTER.latex_to_text(value)
    except (LatexWalkerError, RecursionError, ValueError, IndexError, KeyError, AttributeError):
        return _strip_braces(value.replace("\\%", "%").replace("\\$", "$"))
    return decoded


def _strip_braces(value: str) -> str:
    return re.sub(r"[{}]", "", value)
