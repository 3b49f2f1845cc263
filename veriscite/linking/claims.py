"""A citance without its markers: what it claims, readable and nothing else changed."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from veriscite.domain import Reference
from veriscite.linking.markers.found import Found, Removal
from veriscite.linking.text import fold_space

# Private characters stand for what was taken out until the text around is clean.
_GONE = "\ue010"
_WORK = "\ue011"
_NAMED = "\ue012"

_LEAD = (
    r"(?:see(?: also)?|e\.\s?g\.?|i\.e\.?|cf\.?|for (?:a |an )?(?:recent )?(?:reviews?|examples?|"
    r"details?|overviews?)|"
    r"for instance|reviewed (?:in|by)|as (?:reviewed|shown|described|discussed|reported) (?:in|by)|"
    r"and|or|also|"
    r"among others|references? therein|and others|but see|in|by|refs?\.?|see,? for example|among many others)"
)
_ONLY_LEADS = re.compile(
    rf"\s?[(\[](?:[\s,;:.–-]|{_LEAD}|{_GONE})*{_GONE}(?:[\s,;:.–-]|{_LEAD}|{_GONE})*[)\]]", re.IGNORECASE
)
_BARE_LEAD = re.compile(
    rf"[\s,;]*(?:[,;(\s]see(?: also)?|[,;(\s]e\.\s?g\.,?|[,;(\s]cf\.|[,;(\s]for (?:a )?reviews?,? see|"
    rf"[,;(\s]reviewed in)\s*{_GONE}",
    re.IGNORECASE,
)
_AROUND_GONE = re.compile(rf"\s*{_GONE}(?:\s*(?:[,;&]|and)?\s*{_GONE})*")
_SPACE_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?)\]](?:\s|$|[)\]”\"]))")
_DOUBLE_COMMA = re.compile(r"([,;:])(?:\s*[,;:])+")
_COMMA_STOP = re.compile(r"[,;:]\s*(?=[.!?](?:\s|$))")
_DOUBLE_STOP = re.compile(r"(?<=[^.])\.\s?\.(?=\s|$)")
_EMPTY = re.compile(r"\s?(?:\(\s*[,;]?\s*\)|\[\s*[,;]?\s*\])")
_AFTER_OPEN = re.compile(r"(?<=[(\[])[\s,;]+")
_LEADING = re.compile(r"^[\s,;:.)\]–-]+")
_DANGLING = re.compile(r"(?:[\s,;:–-]|\b(?:and|but|or|whereas|while|although))+$")
_WORD = re.compile(r"[^\W\d_]{2,}")

_MARKDOWN_LINK = re.compile(
    r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,1000}(?:\([^()\s]{0,200}\)[^()\s]{0,300})?(?:\s\"[^\"]{0,300}\")?\)"
)
_MARKDOWN_SPAN = re.compile(r"\[([^\[\]]{1,500})\]\{[^{}\n]{0,200}\}")
_MARKDOWN_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,80}\]")
_MARKDOWN_MARK = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3}|`{1,2}|~~)(?=\S)([^*_`~\n]{1,400}?)(?<=\S)\1(?!\w)")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•‣◦]|\d{1,3}[.)])\s+|^\s*>\s?")


def has_content(text: str) -> bool:
    """Whether a claim's text says anything: at least two words."""
    return len(_WORD.findall(text)) >= 2


def as_sentence(clause: str) -> str:
    """Return a clause as a sentence of its own: a capital first, a stop last, nothing dangling."""
    clause = _DANGLING.sub("", clause)
    first = clause.split(maxsplit=1)[0] if clause else ""
    if first.islower() and first.isalpha():
        clause = clause[0].upper() + clause[1:]
    return clause if not clause or clause[-1] in ".!?" else f"{clause}."


class ClaimText:
    """A citance without its markers, for each reference that it cites.

    A parenthetical marker leaves without trace. A narrative one keeps its subject: author and year keeps
    the authors; a number or a key that is a word of its sentence (`[3] showed that`) gives way to the
    cited work's authors, each to its own where several are words of one sentence.

    Args:
        text: The manuscript's text.
        span: The citance.
        markers: The markers in it, in order.
        works: The work that a marker cites, where it is one alone, by the marker's start.
        left_out: What is no part of the prose, in order.
        markdown: Whether marks of Markdown are taken off.
    """

    def __init__(
        self,
        text: str,
        span: tuple[int, int],
        markers: Sequence[Found],
        *,
        works: Mapping[int, Reference] = MappingProxyType({}),
        left_out: Sequence[tuple[int, int]] = (),
        markdown: bool = False,
    ) -> None:
        cuts: list[tuple[int, int, str]] = [(*m.span_to_cut, _fill(m, works.get(m.start))) for m in markers]
        cuts += [(a, b, " ") for a, b in left_out]
        pieces: list[str] = []
        at = span[0]
        for a, b, fill in sorted(cuts):
            a, b = max(a, at), min(b, span[1])
            if b < a:
                continue
            pieces += (text[at:a], fill)
            at = b
        pieces.append(text[at : span[1]])
        folded = fold_space("".join(pieces))
        self._text = _tidy(_without_markdown(folded) if markdown else folded)

    def about(self, reference: Reference | None) -> str:
        """Return the text as a claim about one of the cited works; may be without content."""
        return fold_space(_DOUBLE_STOP.sub(".", _with_name(self._text, _name_of(reference))))


def _fill(marker: Found, work: Reference | None) -> str:
    if marker.removal is not Removal.WORK:
        return _GONE
    return _WORK if work is None else _NAMED + _name_of(work)


def _name_of(reference: Reference | None) -> str:
    """What stands in for a marker that is a word of its sentence."""
    authors = reference.authors if reference else ()
    if not authors:
        return "the cited work"
    if len(authors) == 1:
        return authors[0].family
    if len(authors) == 2:
        return f"{authors[0].family} and {authors[1].family}"
    return f"{authors[0].family} et al."


def _tidy(text: str) -> str:
    text = _ONLY_LEADS.sub(_GONE, text)
    text = _BARE_LEAD.sub(_GONE, text)
    text = _AROUND_GONE.sub("", text)
    text = _EMPTY.sub("", text)
    text = _AFTER_OPEN.sub("", text)
    text = _SPACE_BEFORE_STOP.sub("", text)
    text = _DOUBLE_COMMA.sub(r"\1", text)
    text = _COMMA_STOP.sub("", text)
    return _LEADING.sub("", text)


def _with_name(text: str, name: str) -> str:
    if _WORK not in text and _NAMED not in text:
        return text
    text = text.replace(_WORK, _NAMED + name)
    if text.startswith(_NAMED):
        text = text[1:2].upper() + text[2:]
    text = text.replace(_NAMED, "")
    return re.sub(r"et al\.\.(?=\s|$)", "et al.", text)


def _without_markdown(text: str) -> str:
    text = _LIST_MARK.sub("", text)
    text = _MARKDOWN_LINK.sub(r"\1", text)
    text = _MARKDOWN_SPAN.sub(r"\1", text)
    text = _MARKDOWN_FOOTNOTE.sub("", text)
    for _ in range(2):
        text = _MARKDOWN_MARK.sub(r"\2", text)
    return text
