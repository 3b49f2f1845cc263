"""SciFact and Check-COVID: claims against whole abstracts, with the sentences that people say decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, Document, read_jsonl

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
