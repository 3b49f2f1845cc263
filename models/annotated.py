"""Claims against whole abstracts, with the sentences that people say decide."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models import sources, statements
from models.rows import (
    CONTRADICT,
    NOT_ENOUGH_INFO,
    SUPPORT,
    Document,
    is_reserved,
    read_jsonl,
    sentences_of,
)

_SCIFACT = {"SUPPORT": SUPPORT, "CONTRADICT": CONTRADICT}
_CHECK_COVID = {"SUPPORT": SUPPORT, "REFUTE": CONTRADICT, "NOTENOUGHINFO": NOT_ENOUGH_INFO}


@dataclass(frozen=True)
class Annotated:
    """A claim against an abstract.

    Attributes:
        document: Both, with the label.
        rationales: Sentence indices of each set of sentences that decides; empty where nothing is said.
    """

    document: Document
    rationales: tuple[frozenset[int], ...] = ()


def scifact_abstracts(data: Path) -> dict[int, tuple[str, ...]]:
    """Sentences of each abstract of SciFact's corpus by its id."""
    return {row["doc_id"]: tuple(row["abstract"]) for row in read_jsonl(data / "scifact" / "corpus.jsonl.gz")}


def scifact_claims(
    data: Path, split: str, abstracts: dict[int, tuple[str, ...]]
) -> Iterator[tuple[list[int], list[Annotated]]]:
    """Yield for each claim the ids of the abstracts that it cites, and the claim against each of them.

    Args:
        data: Folder with the data.
        split: `train` or `dev`.
        abstracts: What `scifact_abstracts` gave.
    """
    for claim in read_jsonl(data / "scifact" / f"claims_{split}.jsonl"):
        against = []
        for doc in claim["cited_doc_ids"]:
            found = claim["evidence"].get(str(doc), [])
            label = _SCIFACT[found[0]["label"]] if found else NOT_ENOUGH_INFO
            document = Document(claim["claim"], abstracts[doc], label, "scifact", f"scifact{doc}")
            against.append(Annotated(document, tuple(frozenset(e["sentences"]) for e in found)))
        yield claim["cited_doc_ids"], against


def check_covid_claims(data: Path, split: str) -> Iterator[Annotated]:
    """Yield each claim of Check-COVID against its abstract, its primary evidence as the rationale.

    Args:
        data: Folder with the data.
        split: `train` or `dev`.
    """
    folder = data / "check-covid"
    corpus = {row["cord_id"]: tuple(row["abstract"]) for row in read_jsonl(folder / "corpus.json")}
    for claim in read_jsonl(folder / f"covidCheck_{split}_composed+extracted.json"):
        sentences, label = corpus[claim["cord_id"]], _CHECK_COVID[claim["label"]]
        document = Document(claim["claim"].strip(), sentences, label, "check-covid", claim["cord_id"])
        marked = [e for e in claim["evidence_set"] if e["sent_index"] < len(sentences)]
        primary = frozenset(e["sent_index"] for e in marked if e["type"] == "PRIMARY")
        rationale = primary or frozenset(e["sent_index"] for e in marked)
        decided = bool(rationale) and label != NOT_ENOUGH_INFO
        yield Annotated(document, (rationale,) if decided else ())


def evidence_inference_claims(data: Path, rng: random.Random) -> Iterator[Annotated]:
    """Yield what each trial of Evidence-Inference found, as a claim with it and as one against it.

    Each piece of evidence that an annotator marked, where it stands in the abstract, is a rationale of its
    own.
    """
    for prompt in read_jsonl(data / "evidence-inference" / "joined_v2.jsonl.gz"):
        if is_reserved(prompt["pmcid"]) or prompt["label"] not in sources.DIRECTIONS:
            continue
        if not prompt["abstract"] or not prompt["evidence_in_abstract"]:
            continue
        sentences, direction = sentences_of(prompt["abstract"]), sources.DIRECTIONS[prompt["label"]]
        pieces = [sources.evidence_sentences(sentences, [piece]) for piece in prompt["evidence"]]
        rationales = tuple({frozenset(piece): None for piece in pieces if piece})
        if not rationales:
            continue
        phrases = (prompt["intervention"], prompt["comparator"], prompt["outcome"])
        against = {"higher": "lower", "lower": "higher"}.get(direction) or rng.choice(["higher", "lower"])
        for way, label in ((direction, SUPPORT), (against, CONTRADICT)):
            claim = statements.trial_claim(way, *phrases, rng)
            if claim:
                document = Document(claim, sentences, label, "evidence-inference", f"pmc{prompt['pmcid']}")
                yield Annotated(document, rationales)
