"""What is no prose within a Markdown paragraph: code spans, link targets, tags, autolinks."""

import re

from veriscite.domain import Span

_TOKEN = re.compile(r"\\[^\n]|`+|\]\(|<")
_TAG = re.compile(
    r"</?([A-Za-z][A-Za-z0-9-]{0,40})(?:\s[^<>]{0,2000})?/?>|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,2000}>|<[^\s<>@]{1,200}@[^\s<>]{1,200}>"
)
_KEPT_TAGS = {"sup", "sub"}
_MAX_TARGET = 4_000
_MAX_UNCLOSED = 500
"""Link targets without an end after which a paragraph's further ones are not looked for."""


def inline_exclusions(text: str, start: int, end: int, *, limit: int = 100_000) -> list[Span]:
    """Find what is no prose between two offsets of a Markdown text.

    `<sup>` and `<sub>` stay, since they tell a superscript marker from a number.

    Args:
        text: The whole text.
        start: Where the paragraph begins.
        end: Where it ends.
        limit: How many are found at most.

    Returns:
        Spans in order, without overlaps.
    """
    spans: list[Span] = []
    # Runs of backticks by length: a run closes the nearest earlier one of its length.
    runs: dict[int, list[int]] = {}
    for run in re.compile(r"`+").finditer(text, start, end):
        runs.setdefault(run.end() - run.start(), []).append(run.start())
    used = dict.fromkeys(runs, 0)
    unclosed = 0
    position = start
    while len(spans) < limit:
        match = _TOKEN.search(text, position, end)
        if match is None:
            break
        mark = match.group()
        position = match.end()
        if mark[0] == "`":
            length = len(mark)
            starts = runs.get(length, [])
            index = used.get(length, 0)
            while index < len(starts) and starts[index] <= match.start():
                index += 1
            used[length] = index
            if index < len(starts):
                position = starts[index] + length
                spans.append(Span(start=match.start(), end=position))
        elif mark == "](" and unclosed < _MAX_UNCLOSED:
            close = _target_end(text, match.end(), end)
            if close is None:
                unclosed += 1
            else:
                spans.append(Span(start=match.start() + 1, end=close))
                position = close
        elif mark == "<":
            tag = _TAG.match(text, match.start(), end)
            if tag:
                position = tag.end()
                if (tag.group(1) or "").lower() not in _KEPT_TAGS:
                    spans.append(Span(start=tag.start(), end=tag.end()))
    return spans


def _target_end(text: str, start: int, end: int) -> int | None:
    """Return the offset past the parenthesis that closes a link's target."""
    depth = 1
    stop = min(end, start + _MAX_TARGET)
    for match in re.compile(r"\\.|[()\n]").finditer(text, start, stop):
        char = match.group()
        if char == "(":
            depth += 1
            if depth > 32:
                return None
        elif char == ")":
            depth -= 1
            if depth == 0:
                return match.end()
    return None
