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

from models import distortions, sources
from models.annotated import (
    Annotated,
    check_covid_claims,
    evidence_inference_claims,
    scifact_abstracts,
    scifact_claims,
)
from models.rows import NOT_ENOUGH_INFO, SUPPORT, Document, Row, read_jsonl, words
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


def evidence_inference(data: Path, rng: random.Random) -> Iterator[Row]:
    """Evidence-Inference's trials as claims, read as SciFact is."""
    for pair in evidence_inference_claims(data, rng):
        yield from annotated_rows(pair, rng)


def check_covid_edited(data: Path, rng: random.Random) -> Iterator[Row]:
    """Supported claims of Check-COVID train turned into contradicted ones by one edit."""
    pairs = list(check_covid_claims(data, "train"))
    yield from _edited(pairs, {p.document.group: p.document.sentences for p in pairs}, rng)


def citation_integrity(data: Path, rng: random.Random) -> Iterator[Row]:
    """Citation-Integrity train: real citing sentences against all that is known of the cited article.

    Of each article there are five sentences at most, chosen by the data's authors as the closest: no extract
    of them leaves out what decides, so each has the claim's label.
    """
    for document, _ in _integrity(data):
        for _, text in extracts(document.claim, document.sentences):
            yield Row(text, document.claim, document.label, document.source, document.group, "extract")


def citation_integrity_edited(data: Path, rng: random.Random) -> Iterator[Row]:
    """Accurate citing sentences turned into contradicted ones by one edit."""
    found = list(_integrity(data))
    pairs = [Annotated(document, rationales) for document, rationales in found]
    yield from _edited(pairs, {d.group: d.sentences for d, _ in found}, rng)


def _integrity(data: Path) -> Iterator[tuple[Document, tuple[frozenset[int], ...]]]:
    corpus = {
        row["doc_id"]: tuple(row["abstract"])
        for row in read_jsonl(data / "citation-integrity" / "corpus.jsonl.gz")
    }
    for claim, doc, label, sentences in sources.integrity_claims(data):
        document = Document(claim, corpus[doc], label, "citation-integrity", f"ci{doc}")
        yield document, (frozenset(sentences),) if sentences and label == SUPPORT else ()


#: Edits that fit a claim in its own words; a unit or a comparator is seldom named there.
_EDITS = (distortions.negate, distortions.flip_direction, distortions.change_number, distortions.swap_sides)


def _edited(
    pairs: Sequence[Annotated], abstracts: dict[Any, Sequence[str]], rng: random.Random
) -> Iterator[Row]:
    """People's words with one edit: what a minimal edit of the evidence's own sentence does not teach.

    Some edited claims also stand against the most alike other abstract, so that an edit's look tells nothing.
    """
    alike = _MostAlike(abstracts)
    for pair in pairs:
        document = pair.document
        if document.label != SUPPORT:
            continue
        edits = [edit for way in _EDITS if (edit := way(document.claim, rng))]
        if not edits:
            continue
        edit = rng.choice(edits)
        claim = Document(edit.text, document.sentences, edit.label, document.source, document.group)
        for row in annotated_rows(Annotated(claim, pair.rationales), rng):
            if row.label == edit.label:
                yield Row(row.premise, row.hypothesis, row.label, row.source, row.group, edit.kind)
        if rng.random() < 0.4:
            other = abstracts[alike.to(document.claim, {document.group})]
            _, text = extracts(edit.text, other, (rng.choice(SIZES),))[0]
            yield Row(text, edit.text, NOT_ENOUGH_INFO, document.source, document.group, "similar-abstract")


__all__ = [
    "annotated_rows",
    "check_covid",
    "check_covid_edited",
    "citation_integrity",
    "citation_integrity_edited",
    "evidence_inference",
    "extracts",
    "scifact",
]
