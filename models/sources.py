"""Readers of the training sources: each turns one source into rows shaped as the verifier will see them."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from models import distortions, statements
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


def _windows(sentences: Sequence[str]) -> list[tuple[tuple[int, int], str]]:
    spans = window_spans(len(sentences))
    return list(zip(spans, window_texts(sentences, spans), strict=True))


def _with(sentences: Sequence[str], wanted: set[int]) -> list[str]:
    """Windows that hold all wanted sentences, or else those that hold the most of them."""
    scored = [(sum(i in wanted for i in range(*span)), text) for span, text in _windows(sentences)]
    best = max((n for n, _ in scored), default=0)
    return [text for n, text in scored if n == best and best > 0]


def _without(sentences: Sequence[str], unwanted: set[int]) -> list[str]:
    return [text for span, text in _windows(sentences) if not any(i in unwanted for i in range(*span))]


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
        windows = _with(sentences, primary) or [text for _, text in _windows(sentences)]
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
        windows = _with(corpus[doc], marked or set(range(len(corpus[doc]))))
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
            windows = _with(sentences, found)
            against = "affected" if direction == "same" else _OPPOSITE[direction]
            if direction == "same" and rng.random() < 0.7:
                against = rng.choice(["higher", "lower"])
            elif direction != "same" and rng.random() < 0.25:
                against = "same"
            with_it = "affected" if direction != "same" and rng.random() < 0.12 else direction
            candidates.append(make(with_it, SUPPORT, rng.choice(windows), "template"))
            candidates.append(make(against, CONTRADICT, rng.choice(windows), "template"))
            # Background and methods come before the finding, so they cannot hold it.
            before = [text for span, text in _windows(sentences) if span[1] <= min(found)]
            if before:
                candidates.append(
                    make(rng.choice([direction, against]), NOT_ENOUGH_INFO, before[-1], "hard-negative")
                )
        elif prompt["evidence_in_abstract"] is False:
            outcome = words(prompt["outcome"])
            silent = [
                t for _, t in _windows(sentences) if outcome and len(outcome & words(t)) < 0.5 * len(outcome)
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


_FINDING_HEADS = ("result", "conclu", "finding", "interpretation")


def cc_by_abstracts(
    data: Path, *, reserved: bool = False
) -> Iterator[tuple[str, dict[str, Any], list[str], list[int]]]:
    """Yield group, record, sentences and the indices of finding sentences for each usable CC BY abstract.

    Args:
        data: Folder with the data.
        reserved: Whether to yield the abstracts kept out of training instead of those open to it.
    """
    for record in read_jsonl(data / "abstracts" / "cc_by.jsonl.gz"):
        if is_reserved(record["pmcid"]) != reserved:
            continue
        sentences: list[str] = []
        findings: list[int] = []
        for section in record["sections"]:
            part = sentences_of(section["text"])
            if any(head in (section["heading"] or "").lower() for head in _FINDING_HEADS):
                findings.extend(range(len(sentences), len(sentences) + len(part)))
            sentences.extend(part)
        if len(record["sections"]) == 1:
            findings = list(range(len(sentences) * 3 // 5, len(sentences)))
        findings = [i for i in findings if 8 <= len(sentences[i].split()) <= 45]
        if len(sentences) >= 3 and findings:
            yield f"pmc{record['pmcid']}", record, sentences, findings


def cc_by_distortions(data: Path, rng: random.Random) -> Iterator[Row]:
    """Sentences of CC BY abstracts: reworded (SUPPORT), contradicted by one edit, or taken further."""
    records = list(cc_by_abstracts(data))
    all_acronyms = sorted(
        {a for _, _, sentences, _ in records for a in distortions.acronyms(" ".join(sentences))}
    )
    for group, _, sentences, findings in records:
        abstract = " ".join(sentences)
        made: list[distortions.Distortion | None] = []
        chosen = rng.sample(findings, min(3, len(findings)))
        for index in chosen:
            sentence = sentences[index]
            made = [distortions.paraphrase(sentence, rng)]
            ways = list(distortions.CONTRADICTIONS)
            rng.shuffle(ways)
            made.append(next((d for way in ways if (d := way(sentence, rng))), None))
            ways = list(distortions.UNSUPPORTED)
            beyond = next((d for way in ways if (d := way(sentence, rng))), None)
            strangers = [a for a in rng.sample(all_acronyms, 8) if a not in abstract]
            made.append(beyond or distortions.swap_entity(sentence, rng, strangers))
            windows = _with(sentences, {index})
            for edit in made:
                if edit and edit.text != sentence and len(edit.text.split()) >= 5:
                    yield Row(
                        rng.choice(windows), edit.text, edit.label, "cc-by-distortions", group, edit.kind
                    )
            plain = distortions.plain_claim(sentence)
            before = [text for span, text in _windows(sentences) if span[1] <= min(findings)]
            if before and rng.random() < 0.5:
                yield Row(
                    rng.choice(before), plain, NOT_ENOUGH_INFO, "cc-by-distortions", group, "hard-negative"
                )


#: Rows of a kind at most, so that the kinds that nearly every sentence allows do not drown the others.
_OF_A_KIND = {
    "distortion:paraphrase": 1100,
    "distortion:negation": 550,
    "distortion:direction": 550,
    "distortion:number": 450,
    "distortion:unit": 250,
    "distortion:hedge": 450,
    "distortion:entity": 300,
}


def cc_by_every_kind(data: Path, rng: random.Random) -> Iterator[Row]:
    """Every edit that a finding sentence of a CC BY abstract allows, in balance between the kinds."""
    by_kind: dict[str, list[Row]] = defaultdict(list)
    records = list(cc_by_abstracts(data))
    strangers = sorted(
        {a for _, _, sentences, _ in records for a in distortions.acronyms(" ".join(sentences))}
    )
    for group, _, sentences, findings in records:
        for row in edits_of(group, sentences, findings, strangers, rng):
            by_kind[row.kind].append(row)
    for kind, rows in sorted(by_kind.items()):
        yield from rng.sample(rows, min(_OF_A_KIND.get(kind, len(rows)), len(rows)))


def edits_of(
    group: str,
    sentences: Sequence[str],
    findings: Sequence[int],
    strangers: Sequence[str],
    rng: random.Random,
) -> Iterator[Row]:
    """All edits of one abstract's finding sentences, each against a window that holds its sentence.

    Args:
        group: Group of the rows.
        sentences: The abstract.
        findings: Indices of the sentences to edit.
        strangers: Acronyms to take for entities that the abstract does not speak of.
        rng: Source of every choice.
    """
    abstract = " ".join(sentences)
    for index in findings:
        windows = _with(sentences, {index})
        made = [way(sentences[index], rng) for way in distortions.EVERY_KIND]
        others = [a for a in rng.sample(strangers, min(8, len(strangers))) if a not in abstract]
        made.append(distortions.swap_entity(sentences[index], rng, others))
        for edit in made:
            if edit and edit.text != sentences[index] and len(edit.text.split()) >= 5:
                yield Row(rng.choice(windows), edit.text, edit.label, "cc-by-distortions", group, edit.kind)


_TITLE_VERB = re.compile(
    r"\b(?:increases?|reduces?|improves?|decreases?|inhibits?|promotes?|prevents?|attenuates?|enhances?|predicts?|"
    r"protects?|does not|do not|is associated|are associated|is not|are not|stimulates?|lowers?|modulates?|"
    r"suppresses|affects?|impairs?|induces?|alters?|augments?|is effective|accelerates?|delays?)\b"
)

_NO_STATEMENT = re.compile(
    r"\?$|^(?:the )?effects?\b|^(?:does|do|is|are|can)\b|\bto [a-z]+(?:e|s|t|y|ct|ce)\b", re.IGNORECASE
)


def cc_by_titles(data: Path, rng: random.Random) -> Iterator[Row]:
    """Titles that state a finding, against the windows of their own abstract that say it."""
    for group, record, sentences, findings in cc_by_abstracts(data):
        title = record["title"].split(":")[0].split(" [")[0].strip(" .")
        if not _TITLE_VERB.search(title) or _NO_STATEMENT.search(title) or not 5 <= len(title.split()) <= 25:
            continue
        ranked = sorted(
            (t for s, t in _windows(sentences) if any(i in findings for i in range(*s))),
            key=lambda t: -len(words(t) & words(title)),
        )
        if not ranked or len(words(ranked[0]) & words(title)) < 0.5 * len(words(title)):
            continue
        yield Row(ranked[0], f"{title}.", SUPPORT, "cc-by-titles", group, "title")
        for way in (distortions.flip_direction, distortions.negate):
            edit = way(f"{title}.", rng)
            if edit:
                yield Row(ranked[0], edit.text, CONTRADICT, "cc-by-titles", group, "title")
                break


def similar_abstracts(data: Path, rng: random.Random) -> Iterator[Row]:
    """Findings of one CC BY abstract against the most alike windows of another: on the topic, yet silent."""
    records = list(cc_by_abstracts(data))
    index: dict[str, set[int]] = defaultdict(set)
    bags = [words(" ".join(sentences)) | words(record["title"]) for _, record, sentences, _ in records]
    for number, bag in enumerate(bags):
        for word in bag:
            index[word].add(number)
    for number in rng.sample(range(len(records)), min(1200, len(records))):
        group, _, sentences, findings = records[number]
        weight: dict[int, float] = defaultdict(float)
        for word in bags[number]:
            if len(index[word]) < 200:
                for other in index[word]:
                    weight[other] += 1 / len(index[word])
        weight.pop(number, None)
        if not weight:
            continue
        other = max(weight, key=lambda n: weight[n])
        claim = distortions.plain_claim(sentences[rng.choice(findings)])
        window = max((t for _, t in _windows(records[other][2])), key=lambda t: len(words(t) & words(claim)))
        yield Row(window, claim, NOT_ENOUGH_INFO, "similar-abstracts", group, "hard-negative")


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
    "cc_by_distortions",
    "cc_by_every_kind",
    "cc_by_titles",
    "check_covid",
    "citation_integrity",
    "edits_of",
    "evidence_inference",
    "nli_rows",
    "nli_windows",
    "pubmed_qa",
    "seeded",
    "short_documents",
    "similar_abstracts",
]
