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

from models.rows import CONTRADICT, FROM_NLI, NOT_ENOUGH_INFO, SUPPORT, Row, normalised, read_jsonl, words
from veriscite.verification.windows import closest, premise_text

#: Extracts read of each abstract, in sentences, as in the calibration of the `science` adapters.
SIZES = (3, 5)
_SCIFACT = {"SUPPORT": SUPPORT, "CONTRADICT": CONTRADICT}
_CHECK_COVID = {"SUPPORT": SUPPORT, "REFUTE": CONTRADICT, "NOTENOUGHINFO": NOT_ENOUGH_INFO}


def extracts(
    claim: str, sentences: Sequence[str], sizes: Sequence[int] = SIZES
) -> list[tuple[tuple[int, ...], str]]:
    """The sentences closest to a claim, once for each size that gives another choice: indices and text."""
    chosen = dict.fromkeys(closest(claim, sentences, size) for size in sizes)
    return [(indices, premise_text(sentences, indices)) for indices in chosen]


def annotated_rows(
    claim: str,
    sentences: Sequence[str],
    label: int,
    rationales: Sequence[frozenset[int]],
    source: str,
    group: str,
    rng: random.Random,
) -> Iterator[Row]:
    """Rows of one claim against one abstract whose deciding sentences are known.

    An extract that holds a whole rationale, any of several, has the claim's label; one that holds no sentence
    of any says nothing; one that holds a part of one is left out, for nobody knows.

    Args:
        claim: The claim.
        sentences: The abstract.
        label: The claim's label against the whole abstract.
        rationales: Sentence indices of each rationale; empty when the abstract says nothing on the claim.
        source: Name of the source.
        group: Rows of a group share a fold.
        rng: Source of every choice.
    """
    told = frozenset().union(*rationales)
    for indices, text in extracts(claim, sentences):
        seen = set(indices)
        if not rationales or not told & seen:
            yield Row(text, claim, NOT_ENOUGH_INFO, source, group, "extract")
        elif any(rationale <= seen for rationale in rationales):
            yield Row(text, claim, label, source, group, "extract")
    if not rationales:
        return
    rationale = rng.choice(rationales)
    yield Row(premise_text(sentences, sorted(rationale)), claim, label, source, group, "rationale")
    rest = [s for i, s in enumerate(sentences) if i not in told]
    if len(rest) >= 3 and rng.random() < 0.5:
        _, text = extracts(claim, rest, (rng.choice(SIZES),))[0]
        yield Row(text, claim, NOT_ENOUGH_INFO, source, group, "hard-negative")


def scifact(data: Path, rng: random.Random) -> Iterator[Row]:
    """SciFact train: each claim against each abstract that it cites, and against the most alike other one."""
    corpus = {row["doc_id"]: row["abstract"] for row in read_jsonl(data / "scifact" / "corpus.jsonl.gz")}
    alike = _MostAlike(corpus)
    for claim in read_jsonl(data / "scifact" / "claims_train.jsonl"):
        for doc in claim["cited_doc_ids"]:
            found = claim["evidence"].get(str(doc), [])
            label = _SCIFACT[found[0]["label"]] if found else NOT_ENOUGH_INFO
            rationales = [frozenset(e["sentences"]) for e in found]
            yield from annotated_rows(
                claim["claim"], corpus[doc], label, rationales, "scifact", f"scifact{doc}", rng
            )
        if rng.random() < 0.4:
            other = alike.to(claim["claim"], set(claim["cited_doc_ids"]))
            _, text = extracts(claim["claim"], corpus[other], (rng.choice(SIZES),))[0]
            # In the fold of the claim's own abstract: the claim is what could leak.
            group = f"scifact{claim['cited_doc_ids'][0]}"
            yield Row(text, claim["claim"], NOT_ENOUGH_INFO, "scifact", group, "similar-abstract")


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
    folder = data / "check-covid"
    corpus = {row["cord_id"]: row["abstract"] for row in read_jsonl(folder / "corpus.json")}
    for claim in read_jsonl(folder / "covidCheck_train_composed+extracted.json"):
        sentences, label = corpus[claim["cord_id"]], _CHECK_COVID[claim["label"]]
        marked = [e for e in claim["evidence_set"] if e["sent_index"] < len(sentences)]
        primary = frozenset(e["sent_index"] for e in marked if e["type"] == "PRIMARY")
        rationale = primary or frozenset(e["sent_index"] for e in marked)
        rationales = [rationale] if rationale and label != NOT_ENOUGH_INFO else []
        yield from annotated_rows(
            claim["claim"].strip(), sentences, label, rationales, "check-covid", claim["cord_id"], rng
        )


def research_rows(source: str) -> Any:
    """A reader of general NLI rows whose licence does not allow commercial use, or is not stated."""

    def read(data: Path, rng: random.Random) -> Iterator[Row]:
        for row in read_jsonl(data / "nli" / "train.jsonl.gz"):
            if row["source"] == source and not row["commercial_use"]:
                group = f"{source}:{normalised(row['premise'])[:200]}"
                yield Row(
                    row["premise"].strip(), row["hypothesis"].strip(), FROM_NLI[row["label"]], source, group
                )

    return read


__all__ = ["annotated_rows", "check_covid", "extracts", "research_rows", "scifact"]
