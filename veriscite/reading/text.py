"""Plain text manuscripts: headings are told by how a line stands, not by marks."""

import re

from veriscite.reading.document import Document, Heading, sections_of
from veriscite.reading.headings import Line, bare_heading, is_known_heading, is_list_heading, split_lines

_NUMBERED = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?|([IVX]{1,5})[.)])[ \t]{1,4}(?=[^\W\d_])")
_MAX_HEADING = 100
_MAX_TITLE = 250


def read_text(text: str) -> Document:
    r"""Read plain text. The text is kept as it is.

    Args:
        text: Decoded, with `\n` line ends.
    """
    lines = split_lines(text)
    headings = [
        Heading(line.start, line.end, _level(line.text), bare_heading(line.text))
        for index, line in enumerate(lines)
        if _is_heading(lines, index)
    ]
    title = _title(lines)
    if title is not None:
        headings = [heading for heading in headings if heading.start != title.start]
    return Document(
        format="text",
        text=text,
        title=None if title is None else " ".join(title.text.split()),
        sections=sections_of(text, headings),
    )


def _is_heading(lines: list[Line], index: int) -> bool:
    """Whether a line is a heading: a usual one, a numbered or a capital one that stands alone."""
    line = lines[index].text.strip()
    if not line or len(line) > _MAX_HEADING or line[-1] in ".,;!?" or not any(map(str.isalpha, line)):
        return False
    blank_before = index == 0 or not lines[index - 1].text.strip()
    blank_after = index + 1 >= len(lines) or not lines[index + 1].text.strip()
    if is_known_heading(line) or is_list_heading(line):
        return (blank_before or blank_after or line.isupper()) and line[0] == line[0].upper()
    if not blank_before:
        return False
    numbered = _NUMBERED.match(line)
    if numbered:
        return blank_after and len(line.split()) <= 12 and line[numbered.end()].isupper()
    return blank_after and line.isupper() and len(line.split()) <= 10 and len(line) > 3


def _level(line: str) -> int:
    numbered = _NUMBERED.match(line.strip())
    if numbered and numbered.group(1):
        return numbered.group(1).count(".") + 1
    return 1


def _title(lines: list[Line]) -> Line | None:
    """Take the first line for the title if it stands alone, reads like one, and a text follows it."""
    first = next((index for index, line in enumerate(lines) if line.text.strip()), None)
    if first is None:
        return None
    line = lines[first].text.strip()
    alone = first + 1 < len(lines) and not lines[first + 1].text.strip()
    follows = any(other.text.strip() for other in lines[first + 1 :])
    if not (alone and follows) or not 8 <= len(line) <= _MAX_TITLE:
        return None
    if line[-1] in ".,;:" or re.search(r"\[\d|\(\d{4}\)|https?://|@|\t", line) or len(line.split()) < 2:
        return None
    if is_known_heading(line) or is_list_heading(line) or _NUMBERED.match(line) or not line[0].isupper():
        return None
    return lines[first]
