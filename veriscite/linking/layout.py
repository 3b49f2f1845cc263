"""Where a citation may stand: paragraphs, headings, and what must not be read for markers."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from veriscite.domain import Manuscript

BREAK = "\ue000"
"""Stands for each character of a paragraph break in `Layout.masked`; not white space, not a word."""

HIDDEN = "\ue001"
"""Stands for each character that is not to be read for markers in `Layout.masked`."""

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+|\f|\u2029")
_ITEM = re.compile(r"\n(?=[^\S\n]{0,12}(?:[-*+•‣◦–]|\d{1,3}[.)])[^\S\n]+\S)")
_NEWLINE = re.compile(r"\n")
# A text whose lines are this long was not wrapped: each line is a paragraph.
_UNWRAPPED = 160
_MAX_HEADING = 1000

_ADDRESS = r"[^\s<>\"]{1,2000}"
# Each branch begins with a letter of its own, so that the search skips all others at once.
_WEB = re.compile(
    rf"https?://{_ADDRESS}|ftp://{_ADDRESS}|HTTPS?://{_ADDRESS}|w[wW]{{2}}\.{_ADDRESS}|W[wW]{{2}}\.{_ADDRESS}"
    r"|1(?<![\w/.]1)0\.\d{4,9}/[^\s<>\"]{1,300}"
)
# @doi:10.1000/x is a key.
_KEY_BEFORE = re.compile(r"@[a-z]{2,8}:$")
_MAIL = re.compile(r"(?<=[\w.+-])@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_MARKDOWN_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]]{0,500})\]\((?P<target>[^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,500})?)"
    r"(?:\s{1,8}\"[^\"]{0,300}\")?\)"
)
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,80}\]:?")
_LINK_DEFINITION = re.compile(r"^[ ]{0,3}\[(?!\^)[^\[\]@]{1,200}\]:[^\S\n]*\S[^\n]*$", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<![\w*\\])[*_]{1,3}(?=[^\s*_])|(?<=[^\s*_\\])[*_]{1,3}(?![\w*])")
_CLOSERS = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Offsets of a paragraph, and the heading that it stands under."""

    start: int
    end: int
    section: str | None


class Layout:
    """A manuscript's body, cut into paragraphs, with a masked copy to search for markers.

    Attributes:
        text: The manuscript's text.
        masked: Of the same length; only the body is readable in it, without links, addresses,
            headings and excluded spans.
        paragraphs: In reading order; headings are none.
        left_out: Excluded spans of whole lines, sorted: no part of the sentence around them.
    """

    def __init__(self, manuscript: Manuscript) -> None:
        self.text = manuscript.text
        self.start, self.end = manuscript.body.start, manuscript.body.end
        hidden = [(s.start, s.end) for s in manuscript.excluded]
        headings = _heading_spans(manuscript)
        # Code inside a line belongs to its sentence; whole lines left out (a running header) do not.
        self.left_out = sorted((a, b) for a, b in hidden if _whole_lines(self.text, a, b))
        self._left_out_ends = [b for _, b in self.left_out]
        self.paragraphs = _paragraphs(manuscript, headings)
        self._starts = [p.start for p in self.paragraphs]
        self.masked = self._mask(manuscript.format, hidden, headings)

    def paragraph_at(self, offset: int) -> int | None:
        """Return the index of the paragraph that holds `offset`."""
        at = bisect_right(self._starts, offset) - 1
        if at < 0 or offset >= self.paragraphs[at].end:
            return None
        return at

    def left_out_between(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return what is left out between two offsets."""
        at = bisect_right(self._left_out_ends, start)
        result = []
        while at < len(self.left_out) and self.left_out[at][0] < end:
            result.append(self.left_out[at])
            at += 1
        return result

    def _mask(self, fmt: str, hidden: list[tuple[int, int]], headings: list[tuple[int, int]]) -> str:
        body = self.text[self.start : self.end]
        spans = [
            (m.start(), _trimmed_end(body, m.start(), m.end()))
            for m in _WEB.finditer(body)
            if not _KEY_BEFORE.search(body, max(0, m.start() - 12), m.start())
        ]
        spans += [m.span() for m in _MAIL.finditer(body)]
        for m in _MARKDOWN_LINK.finditer(body) if "](" in body else ():
            if fmt == "markdown" or _is_address(m["target"]):
                spans.extend(_link_spans(m))
        if fmt == "markdown":
            spans.extend(m.span() for m in _FOOTNOTE.finditer(body))
            spans.extend(m.span() for m in _LINK_DEFINITION.finditer(body))
        spans = [(a + self.start, b + self.start) for a, b in spans] + hidden + headings
        pieces: list[str] = [HIDDEN * self.start]
        at = self.start
        for start, end, fill in sorted(
            [(a, b, HIDDEN) for a, b in spans] + [(a, b, BREAK) for a, b in self._gaps()]
        ):
            start, end = max(start, at), min(end, self.end)
            if end <= start:
                continue
            pieces += (self.text[at:start], fill * (end - start))
            at = end
        pieces += (self.text[at : self.end], HIDDEN * (len(self.text) - self.end))
        masked = "".join(pieces)
        # Emphasis marks part names from their words: Smith *et al.* (2020).
        return _EMPHASIS.sub(lambda m: " " * len(m[0]), masked) if fmt == "markdown" else masked

    def _gaps(self) -> list[tuple[int, int]]:
        edges = [self.start]
        for p in self.paragraphs:
            edges += (p.start, p.end)
        edges.append(self.end)
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]


def _is_address(target: str) -> bool:
    return target.startswith(("http://", "https://", "ftp://", "www.", "mailto:"))


def _link_spans(m: re.Match[str]) -> list[tuple[int, int]]:
    # [3](#ref-3) is a marker with a link of its own: the number stays readable.
    if m["target"].startswith("#") and re.fullmatch(r"[\d,;\s–-]{1,60}", m["text"]):
        return [(m.end("text") + 1, m.end())]
    return [m.span()]


def _trimmed_end(text: str, start: int, end: int) -> int:
    """Give back closing punctuation that an address has swallowed."""
    while end > start:
        last = text[end - 1]
        if last in ".,;:!?'\"’”*_" or (
            last in _CLOSERS and text.count(last, start, end) > text.count(_CLOSERS[last], start, end)
        ):
            end -= 1
        else:
            break
        if end - start > 2000:
            break
    return end


def _heading_spans(manuscript: Manuscript) -> list[tuple[int, int]]:
    """Return where the headings themselves stand: between the section before and their own."""
    edges = {manuscript.body.start}
    for section in manuscript.sections:
        edges |= {section.span.start, section.span.end}
    ordered = sorted(edges)
    spans = []
    for section in manuscript.sections:
        at = bisect_left(ordered, section.span.start)
        if section.heading and at > 0:
            spans.append((ordered[at - 1], section.span.start))
    return [(a, b) for a, b in spans if b - a <= _MAX_HEADING]


def _paragraphs(manuscript: Manuscript, headings: list[tuple[int, int]]) -> list[Paragraph]:
    text, start, end = manuscript.text, manuscript.body.start, manuscript.body.end
    cuts: list[tuple[int, int]] = [m.span() for m in _BLANK_LINES.finditer(text, start, end)]
    if manuscript.format == "pdf":
        cuts = [(a, b) for a, b in cuts if not _runs_on(text, a, b, start, end)]
    cuts += [m.span() for m in _line_break(text[start:end]).finditer(text, start, end)]
    cuts += headings
    cuts += [(s.span.start, s.span.start) for s in manuscript.sections]
    cuts += [(s.span.end, s.span.end) for s in manuscript.sections]
    cuts = sorted((max(a, start), min(b, end)) for a, b in cuts if b >= start and a <= end)
    owners = _Owners(manuscript)
    paragraphs: list[Paragraph] = []
    at = start
    for a, b in [*cuts, (end, end)]:
        if a > at:
            left, right = _strip(text, at, a)
            if left < right:
                paragraphs.append(Paragraph(left, right, owners.heading_at(left)))
        at = max(at, b)
    return paragraphs


def _runs_on(text: str, a: int, b: int, start: int, end: int) -> bool:
    """Whether a sentence goes on over a break, as it does over the end of a column or a page."""
    before = text[max(start, a - 40) : a].rstrip()
    after = text[b : min(end, b + 40)].lstrip()
    return bool(before) and bool(after) and before[-1] not in '.!?:;”"' and after[0].islower()


def _whole_lines(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return before in ("", "\n") and (after in ("", "\n") or text[end - 1 : end] == "\n")


def _line_break(body: str) -> re.Pattern[str]:
    """Choose what parts paragraphs besides blank lines: each line of unwrapped text, else list items."""
    lines = [len(line) for line in body[:200_000].split("\n") if line.strip()]
    if lines and max(lines) > _UNWRAPPED and sum(n > _UNWRAPPED for n in lines) * 4 >= len(lines):
        return _NEWLINE
    return _ITEM


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


class _Owners:
    """Which heading an offset stands under: the innermost section that holds it."""

    def __init__(self, manuscript: Manuscript) -> None:
        self._sections = sorted(manuscript.sections, key=lambda s: (s.span.start, -s.span.end))
        self._starts = [s.span.start for s in self._sections]

    def heading_at(self, offset: int) -> str | None:
        at = bisect_right(self._starts, offset) - 1
        # Sections nest a few levels deep at most; look back no further.
        for section in reversed(self._sections[max(0, at - 8) : at + 1]):
            if section.span.start <= offset < section.span.end:
                return section.heading
        return None
