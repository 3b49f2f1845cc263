"""Training rows shaped as the verifier reads an abstract: the few sentences closest to the claim.

The readers in `models.sources` cut windows around the sentences that decide. At run time nobody knows which
these are, so here the sentences are chosen as they will be then, and the annotation says what can be seen
from them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from models.annotated import Annotated, check_covid_claims, scifact_abstracts, scifact_claims
from models.rows import NOT_ENOUGH_INFO, Row, words
from veriscite.verification.calibration import Calibration
from veriscite.verification.windows import premise_text

#: Extracts read of each abstract, in sentences, as in the calibration of the `science` adapters.
SIZES = (3, 5)


def extracts(
    claim: str, sentences: Sequence[str], sizes: Sequence[int] = SIZES
) -> list[tuple[tuple[int, ...], str]]:
    """The sentences closest to a claim, once for each size that gives another choice: indices and text."""
    chosen = Calibration(extracts=tuple(sizes)).premises(claim, sentences)
    return [(indices, premise_text(sentences, indices)) for indices in chosen]


def annotated_rows(pair: Annotated, rng: random.Random) -> Iterator[Row]:
    """Rows of one claim against one abstract whose deciding sentences are known.

    An extract that holds a whole rationale, any of several, has the claim's label; one that holds no sentence
    of any says nothing; one that holds a part of one is left out, for nobody knows.

    Args:
        pair: The claim, the abstract and the rationales.
        rng: Source of every choice.
    """
    document, rationales = pair.document, pair.rationales
    sentences = document.sentences

    def row(text: str, label: int, kind: str) -> Row:
        return Row(text, document.claim, label, document.source, document.group, kind)

    told = frozenset().union(*rationales)
    for indices, text in extracts(document.claim, sentences):
        seen = set(indices)
        if not rationales or not told & seen:
            yield row(text, NOT_ENOUGH_INFO, "extract")
        elif any(rationale <= seen for rationale in rationales):
            yield row(text, document.label, "extract")
    if not rationales:
        return
    rationale = rng.choice(rationales)
    yield row(premise_text(sentences, sorted(rationale)), document.label, "rationale")
    rest = [s for i, s in enumerate(sentences) if i not in told]
    if len(rest) >= 3 and rng.random() < 0.5:
        _, text = extracts(document.claim, rest, (rng.choice(SIZES),))[0]
        yield row(text, NOT_ENOUGH_INFO, "hard-negative")


def scifact(data: Path, rng: random.Random) -> Iterator[Row]:
    """SciFact train: each claim against each abstract that it cites, and against the most alike other one."""
    abstracts = scifact_abstracts(data)
    alike = _MostAlike(abstracts)
    for cited, against in scifact_claims(data, "train", abstracts):
        for pair in against:
            yield from annotated_rows(pair, rng)
        if rng.random() < 0.4:
            # In the fold of the claim's own abstract: the claim is what could leak.
            own = against[0].document
            other = abstracts[alike.to(own.claim, set(cited))]
            _, text = extracts(own.claim, other, (rng.choice(SIZES),))[0]
            yield Row(text, own.claim, NOT_ENOUGH_INFO, "scifact", own.group, "similar-abstract")


class _MostAlike:
    """The abstract that shares most of a claim's words, rare ones weighing more."""

    def __init__(self, abstracts: dict[Any, Sequence[str]]) -> None:
        self._holders: dict[str, list[Any]] = defaultdict(list)
        for key, sentences in abstracts.items():
            for word in words(" ".join(sentences)):
                self._holders[word].append(key)

    def to(self, claim: str, without: set[Any]) -> Any:
        """Key of the abstract most like the claim, leaving out some."""
        weight: dict[Any, float] = defaultdict(float)
        for word in sorted(words(claim)):
            for key in self._holders.get(word, ()):
                weight[key] += 1 / len(self._holders[word])
        for key in without:
            weight.pop(key, None)
        return max(weight, key=lambda key: (weight[key], str(key)))


def check_covid(data: Path, rng: random.Random) -> Iterator[Row]:
    """Check-COVID train, read as SciFact is."""
    for pair in check_covid_claims(data, "train"):
        yield from annotated_rows(pair, rng)


__all__ = ["annotated_rows", "check_covid", "extracts", "scifact"]
