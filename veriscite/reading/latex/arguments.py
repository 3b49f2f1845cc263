r"""Arguments of TeX commands: groups in braces and in brackets, found in linear time."""

import re

from veriscite.errors import TooLargeError

MAX_GROUPS = 1_000_000
MAX_OPTIONAL = 4_000
_MAX_STEPS = 3_000_000
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACKETS = re.compile(r"\\.|[{}\]]", re.DOTALL)
_GAP = re.compile(r"[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?")
_CONTROL = re.compile(r"\\(?:[A-Za-z@]+|.)", re.DOTALL)


class Scanner:
    """Finds arguments in a text; each pair of braces is matched once, however often it is asked for.

    Args:
        text: TeX without comments.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._closers: dict[int, int] | None = None
        self._steps = 0
        self._endless: set[str] = set()

    def closer(self, at: int) -> int | None:
        """Return the offset of the brace that closes the one at `at`, or None.

        Raises:
            TooLargeError: There are more groups than in any manuscript.
        """
        if self._closers is None:
            self._closers = _match_braces(self.text)
        return self._closers.get(at)

    def gap(self, at: int) -> int:
        """Return the offset after white space that TeX skips before an argument: never a blank line."""
        match = _GAP.match(self.text, at)
        return match.end() if match else at

    def group(self, at: int) -> tuple[str, int] | None:
        """Return what stands in the braces that come next, and the offset after them."""
        start = self.gap(at)
        if self.text[start : start + 1] != "{":
            return None
        end = self.closer(start)
        return None if end is None else (self.text[start + 1 : end], end + 1)

    def argument(self, at: int) -> tuple[str, int] | None:
        """Return a mandatory argument as TeX takes it: a group, a command or a character."""
        found = self.group(at)
        if found is not None:
            return found
        start = self.gap(at)
        control = _CONTROL.match(self.text, start)
        if control is not None:
            return control[0], control.end()
        char = self.text[start : start + 1]
        return (char, start + 1) if char and char not in "{}\n" else None

    def optional(self, at: int, *, before_group: bool = False) -> tuple[str, int] | None:
        """Return what stands in the brackets that come next, and the offset after them.

        Args:
            at: Where to look.
            before_group: Whether a group has to follow the closing bracket: labels hold brackets that they
                do not close or did not open.
        """
        start = self.gap(at)
        end = start + MAX_OPTIONAL
        if self.text[start : start + 1] != "[" or self.text.find("]", start, end) < 0:
            return None
        position = start + 1
        while self._steps < _MAX_STEPS:
            self._steps += 1
            match = _BRACKETS.search(self.text, position, end)
            if match is None or match[0] == "}":
                return None
            position = match.end()
            if match[0] == "{":
                closed = self.closer(match.start())
                if closed is None:
                    return None
                position = closed + 1
            elif match[0] == "]":
                after = self.gap(position)
                if not before_group or self.text[after : after + 1] == "{":
                    return self.text[start + 1 : position - 1], position
        return None

    def parenthesised(self, at: int) -> tuple[str, int] | None:
        r"""Return what stands in the parentheses that come next (notes of `\cites`)."""
        start = self.gap(at)
        if self.text[start : start + 1] != "(":
            return None
        end = self.text.find(")", start, start + MAX_OPTIONAL)
        return None if end < 0 else (self.text[start + 1 : end], end + 1)

    def after_optionals(self, at: int) -> int:
        """Return the offset after all brackets that come next."""
        for _ in range(4):
            found = self.optional(at)
            if found is None:
                break
            at = found[1]
        return at

    def environment_end(self, name: str, at: int) -> tuple[int, int] | None:
        r"""Return where the next `\end{name}` stands; a name that has none is searched for once."""
        if name in self._endless:
            return None
        closing = f"\\end{{{name}}}"
        start = self.text.find(closing, at)
        if start < 0:
            self._endless.add(name)
            return None
        return start, start + len(closing)


def _match_braces(text: str) -> dict[int, int]:
    opened: list[int] = []
    closers: dict[int, int] = {}
    count = 0
    for match in _BRACES.finditer(text):
        if match[0] == "{":
            count += 1
            if count > MAX_GROUPS:
                raise TooLargeError(
                    f"The text holds more than {MAX_GROUPS:,} groups in braces.",
                    advice="Split it, or give it as plain text.",
                )
            opened.append(match.start())
        elif match[0] == "}" and opened:
            closers[opened.pop()] = match.start()
    return closers
