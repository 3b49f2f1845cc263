"""Abstracts as sources give them: cleaned, and refused when they are none.

A claim is judged against what stands here. Text that is not the abstract of the work must not get through:
it would make a verdict out of nothing.
"""

import html
import re
from dataclasses import dataclass
from enum import StrEnum

from veriscite.evidence.folding import content_words, fold
from veriscite.evidence.languages import english_part, is_foreign, language
from veriscite.evidence.prose import is_bibliography, is_contents
from veriscite.evidence.sentences import split_sentences

MAX_CHARACTERS = 20_000
MIN_WORDS = 8
MIN_CHARACTERS = 50
MIN_LETTER_SHARE = 0.5
MAX_SENTENCES = 200
LONGEST_ABSTRACT = 6_000
"""Longer texts are articles or chapters: only what stands in front is used."""

_STEM = 4
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))

_SECTION_TITLE = re.compile(r"<(?:jats:)?title\b[^<>]{0,200}>([^<>]{0,200})</(?:jats:)?title>", re.IGNORECASE)
_SECTION_TAG = re.compile(
    r"</?(?:h[1-6]|b|strong|em|i|p|div|span|br|sub|sup|sec|title|italic|bold|list|list-item|li|ul|ol|abstract"
    r"|inline-formula|tex-math|mml:[a-z]{1,20}|xref|ext-link|sc|a|u|break|label|named-content|styled-content"
    r"|alternatives|disp-formula|inline-graphic|graphic|math|semantics|annotation|m(?:i|n|o|s|row|sub|sup|subsup"
    r"|frac|sqrt|root|over|under|underover|text|space|style|fenced|table|tr|td|padded|phantom)|small|big|font|tt"
    r"|monospace|roman|underline|disp-quote|def-list|def|term|table|tbody|thead|tr|td|th|fig|caption|graphical|hr"
    r"|jats:[a-z-]{1,30})(?:\s[^<>]{0,500})?/?>",
    re.IGNORECASE,
)
_TEX_DOCUMENT = re.compile(
    r"\\documentclass.{0,2000}?\\begin\{document\}(.{0,2000}?)\\end\{document\}", re.DOTALL
)
_TEX_DOLLARS = re.compile(r"^\s*\${1,2}|\${1,2}\s*$")
_INLINE = re.compile(
    r"</?(?:jats:)?(?:sub|sup|i|b|em|strong|italic|bold|sc|span|a|u|xref|named-content|styled-content|mml:[a-z]{1,20}"
    r"|m(?:i|n|o|row|sub|sup|subsup))\b",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"^(?:(?:abstract|summary|zusammenfassung|resumen|résumé|resumo)\s*[:.—–\-|]+\s*"
    r"|(?:ABSTRACT|SUMMARY)\s+"
    r"|(?:Abstract|Summary)\s+(?=[A-Z0-9(\"“‘]))",
)
_HEADING_ANY_CASE = re.compile(
    r"^(?:abstract|summary|zusammenfassung|resumen|résumé|resumo)\s*[:.—–|]+\s*", re.IGNORECASE
)
_LICENCE_SENTENCE = re.compile(
    r"(?:©|\(c\)\s*(?:19|20)\d\d|\bcopyright\b\s*(?:©|\(c\)|(?:19|20)\d\d|by\b)|all rights reserved"
    r"|published by (?:elsevier|wiley|springer|oxford|john wiley|bmj|lippincott|s\. karger|wolters)"
    r"|(?:is|are) (?:licensed|distributed) under|creative commons attribution"
    r"|this article is protected by copyright|psycinfo database record|apa, all rights)",
    re.IGNORECASE,
)
_JOURNAL_LINE = re.compile(r"^[A-Z][\w.&: -]{2,60} (?:19|20)\d\d; ?\d{1,4}[:(]")
_YEAR_ONLY = re.compile(
    r"^(?:(?:19|20)\d\d\b.{0,60}(?:inc|ltd|bv|b\.v|gmbh|society|association|authors?)\b|inc|ltd|b\.?v)\W*",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"^\W*(?:no abstract(?: is)?(?: available| provided)?|abstract (?:is )?(?:not|un)\s?available"
    r"|n/?a|none|null|nil|nan|tba|undefined|abstract|not available|\[?abstract\]?|no summary(?: available)?"
    r"|see (?:full )?text|(?:first page )?preview|click to (?:increase|view).{0,80})\W*$",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"elided by (?:the )?publisher|abstract (?:has been |was )?(?:withheld|removed|elided|redacted)"
    r"|(?:abstract|content) (?:is )?available (?:only )?(?:on|at|from|to) (?:the )?(?:publisher|subscribers)"
    r"|an abstract is not available",
    re.IGNORECASE,
)
_RETRACTION_TEXT = re.compile(
    r"^(?:the (?:above|following) article|this article|the article)\b.{0,300}\b(?:has been|have been|is|was) "
    r"(?:retracted|withdrawn)",
    re.IGNORECASE | re.DOTALL,
)


_TRUNCATED = re.compile(
    r"(?:\.\.\.|…|\[\s?(?:\.\.\.|…|truncated|abstract truncated[^\]]{0,60})\s?\])\W*$", re.IGNORECASE
)
_KEYWORDS = re.compile(
    r"\s(?:key ?words?(?: and phrases)?|index terms|jel (?:classification|codes?)"
    r"|mathematics subject classification"
    r"|palavras-chave|palabras clave|mots[- ]cl[ée]s|schl[üu]sselw[öo]rter)\s?[:—–-]",
    re.IGNORECASE,
)
_BODY_BEGINS = re.compile(
    r"\s(?:(?:1|I)\.? ?)?(?:INTRODUCTION|Introduction)(?=[.:]?\s+[A-Z])"
    r"|\s(?:Key ?words?|KEYWORDS|Index Terms)\s?[:—–-]"
)
_FIRST_BODY = 300


class Refusal(StrEnum):
    """Why a text is not used as an abstract."""

    EMPTY = "empty"
    ELIDED = "elided"
    PLACEHOLDER = "placeholder"
    TOO_SHORT = "too_short"
    NOT_PROSE = "not_prose"
    ONLY_TITLE = "only_title"
    RETRACTION_NOTICE = "retraction_notice"
    MISFILED = "misfiled"
    FOREIGN = "foreign"
    BIBLIOGRAPHY = "bibliography"
    CONTENTS = "contents"
    TRUNCATED = "truncated"


@dataclass(frozen=True)
class Abstract:
    """A usable abstract; `note` tells what was cut off, if anything."""

    sentences: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Refused:
    """A text that is not used, and why, in words for a reader."""

    reason: Refusal
    detail: str


def read_abstract(raw: str | None, title: str = "", note: str = "") -> Abstract | Refused:
    """Clean a source's abstract, judge it, and split it into sentences.

    Args:
        raw: The text as the source gave it, or None.
        title: Title of the work; an abstract that shares no word with it belongs to another paper.
        note: What the source says about a missing abstract.

    Returns:
        Sentences, or the reason why the text cannot be used.
    """
    if raw is None or not raw.strip():
        if re.search(r"elided by the publisher[^}]{0,100}abstract", note):
            return Refused(Refusal.ELIDED, "the publisher does not let the source show the abstract")
        return Refused(Refusal.EMPTY, "the record carries no abstract")
    notes = []
    if len(raw) > MAX_CHARACTERS:
        notes.append(f"only the first {MAX_CHARACTERS:,} characters were read: the rest is too long")
    text = clean_abstract(raw)
    if len(text) > LONGEST_ABSTRACT:
        text = _front(text)
        notes.append(
            f"the record gives a text too long for an abstract: its first {len(text):,} characters were used"
        )
    refused = _refuse(text, title)
    if refused is not None:
        return refused
    sentences, other = english_part(split_sentences(text))
    if other:
        notes.append(f"the same in {other} was left out")
    elif is_foreign(text):
        return Refused(Refusal.FOREIGN, f"the record's abstract is in {language(text)}")
    if _TRUNCATED.search(text) and sentences and _TRUNCATED.search(sentences[-1]):
        sentences = sentences[:-1]
        if len(" ".join(sentences)) < MIN_CHARACTERS:
            return Refused(Refusal.TRUNCATED, "the source gives only the first words of the abstract")
        notes.append("the source gives only the beginning of the abstract")
    if not sentences:
        return Refused(Refusal.EMPTY, "the record's abstract is empty")
    return Abstract(sentences[:MAX_SENTENCES], "; ".join(notes))


def _front(text: str) -> str:
    """Take what stands before the introduction of an article, or as much as an abstract can be long."""
    begins = _BODY_BEGINS.search(text, _FIRST_BODY, LONGEST_ABSTRACT)
    return text[: begins.start()].rstrip() if begins else text[:LONGEST_ABSTRACT].rsplit(None, 1)[0]


def clean_abstract(raw: str) -> str:
    """Take off mark-up, entities, the heading `Abstract` and the publisher's lines.

    Headings of structured abstracts stay, as `Methods: `; lines become spaces. What goes beyond
    `MAX_CHARACTERS` is cut off at a word.
    """
    text = raw
    if len(text) > MAX_CHARACTERS:
        text = text[:MAX_CHARACTERS].rsplit(None, 1)[0]
    if "&" in text:
        # Some sources escape twice; after that an ampersand is meant.
        text = html.unescape(html.unescape(text))
    text = _TEX_DOCUMENT.sub(lambda m: _TEX_DOLLARS.sub("", m.group(1)), text)
    text = _SECTION_TITLE.sub(_as_heading, text)
    text = _SECTION_TAG.sub(lambda m: "" if _INLINE.match(m.group()) else " ", text)
    text = text.translate(_INVISIBLE)
    text = " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in text).split())
    text = _HEADING.sub("", _HEADING_ANY_CASE.sub("", text), count=1)
    return _without_keywords(_without_publisher_lines(text))


def _without_keywords(text: str) -> str:
    """Cut key words off the end, where no sentence follows them."""
    found = _KEYWORDS.search(text, max(0, len(text) - 600))
    if found is None or found.start() < MIN_CHARACTERS or re.search(r"[a-z]{2}\. [A-Z]", text[found.end() :]):
        return text
    return text[: found.start()].rstrip()


def _as_heading(match: re.Match[str]) -> str:
    heading = match.group(1).strip().rstrip(":.")
    if not heading or heading.lower() in {"abstract", "summary"}:
        return " "
    return f" {heading}: "


def _without_publisher_lines(text: str) -> str:
    """Cut sentences of copyright and licence off both ends; inside they are left alone."""
    if not _LICENCE_SENTENCE.search(text) and not _JOURNAL_LINE.search(text[-200:]):
        return text
    sentences = list(split_sentences(text))
    for _ in range(4):
        if len(sentences) > 1 and _is_publisher_line(sentences[-1]):
            sentences.pop()
        elif len(sentences) > 2 and _is_publisher_line(sentences[-2]) and len(sentences[-1]) < 60:
            del sentences[-2:]
    while len(sentences) > 1 and len(sentences[0]) < 200 and _LICENCE_SENTENCE.search(sentences[0]):
        sentences.pop(0)
    last = sentences[-1] if sentences else ""
    found = _LICENCE_SENTENCE.search(last)
    if (
        found
        and found.group().lower().startswith(("©", "(c)", "copyright"))
        and found.start() > len(last) / 2
    ):
        # The line was glued to the last sentence.
        sentences[-1] = last[: found.start()].rstrip()
    return " ".join(sentences)


def _is_publisher_line(sentence: str) -> bool:
    found = _LICENCE_SENTENCE.search(sentence)
    if found:
        return found.start() < 80 and len(sentence) < 400
    return bool(_JOURNAL_LINE.match(sentence) or _YEAR_ONLY.fullmatch(sentence))


def _refuse(text: str, title: str) -> Refused | None:
    if not text:
        return Refused(Refusal.EMPTY, "the record's abstract is empty")
    if _ELIDED.search(text[:400]) and len(text) < 600:
        return Refused(Refusal.ELIDED, "the publisher does not let the source show the abstract")
    if len(text) < 120 and _PLACEHOLDER.match(text):
        return Refused(Refusal.PLACEHOLDER, f"the record holds a placeholder: {text[:60]!r}")
    if _RETRACTION_TEXT.match(text):
        return Refused(Refusal.RETRACTION_NOTICE, "the text is a notice of retraction, not the abstract")
    if title and fold(text) == fold(title):
        return Refused(Refusal.ONLY_TITLE, "the record repeats the title in place of an abstract")
    if len(text) < MIN_CHARACTERS or len(text.split()) < MIN_WORDS:
        if is_foreign(text):  # some scripts part no words
            return Refused(Refusal.FOREIGN, f"the record's abstract is in {language(text)}")
        return Refused(Refusal.TOO_SHORT, f"the record's abstract has only {len(text.split())} words")
    letters = sum(c.isalpha() or c.isspace() for c in text)
    if letters < MIN_LETTER_SHARE * len(text):
        return Refused(Refusal.NOT_PROSE, "the record's abstract is not prose")
    if is_contents(text):
        return Refused(Refusal.CONTENTS, "the record holds a table of contents in place of an abstract")
    if is_bibliography(text):
        return Refused(Refusal.BIBLIOGRAPHY, "the record holds a list of references in place of an abstract")
    if title and not is_foreign(text) and _shares_nothing(text, title):
        return Refused(
            Refusal.MISFILED,
            "the abstract shares no word with the title: it looks like another paper's",
        )
    return None


def _shares_nothing(text: str, title: str) -> bool:
    """Whether no word of the title, by its first letters, occurs in the abstract."""
    wanted = {word[:_STEM] for word in content_words(fold(title)) if len(word) > 2}
    if len(wanted) < 3:
        return False
    words = fold(text[:3_000]) + " " + fold(text[3_000:6_000])
    return not any(stem in words for stem in wanted)
