"""Training rows made from CC BY abstracts: typed edits of findings, titles, abstracts on the same topic."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from models import distortions
from models.rows import (
    CONTRADICT,
    NOT_ENOUGH_INFO,
    SUPPORT,
    Row,
    is_reserved,
    read_jsonl,
    sentences_of,
    words,
)
from models.sources import windows_of, windows_with

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
            windows = windows_with(sentences, {index})
            for edit in made:
                if edit and edit.text != sentence and len(edit.text.split()) >= 5:
                    yield Row(
                        rng.choice(windows), edit.text, edit.label, "cc-by-distortions", group, edit.kind
                    )
            plain = distortions.plain_claim(sentence)
            before = [text for span, text in windows_of(sentences) if span[1] <= min(findings)]
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
        windows = windows_with(sentences, {index})
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
            (t for s, t in windows_of(sentences) if any(i in findings for i in range(*s))),
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
        window = max(
            (t for _, t in windows_of(records[other][2])), key=lambda t: len(words(t) & words(claim))
        )
        yield Row(window, claim, NOT_ENOUGH_INFO, "similar-abstracts", group, "hard-negative")


__all__ = [
    "cc_by_abstracts",
    "cc_by_distortions",
    "cc_by_every_kind",
    "cc_by_titles",
    "edits_of",
    "similar_abstracts",
]
