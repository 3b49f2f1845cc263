"""Readers of the training sources: each turns one source into rows shaped as the verifier will see them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from models import statements
from models.rows import (
    CONTRADICT,
    FROM_NLI,
    NOT_ENOUGH_INFO,
    NOT_SUPPORT,
    SUPPORT,
    Row,
    bucket,
    is_reserved,
    normalised,
    read_jsonl,
    seeded,
    sentences_of,
    words,
)
from veriscite.verification.windows import window_spans, window_texts

Source = Callable[[Path, random.Random], Iterator[Row]]
_CITATION_MARK = re.compile(
    r"[\[(]?(?:<\|\w+\|>)(?:\s*[,;–-]\s*(?:\d+|<\|\w+\|>))*[\])]?|[\[(][\d\s,;–-]*[\])]"
)


def windows_of(sentences: Sequence[str]) -> list[tuple[tuple[int, int], str]]:
    spans = window_spans(len(sentences))
    return list(zip(spans, window_texts(sentences, spans), strict=True))


def windows_with(sentences: Sequence[str], wanted: set[int]) -> list[str]:
    """Windows that hold all wanted sentences, or else those that hold the most of them."""
    scored = [(sum(i in wanted for i in range(*span)), text) for span, text in windows_of(sentences)]
    best = max((n for n, _ in scored), default=0)
    return [text for n, text in scored if n == best and best > 0]


def _without(sentences: Sequence[str], unwanted: set[int]) -> list[str]:
    return [text for span, text in windows_of(sentences) if not any(i in unwanted for i in range(*span))]


def check_covid(data: Path, rng: random.Random) -> Iterator[Row]:
    """Check-COVID train: claims with the sentences that decide; windows without them are hard negatives."""
    label_of = {"SUPPORT": SUPPORT, "REFUTE": CONTRADICT, "NOTENOUGHINFO": NOT_ENOUGH_INFO}
    corpus = {row["cord_id"]: row for row in read_jsonl(data / "check-covid" / "corpus.json")}
    for claim in read_jsonl(data / "check-covid" / "covidCheck_train_composed+extracted.json"):
        sentences, label, group = (
            corpus[claim["cord_id"]]["abstract"],
            label_of[claim["label"]],
            claim["cord_id"],
        )
        primary = {e["sent_index"] for e in claim["evidence_set"] if e["type"] == "PRIMARY"}
        primary = {
            i for i in primary or {e["sent_index"] for e in claim["evidence_set"]} if i < len(sentences)
        }
        windows = windows_with(sentences, primary) or [text for _, text in windows_of(sentences)]
        for text in rng.sample(windows, min(2, len(windows))):
            yield Row(text, claim["claim"].strip(), label, "check-covid", group)
        if label != NOT_ENOUGH_INFO and len(primary) == 1 and rng.random() < 0.5:
            (index,) = primary
            yield Row(sentences[index], claim["claim"].strip(), label, "check-covid", group, "sentence")
        rest = _without(sentences, {e["sent_index"] for e in claim["evidence_set"]})
        if label != NOT_ENOUGH_INFO and rest and rng.random() < 0.6:
            yield Row(
                rng.choice(rest),
                claim["claim"].strip(),
                NOT_ENOUGH_INFO,
                "check-covid",
                group,
                "hard-negative",
            )


def clean_citing_sentence(text: str) -> str:
    """A citing sentence without its citation marks, as the verifier gets its claims."""
    text = _CITATION_MARK.sub("", text)
    text = re.sub(r"\s+([,.;)])", r"\1", " ".join(text.split()))
    return re.sub(r"\(\s*\)|\[\s*\]", "", text).strip()


def marked_clause(text: str) -> str:
    """Of a long citing passage, the sentence that holds the citation in question."""
    parts = [s for s in sentences_of(text) if "<|cit|>" in s or "<|multi_cit|>" in s]
    return clean_citing_sentence(parts[-1] if parts else text)


def integrity_claims(data: Path) -> Iterator[tuple[str, int, int, set[int]]]:
    """Citation-Integrity train: claim, id of the cited article, label, and the sentences that were marked.

    "Not accurate" there is no contradiction, unless its fine label says so.
    """
    folder = data / "citation-integrity"
    fine = {
        row["id"]: row["fine"]
        for row in read_jsonl(folder / "fine_labels.jsonl.gz")
        if row["split"] == "train"
    }
    for claim in read_jsonl(folder / "claims_train.jsonl"):
        text = marked_clause(claim["claim"])
        if not 5 <= len(text.split()) <= 60:
            continue
        for doc in claim["cited_doc_ids"]:
            found = claim["evidence"].get(str(doc), [])
            if not found or found[0]["label"] == "REFUTE":
                label = CONTRADICT if fine.get(claim["id"]) == "CONTRADICT" else NOT_ENOUGH_INFO
            else:
                label = SUPPORT
            yield text, doc, label, {i for e in found for i in e["sentences"]}


def citation_integrity(data: Path, rng: random.Random) -> Iterator[Row]:
    """Citation-Integrity train: real citing sentences, each against a window that holds what was marked."""
    corpus = {
        row["doc_id"]: row["abstract"] for row in read_jsonl(data / "citation-integrity" / "corpus.jsonl.gz")
    }
    for text, doc, label, marked in integrity_claims(data):
        windows = windows_with(corpus[doc], marked or set(range(len(corpus[doc]))))
        if windows:
            yield Row(rng.choice(windows), text, label, "citation-integrity", f"ci{doc}")


DIRECTIONS = {
    "significantly increased": "higher",
    "significantly decreased": "lower",
    "no significant difference": "same",
}
_OPPOSITE = {"higher": "lower", "lower": "higher"}


def evidence_sentences(sentences: Sequence[str], evidence: Sequence[str]) -> set[int]:
    """Indices of the sentences that an annotated piece of evidence covers."""
    pieces = [normalised(e) for e in evidence if len(normalised(e)) > 30]
    found = set()
    for index, sentence in enumerate(sentences):
        own = normalised(sentence)
        if len(own) > 25 and any(own in piece or piece in own for piece in pieces):
            found.add(index)
    return found


def evidence_inference(data: Path, rng: random.Random) -> Iterator[Row]:
    """Evidence-Inference: what a trial found, as claims in its direction, against it and beside it."""
    for prompt in read_jsonl(data / "evidence-inference" / "joined_v2.jsonl.gz"):
        if is_reserved(prompt["pmcid"]) or prompt["label"] not in DIRECTIONS or not prompt["abstract"]:
            continue
        sentences, group = sentences_of(prompt["abstract"]), f"pmc{prompt['pmcid']}"
        direction = DIRECTIONS[prompt["label"]]
        phrases = (prompt["intervention"], prompt["comparator"], prompt["outcome"])
        found = evidence_sentences(sentences, prompt["evidence"]) if prompt["evidence_in_abstract"] else set()

        def make(way: str, label: int, premise: str, kind: str) -> Row | None:
            claim = statements.trial_claim(way, *phrases, rng)  # noqa: B023 - called at once
            return Row(premise, claim, label, "evidence-inference", group, kind) if claim else None  # noqa: B023

        candidates: list[Row | None] = []
        if found:
            windows = windows_with(sentences, found)
            against = "affected" if direction == "same" else _OPPOSITE[direction]
            if direction == "same" and rng.random() < 0.7:
                against = rng.choice(["higher", "lower"])
            elif direction != "same" and rng.random() < 0.25:
                against = "same"
            with_it = "affected" if direction != "same" and rng.random() < 0.12 else direction
            candidates.append(make(with_it, SUPPORT, rng.choice(windows), "template"))
            candidates.append(make(against, CONTRADICT, rng.choice(windows), "template"))
            # Background and methods come before the finding, so they cannot hold it.
            before = [text for span, text in windows_of(sentences) if span[1] <= min(found)]
            if before:
                candidates.append(
                    make(rng.choice([direction, against]), NOT_ENOUGH_INFO, before[-1], "hard-negative")
                )
        elif prompt["evidence_in_abstract"] is False:
            outcome = words(prompt["outcome"])
            silent = [
                t
                for _, t in windows_of(sentences)
                if outcome and len(outcome & words(t)) < 0.5 * len(outcome)
            ]
            if silent:
                way = rng.choice(["higher", "lower", "same", direction])
                candidates.append(make(way, NOT_ENOUGH_INFO, rng.choice(silent), "not-in-abstract"))
        yield from (row for row in candidates if row)


def pubmed_qa(data: Path, rng: random.Random) -> Iterator[Row]:
    """PubMedQA (labelled part): questions turned into statements, read against the abstract's conclusion."""
    import gzip

    with gzip.open(data / "pubmedqa" / "ori_pqal.json.gz", "rt", encoding="utf-8") as handle:
        questions: dict[str, dict[str, Any]] = json.load(handle)
    label_of = {"yes": SUPPORT, "no": CONTRADICT, "maybe": NOT_ENOUGH_INFO}
    for pmid, question in questions.items():
        claim = statements.statement_of(question["QUESTION"])
        if not claim:
            continue
        label, group = label_of[question["final_decision"]], f"pmid{pmid}"
        conclusion = sentences_of(question["LONG_ANSWER"])
        yield Row(" ".join(conclusion[:3]), claim, label, "pubmedqa", group)
        results = sentences_of(question["CONTEXTS"][-1])
        yield Row(" ".join([*results[-2:], conclusion[0]]), claim, label, "pubmedqa", group)
        background = sentences_of(question["CONTEXTS"][0])
        if label != NOT_ENOUGH_INFO and len(question["CONTEXTS"]) > 2:
            yield Row(" ".join(background[:3]), claim, NOT_ENOUGH_INFO, "pubmedqa", group, "hard-negative")


def nli_rows(source: str, part: int | None, *, commercial_use: bool = True) -> Source:
    """A reader for one source of the general NLI file.

    Args:
        source: Its name in the file.
        part: 0 or 1 to take only the premises of that half, so that two adapters share no rows; None for all.
        commercial_use: Whether to take the rows whose licence allows it, or those whose licence does not, or
            is not stated.
    """

    def read(data: Path, rng: random.Random) -> Iterator[Row]:
        for row in read_jsonl(data / "nli" / "train.jsonl.gz"):
            if row["source"] != source or row["commercial_use"] != commercial_use:
                continue
            group = f"{'snli' if source == 'cad-nli' else source}:{normalised(row['premise'])[:200]}"
            if part is not None and bucket(group, 2) != part:
                continue
            yield Row(
                row["premise"].strip(),
                row["hypothesis"].strip(),
                FROM_NLI[row["label"]],
                source,
                group,
                "pair",
            )

    return read


def nli_windows(source: str, part: int | None) -> Source:
    """As `nli_rows`, with unrelated sentences of the same source around the premise, as in a window."""

    def read(data: Path, rng: random.Random) -> Iterator[Row]:
        rows = list(nli_rows(source, part)(data, rng))
        for row in rows:
            others = [rng.choice(rows).premise for _ in range(rng.choice([1, 2]))]
            if rng.random() < 0.2:
                # The premise itself left out: whatever the pair's label was, nothing is known now.
                premise, label = " ".join([*others, rng.choice(rows).premise]), NOT_ENOUGH_INFO
            else:
                premise, label = " ".join(rng.sample([*others, row.premise], len(others) + 1)), row.label
            yield Row(premise, row.hypothesis, label, source, row.group, "made-window")

    return read


def short_documents(source: str, limit: int) -> Source:
    """Rows of a summary source whose document has at most `limit` words."""

    def read(data: Path, rng: random.Random) -> Iterator[Row]:
        for row in nli_rows(source, None)(data, rng):
            if len(row.premise.split()) <= limit:
                yield row

    return read


__all__ = [
    "NOT_SUPPORT",
    "Source",
    "check_covid",
    "citation_integrity",
    "evidence_inference",
    "nli_rows",
    "nli_windows",
    "pubmed_qa",
    "seeded",
    "short_documents",
]
