"""Bracketed groups, found in one pass whatever the nesting."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from veriscite.linking.layout import BREAK

MAX_GROUP = 3000
"""No citation is longer than this many characters."""

_MAX_DEPTH = 24
_BRACKET = re.compile(rf"[()\[\]{BREAK}]")
_PAIR = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Group:
    """A bracketed group: `start` is its opening bracket, `end` is past its closing one."""

    start: int
    end: int
    opener: str


def groups(text: str, start: int, end: int) -> Iterator[Group]:
    """Yield balanced groups as they close, inner ones first; none crosses a paragraph.

    Args:
        text: Masked text.
        start: Where to begin.
        end: Where to stop.
    """
    open_: deque[tuple[str, int]] = deque(maxlen=_MAX_DEPTH)
    for m in _BRACKET.finditer(text, start, end):
        c = m[0]
        if c == BREAK:
            open_.clear()
        elif c in "([":
            open_.append((c, m.start()))
        else:
            # An unmatched opener of the other kind ("[1, 3)") is dropped; a stray closer is passed over.
            if not any(o == _PAIR[c] for o, _ in open_):
                continue
            while open_:
                opener, at = open_.pop()
                if opener == _PAIR[c]:
                    if m.end() - at <= MAX_GROUP:
                        yield Group(at, m.end(), opener)
                    break
