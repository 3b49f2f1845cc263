"""A reference list -> its entries: by printed labels where it has them, else by how entries begin."""

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from veriscite.linking.references.lines import DATED, Line, lines_of
from veriscite.linking.references.unlabelled import split_unlabelled

# Line-initial labels; the order is that of trust where several explain the list equally well.
_LABELS = {
    "bracket": re.compile(r"^[ \t\u00a0]*\[\s?(\d{1,4})\s?\][.:]?[ \t\u00a0]*", re.MULTILINE),
    "paren": re.compile(r"^[ \t\u00a0]*\((\d{1,4})\)[ \t\u00a0]*", re.MULTILINE),
    "dot": re.compile(r"^[ \t\u00a0]*(\d{1,4})[.)][ \t\u00a0]*(?!\d)", re.MULTILINE),
    "bare": re.compile(
        r"^[ \t\u00a0]*(\d{1,4})(?:[ \t\u00a0]+(?=[^\W\d_]|[\"“‘'(\[])|[ \t\u00a0]*$)", re.MULTILINE
    ),
    "slash": re.compile(r"^[ \t\u00a0]*[/{<](\d{1,4})[/}>][ \t\u00a0]*", re.MULTILINE),
    "colon": re.compile(r"^[ \t\u00a0]*(\d{1,4})[ \t]?[:–—\-][ \t\u00a0]+(?=\S)", re.MULTILINE),
    "superscript": re.compile(r"^[ \t\u00a0]*([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})[ \t\u00a0]*", re.MULTILINE),
}
# The same labels in the middle of a line, where two entries run on one.
_INLINE = {
    "bracket": re.compile(r"(?<=[\s.;,)])\[\s?(\d{1,4})\s?\][ \t\u00a0]*(?=\S)"),
    "paren": re.compile(r"(?:(?<=[.;]\s)|(?<=[.;]\s\s))\((\d{1,4})\)[ \t\u00a0]+(?=[^\W\d_(])"),
    "dot": re.compile(r"(?:(?<=[.;)\]\d/]\s)|(?<=[.;)\]\d/]\s\s))(\d{1,4})\.[ \t\u00a0]+(?=[^\W\d_])"),
}
_ALPHA_LABEL = re.compile(
    # `[Smi20]`, or as natbib prints it: `[Smith, Jones, and Doe 2020]`, `[Smith et al.(2020)Smith, Jones]`.
    r"^[ \t]*\[([^\W\d_](?:[^\[\]\n]{0,38}|[^\[\]]{0,150}?\(?(?:1[5-9]|20)\d\d[a-z]?(?:\)[^\[\]]{0,150})?))\]"
    r"[ \t]*",
    re.MULTILINE,
)
_TO_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PART = re.compile(r"(?:^|(?<=[.;])\s{0,3})\(?([a-h])\s?\)\s{0,3}(?=\S)")
_AFTERWORD = re.compile(
    r"\s*(?:Communicated by\b|This (?:article|paper|manuscript) (?:was|has been)\b|"
    r"E-?mail(?: address(?:es)?)?\s?:|"
    r"(?:Received|Accepted|Revised)(?::| \d)|(?:Figure|Fig\.|Table) \d{1,3}[:.]|"
    r"(?:[^\W\d_]\.\s?){1,3}:|"
    r"(?:School|Departe?ment|Faculty|Section|Institute?|Laborator(?:y|ies)|Laboratoire|Cent(?:re|er)|Fakultät)"
    r"\s(?:of|de|for|für)\s[^\d:]{3,80},)"
)
"""What may follow the last entry without a blank line: addresses of the authors, a caption, an editor."""
_MAX_GAP = 8


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry as it stands.

    Attributes:
        start: Offset of its first character (the label's, if any).
        text: From `start` to `end` as it stands.
        body: The entry without its label.
        label: As printed, without brackets.
    """

    start: int
    end: int
    text: str
    body: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What stands in the list and is no entry."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Label:
    start: int
    end: int
    number: int
    label: str


def split_list(text: str) -> tuple[list[RawEntry], list[LeftOut]]:
    """Split a reference list into entries.

    Args:
        text: The list, without its heading.

    Returns:
        The entries in order, and what is no entry (a line before the first label).
    """
    labels = _numbered(text)
    if len(alphabetic := _alphabetic(text)) > 2 * len(labels):
        labels = alphabetic
    if not labels:
        return _unlabelled(text, 0, len(text)), []
    entries: list[RawEntry] = []
    left_out: list[LeftOut] = []
    if head := text[: labels[0].start].strip():
        at = text.index(head)
        if DATED.search(head) and len(head) > 30:
            entries += _unlabelled(text, at, at + len(head))
        else:
            left_out.append(LeftOut(at, at + len(head), head))
    typical = _typical_length(labels)
    for i, label in enumerate(labels):
        end = labels[i + 1].start if i + 1 < len(labels) else len(text)
        stop = _end_of_entry(text, label.end, end, typical, last=i + 1 == len(labels))
        entries += _with_parts(text, label, stop)
        rest = text[stop:end].strip()
        if rest:
            at = text.index(rest, stop)
            left_out.append(LeftOut(at, at + len(rest), rest))
    return entries, left_out


def _unlabelled(text: str, start: int, end: int) -> list[RawEntry]:
    return [
        RawEntry(start + a, start + b, text[start + a : start + b], text[start + a : start + b])
        for a, b in split_unlabelled(text[start:end])
    ]


def _numbered(text: str) -> list[_Label]:
    """Return the longest run of rising labels of one shape; empty if the list is not numbered."""
    best: list[_Label] = []
    for shape, pattern in _LABELS.items():
        run = _run(text, shape, pattern)
        if not _dense(run):
            continue
        if len(run) > len(best):
            best = run
    if len(best) >= 2:
        return best
    # A list of one entry: its label opens the text.
    if best and not text[: best[0].start].strip() and best[0].number < 500 and best[0].label:
        return best if text.lstrip()[:1] in "[(" or re.match(r"\s*\d{1,3}[.)]\s", text) else []
    return []


def _dense(run: list[_Label]) -> bool:
    """Whether a run counts up nearly without gaps; years at line starts do not."""
    if not run or run[0].number >= 1500:
        return False
    return len(run) >= 0.6 * (run[-1].number - run[0].number + 1)


def _run(text: str, shape: str, pattern: re.Pattern[str]) -> list[_Label]:
    at_line = _like_the_others(text, [_label(m) for m in pattern.finditer(text)])
    if not at_line:
        return []
    places: dict[int, list[_Label]] = defaultdict(list)
    for found in at_line:
        places[found.number].append(found)
    inline: dict[int, list[_Label]] = defaultdict(list)
    if shape in _INLINE:
        for m in _INLINE[shape].finditer(text):
            inline[int(m[1])].append(_label(m))
    return max((_chain(first, places, inline) for first in _openers(at_line)), key=len, default=[])


def _like_the_others(text: str, labels: list[_Label]) -> list[_Label]:
    """Drop a label with nothing after it where one of the same number has text: a page that was wrapped."""
    bare = {f.start for f in labels if text[f.end : f.end + 1] in ("", "\n") or text[f.end - 1] == "\n"}
    full = {f.number for f in labels if f.start not in bare}
    return [f for f in labels if f.start not in bare or f.number not in full]


def _openers(at_line: list[_Label]) -> list[_Label]:
    """Where a run may begin: at the first 1, and at the first label of all."""
    ones = next((f for f in at_line if f.number == 1), None)
    return [at_line[0]] if ones is None or ones is at_line[0] else [ones, at_line[0]]


def _label(m: re.Match[str]) -> _Label:
    raw = m[1].translate(_TO_DIGITS)
    return _Label(m.start(), m.end(), int(raw), raw)


def _chain(first: _Label, places: dict[int, list[_Label]], inline: dict[int, list[_Label]]) -> list[_Label]:
    chain = [first]
    while True:
        here = chain[-1]
        found = None
        for number in range(here.number + 1, here.number + 1 + _MAX_GAP):
            found = _next(places.get(number, []), here.end)
            limit = found.start if found else None
            # Run on from the line before, unless the line-initial one is just the next.
            if number == here.number + 1 or found is None:
                run_on = _next(inline.get(number, []), here.end)
                if found is None and run_on and _before_following(run_on, number, places, limit):
                    found = run_on
            if found:
                break
        if found is None:
            return chain
        chain.append(found)


def _before_following(
    run_on: _Label, number: int, places: dict[int, list[_Label]], limit: int | None
) -> bool:
    following = _next(places.get(number + 1, []), run_on.end)
    return limit is None and (following is not None or not places.get(number + 1))


def _next(labels: list[_Label], after: int) -> _Label | None:
    at = bisect_right(labels, after - 1, key=lambda f: f.start)
    return labels[at] if at < len(labels) else None


def _alphabetic(text: str) -> list[_Label]:
    """Return labels such as `[Smi20]` if the list goes by them."""
    labels = [_Label(m.start(), m.end(), 0, " ".join(m[1].split())) for m in _ALPHA_LABEL.finditer(text)]
    labels = [f for f in labels if any(c.isdigit() for c in f.label) or len(f.label) <= 12]
    lines = text.count("\n") + 1
    if len(labels) < 2 or len(labels) * 12 < lines or (len(labels) < 5 and text[: labels[0].start].strip()):
        return []
    return labels


def _typical_length(labels: list[_Label]) -> int:
    lengths = sorted(b.start - a.start for a, b in pairwise(labels))
    return lengths[len(lengths) // 2] if lengths else 400


def _end_of_entry(text: str, start: int, end: int, typical: int, *, last: bool) -> int:
    """Return where an entry ends: at a blank line, unless what follows goes on with it; the last at more."""
    lines = lines_of(text[start:end])
    dated = False
    for before, line in pairwise(lines):
        dated = dated or bool(DATED.search(before.text))
        if last and dated and _AFTERWORD.match(line.text):
            return start + before.end
        if line.blank_before and not _goes_on(before.end, line, dated=dated, typical=typical):
            return start + before.end
    return end


def _goes_on(length: int, line: Line, *, dated: bool, typical: int) -> bool:
    """Whether a line after a blank one still belongs to an entry of that length."""
    body = line.text.strip()
    if body[0].islower() or body.startswith(("http", "doi", "DOI", "(", "pp")) or DATED.search(body[:200]):
        return length < 4 * typical + 400
    return not dated and length < typical


def _with_parts(text: str, label: _Label, end: int) -> list[RawEntry]:
    """Split `(a) ... (b) ...` under one number into entries of their own (`12a`, `12b`)."""
    while end > label.end and text[end - 1].isspace():
        end -= 1
    start = label.start
    while start < label.end and text[start].isspace():
        start += 1
    body = text[label.end : end]
    parts = list(_PART.finditer(body))
    letters = "".join(m[1] for m in parts)
    if len(parts) >= 2 and parts[0].start() == 0 and letters == "abcdefgh"[: len(letters)]:
        entries = []
        for i, m in enumerate(parts):
            stop = parts[i + 1].start() if i + 1 < len(parts) else len(body)
            a = start if i == 0 else label.end + m.start()
            b = label.end + len(body[:stop].rstrip())
            entries.append(RawEntry(a, b, text[a:b], body[m.end() : stop].strip(), label.label + m[1]))
        return entries
    return [
        RawEntry(start, max(end, label.end), text[start : max(end, label.end)], body.strip(), label.label)
    ]
