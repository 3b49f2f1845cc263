r"""The manuscript's own macros: collected and expanded, within bounds."""

import re
from dataclasses import dataclass, field

from veriscite.reading.latex.arguments import Scanner
from veriscite.reading.latex.commands import DEFINERS, is_kept

MAX_EXPANSIONS = 200_000
MAX_GROWTH = 3_000_000
MAX_DEPTH = 50
MAX_MACROS = 20_000
_MAX_ARGUMENTS = 9
_CONTROL = re.compile(r"\\(?:([A-Za-z@]+)|.)", re.DOTALL)
_NAME = re.compile(r"\\(?:[A-Za-z@]+|.)", re.DOTALL)
_PARAMETER = re.compile(r"#([1-9#])")
_PLAIN_PARAMETERS = re.compile(r"(?:#[1-9])*")
_SPECIFICATION = re.compile(r"\s*(?:(?:[oO]|O\{[^{}]*\})\s*)?(?:[mM]\s*)*")
# Bodies that program TeX cannot be expanded by replacing; their macros stay unknown.
_PROGRAM = re.compile(r"\\(?:@|csname|expandafter|futurelet|ifx|loop|afterassignment|catcode|write|read)")
_LETTER = re.compile(r"[\w(\"“‘`$]")


@dataclass(frozen=True)
class Macro:
    """A macro: `default` is that of its first argument, where this is optional."""

    body: str
    count: int = 0
    default: str | None = None


@dataclass
class _Frame:
    """A text that is being read, and how far."""

    scanner: Scanner
    at: int = 0

    @property
    def text(self) -> str:
        return self.scanner.text


@dataclass
class MacroTable:
    """All macros known so far; definitions take effect where they stand.

    Attributes:
        spent: Whether a bound was reached; what follows is left as it is.
    """

    macros: dict[str, Macro] = field(default_factory=dict)
    spent: bool = False
    _expansions: int = 0
    _growth: int = 0

    def expand(self, text: str) -> str:
        r"""Return a text with the macros that it and earlier texts define replaced.

        Commands that are understood anyway (`\section`, `\citep`) keep their meaning; bodies that program
        TeX are not expanded.

        Args:
            text: TeX without comments.

        Raises:
            TooLargeError: It holds more groups than any manuscript.
        """
        pieces: list[str] = []
        frames = [_Frame(Scanner(text))]
        while frames:
            frame = frames[-1]
            match = _CONTROL.search(frame.text, frame.at)
            if match is None:
                pieces.append(frame.text[frame.at :])
                frames.pop()
                continue
            pieces.append(frame.text[frame.at : match.start()])
            frame.at = match.end()
            name = match[1]
            if name in DEFINERS:
                frame.at = self._define(name, frame.scanner, frame.at)
            elif name == "xspace":
                pieces.append(_space(frames))
            elif name is None or name not in self.macros or not self._affordable(frames):
                pieces.append(match[0])
            else:
                body = self._applied(self.macros[name], frames)
                if body is None:
                    pieces.append(match[0])
                else:
                    self._growth += len(body)
                    self._expansions += 1
                    frames.append(_Frame(Scanner(body)))
        return "".join(pieces)

    def _affordable(self, frames: list[_Frame]) -> bool:
        if self._expansions >= MAX_EXPANSIONS or self._growth >= MAX_GROWTH or len(frames) > MAX_DEPTH:
            self.spent = True
            return False
        return True

    def _applied(self, macro: Macro, frames: list[_Frame]) -> str | None:
        """Read a macro's arguments and put them into its body."""
        arguments: list[str] = []
        positions = [frame.at for frame in frames]
        if macro.default is not None:
            found = frames[-1].scanner.optional(frames[-1].at)
            arguments.append(macro.default if found is None else found[0])
            if found is not None:
                frames[-1].at = found[1]
        while len(arguments) < macro.count:
            argument = _next_argument(frames)
            if argument is None:
                for frame, position in zip(frames, positions, strict=True):
                    frame.at = position
                return None
            arguments.append(argument)
        if not arguments:
            # TeX swallows the blanks after a command without arguments.
            frames[-1].at = frames[-1].scanner.gap(frames[-1].at)
            return macro.body
        room = MAX_GROWTH - self._growth
        length = len(macro.body) + sum(
            len(arguments[int(m[1]) - 1])
            for m in _PARAMETER.finditer(macro.body)
            if m[1] != "#" and int(m[1]) <= len(arguments)
        )
        if length > room:
            self.spent = True
            return ""
        return _PARAMETER.sub(lambda m: _parameter(m[1], arguments), macro.body)

    def _define(self, command: str, scanner: Scanner, at: int) -> int:
        """Take in a definition; one that cannot be understood is left out with its command."""
        if command in ("newenvironment", "renewenvironment"):
            return _skipped_environment(scanner, at)
        at += scanner.text[at : at + 1] == "*"
        named = scanner.group(at)
        if named is not None:
            name, at = named[0].strip(), named[1]
        else:
            match = _NAME.match(scanner.text, scanner.gap(at))
            if match is None:
                return at
            name, at = match[0], match.end()
        if command == "let":
            return self._let(name, scanner, at)
        if command.endswith("def"):
            return self._plain_definition(name, scanner, at)
        count, default, plain = 0, None, True
        if command.endswith("DocumentCommand"):
            specification, at = scanner.group(at) or ("", at)
            plain = _SPECIFICATION.fullmatch(specification) is not None
            count = specification.count("m") + specification.count("o") + specification.count("O")
            default = "" if "o" in specification.lower() else None
        elif command != "DeclareMathOperator":
            number = scanner.optional(at)
            if number is not None:
                count, at = _number(number[0]), number[1]
            first = scanner.optional(at)
            if first is not None:
                default, at = first
        body = scanner.argument(at)
        if body is None:
            return at
        if plain:
            text = f"\\operatorname{{{body[0]}}}" if command == "DeclareMathOperator" else body[0]
            self._add(name, Macro(text, min(count, _MAX_ARGUMENTS), default))
        return body[1]

    def _let(self, name: str, scanner: Scanner, at: int) -> int:
        at = scanner.gap(at)
        at += scanner.text[at : at + 1] == "="
        match = _NAME.match(scanner.text, scanner.gap(at))
        if match is None:
            return at
        self._add(name, self.macros.get(match[0][1:], Macro(match[0])))
        return match.end()

    def _plain_definition(self, name: str, scanner: Scanner, at: int) -> int:
        begin = scanner.text.find("{", at, at + 200)
        if begin < 0:
            return at
        body = scanner.group(begin)
        if body is None:
            return at
        parameters = scanner.text[at:begin].strip()
        if _PLAIN_PARAMETERS.fullmatch(parameters):
            self._add(name, Macro(body[0], len(parameters) // 2))
        return body[1]

    def _add(self, name: str, macro: Macro) -> None:
        bare = name.removeprefix("\\")
        if not bare.replace("@", "").isalpha() or is_kept(bare) or len(self.macros) >= MAX_MACROS:
            return
        if _PROGRAM.search(macro.body) or macro.body == name:
            self.macros.pop(bare, None)
            return
        self.macros[bare] = macro


def _number(written: str) -> int:
    return int(written) if re.fullmatch(r"\s*[1-9]\s*", written) else 0


def _parameter(number: str, arguments: list[str]) -> str:
    if number == "#":
        return "#"
    index = int(number) - 1
    return arguments[index] if index < len(arguments) else ""


def _next_argument(frames: list[_Frame]) -> str | None:
    """Read an argument; where a macro's body ends, it is taken from what follows the macro."""
    for frame in reversed(frames):
        found = frame.scanner.argument(frame.at)
        if found is not None:
            frame.at = found[1]
            return found[0]
        if frame.scanner.gap(frame.at) < len(frame.text):
            return None
    return None


def _space(frames: list[_Frame]) -> str:
    r"""Return the blank that `\xspace` puts before a word."""
    for frame in reversed(frames):
        rest = frame.text[frame.at : frame.at + 1]
        if rest in ("}", ""):
            following = frame.text[frame.at + 1 : frame.at + 2] if rest else ""
            if rest and following:
                return " " if _LETTER.match(following) else ""
            continue
        return " " if _LETTER.match(rest) else ""
    return ""


def _skipped_environment(scanner: Scanner, at: int) -> int:
    at += scanner.text[at : at + 1] == "*"
    for number in range(3):
        found = scanner.group(at)
        if found is None:
            break
        at = scanner.after_optionals(found[1]) if number == 0 else found[1]
    return at
