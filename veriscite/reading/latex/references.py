r"""Cross-references (`\ref`, `\eqref`, `\autoref`, `\cref`): what a reader sees of them."""

import re
from collections.abc import Mapping

from veriscite.reading.latex.arguments import Scanner
from veriscite.reading.latex.commands import NAMED_REFERENCES, REFERENCE_WORDS
from veriscite.reading.latex.numbers import PLACEHOLDER, Label

_PREFIX = re.compile(r"[A-Za-z]{2,8}")
_RANGES = ("crefrange", "Crefrange", "vrefrange", "cpagerefrange")
_PAGES = ("pageref", "autopageref", "vpageref", "cpageref", "cpagerefrange", "Cpageref")
_MAX_LABELS = 50


def show_reference(
    scanner: Scanner, name: str, at: int, numbers: Mapping[str, Label]
) -> tuple[str, int] | None:
    r"""Read a cross-reference and write it as text.

    A number is written bare, also where print shows it in parentheses: so it is never taken for a citation.

    Args:
        scanner: The text.
        name: The command, without its backslash.
        at: The offset after the command.
        numbers: What the labels stand for.

    Returns:
        The text as TeX, and the offset after the command's arguments; None where it has none.
    """
    at += scanner.text[at : at + 1] == "*"
    found = scanner.group(scanner.after_optionals(at))
    if found is None:
        return None
    if name == "label":
        return "", found[1]
    keys = [" ".join(key.split()) for key in found[0].split(",")][:_MAX_LABELS]
    end = found[1]
    second = scanner.group(end) if name in _RANGES else None
    if second is not None:
        keys, end = [keys[0], " ".join(second[0].split())], second[1]
    known = [numbers.get(key) for key in keys]
    if name in _PAGES:
        shown = [PLACEHOLDER for _ in known]
    elif name in ("nameref", "Nameref"):
        shown = [label.title if label is not None and label.title else PLACEHOLDER for label in known]
    else:
        shown = [label.number if label is not None else PLACEHOLDER for label in known]
    text = _listed(list(dict.fromkeys(shown)), ranged=second is not None)
    if name in NAMED_REFERENCES:
        word = "page" if name in _PAGES else _word(known[0], keys[0])
        plural = "s" if word and len(keys) > 1 and word[-1] not in "sx" else ""
        text = f"{word}{plural} {text}".strip()
    # In braces, so that no command before it takes it for a part of its name or for its option.
    return f"{{{text}}}", end


def _word(label: Label | None, key: str) -> str:
    if label is not None and label.word:
        return label.word
    prefix = _PREFIX.match(key.lower())
    return REFERENCE_WORDS.get(prefix[0], "") if prefix else ""


def _listed(parts: list[str], *, ranged: bool) -> str:
    if ranged and len(parts) == 2:
        return "–".join(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
