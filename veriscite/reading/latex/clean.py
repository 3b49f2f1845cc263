r"""What TeX itself never prints: comments, verbatim listings, `\iffalse`, and all after the end.

A line end that disappears with a comment is kept as `SOFT_BREAK`, so that lines can still be counted.
"""

import re
from bisect import bisect_right

SOFT_BREAK = "\ue0f0"
"""Stands for a line end that is none to TeX."""

_PRIVATE = re.compile("[\ue000-\uf8ff]")
_LISTINGS = "verbatim|Verbatim|lstlisting|minted|comment|filecontents|alltt|BVerbatim|LVerbatim"
_START = re.compile(
    r"\\(?:"
    rf"begin[ \t]{{0,8}}\{{(?P<listing>(?:{_LISTINGS})\*?)\}}"
    r"|(?P<verb>verb\*?(?!\{)|lstinline(?:\[[^\]\n]{0,200}\])?)(?P<bar>[^A-Za-z\s])"
    r"|(?P<false>iffalse(?![A-Za-z@])|if0(?!\d))"
    r"|(?P<stop>endinput(?![A-Za-z@])|end[ \t]{0,8}\{document\})"
    r"|(?:url|nolinkurl|path|href)[ \t]{0,8}\{[^{}\n]{0,2000}\}"
    r"|.)"
    r"|(?P<comment>%)",
    re.DOTALL,
)
_COMMENT = re.compile(r"%[^\n]*\n?[ \t]*")
_CONDITION = re.compile(
    r"\\\\|(?<!\\)%[^\n]*|\\(?P<word>if(?!f(?![A-Za-z])|thenelse)[A-Za-z@]*|else|fi)(?![A-Za-z@])"
)
_MAX_PROBLEMS = 100
_SPECIAL = {
    "\\": "\\textbackslash{}",
    "{": "\\{",
    "}": "\\}",
    "$": "\\$",
    "%": "\\%",
    "&": "\\&",
    "#": "\\#",
    "_": "\\_",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
}


def escape(text: str) -> str:
    """Write a plain text in TeX."""
    return "".join(_SPECIAL.get(char, char) for char in text)


def clean(text: str) -> tuple[str, list[tuple[str, int]]]:
    r"""Take out what is never printed.

    Args:
        text: A file, with `\n` line ends.

    Returns:
        The text, with `SOFT_BREAK` for each line end taken out, and what could not be read with its
        line (1-based).
    """
    text = _PRIVATE.sub(" ", text)
    pieces: list[str] = []
    problems: list[tuple[str, int]] = []
    conditions = _Conditions(text)
    endless: set[str] = set()
    at = 0
    while (match := _START.search(text, at)) is not None:
        pieces.append(text[at : match.start()])
        at = match.end()
        if match["comment"]:
            at = _comment(text, match.start(), pieces)
        elif match["listing"]:
            closing = f"\\end{{{match['listing']}}}"
            end = -1 if closing in endless else text.find(closing, at)
            if end < 0:
                endless.add(closing)
                _report(problems, f"{match['listing']} has no end; it was left in.", text, at)
            else:
                at = end + len(closing)
                # A listing stands on lines of its own: behind a whole sentence it parts paragraphs.
                whole = text[max(0, match.start() - 100) : match.start()].rstrip().endswith((".", "!", "?"))
                lines = text.count("\n", match.start(), at)
                pieces.append(("\n\n" if whole else " ") + SOFT_BREAK * (lines - 2 if whole else lines))
        elif match["verb"]:
            end = text.find("}" if match["bar"] == "{" else match["bar"], at, at + 1_000)
            if end < 0 or "\n" in text[at:end]:
                pieces.append(" ")
            else:
                pieces.append(escape(text[at:end]))
                at = end + 1
        elif match["false"]:
            region = conditions.region(match.start())
            if region is None:
                _report(problems, "\\iffalse has no \\fi; what follows was left in.", text, at)
            else:
                pieces.append(_soft(text, match.start(), region))
                at = region
        elif match["stop"]:
            if match["stop"].startswith("end{") or match["stop"].startswith("end "):
                pieces.append("\\end{document}")
            return "".join(pieces), problems
        else:
            pieces.append(match[0])
    pieces.append(text[at:])
    return "".join(pieces), problems


def _comment(text: str, start: int, pieces: list[str]) -> int:
    match = _COMMENT.match(text, start)
    end = match.end() if match else start + 1
    # A blank line after a comment parts paragraphs all the same.
    blank = text[end : end + 1] == "\n"
    pieces.append("\n" if blank else SOFT_BREAK * text.count("\n", start, end))
    return end


def _soft(text: str, start: int, end: int) -> str:
    return SOFT_BREAK * text.count("\n", start, end)


def _report(problems: list[tuple[str, int]], message: str, text: str, at: int) -> None:
    # Counting lines takes its time; a hundred problems tell as much as a million.
    if len(problems) < _MAX_PROBLEMS:
        problems.append((message, text.count("\n", 0, at) + 1))


class _Conditions:
    r"""Where each `\if` ends; all are paired in one pass, on the first demand."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._regions: dict[int, int] | None = None

    def region(self, start: int) -> int | None:
        r"""Return where what is kept goes on: after `\else`, or after `\fi`; None where nothing closes it."""
        if self._regions is None:
            self._regions = self._paired()
        return self._regions.get(start)

    def _paired(self) -> dict[int, int]:
        opened: list[list[int]] = []
        regions: dict[int, int] = {}
        for match in _CONDITION.finditer(self._text):
            word = match["word"]
            if word is None:
                continue
            if word == "fi":
                if opened:
                    start, otherwise = opened.pop()
                    regions[start] = match.end() if otherwise < 0 else otherwise
            elif word == "else":
                if opened and opened[-1][1] < 0:
                    opened[-1][1] = match.end()
            else:
                opened.append([match.start(), -1])
        return regions


class Lines:
    """Line numbers of a cleaned text."""

    def __init__(self, text: str) -> None:
        self._ends = [match.start() for match in re.finditer(f"[\n{SOFT_BREAK}]", text)]

    def at(self, offset: int) -> int:
        """Return the line (1-based) of an offset."""
        return bisect_right(self._ends, offset - 1) + 1
