"""Blocks -> the text that a reader sees, with the place of each citation in it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from veriscite.domain import Section, Span, StatedMarker
from veriscite.reading.document import Heading, sections_of
from veriscite.reading.latex.blocks import read_structure
from veriscite.reading.latex.cites import Cite, Names, show_cite
from veriscite.reading.latex.commands import Show
from veriscite.reading.latex.plain import MARK, PlainText
from veriscite.reading.latex.structure import Structure

_PAIR_GAP = re.compile(r"(?:['’]s?)?\s?\(?\s?")
# After these words, and where a sentence begins, the cited work is a word of the sentence.
_LEADS_IN = re.compile(
    r"(?:^|[.!?:]\s|\b(?:in|by|of|from|with|to|following|follow|follows|and|than|per|like|via|unlike|"
    r"see|also|after|that|by)\s)$",
    re.IGNORECASE,
)
_NARRATIVE = {Show.TEXT, Show.AUTHOR, Show.ALIAS, Show.TITLE}
_OPENERS = "([{“‘\"'-–—/"


@dataclass
class Composed:
    """The text put together."""

    text: str
    sections: tuple[Section, ...]
    markers: tuple[StatedMarker, ...]


@dataclass
class _Writer:
    pieces: list[str] = field(default_factory=list)
    length: int = 0

    def write(self, text: str) -> None:
        if text:
            self.pieces.append(text)
            self.length += len(text)

    def last(self) -> str:
        return self.pieces[-1][-1] if self.pieces else ""


def compose(structure: Structure, names: Names, plain: PlainText) -> Composed:
    """Write out all blocks, one line each, with blank lines between.

    Args:
        structure: What the manuscript holds.
        names: What the entries are called by.
        plain: TeX -> text.
    """
    writer = _Writer()
    headings: list[Heading] = []
    markers: list[StatedMarker] = []
    notes = inline(plain, names)
    for block in structure.blocks:
        line = plain.of(block.tex)
        if block.level is not None:
            start = writer.length
            writer.write(line)
            headings.append(Heading(start, writer.length, max(block.level, 1), line))
            writer.write("\n\n" if line else "")
        elif line:
            markers.extend(_write_line(writer, line, structure.cites, names, notes))
            writer.write("\n\n")
    text = "".join(writer.pieces)
    return Composed(text, sections_of(text, _levelled(headings)), tuple(markers))


def inline(plain: PlainText, names: Names | None = None) -> Callable[[str], str]:
    """Return a function that turns a short piece of TeX into text, its citations shown by name."""
    names = names if names is not None else Names({}, {}, {})

    def convert(tex: str) -> str:
        if not tex.strip():
            return ""
        structure = read_structure(tex, depth=3)
        lines = [plain.of(block.tex) for block in structure.blocks]
        shown = [_shown(cite, names, plain) for cite in structure.cites]
        return " ".join(MARK.sub(lambda m: shown[int(m[1])], line) for line in lines if line)

    return convert


def _shown(cite: Cite, names: Names, plain: PlainText) -> str:
    show = Show.TEXT if cite.show is Show.EITHER else cite.show
    # The notes of a citation that stands in a note are left out: one level is enough to read.
    return show_cite(cite, show, names, lambda tex: "" if "cite" in tex else plain.of(tex))[0]


def _levelled(headings: list[Heading]) -> list[Heading]:
    """Count levels from the highest heading that the manuscript has."""
    top = min((heading.level for heading in headings), default=1)
    return [Heading(h.start, h.end, h.level - top + 1, h.text) for h in headings]


def _write_line(
    writer: _Writer,
    line: str,
    cites: list[Cite],
    names: Names,
    notes: Callable[[str], str],
) -> list[StatedMarker]:
    """Write a paragraph and return its markers."""
    markers: list[StatedMarker] = []
    begin = writer.length
    marks = [m for m in MARK.finditer(line) if int(m[1]) < len(cites)]
    at = skip = 0
    for number, mark in enumerate(marks):
        if number < skip:
            continue
        cite = cites[int(mark[1])]
        writer.write(line[at : mark.start()])
        at = mark.end()
        show = _show_here(cite.show, line[max(0, mark.start() - 60) : mark.start()])
        text, style = show_cite(cite, show, names, notes)
        if _needs_blank(show, writer, begin):
            writer.write(" ")
        start = writer.length
        writer.write(text)
        pair = _pair(cite, marks, number, line, cites)
        if pair is not None:
            year, end = pair
            shown, _ = show_cite(year, Show.YEAR, names, notes)
            gap = line[at : marks[number + 1].start()].rstrip(" (")
            writer.write(f"{gap} ({shown})")
            at, skip = end, number + 2
        end_of_marker = writer.length
        if line[at : at + 1].isalnum():
            writer.write(" ")
        if end_of_marker > start:
            markers.append(
                StatedMarker(
                    span=Span(start=start, end=end_of_marker),
                    keys=cite.keys,
                    style=style,
                    narrative=show in _NARRATIVE,
                )
            )
    writer.write(line[at:])
    return markers


def _show_here(show: Show, before: str) -> Show:
    r"""Tell by its place whether `\cite` is a part of the sentence."""
    if show is not Show.EITHER:
        return show
    opened = before.rfind("(") > before.rfind(")")
    if opened:
        return Show.BARE
    return Show.TEXT if _LEADS_IN.search(MARK.sub("", before)) else Show.PAREN


def _needs_blank(show: Show, writer: _Writer, begin: int) -> bool:
    last = writer.last()
    if writer.length == begin or last.isspace() or last in _OPENERS:
        return False
    return show in (Show.PAREN, Show.TEXT, Show.YEAR_PAREN, Show.ALIAS_PAREN) or last.isalnum()


def _pair(
    cite: Cite, marks: list[re.Match[str]], number: int, line: str, cites: list[Cite]
) -> tuple[Cite, int] | None:
    r"""Return the year that goes with an author (`\citeauthor{a} (\citeyear{a})`), and where it ends."""
    if cite.show is not Show.AUTHOR or number + 1 >= len(marks):
        return None
    following = marks[number + 1]
    year = cites[int(following[1])]
    gap = line[marks[number].end() : following.start()]
    if year.show not in (Show.YEAR, Show.YEAR_PAREN) or year.keys != cite.keys:
        return None
    if _PAIR_GAP.fullmatch(gap) is None:
        return None
    end = following.end()
    opened = gap.rstrip().endswith("(")
    if opened and line[end : end + 1] != ")":
        return None
    return year, end + opened
