"""Ligatures that a file maps to no letter: guessed from the word around and the glyph's width."""

import re

FIRST = 0xF0000
"""Unknown glyphs stand as U+F0000 plus a hundred times their width in font heights."""
LAST = FIRST + 0xFFF

_UNKNOWN = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
_FL = re.compile(
    r"(?:^|[^a-z])(?:in|re|con|de|out|over|work|under|air|back|cash|super|trans|ef|af|multi|bio|dia|snow|sun|micro"
    r"|cauli|may|butter|dragon|snow|life|bio)?\?"
    r"(?:ow|uor|uen|ux|uid|ict|ect|ex|at|ight|y\b|ies\b|oor|ag|ood|oat|ip|esh|avo|ash|am|atu|ank|our|uctu|ew|aw|avor"
    r"|ake|ock|ora|ori|ute|uff|aunt|are|ee|ing|ourish|op|oss|ouri|uvi|int|ux|agell|aviv)",
)
_FL_ANYWHERE = re.compile(r"(?:in|re|de|con|work|over|out)\?(?:ow|uen|at|ect|am|ict|ux|ex|ation)")
_FF = re.compile(
    r"(?:di|e|o|su|a|sta|bu|sti|cli|cu|gra|che|sni|stu|pu|blu|sca|tari|sheri|plainti|kicko|cuto|layo|trade-?o|payo|o)"
    r"\?(?:er|ect|ort|ord|end|s\b|ed\b|ing\b|$|ee\b|use|us|ici|ine\b|ir|a|o|y\b|l)"
)
_FF_BEFORE = re.compile(r"\?(?:m|rey|ry|$)")
_FFL = re.compile(
    r"(?:o\?(?:ine|oad)|shu\?e|ba\?e|ra\?e|wa\?e|mu\?e|su\?a|a\?i[cx]t|a\?uen|e\?u|sou\?e|ru\?e|snu\?e)"
)


def resolve_ligatures(text: str, narrowest: float) -> str:
    """Replace unknown glyphs by the ligature that fits best.

    Args:
        text: A word or a line.
        narrowest: The width (in font heights) of the document's narrowest unknown glyphs.
    """

    def replace(match: re.Match[str]) -> str:
        width = (ord(match.group()) - FIRST) / 100
        start = max(0, match.start() - 12)
        before = _UNKNOWN.sub("?", text[start : match.start()])
        after = _UNKNOWN.sub("?", text[match.end() : match.end() + 12])
        word_before = re.split(r"\s", before)[-1].lower()
        word_after = re.split(r"\s", after, maxsplit=1)[0].lower()
        if not word_before and not word_after:
            return "\ufffd"
        return _choose(f"{word_before}?{word_after}", width, narrowest)

    return _UNKNOWN.sub(replace, text)


def count_unknown(text: str) -> int:
    """Count the unknown glyphs in a text."""
    return len(_UNKNOWN.findall(text))


def widths(text: str) -> list[float]:
    """Return the widths of the unknown glyphs in a text."""
    return [(ord(char) - FIRST) / 100 for char in _UNKNOWN.findall(text)]


def _choose(word: str, width: float, narrowest: float) -> str:
    if width > 1.3 * narrowest:
        return "ffl" if _FFL.search(word) else "ffi"
    if _FL.search(word) or _FL_ANYWHERE.search(word):
        return "fl"
    if _FF_BEFORE.search(word) or (width > 1.02 * narrowest and _FF.search(word)):
        return "ff"
    return "fi"
