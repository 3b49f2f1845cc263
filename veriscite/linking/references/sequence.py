"""The trained sequence model: which stretch of an entry is authors, title, container and so on.

A linear-chain conditional random field (Lafferty, McCallum and Pereira 2001) over the tokens of one entry.
Where the package that runs it or its weights are missing or broken, nothing is labelled: rules then decide.
"""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol, cast

from veriscite.linking.references.tokens import Token, features, tokenise

WEIGHTS = Path(__file__).parent / "weights" / "fields.crfsuite"
"""The weights as they are trained by `models.train_references`."""

_log = logging.getLogger(__name__)
_one_at_a_time = threading.Lock()

FIELDS = ("author", "title", "container", "editor", "publisher", "date", "locator", "note")
"""The kinds of stretches; a label is `B-` or `I-` (begin, inside) and one of these."""

Hints = Sequence[tuple[int, int, str]]
"""Stretches that the rules read (start, end, name), in order and apart."""


class _Tagger(Protocol):
    def tag(self, rows: list[list[str]]) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of tokens with one label; offsets into the text."""

    field: str
    start: int
    end: int


def stretches(text: str, hints: Hints) -> list[Stretch]:
    """Label the tokens of an entry and join those that belong together.

    Args:
        text: The entry on one line, without label and identifiers.
        hints: What the rules take its parts for.

    Returns:
        The stretches in order; none without a model, nor for an entry of more tokens than it labels, which
        would seem to end at the last of them.
    """
    tagger = _tagger()
    tokens = tokenise(text) if tagger else []
    if tagger is None or not tokens or tokens[-1].end < len(text):
        return []
    rows = features(tokens, spread(tokens, hints))
    with _one_at_a_time:
        labels = tagger.tag(rows)
    found: list[Stretch] = []
    for token, label in zip(tokens, labels, strict=True):
        field = label[2:]
        if found and found[-1].field == field and not label.startswith("B"):
            found[-1] = Stretch(field, found[-1].start, token.end)
        else:
            found.append(Stretch(field, token.start, token.end))
    return found


def spread(tokens: Sequence[Token], hints: Hints) -> list[str]:
    """Return for each token the name of the hint that it begins in; `first` marks the first token of one."""
    named: list[str] = []
    at = 0
    before = -1
    for token in tokens:
        while at < len(hints) and hints[at][1] <= token.start:
            at += 1
        if at < len(hints) and hints[at][0] < token.end:
            named.append(hints[at][2] + ("" if before == at else " first"))
            before = at
        else:
            named.append("-")
    return named


@lru_cache(maxsize=1)
def _tagger() -> _Tagger | None:
    """Load the model once, on first use."""
    try:
        import pycrfsuite

        content = WEIGHTS.read_bytes()
        # The package itself does not survive a file that is cut off: its size stands in its header.
        if content[:4] != b"lCRF" or int.from_bytes(content[4:8], "little") != len(content):
            raise ValueError(f"{WEIGHTS.name} is no model, or a part of one")
        tagger = pycrfsuite.Tagger()
        # From the file, not from `content`: bytes handed over are not kept alive by the package.
        tagger.open(str(WEIGHTS))
    except (ImportError, OSError, ValueError) as error:
        _log.warning("Reference fields are read by rules alone: %s", error)
        return None
    return cast(_Tagger, tagger)
