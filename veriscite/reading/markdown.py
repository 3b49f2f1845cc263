"""Markdown manuscripts (CommonMark blocks, pandoc's additions): headings, and what is no prose."""

import re

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from veriscite.domain import ReadingNote, Span
from veriscite.errors import TooLargeError
from veriscite.reading.document import Document, Heading, merge_spans, sections_of
from veriscite.reading.headings import bare_heading, is_known_heading, is_list_heading
from veriscite.reading.markdown_inline import inline_exclusions

_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n")
_FRONT_END = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE)
_MAX_FRONT_MATTER = 100_000
_MAX_EXCLUDED = 100_000
_COMMENT = re.compile(r"<!--")
_DEFINITION = re.compile(r"^[ ]{0,3}\[(?!\^)[^\]\n]{1,500}\]:[ \t]*\S[^\n]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}\n]{0,200}\}[ \t]*$")
_CODE_BLOCKS = {"fence", "code_block"}


def read_markdown(text: str) -> Document:
    r"""Read Markdown. The text is kept as it is; what is no prose is told by `excluded`.

    Excluded are front matter, code spans and blocks, HTML comments and tags, link targets and link
    definitions: what looks like a citation there is none.

    Args:
        text: Decoded, with `\n` line ends.

    Raises:
        TooLargeError: It holds more code spans, links and tags than any manuscript does.
    """
    notes: list[ReadingNote] = []
    body_start = _front_matter_end(text)
    front = _front_matter(text[:body_start], notes)
    starts = _line_starts(text)
    excluded = [Span(start=0, end=body_start)] if body_start else []
    comments = _comments(text, body_start)
    excluded.extend(comments)
    headings: list[Heading] = []
    # Front matter and comments become blank lines: blocks are read without them, and line numbers stay.
    visible = _blank(text, excluded)
    tokens = _block_tokens(visible)
    for position, token in enumerate(tokens):
        if token.map is None:
            continue
        first, last = token.map
        start, end = starts[first], _line_end(text, starts, last)
        if token.type in _CODE_BLOCKS:
            excluded.append(Span(start=start, end=end))
        elif token.type == "heading_open":
            content = tokens[position + 1].content if position + 1 < len(tokens) else ""
            headings.append(Heading(start, end, int(token.tag[1:]), _heading_text(content)))
        elif token.type in ("inline", "html_block"):
            excluded.extend(inline_exclusions(visible, start, end, limit=_MAX_EXCLUDED))
            if len(excluded) >= _MAX_EXCLUDED:
                raise TooLargeError(
                    f"The text holds more than {_MAX_EXCLUDED:,} code spans, links and tags.",
                    advice="Split it, or give it as plain text.",
                )
    excluded.extend(Span(start=m.start(), end=m.end()) for m in _DEFINITION.finditer(visible))
    title = _text_of(front.get("title")) or _title_of(visible, headings)
    return Document(
        format="markdown",
        text=text,
        title=title,
        sections=sections_of(text, headings, begin=body_start),
        excluded=merge_spans(excluded),
        notes=tuple(notes),
        bibliography=_names(front.get("bibliography")),
    )


def _block_tokens(text: str) -> list[Token]:
    """Run the block rules only: inline content is read by our own scanner, which keeps offsets."""
    parser = MarkdownIt("commonmark", {"maxNesting": 20})
    parser.core.ruler.enableOnly(["block"])
    parser.block.ruler.disable(["reference"])
    return parser.parse(text)


def _front_matter_end(text: str) -> int:
    begin = _FRONT_MATTER.match(text)
    if not begin:
        return 0
    end = _FRONT_END.search(text, begin.end(), begin.end() + _MAX_FRONT_MATTER)
    if not end:
        return 0
    # A line of dashes may as well be a rule: front matter holds keys.
    if not re.search(r"^[A-Za-z_][\w -]{0,60}:", text[begin.end() : end.start()], re.MULTILINE):
        return 0
    return end.end()


def _front_matter(raw: str, notes: list[ReadingNote]) -> dict[str, object]:
    inner = _FRONT_END.sub("", raw.lstrip("\ufeff")).strip()
    if not inner:
        return {}
    try:
        # BaseLoader builds strings, lists and mappings only, and does not expand merge keys.
        data = yaml.load(inner, Loader=yaml.BaseLoader)  # noqa: S506
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark is not None else None
        notes.append(ReadingNote(message="The front matter is not valid YAML; it was left out.", line=line))
        return {}
    return data if isinstance(data, dict) else {}


def _text_of(value: object) -> str | None:
    if not isinstance(value, str):
        return None
    return " ".join(value.split())[:500] or None


def _names(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(name.strip() for name in values if isinstance(name, str) and name.strip())[:20]


def _comments(text: str, start: int) -> list[Span]:
    """HTML comments outside of fences; one that never ends is none."""
    spans: list[Span] = []
    position = start
    fences = _fence_spans(text, start)
    fence = 0
    while True:
        begin = _COMMENT.search(text, position)
        if not begin:
            return spans
        while fence < len(fences) and fences[fence].end <= begin.start():
            fence += 1
        if fence < len(fences) and fences[fence].start <= begin.start():
            position = fences[fence].end
            continue
        end = text.find("-->", begin.end())
        if end < 0:
            return spans
        if _in_code_span(text, begin.start()):
            position = begin.end()
            continue
        spans.append(Span(start=begin.start(), end=end + 3))
        position = end + 3


def _in_code_span(text: str, offset: int) -> bool:
    """Whether an odd number of backticks stands before on the same line."""
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("`", max(line_start, offset - 1000), offset) % 2 == 1


def _fence_spans(text: str, start: int) -> list[Span]:
    """Fenced code at the left margin, found line by line."""
    spans: list[Span] = []
    opened: tuple[int, str] | None = None
    for match in re.compile(r"^[ ]{0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE).finditer(text, start):
        fence, info = match.group(1), match.group(2)
        if opened is None:
            if fence[0] == "~" or "`" not in info:
                opened = (match.start(), fence)
        elif fence[0] == opened[1][0] and len(fence) >= len(opened[1]) and not info.strip():
            spans.append(Span(start=opened[0], end=match.end()))
            opened = None
    if opened is not None:
        spans.append(Span(start=opened[0], end=len(text)))
    return spans


def _blank(text: str, spans: list[Span]) -> str:
    parts = []
    position = 0
    for span in spans:
        parts.append(text[position : span.start])
        parts.append(re.sub(r"[^\n]", " ", span.of(text)))
        position = span.end
    parts.append(text[position:])
    return "".join(parts)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    starts.extend(match.end() for match in re.finditer("\n", text))
    return starts


def _line_end(text: str, starts: list[int], line: int) -> int:
    """Offset past the line before `line`, without its line end."""
    if line >= len(starts):
        return len(text)
    return max(starts[line] - 1, 0)


def _heading_text(content: str) -> str:
    content = _ATTRIBUTES.sub("", content)
    content = re.sub(r"!?\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)", r"\1", content)
    return " ".join(re.sub(r"[*_`]", "", content).split())


def _title_of(text: str, headings: list[Heading]) -> str | None:
    """Take the first heading if it opens the text and is the only one of its level."""
    if not headings:
        return None
    first = headings[0]
    if first.level != 1 or text[: first.start].strip() or not first.text:
        return None
    if any(heading.level == 1 for heading in headings[1:]):
        return None
    bare = bare_heading(first.text)
    return None if is_known_heading(bare) or is_list_heading(bare) else first.text
