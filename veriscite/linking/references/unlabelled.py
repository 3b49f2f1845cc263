"""Entries of a list without labels: by blank lines or whole lines where these tell, else by a model."""

import re

from veriscite.linking.references.entry_starts import entry_starts
from veriscite.linking.references.lines import DATED, Line, lines_of, pieces_of

_ENDS = re.compile(
    r"(?:[.)\]!?”\"]|\d|10\.\d{4,9}/\S+|https?://\S+|[a-z]/|CrossRef|Crossref|Medline|PubMed|"
    r"Google Scholar|Web of Science)\s*$"
)
_ADDRESS = re.compile(r"\b10\.\d{4,9}/\S{1,300}|https?://\S{1,300}|www\.\S{1,300}")
_WITH_INITIALS = ("family, initials", "family initials", "initials family")


def split_unlabelled(text: str) -> list[tuple[int, int]]:
    """Split a list without labels.

    Args:
        text: The list, or the part of it that has no labels.

    Returns:
        Offsets of the entries, in order, without white space at their ends.
    """
    lines = lines_of(text)
    if not lines:
        return []
    starts = _by_layout(lines)
    if starts is None:
        lines = pieces_of(text)
        starts = _certain_within_lines(lines, entry_starts(lines))
    spans = []
    for i, first in enumerate(starts):
        last = (starts[i + 1] if i + 1 < len(starts) else len(lines)) - 1
        a, b = lines[first].start, lines[last].end
        while a < b and text[a].isspace():
            a += 1
        while b > a and text[b - 1].isspace():
            b -= 1
        spans.append((a, b))
    return spans


def _certain_within_lines(lines: list[Line], starts: list[int]) -> list[int]:
    """Drop starts within a line that the words around do not bear out.

    An entry that stands on one line must not be cut where a journal or a conference looks like an author:
    what ends there and what begins there are both dated, and after a bare number only a name with initials
    begins.
    """
    kept: list[int] = []
    for n, start in enumerate(starts):
        if kept and not lines[start].broken:
            end = starts[n + 1] if n + 1 < len(starts) else len(lines)
            sides = (lines[kept[-1] : start], lines[start:end])
            # The digits of a DOI or an address are no date.
            dated = all(any(DATED.search(_ADDRESS.sub(" ", line.text)) for line in side) for side in sides)
            after_number = lines[start - 1].text.rstrip()[-1:].isdigit()
            if not dated or (after_number and lines[start].shape not in _WITH_INITIALS):
                continue
        kept.append(start)
    return kept


def _by_layout(lines: list[Line]) -> list[int] | None:
    """Return the lines that entries begin with where the layout alone tells."""
    blocks = [i for i, line in enumerate(lines) if i == 0 or line.blank_before]
    if len(blocks) > 1 and _blocks_are_entries(lines, blocks):
        return blocks
    return list(range(len(lines))) if _whole_lines(lines) else None


def _blocks_are_entries(lines: list[Line], blocks: list[int]) -> bool:
    """Whether blank lines part entries: most blocks begin and are dated as an entry is."""
    good = 0
    for i, first in enumerate(blocks):
        last = blocks[i + 1] if i + 1 < len(blocks) else len(lines)
        block = lines[first:last]
        begins = block[0].begins_like_entry >= 1
        dates = sum(bool(DATED.search(line.text)) for line in block)
        beginnings = sum(line.begins_like_entry == 2 for line in block)
        good += begins and dates >= 1 and not (len(block) > 3 and beginnings > 0.6 * len(block) and dates > 2)
    return good >= 0.6 * len(blocks)


def _whole_lines(lines: list[Line]) -> bool:
    """Whether no entry was broken into lines, as where a list was pasted from a page or a word processor.

    Nearly all lines then begin and end as an entry does, most are dated, and their lengths differ as those of
    entries do: broken lines are filled up to one width, but for the last of each entry.
    """
    if len(lines) >= 2 and all(
        line.begins_like_entry == 2 and _ENDS.search(line.text) and DATED.search(line.text) for line in lines
    ):
        return True
    if len(lines) < 4:
        return False
    begin = sum(line.begins_like_entry >= 1 for line in lines)
    strong = sum(line.begins_like_entry == 2 for line in lines)
    end = sum(bool(_ENDS.search(line.text)) for line in lines)
    dated = sum(bool(DATED.search(line.text)) for line in lines)
    lengths = sorted(len(line.text.strip()) for line in lines)
    full = sum(length >= 0.85 * lengths[int(0.9 * (len(lengths) - 1))] for length in lengths)
    return (
        begin >= 0.95 * len(lines)
        and strong >= 0.5 * len(lines)
        and end >= 0.95 * len(lines)
        and dated >= 0.7 * len(lines)
        and full <= 0.5 * len(lines)
    )
