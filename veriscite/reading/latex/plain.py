"""TeX of a paragraph -> text for people."""

import logging
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import LatexWalkerError
from pylatexenc.macrospec import MacroSpec

MARK = re.compile("\ue100([0-9]{1,9})\ue101")
"""Where a citation stands, with its number."""

MAX_PARAGRAPH = 60_000
MAX_COMMANDS = 6_000
MAX_DECODED = 2_000_000
_COST_OF_A_CALL = 100
_MAX_KNOWN = 20_000
_MAX_KNOWN_LENGTH = 300
_PIECE = re.compile(r"\\(?:[A-Za-z@]+\*?|.)|\$\$?|[{}]|\s+|[^\\${}\s]+|\\", re.DOTALL)
_MAX_NESTING = 30
_TOKEN = re.compile(r"\\.|[{}$]", re.DOTALL)
_NEEDS_DECODING = re.compile(r"[\\{}$~&^_]|--|``|''|<<|>>|[?!]`")
_SPACE = re.compile(r"\s+")
_EMPTY = re.compile(r"\(\s*(?:[,;]|and|\s)*\)|\[\s*\]")
_QUOTED = re.compile(r"(?<!\w)`([^`'\n]{1,200})'(?!\w)")
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?)\]](?=\s|$|[)\]”’\".,;:]))")
# Chemistry and units: H$_2$O, m$^2$, $^{13}$C; a power of ten keeps its sign.
_SCRIPT = re.compile(r"(?<!\\)\$(?:_|(?<![\d.]\$)\^)(?:\{\s*(\w{1,4})\s*\}|(\w))\$")
_ALPHABETS = re.compile("[\U0001d400-\U0001d7ff]+")
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?[ \t]*")
_ERRORS = (LatexWalkerError, RecursionError, ValueError, IndexError, KeyError, AttributeError, TypeError)

# The library prints what it cannot replace; this input is nobody's configuration error.
logging.getLogger("pylatexenc").addHandler(logging.NullHandler())
logging.getLogger("pylatexenc").propagate = False

_JOURNALS = {
    "aj": "AJ",
    "apj": "ApJ",
    "apjl": "ApJL",
    "apjs": "ApJS",
    "aap": "A&A",
    "aapr": "A&ARv",
    "aaps": "A&AS",
    "araa": "ARA&A",
    "mnras": "MNRAS",
    "pasp": "PASP",
    "pasj": "PASJ",
    "pasa": "PASA",
    "nat": "Nature",
    "icarus": "Icarus",
    "jcap": "JCAP",
    "prl": "Phys. Rev. Lett.",
    "pra": "Phys. Rev. A",
    "prb": "Phys. Rev. B",
    "prc": "Phys. Rev. C",
    "prd": "Phys. Rev. D",
    "pre": "Phys. Rev. E",
    "rmp": "Rev. Mod. Phys.",
    "ssr": "Space Sci. Rev.",
    "physrep": "Phys. Rep.",
    "planss": "Planet. Space Sci.",
    "procspie": "Proc. SPIE",
    "jgr": "J. Geophys. Res.",
    "grl": "Geophys. Res. Lett.",
    "solphys": "Sol. Phys.",
}
_WORDS = {
    **_JOURNALS,
    "etal": "et al.",
    "ie": "i.e.",
    "eg": "e.g.",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "BibTeX": "BibTeX",
    "slash": "/",
    "S": "§",
    "P": "¶",
    "textmu": "μ",
    "micro": "μ",
    "micron": "μm",
    "degree": "°",
    "celsius": "°C",
    "percent": "%",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "milli": "m",
    "nano": "n",
    "meter": "m",
    "metre": "m",
    "gram": "g",
    "kilogram": "kg",
    "second": "s",
    "minute": "min",
    "hour": "h",
    "day": "d",
    "hertz": "Hz",
    "kelvin": "K",
    "joule": "J",
    "watt": "W",
    "volt": "V",
    "liter": "L",
    "litre": "L",
    "mole": "mol",
    "molar": "M",
    "per": "/",
    "kg": "kg",
    "mg": "mg",
    "km": "km",
    "cm": "cm",
    "mm": "mm",
    "nm": "nm",
    "lesssim": "≲",
    "gtrsim": "≳",
    "textdegree": "°",
    "degC": "°C",
    "textsubscript": "%s",
    "textsuperscript": "%s",
    "sfrac": "%s/%s",
    "nicefrac": "%s/%s",
    "operatorname": "%s",
    "num": "%(2)s",
    "si": "%(2)s",
    "unit": "%(2)s",
    "SI": "%(2)s %(3)s",
    "qty": "%(2)s %(3)s",
    "SIrange": "%(2)s–%(3)s %(4)s",
    **dict.fromkeys(
        ("textsf", "textmd", "textup", "textnormal", "underline", "uline", "hl", "sout", "fbox", "textbold"),
        "%s",
    ),
    **dict.fromkeys(
        ("ac", "acs", "acl", "acp", "acf", "gls", "Gls", "glspl", "Glspl", "acrshort", "acrlong"), "%s"
    ),
    "enquote": "“%s”",
    "textquote": "“%s”",
    "footnote": "",
    "cite": "",
    "frac": "%s/%s",
    "dfrac": "%s/%s",
    "tfrac": "%s/%s",
}
_OPTIONAL_FIRST = re.compile(r"%\([2-9]\)s")
_ARGUMENTS = {name: "{" * text.count("%s") for name, text in _WORDS.items() if "%s" in text} | {
    name: "[" + "{" * len(_OPTIONAL_FIRST.findall(text))
    for name, text in _WORDS.items()
    if _OPTIONAL_FIRST.search(text)
}


def _converter() -> LatexNodes2Text:
    texts = get_default_latex_context_db()
    texts.add_context_category(
        "veriscite",
        prepend=True,
        macros=[
            MacroTextSpec(name, simplify_repl=text if name in _ARGUMENTS else text.replace("%", "%%"))
            for name, text in _WORDS.items()
        ],
    )
    return LatexNodes2Text(
        latex_context=texts, keep_comments=True, strict_latex_spaces=False, math_mode="text", fill_text=False
    )


def _walker_context() -> object:
    from pylatexenc.latexwalker import get_default_latex_context_db as walker_db

    context = walker_db()
    context.add_context_category(
        "veriscite",
        prepend=True,
        macros=[MacroSpec(name, arguments) for name, arguments in _ARGUMENTS.items()],
    )
    return context


def _quick(context: Any) -> Any:
    """Let a context look for special characters only where one may begin: it is asked at every letter."""
    look = context.test_for_specials
    first = frozenset(spec.specials_chars[0] for spec in context.iter_specials_specs())

    def test_for_specials(text: str, at: int, parsing_state: object = None) -> object:
        return look(text, at, parsing_state) if text[at : at + 1] in first else None

    context.test_for_specials = test_for_specials
    return context


_CONVERTER = _converter()
_CONTEXT = _quick(_walker_context())


def mark(number: int) -> str:
    """Return what stands for a citation in the text."""
    return f"\ue100{number}\ue101"


class PlainText:
    """Turns TeX into text, up to a bound in all; beyond it commands are only taken off.

    Attributes:
        spent: Whether the bound was reached.
    """

    def __init__(self) -> None:
        self.spent = False
        self._left = MAX_DECODED
        self._known: dict[str, str] = {}

    def of(self, tex: str) -> str:
        """Return a paragraph as text in one line; each `MARK` in it is kept.

        Args:
            tex: TeX without comments, environments and citation commands.
        """
        if not _NEEDS_DECODING.search(tex):
            return _tidy(tex)
        balanced = _SCRIPT.sub(lambda m: m[1] or m[2], _balanced(tex))
        # Most words are their own text: the library, which reads letter by letter, gets the others only.
        return _tidy("".join(self._decoded(piece) for piece in _pieces(balanced)))

    def _decoded(self, tex: str) -> str:
        if not _NEEDS_DECODING.search(tex):
            return tex
        known = self._known.get(tex)
        if known is not None:
            return known
        if len(tex) > MAX_PARAGRAPH or len(tex) > self._left or tex.count("\\") > MAX_COMMANDS:
            self.spent = True
            return _stripped(tex)
        self._left -= len(tex) + _COST_OF_A_CALL
        try:
            text: str = _CONVERTER.latex_to_text(tex, latex_context=_CONTEXT, tolerant_parsing=True)
        except _ERRORS:
            return _stripped(tex)
        # A command that swallows its argument must not swallow a citation.
        if MARK.findall(text) != MARK.findall(tex):
            text = _stripped(tex)
        if len(tex) <= _MAX_KNOWN_LENGTH and len(self._known) < _MAX_KNOWN:
            self._known[tex] = text
        return text


def _pieces(tex: str) -> Iterator[str]:
    """Part a text with balanced braces at blanks outside of groups and formulas, its blanks included.

    A command stays together with what follows it, which may be its argument.
    """
    start = depth = 0
    formula = command = False
    for match in _PIECE.finditer(tex):
        found = match[0]
        if found[0].isspace():
            following = tex[match.end() : match.end() + 1]
            if not (depth or formula or command or following in ("{", "[")):
                yield tex[start : match.end()]
                start = match.end()
            continue
        command = found[0] == "\\"
        if found == "{":
            depth += 1
        elif found == "}":
            depth -= 1
        elif found[0] == "$":
            formula = not formula
        elif found in ("\\(", "\\["):
            formula = True
        elif found in ("\\)", "\\]"):
            formula = False
    yield tex[start:]


def _tidy(text: str) -> str:
    text = _ALPHABETS.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text.replace("\xad", ""))
    text = _QUOTED.sub("‘\\1’", text)
    text = unicodedata.normalize("NFC", _SPACE.sub(" ", text)).strip()
    return _SPACE_BEFORE.sub(r"\1", _SPACE.sub(" ", _EMPTY.sub("", text))).strip()


def _stripped(tex: str) -> str:
    tex = _COMMAND.sub(" ", tex)
    tex = re.sub(r"\\(.)", lambda m: m[1] if m[1] in "%&$#_{}" else " ", tex, flags=re.DOTALL)
    return re.sub(r"[{}$~]", lambda m: " " if m[0] == "~" else "", tex)


def _balanced(tex: str) -> str:
    """Take off braces and dollar signs without a partner, and groups that nest too deep."""
    opened: list[tuple[int, bool]] = []
    drop: set[int] = set()
    dollars: list[int] = []
    for match in _TOKEN.finditer(tex):
        at = match.start()
        if match[0] == "{":
            deep = len(opened) >= _MAX_NESTING
            opened.append((at, deep))
            if deep:
                drop.add(at)
        elif match[0] == "}":
            if not opened or opened.pop()[1]:
                drop.add(at)
        elif match[0] == "$":
            dollars.append(at)
    drop.update(at for at, _ in opened)
    if len(dollars) % 2:
        drop.add(dollars[-1])
    if not drop:
        return tex
    pieces: list[str] = []
    last = 0
    for at in sorted(drop):
        pieces.append(tex[last:at])
        last = at + 1
    pieces.append(tex[last:])
    return "".join(pieces)
