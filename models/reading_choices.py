"""How an abstract is best read, measured on a held-out training fold: `python -m models.reading_choices`.

Each way of reading is calibrated on one half of the fold's abstracts and scored on the other, and the other
way round; log-loss and macro-F1 are over both halves. No dev or test row is touched. The weights stay as they
are, so this compares ways of reading for one trained model: another way might gain by training for it.
Prints a table and, last, one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.calibrate import fit, weights_of
from models.documents import FOLDS
from models.loading import add_model_options, chosen_model
from models.predict import predictions
from models.rows import Document, bucket, data_or_skip, read_jsonl
from models.scores import macro_f1
from veriscite.verification.aggregate import PairScore
from veriscite.verification.calibration import Calibration
from veriscite.verification.nli_model import NliModel
from veriscite.verification.windows import premise_text


@dataclass(frozen=True)
class Reading:
    """One way to read an abstract.

    Attributes:
        name: As the table names it.
        calibration: What is read at once.
        title_in_front: Whether each premise begins with the title, where there is one.
        claim_first: Whether the claim stands before the premise.
    """

    name: str
    calibration: Calibration
    title_in_front: bool = False
    claim_first: bool = False


READINGS = (
    Reading("whole abstract", Calibration(window=50, stride=50, max_length=512)),
    Reading("windows of 3, stride 2", Calibration()),
    Reading("windows of 5, stride 3", Calibration(window=5, stride=3)),
    Reading("the 3 closest sentences", Calibration(extracts=(3,))),
    Reading("the 5 closest", Calibration(extracts=(5,))),
    Reading("the 3 and the 5 closest", Calibration(extracts=(3, 5))),
    Reading("the 3 and the 5 closest, title in front", Calibration(extracts=(3, 5)), title_in_front=True),
    Reading("the 3 and the 5 closest, claim first", Calibration(extracts=(3, 5)), claim_first=True),
)


def titles(data: Path) -> dict[str, str]:
    """Title of each abstract by the group of its documents."""
    found = {row["cord_id"]: row["title"] for row in read_jsonl(data / "check-covid" / "corpus.json")}
    for prompt in read_jsonl(data / "evidence-inference" / "joined_v2.jsonl.gz"):
        found[f"pmc{prompt['pmcid']}"] = prompt["title"] or ""
    for record in read_jsonl(data / "abstracts" / "cc_by.jsonl.gz"):
        found.setdefault(f"pmc{record['pmcid']}", record["title"])
    return found


def pairs_of(reading: Reading, document: Document, title: str) -> list[tuple[str, str]]:
    """The pairs that the model is given for one document, in its order of first and second text."""
    made = []
    for indices in reading.calibration.premises(document.claim, document.sentences):
        premise = premise_text(document.sentences, indices)
        if reading.title_in_front and title:
            premise = f"{title.rstrip('.')}. {premise}"
        made.append((document.claim, premise) if reading.claim_first else (premise, document.claim))
    return made


def scored(
    score: Callable[[Sequence[tuple[str, str]]], Sequence[PairScore]],
    reading: Reading,
    documents: Sequence[Document],
    title_of: dict[str, str],
    batch: int = 16,
) -> list[list[PairScore]]:
    """Scores of what is read of each document, batched by length."""
    pairs = [(i, p) for i, d in enumerate(documents) for p in pairs_of(reading, d, title_of.get(d.group, ""))]
    order = sorted(range(len(pairs)), key=lambda k: -len(pairs[k][1][0]) - len(pairs[k][1][1]))
    grouped: list[list[PairScore]] = [[] for _ in documents]
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        for k, found in zip(part, score([pairs[k][1] for k in part]), strict=True):
            grouped[pairs[k][0]].append(found)
    return grouped


def cross_fitted(
    scores: Sequence[Sequence[PairScore]], documents: Sequence[Document], start: Calibration
) -> dict[str, float]:
    """Weighted log-loss, and macro-F1, each abstract judged by the calibration of the other half.

    Returns:
        `log_loss` (nats), `macro_f1`, and `premises`, how many are read of an abstract on average.
    """
    halves = [bucket(f"reading:{d.group}", 2) for d in documents]
    predicted = [0] * len(documents)
    losses = [0.0] * len(documents)
    for half in (0, 1):
        fitting = [i for i, h in enumerate(halves) if h == half]
        judged = [i for i, h in enumerate(halves) if h != half]
        fitted = fit(
            [scores[i] for i in fitting],
            [documents[i].label for i in fitting],
            weights_of([documents[i] for i in fitting]),
            start,
        )
        labels, probabilities = predictions([scores[i] for i in judged], fitted)
        for i, label, probability in zip(judged, labels, probabilities, strict=True):
            predicted[i] = label
            losses[i] = -math.log(max(probability[documents[i].label], 1e-12))
    weights = weights_of(documents)
    return {
        "log_loss": sum(w * loss for w, loss in zip(weights, losses, strict=True)),
        "macro_f1": macro_f1([d.label for d in documents], predicted),
        "premises": sum(map(len, scores)) / len(documents),
    }


def cutting_at(model: NliModel, max_length: int) -> NliModel:
    """The model, reading pairs of so many tokens."""
    model.calibration = model.calibration.model_copy(update={"max_length": max_length})
    return model


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the ways of reading for one model."""
    parser = argparse.ArgumentParser(prog="python -m models.reading_choices", description=__doc__)
    add_model_options(parser)
    parser.add_argument("--fold", choices=["science", "science-research"], default="science")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--limit", type=int, help="documents at most, for a quick look")
    names = [reading.name for reading in READINGS]
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="some ways of reading only")
    options = parser.parse_args(arguments)
    data = data_or_skip()
    if data is None:
        return 0
    model = chosen_model(options)
    documents = FOLDS[options.fold](data, options.seed)[: options.limit]
    title_of = titles(data)
    table: dict[str, dict[str, float]] = {}
    for reading in (r for r in READINGS if r.name in options.only):
        print(f"{reading.name} ...", file=sys.stderr, flush=True)
        reader = cutting_at(model, reading.calibration.max_length)
        scores = scored(reader.score, reading, documents, title_of)
        table[reading.name] = cross_fitted(scores, documents, reading.calibration)
    print(f"{model.name} ({model.revision}), {len(documents)} pairs of the held-out training fold\n")
    print("| reading | premises | log-loss | macro-F1 |\n| --- | --- | --- | --- |")
    for name, found in table.items():
        print(f"| {name} | {found['premises']:.1f} | {found['log_loss']:.3f} | {found['macro_f1']:.3f} |")
    line = {name: {key: round(value, 4) for key, value in found.items()} for name, found in table.items()}
    print(f"\n{json.dumps({'model': model.name, 'revision': model.revision, 'readings': line})}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
