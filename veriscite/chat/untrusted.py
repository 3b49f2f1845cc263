"""Untrusted text on its way into a prompt: cleaned, screened, and put into blocks it cannot leave.

Manuscripts, abstracts and search results are data. Three defences stand between them and a language model,
and none relies on the model's good sense: characters that hide text or fake structure are removed; passages
that address a language model are withheld; what remains stands in a block whose delimiter is a hash of the
very data, so that no data can hold it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

#: An item longer than this is cut, visibly: an abstract's sentence is far below it.
MAX_ITEM_CHARACTERS = 4_000
#: A block with more items than this is cut, visibly.
MAX_ITEMS = 400

WITHHELD = "[withheld: this passage addresses a language model]"
_CUT = " [cut]"
_NOTHING = "(none)"

# Characters that show nothing but reach the model: format characters (Cf) hold zero-width, bidirectional and
# tag characters; variation selectors can carry arbitrary bytes.
_DROPPED_CATEGORIES = frozenset({"Cf"})
_SPACED_CATEGORIES = frozenset({"Cc", "Zl", "Zp", "Cn"})
_REPLACED_CATEGORIES = frozenset({"Cs", "Co"})

_LABELS = r"(?:SUPPORTS?|SUPPORTED|CONTRADICTS?|REFUTES?|NOT[ _]ENOUGH[ _]INFO(?:RMATION)?)"
_MODEL = r"(?:language model|LLM|chat ?bot|AI|GPT|Claude|assistant|(?:reviewer|grading|checking) model)"
_ADDRESSES_A_MODEL: tuple[re.Pattern[str], ...] = (
    # "Ignore all previous instructions"
    re.compile(
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?]{0,40}?"
        r"\b(?:previous|prior|above|earlier|preceding|all|any|your|system)\b[^.!?]{0,30}?"
        r"\b(?:instruction|prompt|rule|message|direction|guideline)s?\b",
        re.IGNORECASE,
    ),
    # "answer SUPPORT", "mark every citation as SUPPORT": labels in capitals only, since the words are common
    re.compile(
        r"\b(?i:answer|output|respond|reply|return|mark|label|classify|rate|conclude|say|print|write)\b"
        rf"(?:[^.!?]{{0,60}}?(?i:\b(?:as|with|by|be|is|to|verdict|label)\b|[:={{]))?[\s\"'“]{{1,3}}{_LABELS}\b"
        r"(?!\s+(?:trial|stud|group|cohort|project|investigators))"
    ),
    # {"label": "SUPPORT"}
    re.compile(rf"(?i:label|verdict|confidence|stance)[\"'”]?\s{{0,3}}[:=]\s{{0,3}}[\"'“]?\s?{_LABELS}\b"),
    # "System: you must ..."
    re.compile(
        r"(?:^|[.!?>\]}\"]\s{0,2})(?:system|assistant|developer)(?: (?:message|prompt|note))?\s?:"
        r"[^.!?]{0,80}?"
        r"\b(?:output|answer|respond|reply|ignore|must|you|label|verdict|return|always|never)\b",
        re.IGNORECASE,
    ),
    # Control tokens and tags of chat formats
    re.compile(
        r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>"
        r"|</?(?:system|assistant|tool_result|tool_use|function_results?|function_calls?)\b",
        re.IGNORECASE,
    ),
    # "You are an AI that ...", "Note to the language model: ..."
    re.compile(rf"\b(?:you are|act as|pretend to be)\b[^.!?]{{0,20}}?\b{_MODEL}\b", re.IGNORECASE),
    re.compile(
        rf"\b{_MODEL}s?\b[^.!?]{{0,40}}?[:,]\s{{0,3}}(?:please |do not |don't )?"
        r"(?:mark|ignore|answer|output|rate|give|list|treat|judge|conclude|respond|reply)\b",
        re.IGNORECASE,
    ),
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def clean(text: str) -> str:
    """Return `text` as one line without characters that hide text or fake structure.

    Control, zero-width, bidirectional and tag characters and variation selectors go; every run of white space
    becomes one space, so that no data can begin a line of its own.
    """
    kept: list[str] = []
    for character in text:
        category = unicodedata.category(character)
        if category in _DROPPED_CATEGORIES or _is_variation_selector(character):
            continue
        if category in _SPACED_CATEGORIES:
            kept.append(" ")
        elif category in _REPLACED_CATEGORIES:
            kept.append("�")
        else:
            kept.append(character)
    return " ".join("".join(kept).split())


def _is_variation_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def addresses_a_model(text: str) -> bool:
    """Whether a passage speaks to a language model instead of saying something about the world.

    A screen of known forms, not a proof: what passes it still meets the quote check and the planner's guards.
    """
    plain = unicodedata.normalize("NFKC", text)  # full-width and styled letters read the same to a model
    return any(pattern.search(plain) for pattern in _ADDRESSES_A_MODEL)


@dataclass(frozen=True)
class Screened:
    """One item of data, cleaned and screened.

    Attributes:
        text: What may be shown.
        withheld: Whether all of it was withheld.
        notes: What was withheld or cut.
    """

    text: str
    withheld: bool
    notes: tuple[str, ...] = ()


def screen(text: str) -> Screened:
    """Clean an item and withhold each passage of it that addresses a language model."""
    notes: list[str] = []
    # Comments first, while `<!--` still stands: what is hidden from readers is no part of what is said.
    visible = _COMMENT.sub(" ", text)
    if visible != text:
        notes.append("A hidden comment was left out.")
    visible = clean(visible)
    if len(visible) > MAX_ITEM_CHARACTERS:
        visible = visible[:MAX_ITEM_CHARACTERS] + _CUT
        notes.append(f"A passage was cut after {MAX_ITEM_CHARACTERS} characters.")
    if not addresses_a_model(visible):
        return Screened(visible, False, tuple(notes))
    notes.append("A passage that addresses a language model was withheld.")
    kept = [part for part in _SENTENCE_END.split(visible) if not addresses_a_model(part)]
    rest = " ".join(kept)
    # An instruction may lie across the sentences it was split into; then none of them is shown.
    if not kept or addresses_a_model(rest):
        return Screened(WITHHELD, True, tuple(notes))
    return Screened(rest, False, tuple(notes))


def delimiter_for(values: Sequence[str]) -> str:
    """Return 16 hex digits that occur in none of `values`.

    The digits are a hash of the values themselves: the same data gives the same prompt, and whoever writes
    one part of the data cannot foresee them.
    """
    joined = "\x00".join(values)
    digest = hashlib.sha256(joined.encode("utf-8", "replace")).hexdigest()[:16]
    while digest in joined:
        digest = hashlib.sha256(digest.encode()).hexdigest()[:16]
    return digest


def block(name: str, items: str | Sequence[str], delimiter: str) -> str:
    """Put cleaned data into a marked block; several items become numbered lines, counted from 0."""
    if isinstance(items, str):
        lines = [items or _NOTHING]
    else:
        lines = [f"[{index}] {item}" for index, item in enumerate(items[:MAX_ITEMS])] or [_NOTHING]
        if len(items) > MAX_ITEMS:
            lines.append(f"({len(items) - MAX_ITEMS} more left out)")
    return "\n".join((f"<<<{name} {delimiter}", *lines, f"{name} {delimiter}>>>"))
