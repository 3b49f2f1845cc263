"""Claims against whole abstracts: the dev sets for scores, and held-out training folds for calibration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from models import cc_by_sources, sources
from models.annotated import check_covid_claims, scifact_abstracts, scifact_claims
from models.data import EvaluationTexts, build, is_held_out
from models.rows import (
    CONTRADICT,
    FROM_NLI,
    NOT_ENOUGH_INFO,
    SUPPORT,
    Document,
    read_jsonl,
    seeded,
    sentences_of,
)

_INTEGRITY = {"SUPPORT": SUPPORT, "REFUTE": CONTRADICT}


def scifact_dev(data: Path) -> list[Document]:
    """SciFact dev: each claim against each abstract that it cites (340 pairs)."""
    claims = scifact_claims(data, "dev", scifact_abstracts(data))
    return [pair.document for _, against in claims for pair in against]


def check_covid_dev(data: Path) -> list[Document]:
    """Check-COVID dev (207 pairs)."""
    return [pair.document for pair in check_covid_claims(data, "dev")]


def citation_integrity_dev(data: Path) -> list[Document]:
    """Citation-Integrity dev, labels as in its paper: CONTRADICT stands for REFUTE, *not accurate*."""
    return citation_integrity(data, "dev")


def citation_integrity(data: Path, split: str) -> list[Document]:
    """One split of Citation-Integrity, `train` or `dev`, with the labels of its paper."""
    folder = data / "citation-integrity"
    corpus = {row["doc_id"]: tuple(row["abstract"]) for row in read_jsonl(folder / "corpus.jsonl.gz")}
    documents = []
    for claim in read_jsonl(folder / f"claims_{split}.jsonl"):
        for doc in claim["cited_doc_ids"]:
            found = claim["evidence"].get(str(doc), [])
            label = _INTEGRITY[found[0]["label"]] if found else NOT_ENOUGH_INFO
            text = sources.marked_clause(claim["claim"])
            documents.append(Document(text, corpus[doc], label, "citation-integrity", f"ci{doc}"))
    return documents


def healthver_dev(data: Path) -> list[Document]:
    """HealthVer dev: claims met on the web against sentences of abstracts, not whole ones (1,917 pairs)."""
    return [
        Document(
            row["hypothesis"].strip(),
            sentences_of(row["premise"]),
            FROM_NLI[row["label"]],
            "healthver",
            f"healthver:{row['premise'][:80]}",
        )
        for row in read_jsonl(data / "nli" / "dev.jsonl.gz")
        if row["source"] == "healthver"
    ]


DEV_SETS: dict[str, Callable[[Path], list[Document]]] = {
    "scifact": scifact_dev,
    "check-covid": check_covid_dev,
    "citation-integrity": citation_integrity_dev,
    "healthver": healthver_dev,
}


def science_fold(data: Path, seed: int, limit: int = 130) -> list[Document]:
    """Held-out fold of the science adapter's sources as claims against whole abstracts.

    Args:
        data: Folder with the data.
        seed: Seed of the draws.
        limit: Documents of a source at most.
    """
    rng = seeded(seed, "documents")
    covid = [
        pair.document
        for pair in check_covid_claims(data, "train")
        if is_held_out("check-covid", pair.document.group)
    ]
    abstracts: dict[str, tuple[str, ...]] = {}
    for prompt in read_jsonl(data / "evidence-inference" / "joined_v2.jsonl.gz"):
        if prompt["abstract"]:
            abstracts[f"pmc{prompt['pmcid']}"] = sentences_of(prompt["abstract"])
    for group, _, sentences, _ in cc_by_sources.cc_by_abstracts(data):
        abstracts.setdefault(group, tuple(sentences))
    made: dict[str, list[Document]] = {"evidence-inference": [], "cc-by-distortions": []}
    for read in (sources.evidence_inference, cc_by_sources.cc_by_distortions):
        for row in read(data, rng):
            # A hard negative is silent in one window only; the whole abstract does hold its claim.
            if is_held_out(row.source, row.group) and row.kind != "hard-negative":
                made[row.source].append(
                    Document(row.hypothesis, abstracts[row.group], row.label, row.source, row.group)
                )
    trials = made["evidence-inference"]
    elsewhere = [
        Document(d.claim, other.sentences, NOT_ENOUGH_INFO, "evidence-inference", d.group)
        for d, other in zip(trials, trials[len(trials) // 2 :] + trials[: len(trials) // 2], strict=True)
        if other.group != d.group
    ]
    parts = [covid, [*trials, *rng.sample(elsewhere, len(trials) // 4)], made["cc-by-distortions"]]
    return [d for part in parts for d in rng.sample(part, min(limit, len(part)))]


def research_fold(data: Path, seed: int, limit: int = 130) -> list[Document]:
    """The science fold, and SciFact train claims on abstracts that `science-research` did not train on."""
    forbidden = EvaluationTexts(data)
    made = [
        pair.document
        for cited, against in scifact_claims(data, "train", scifact_abstracts(data))
        # Rows of a claim share the fold of the abstract that it cites first.
        if all(is_held_out("scifact", f"scifact{doc}") for doc in cited)
        for pair in against
        if not forbidden.hold_document(pair.document)
    ]
    return [*made, *science_fold(data, seed, limit // 2)]


def general_fold(data: Path, seed: int, limit: int = 240) -> list[Document]:
    """Held-out fold of the general adapter: each pair's premise set among premises of other pairs."""
    rng = seeded(seed, "general documents")
    rows = [
        r for r in build("general", seed, data).held_out if r.kind == "pair" and r.label <= NOT_ENOUGH_INFO
    ]
    documents = []
    for row in rng.sample(rows, min(limit, len(rows))):
        others = [rng.choice(rows).premise for _ in range(rng.randint(3, 7))]
        sentences = [*others, row.premise]
        label = row.label
        if rng.random() < 0.15:
            sentences, label = others, NOT_ENOUGH_INFO
        rng.shuffle(sentences)
        documents.append(Document(row.hypothesis, tuple(sentences), label, row.source, row.group))
    return documents


FOLDS: dict[str, Callable[[Path, int], list[Document]]] = {
    "science": science_fold,
    "science-research": research_fold,
    "general": general_fold,
}


def describe(documents: Sequence[Document]) -> str:
    """How many claim-abstract pairs of each source there are, as text."""
    counts: dict[str, int] = {}
    for document in documents:
        counts[document.source] = counts.get(document.source, 0) + 1
    return ", ".join(f"{source} {count}" for source, count in sorted(counts.items()))
