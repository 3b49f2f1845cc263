r"""The structure of a text: paragraphs, headings, captions and notes, with citations marked."""

import re

from veriscite.reading.latex import commands as known
from veriscite.reading.latex.arguments import Scanner
from veriscite.reading.latex.cites import Cite, read_cite, split_keys
from veriscite.reading.latex.clean import escape
from veriscite.reading.latex.commands import Show, show_of
from veriscite.reading.latex.plain import MARK, mark
from veriscite.reading.latex.references import show_reference
from veriscite.reading.latex.structure import Block, Structure
from veriscite.reading.stated import limit_citations

FORMULA = "[formula]"
"""Stands where a displayed formula stood."""

_MAX_NESTING = 5
_TOKEN = re.compile(r"\\(?:([A-Za-z@]+)(\*?)|(.))|(\$\$)|\n[ \t]*(?:\n[ \t]*)+", re.DOTALL)
CITE_COMMAND = re.compile(r"\\[A-Za-z]*[cC]ite[A-Za-z]*\*?[ \t\n]*[\[{(]")
_FORMULA_END = re.compile(r"([.,;])(?:\s|\\label\{[^{}]{0,200}\}|\\(?:nonumber|notag|quad|qquad)|[{}\\])*$")
_CAPTION = re.compile(rf"\\({'|'.join(sorted(known.CAPTIONS))}|tablecomments)(?![A-Za-z@])\*?")


def read_structure(text: str, structure: Structure | None = None, *, depth: int = 0) -> Structure:
    """Divide a text into blocks.

    Args:
        text: TeX without comments, its macros expanded.
        structure: What to add to.
        depth: How many notes and captions the text stands in.

    Raises:
        TooLargeError: It holds more groups than any manuscript.
    """
    structure = structure if structure is not None else Structure()
    _Reader(text, structure, depth).read()
    return structure


class _Reader:
    def __init__(self, text: str, structure: Structure, depth: int) -> None:
        self._text = text
        self._scanner = Scanner(text)
        self._out = structure
        self._depth = depth
        self._pieces: list[str] = []
        self._later: list[Block] = []
        self._unnamed_next = False

    def read(self) -> None:
        at = 0
        while (match := _TOKEN.search(self._text, at)) is not None:
            self._pieces.append(self._text[at : match.start()])
            at = match.end()
            if match[1]:
                at = self._command(match, at)
            elif match[4]:
                at = self._formula("$$", at)
            elif match[3] == "[":
                at = self._formula("\\]", at)
            elif match[3] == "\\":
                self._pieces.append(" ")
                at = self._scanner.after_optionals(at) if self._text[at : at + 1] == "[" else at
            elif match[3]:
                self._pieces.append(match[0])
            else:
                self._flush()
        self._pieces.append(self._text[at:])
        self._flush()

    def _command(self, match: re.Match[str], at: int) -> int:
        name = match[1]
        if name == "begin":
            return self._begin(match, at)
        if name == "end":
            return self._end(at)
        show = show_of(name)
        if show is not None:
            return self._cite(match, show, at)
        if name in known.HEADINGS:
            return self._heading(known.HEADINGS[name], self._scanner.after_optionals(at))
        if name in known.ASIDES or name in known.CAPTIONS:
            return self._aside(name, at)
        if name == "item":
            return self._item(at)
        if name in known.BREAKS:
            self._flush()
            return at
        if name in ("abstract", *known.SECTION_COMMANDS):
            return self._section_command(name, at)
        matter = self._front_matter(name, at)
        return self._wording(match, at) if matter is None else matter

    def _front_matter(self, name: str, at: int) -> int | None:
        """Read a command that tells something about the manuscript; None if it is none."""
        if name in known.TITLES:
            found = self._scanner.argument(self._scanner.after_optionals(at))
            if found is not None and self._out.title is None:
                self._out.title = found[0]
            return found[1] if found else at
        if name in known.LISTS_NAMED:
            found = self._scanner.group(self._scanner.after_optionals(at))
            if found is not None:
                self._out.lists.extend(split_keys(found[0]))
            return found[1] if found else at
        if name == "defcitealias":
            return self._alias(at)
        return None

    def _section_command(self, name: str, at: int) -> int:
        r"""Read `\abstract{...}` and its like."""
        found = self._scanner.group(at)
        if found is None and name == "abstract":
            return at
        self._add_heading(known.SECTIONS[name], 2)
        if found is None:
            return at
        self._out.blocks.extend(self._nested(found[0]))
        self._unnamed_next = True
        return found[1]

    def _wording(self, match: re.Match[str], at: int) -> int:
        """Read a command inside of a paragraph."""
        name = match[1]
        if name in known.REFERENCES or name in known.NAMED_REFERENCES:
            return self._reference(name, at)
        if name in ("url", "nolinkurl", "path"):
            found = self._scanner.group(at)
            if found is not None:
                self._pieces.append(escape(found[0].replace("\\", "")))
            return found[1] if found else at
        if name in ("newline", "linebreak", "quad", "qquad", "and", "newblock", "hfill", "break"):
            self._pieces.append(" ")
            return at
        if name in known.DROPPED or name in known.FIRST_DROPPED:
            return self._skip(name, at)
        self._pieces.append(match[0])
        # An option is no text; that of a root is a number to be read.
        if self._text[at : at + 1] == "[" and name != "sqrt":
            option = self._scanner.optional(at, before_group=True)
            return option[1] if option is not None else at
        return at

    def _skip(self, name: str, at: int) -> int:
        """Skip the arguments that hold nothing to read."""
        at = self._scanner.after_optionals(at)
        for _ in range(known.DROPPED.get(name) or known.FIRST_DROPPED[name]):
            found = self._scanner.group(at)
            if found is None:
                break
            at = found[1] if name in known.FIRST_DROPPED else self._scanner.after_optionals(found[1])
        return at

    def _cite(self, match: re.Match[str], show: Show, at: int) -> int:
        found = read_cite(self._scanner, match[1], show, at)
        if found is None:
            empty = self._scanner.group(self._scanner.after_optionals(at))
            if empty is not None and len(self._out.empty_cites) < 100:
                self._out.empty_cites.append(self._text[match.start() : empty[1]][:200])
            return empty[1] if empty is not None else at
        cite, end = found
        self._pieces.append(mark(len(self._out.cites)))
        self._out.cites.append(_with_inner_keys(cite))
        limit_citations(len(self._out.cites))
        return end

    def _alias(self, at: int) -> int:
        key = self._scanner.group(at)
        text = self._scanner.group(key[1]) if key else None
        if key is None or text is None:
            return at
        self._out.aliases[key[0].strip()] = text[0]
        return text[1]

    def _reference(self, name: str, at: int) -> int:
        found = show_reference(self._scanner, name, at, self._out.numbers)
        if found is None:
            return at
        self._pieces.append(found[0])
        return found[1]

    def _aside(self, name: str, at: int) -> int:
        at = _before_words(self._scanner, name, at)
        found = self._scanner.group(at)
        if found is None:
            return at
        self._later.extend(self._nested(found[0]))
        return found[1]

    def _nested(self, tex: str) -> list[Block]:
        """Read a note or a caption as paragraphs of its own."""
        if self._depth >= _MAX_NESTING:
            return []
        before = len(self._out.blocks)
        read_structure(tex, self._out, depth=self._depth + 1)
        blocks = [Block(block.tex) for block in self._out.blocks[before:]]
        del self._out.blocks[before:]
        return blocks

    def _item(self, at: int) -> int:
        self._flush()
        label = self._scanner.optional(at)
        if label is None:
            return at
        self._pieces.append(f"{{{label[0]}}} ")
        return label[1]

    def _heading(self, level: int, at: int) -> int:
        found = self._scanner.argument(at)
        if found is None:
            return at
        self._add_heading(found[0], level)
        return found[1]

    def _add_heading(self, tex: str, level: int) -> None:
        self._flush()
        self._unnamed_next = False
        nested = Structure(numbers=self._out.numbers)
        if self._depth < _MAX_NESTING:
            read_structure(tex, nested, depth=self._depth + 1)
        self._out.unread_cites += len(nested.cites)
        # A citation in a heading cites nothing for a claim; its place is left out.
        words = " ".join(MARK.sub(" ", block.tex) for block in nested.blocks[:1])
        self._out.blocks.append(Block(words, level))

    def _begin(self, match: re.Match[str], at: int) -> int:
        found = self._scanner.group(at)
        if found is None:
            return at
        written, at = found
        name = written.strip().rstrip("*")
        if name in known.MATH:
            return self._formula(f"\\end{{{written}}}", at, environment=written)
        if name in known.FLOATS or name in known.UNREAD:
            return self._left_out(name, written, at)
        if name == "thebibliography":
            end = self._scanner.environment_end(written, at)
            self._flush()
            self._out.bibliographies.append(self._text[at : end[0]] if end else self._text[at:])
            return end[1] if end else len(self._text)
        if name in known.SECTIONS:
            self._add_heading(known.SECTIONS[name], 2)
        elif name not in known.ITEMS and name not in ("document", "subequations", "linenumbers", "math"):
            self._flush()
        options = at
        at = self._scanner.after_optionals(at)
        self._out.unread_cites += _count_cites(self._text[options:at])
        for _ in range(known.ENVIRONMENT_ARGUMENTS.get(name, 0)):
            argument = self._scanner.group(at)
            at = argument[1] if argument else at
        return at

    def _end(self, at: int) -> int:
        found = self._scanner.group(at)
        if found is None:
            return at
        self._flush()
        if found[0].strip().rstrip("*") in known.SECTIONS:
            self._unnamed_next = True
        return found[1]

    def _formula(self, closing: str, at: int, *, environment: str = "") -> int:
        if environment:
            end = self._scanner.environment_end(environment, at)
        else:
            start = self._text.find(closing, at, at + 20_000)
            end = (start, start + len(closing)) if start >= 0 else None
        if end is None:
            return at
        inside = self._text[at : end[0]]
        stop = _FORMULA_END.search(inside[-300:])
        self._pieces.append(f" {FORMULA}{stop[1] if stop else ''} ")
        self._out.unread_cites += _count_cites(inside)
        return end[1]

    def _left_out(self, name: str, written: str, at: int) -> int:
        end = self._scanner.environment_end(written, at)
        if end is None:
            return at
        inside = self._text[at : end[0]]
        read = 0
        if name in known.FLOATS and self._depth < _MAX_NESTING:
            for caption in _captions(inside):
                self._later.extend(self._nested(caption))
                read += _count_cites(caption)
        self._out.unread_cites += max(_count_cites(inside) - read, 0)
        return end[1]

    def _flush(self) -> None:
        tex = "".join(self._pieces)
        self._pieces = []
        if tex.strip():
            if self._unnamed_next:
                self._out.blocks.append(Block("", 2))
                self._unnamed_next = False
            self._out.blocks.append(Block(tex))
        self._out.blocks.extend(self._later)
        self._later = []


def _with_inner_keys(cite: Cite) -> Cite:
    """Add the keys that the notes cite: a marker inside of a marker is none of its own."""
    keys = list(cite.keys)
    for note in (cite.before, cite.after, *(t for g in cite.groups for t in (g.before, g.after))):
        if "cite" not in note and "Cite" not in note:
            continue
        for inner in read_structure(note, depth=_MAX_NESTING).cites:
            keys.extend(inner.keys)
    return Cite(cite.show, cite.groups, tuple(dict.fromkeys(keys)), cite.before, cite.after)


def _count_cites(tex: str) -> int:
    return sum(1 for _ in CITE_COMMAND.finditer(tex))


def _before_words(scanner: Scanner, name: str, at: int) -> int:
    """Return where the words of a note or a caption come: behind its options and what it is a caption of."""
    at = scanner.after_optionals(at)
    if name not in ("captionof", "tablenotetext"):
        return at
    first = scanner.group(at)
    return scanner.after_optionals(first[1]) if first is not None else at


def _captions(tex: str) -> list[str]:
    scanner = Scanner(tex)
    arguments = (
        scanner.argument(_before_words(scanner, match[1], match.end())) for match in _CAPTION.finditer(tex)
    )
    return [argument[0] for argument in arguments if argument is not None]
