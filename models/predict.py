"""Margins of what is read of many documents, as the verifier would get them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from models.rows import CONTRADICT, NOT_ENOUGH_INFO, SUPPORT, Document
from veriscite.domain import Label
from veriscite.verification.aggregate import PairScore, aggregate
from veriscite.verification.calibration import Calibration
from veriscite.verification.nli_model import NliModel
from veriscite.verification.windows import premise_text

INDEX = {Label.SUPPORT: SUPPORT, Label.CONTRADICT: CONTRADICT, Label.NOT_ENOUGH_INFO: NOT_ENOUGH_INFO}


def window_scores(model: NliModel, documents: Sequence[Document], batch: int = 16) -> list[list[PairScore]]:
    """Score what is read of every document, batched by length.

    Returns:
        For each document, the scores of its premises.
    """
    calibration = model.calibration
    pairs: list[tuple[str, str]] = []
    owners: list[int] = []
    for number, document in enumerate(documents):
        for premise in calibration.premises(document.claim, document.sentences):
            pairs.append((premise_text(document.sentences, premise), document.claim))
            owners.append(number)
    scores: dict[int, PairScore] = {}
    order = sorted(range(len(pairs)), key=lambda i: -len(pairs[i][0]) - len(pairs[i][1]))
    started = time.monotonic()
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        for index, score in zip(part, model.score([pairs[i] for i in part]), strict=True):
            scores[index] = score
        if start // batch % 20 == 19:
            done = (start + batch) / len(order)
            seconds = time.monotonic() - started
            print(f"  {done:.0%} of {len(pairs)} windows, {seconds:.0f} s", file=sys.stderr, flush=True)
    grouped: list[list[PairScore]] = [[] for _ in documents]
    for owner, index in zip(owners, range(len(pairs)), strict=True):
        grouped[owner].append(scores[index])
    return grouped


def predictions(
    scores: Sequence[Sequence[PairScore]], calibration: Calibration
) -> tuple[list[int], list[tuple[float, float, float]]]:
    """Labels and probabilities (SUPPORT, CONTRADICT, NOT_ENOUGH_INFO) of scored documents."""
    labels, probabilities = [], []
    for windows in scores:
        result = aggregate(windows, calibration)
        labels.append(INDEX[result.label])
        p = result.probabilities
        probabilities.append((p.support, p.contradict, p.not_enough_info))
    return labels, probabilities
