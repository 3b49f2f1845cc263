"""Fit temperature and thresholds of an adapter on its held-out training fold: `python -m models.calibrate`.

The three numbers minimise the weighted log-loss over claims against whole abstracts. No dev or test row is
touched. Claims written by people (Check-COVID) weigh half, made ones the rest; within a source each label
weighs the same, so that the thresholds do not depend on how many rows of a label happen to be there.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from models.documents import FOLDS, describe
from models.predict import predictions, window_scores
from models.rows import LABEL_NAMES, NOT_ENOUGH_INFO, Document, data_folder
from models.scores import expected_calibration_error, macro_f1
from veriscite.domain import Label
from veriscite.settings import StorageSettings
from veriscite.verification.aggregate import PairScore
from veriscite.verification.calibration import FILE_NAME, Calibration
from veriscite.verification.nli_model import ModelChoice, load_nli_model

#: What is read of an abstract, chosen on half of the science adapter's held-out training fold. `science`
#: (194 pairs, log-loss): the three and the five closest sentences 0.748, all three-sentence windows 0.759.
#: `general` (97 pairs, macro-F1): the three closest sentences 0.628, windows 0.578. Both take a third of the
#: work of all windows.
EXTRACTS = {"science": (3, 5), "science-research": (3, 5), "general": (3,)}
_SOURCE_WEIGHTS = {"scifact": 1.0, "check-covid": 0.5, "evidence-inference": 0.3, "cc-by-distortions": 0.2}


def weights_of(documents: Sequence[Document]) -> list[float]:
    """A weight for each document; they sum to 1."""
    cells = Counter((d.source, d.label) for d in documents)
    labels = Counter(source for source, _ in cells)
    sources = {d.source for d in documents}
    total = sum(_SOURCE_WEIGHTS.get(s, 0.2) for s in sources)
    return [
        _SOURCE_WEIGHTS.get(d.source, 0.2) / total / labels[d.source] / cells[d.source, d.label]
        for d in documents
    ]


def fit(
    scores: Sequence[Sequence[PairScore]], labels: Sequence[int], weights: Sequence[float], start: Calibration
) -> Calibration:
    """Fit temperature and both thresholds by the log-loss (L-BFGS; the loss is smooth in three numbers).

    Args:
        scores: Window scores of each document.
        labels: Its label.
        weights: Its weight.
        start: Window sizes and so on are kept from here.
    """
    import torch

    finite = [[max(-50.0, s.contradict) for s in windows] for windows in scores]
    support = torch.tensor([max(s.support for s in windows) for windows in scores], dtype=torch.float64)
    contradict = torch.tensor([max(values) for values in finite], dtype=torch.float64)
    gold = torch.tensor(list(labels))
    weight = torch.tensor(list(weights), dtype=torch.float64)
    parameters = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([parameters], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        inverse = torch.exp(-parameters[0])
        logits = torch.stack(
            [
                (support - parameters[1]) * inverse,
                (contradict - parameters[2]) * inverse,
                torch.zeros_like(support),
            ],
            dim=1,
        )
        value = (torch.nn.functional.cross_entropy(logits, gold, reduction="none") * weight).sum()
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    log_temperature, support_threshold, contradict_threshold = parameters.detach().tolist()
    return start.model_copy(
        update={
            "temperature": math.exp(log_temperature),
            "support_threshold": support_threshold,
            "contradict_threshold": contradict_threshold,
        }
    )


def known_verdicts(
    scores: Sequence[Sequence[PairScore]], labels: Sequence[int], calibration: Calibration
) -> dict[Label, tuple[tuple[float, bool], ...]]:
    """Confidence and rightness of each SUPPORT and CONTRADICT on the fold, for the error budget."""
    known: dict[Label, list[tuple[float, bool]]] = {Label.SUPPORT: [], Label.CONTRADICT: []}
    predicted, probabilities = predictions(scores, calibration)
    for label, guess, probability in zip(labels, predicted, probabilities, strict=True):
        if guess != NOT_ENOUGH_INFO:
            known[Label(LABEL_NAMES[guess])].append((round(probability[guess], 4), guess == label))
    return {label: tuple(sorted(pairs, reverse=True)) for label, pairs in known.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit and write `calibration.json` beside the adapter."""
    parser = argparse.ArgumentParser(prog="python -m models.calibrate", description=__doc__)
    parser.add_argument("--adapter", type=Path, required=True, help="folder of the trained adapter")
    parser.add_argument("--fold", choices=sorted(FOLDS), required=True, help="whose held-out fold to fit on")
    parser.add_argument("--cache", type=Path, help="cache folder of the base weights (the user's cache)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=13)
    options = parser.parse_args(arguments)
    path = options.adapter / FILE_NAME
    start = Calibration(labels=LABEL_NAMES, max_length=256, extracts=EXTRACTS[options.fold])
    path.write_text(start.model_dump_json(indent=2) + "\n", encoding="utf-8")
    cache = options.cache or StorageSettings().cache_dir
    model = load_nli_model(ModelChoice(str(options.adapter), cache, threads=options.threads))
    documents = FOLDS[options.fold](data_folder(), options.seed)
    scores = window_scores(model, documents)
    labels = [d.label for d in documents]
    fitted = fit(scores, labels, weights_of(documents), start).model_copy(
        update={
            "fitted_on": f"held-out training fold: {describe(documents)}",
            "fitted_pairs": len(documents),
            "holds_for_claims": options.fold != "general",
        }
    )
    if fitted.holds_for_claims:
        fitted = fitted.model_copy(update={"known": known_verdicts(scores, labels, fitted)})
    path.write_text(fitted.model_dump_json(indent=2) + "\n", encoding="utf-8")
    report = {"pairs": len(documents)}
    for name, calibration in (("before", start), ("after", fitted)):
        predicted, probabilities = predictions(scores, calibration)
        confidence = [max(p) for p in probabilities]
        correct = [g == p for g, p in zip(labels, predicted, strict=True)]
        report[name] = {  # type: ignore[assignment]
            "macro_f1": round(macro_f1(labels, predicted), 4),
            "ece": round(expected_calibration_error(confidence, correct), 4),
        }
    shown = json.loads(fitted.model_dump_json(exclude={"known"}))
    print(json.dumps({"calibration": shown, "fold": report}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
