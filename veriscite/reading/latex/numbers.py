r"""What `\ref` prints: numbers of sections, figures, tables and equations, counted as LaTeX does."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from veriscite.reading.latex.arguments import Scanner
from veriscite.reading.latex.commands import HEADINGS, MATH

PLACEHOLDER = "[number]"
"""Stands for a number that is not known."""

MAX_LABELS = 50_000
_TOKEN = re.compile(
    r"\\(?P<word>begin|end|label|caption|captionof|item|appendix|newtheorem|nonumber|notag|tag|"
    r"part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(?![A-Za-z@])(?P<star>\*?)"
    r"|\\\\|\\."
)
_ROWS = frozenset({"align", "alignat", "flalign", "eqnarray", "gather", "IEEEeqnarray", "xalignat", "dgroup"})
_BOOKS = re.compile(
    r"\\documentclass(?:\[[^\]\n]{0,300}\])?\{(?:[^{}\n]{0,40})(?:book|report|rep|memoir|thesis)"
)
_FLOATS = {
    **dict.fromkeys(
        ("figure", "wrapfigure", "sidewaysfigure", "SCfigure", "marginfigure", "floatingfigure"), "figure"
    ),
    **dict.fromkeys(
        (
            "table",
            "wraptable",
            "sidewaystable",
            "SCtable",
            "margintable",
            "longtable",
            "deluxetable",
            "threeparttable",
        ),
        "table",
    ),
    "algorithm": "algorithm",
    "listing": "listing",
}
WORDS = {
    "figure": "Figure",
    "table": "Table",
    "equation": "Equation",
    "algorithm": "Algorithm",
    "listing": "Listing",
    "part": "Part",
    "chapter": "Chapter",
    "item": "item",
}
_MAX_NESTED = 200
_MAX_NAME = 60


@dataclass(frozen=True)
class Label:
    """What a label stands for: its number, the word that goes with it, its heading if it has one."""

    number: str
    word: str = ""
    title: str = ""


@dataclass
class _Counter:
    value: int = 0
    letters: bool = False

    def __str__(self) -> str:
        if self.letters and 1 <= self.value <= 26:
            return chr(64 + self.value)
        return str(self.value)


@dataclass
class _Counting:
    """Counts on, token by token.

    Attributes:
        open: Environments around, each with what a label would stand for before it.
        in_row: Labels of the row of a formula that is being read.
    """

    scanner: Scanner
    book: bool
    labels: dict[str, Label] = field(default_factory=dict)
    now: Label = field(default_factory=lambda: Label(""))
    open: list[tuple[str, Label]] = field(default_factory=list)
    counts: dict[str, _Counter] = field(default_factory=dict)
    items: list[int] = field(default_factory=list)
    theorems: dict[str, tuple[str, str]] = field(default_factory=dict)
    in_row: list[str] = field(default_factory=list)
    unnumbered: bool = False

    def step(self, name: str) -> int:
        counter = self.counts.setdefault(name, _Counter())
        counter.value += 1
        return counter.value

    def in_chapter(self, number: int | str) -> str:
        chapter = self.counts.get("chapter")
        return f"{chapter}.{number}" if self.book and chapter is not None and chapter.value else str(number)

    def heading(self, name: str, at: int) -> None:
        found = self.scanner.argument(self.scanner.after_optionals(at))
        title = found[0][:300] if found else ""
        if name == "part":
            self.now = Label(str(self.step("part")), "Part", title)
            return
        self.step(name)
        levels = [level for level in HEADINGS if level != "part" and (self.book or level != "chapter")]
        if name not in levels:
            levels = [name]
        for lower in levels[levels.index(name) + 1 :]:
            self.counts.pop(lower, None)
        if name == "chapter":
            for counted in ("figure", "table", "equation", "algorithm", "listing"):
                self.counts.pop(counted, None)
        parts = [str(self.counts.get(level, _Counter())) for level in levels[: levels.index(name) + 1]]
        top = self.counts.get(levels[0])
        word = "Appendix" if top is not None and top.letters else WORDS.get(name, "Section")
        self.now = Label(".".join(parts), word, title)

    def appendix(self) -> None:
        top = "chapter" if self.book else "section"
        self.counts[top] = _Counter(0, letters=True)

    def begin(self, written: str) -> None:
        name = written.rstrip("*")
        if len(self.open) < _MAX_NESTED:
            self.open.append((written, self.now))
        if name == "appendices":
            self.appendix()
        elif written in MATH and written not in ("math", "displaymath"):
            self.unnumbered = False
            self.equation()
        elif written in self.theorems:
            counter, word = self.theorems[written]
            self.now = Label(self.in_chapter(self.step(counter)), word)
        elif name in ("enumerate", "compactenum", "asparaenum", "inparaenum"):
            self.items.append(0)

    def end(self, written: str) -> None:
        if all(written != name for name, _ in self.open[-20:]):
            return
        while self.open:
            name, before = self.open.pop()
            if name == written:
                self.now = before
                break
        self.in_row = []
        if written in _ROWS and self.unnumbered:
            self.counts["equation"].value -= 1
        elif written.rstrip("*") in ("enumerate", "compactenum", "asparaenum", "inparaenum") and self.items:
            self.items.pop()

    def equation(self) -> None:
        self.in_row = []
        self.now = Label(self.in_chapter(self.step("equation")), "Equation")

    def row(self) -> None:
        if not self.open or self.open[-1][0] not in _ROWS:
            return
        if self.unnumbered:
            self.counts["equation"].value -= 1
        self.unnumbered = False
        self.equation()

    def tag(self, at: int) -> None:
        found = self.scanner.group(at)
        if found is not None and self.now.word == "Equation":
            self.counts["equation"].value -= 1
            self.now = Label(found[0].strip(" $")[:30], "Equation")
            # A tag may come behind the labels of its row.
            self.labels.update(dict.fromkeys(self.in_row, self.now))

    def caption(self, kind: str) -> None:
        for name, _ in reversed(self.open):
            kind = kind or _FLOATS.get(name.rstrip("*"), "")
        if kind:
            self.now = Label(self.in_chapter(self.step(kind)), WORDS.get(kind, ""))

    def item(self) -> None:
        if self.items and self.open and "enum" in self.open[-1][0]:
            self.items[-1] += 1
            count, depth = self.items[-1], len(self.items)
            number = f"({chr(96 + count)})" if depth == 2 and count <= 26 else str(count)
            self.now = Label(number, "item")

    def theorem(self, at: int) -> None:
        name = self.scanner.group(at)
        if name is None:
            return
        shared = self.scanner.optional(name[1])
        word = self.scanner.group(shared[1] if shared else name[1])
        if word is not None and len(self.theorems) < 1_000:
            counter = self.theorems.get(shared[0], (shared[0], ""))[0] if shared else name[0]
            self.theorems[name[0]] = (f"theorem {counter}", word[0][:40])


def label_numbers(text: str) -> Mapping[str, Label]:
    """Return what each label stands for.

    Numbers are those of the usual classes; where a class or a package counts otherwise, they may differ from
    what is printed: they are for reading, and nothing is tied to them.

    Args:
        text: TeX without comments, its macros expanded.
    """
    if "\\label" not in text:
        return {}
    counting = _Counting(Scanner(text), book=_BOOKS.search(text[:20_000]) is not None)
    for match in _TOKEN.finditer(text):
        if match["word"] is not None:
            _count(counting, match)
        elif match[0] == "\\\\":
            counting.row()
        if len(counting.labels) >= MAX_LABELS:
            break
    return counting.labels


def _count(counting: _Counting, match: re.Match[str]) -> None:
    word, at, starred = match["word"], match.end(), bool(match["star"])
    if word in ("begin", "end"):
        found = counting.scanner.group(match.start("star"))
        if found is not None and len(found[0]) <= _MAX_NAME:
            (counting.begin if word == "begin" else counting.end)(found[0].strip())
    elif word == "label":
        _label(counting, at)
    elif word == "tag":
        counting.tag(at)
    elif word in ("nonumber", "notag"):
        counting.unnumbered = True
    elif word == "item":
        counting.item()
    elif word == "appendix":
        counting.appendix()
    elif not starred:
        _count_plain(counting, word, at)


def _count_plain(counting: _Counting, word: str, at: int) -> None:
    """Count what a star leaves unnumbered."""
    if word in HEADINGS:
        counting.heading(word, at)
    elif word == "newtheorem":
        counting.theorem(at)
    else:
        kind = counting.scanner.group(at) if word == "captionof" else None
        counting.caption(kind[0].strip() if kind else "")


def _label(counting: _Counting, at: int) -> None:
    found = counting.scanner.group(counting.scanner.after_optionals(at))
    if found is not None and counting.now.number and len(found[0]) <= 200:
        key = " ".join(found[0].split())
        if key not in counting.labels:
            counting.labels[key] = counting.now
            if counting.now.word == "Equation":
                counting.in_row.append(key)
