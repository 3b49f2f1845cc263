"""Scores on the dev sets: `python -m models.evaluate`. A table, and one JSON object as the last line.

Nothing is chosen here: window sizes, temperature and thresholds are those of the adapter's
`calibration.json`, fitted on training folds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.documents import DEV_SETS
from models.loading import add_model_options, chosen_model
from models.predict import predictions, window_scores
from models.rows import CONTRADICT, LABEL_NAMES, NOT_ENOUGH_INFO, SUPPORT, Document, data_or_skip
from models.scores import (
    area_under_roc,
    bootstrap_interval,
    expected_calibration_error,
    f1_by_label,
    macro_f1,
    reliability,
)
from veriscite.domain import Label
from veriscite.verification.calibration import Calibration
from veriscite.verification.error_budget import threshold


def scores_of(gold: Sequence[int], predicted: Sequence[int], draws: int = 1000) -> dict[str, Any]:
    """Accuracy, F1 by label, and macro-F1 with its 95% bootstrap interval."""

    def resampled(indices: Sequence[int]) -> float:
        return macro_f1([gold[i] for i in indices], [predicted[i] for i in indices])

    low, high = bootstrap_interval(resampled, len(gold), draws)
    support, contradict, unknown = f1_by_label(gold, predicted)
    return {
        "pairs": len(gold),
        "accuracy": sum(g == p for g, p in zip(gold, predicted, strict=True)) / len(gold),
        "macro_f1": macro_f1(gold, predicted),
        "macro_f1_95": [low, high],
        "f1_support": support,
        "f1_contradict": contradict,
        "f1_not_enough_info": unknown,
    }


def integrity_scores(
    gold: Sequence[int], predicted: Sequence[int], support: Sequence[float]
) -> dict[str, float | None]:
    """Citation-Integrity beyond its own three labels.

    Its REFUTE means *not accurate*, mostly unsupported, which this verifier rightly calls NOT_ENOUGH_INFO: so
    the two are also scored as one class, accurate against not.

    Args:
        gold: The paper's labels, CONTRADICT for REFUTE.
        predicted: Our labels.
        support: Our probability of SUPPORT.
    """
    accurate = [g == SUPPORT for g in gold]
    said = [p == SUPPORT for p in predicted]
    inaccurate_f1 = f1_by_label([int(a) for a in accurate], [int(s) for s in said], (0, 1))
    as_unsupported = [NOT_ENOUGH_INFO if g == CONTRADICT else g for g in gold]
    merged = [NOT_ENOUGH_INFO if p == CONTRADICT else p for p in predicted]
    return {
        "accurate_f1": inaccurate_f1[1],
        "not_accurate_f1": inaccurate_f1[0],
        "accurate_auroc": area_under_roc(support, accurate),
        "two_label_macro_f1": sum(f1_by_label(as_unsupported, merged, (SUPPORT, NOT_ENOUGH_INFO))) / 2,
    }


def budget_scores(
    predicted: Sequence[int],
    confidence: Sequence[float],
    correct: Sequence[bool],
    calibration: Calibration,
    max_error: float = 0.05,
) -> dict[str, float | None]:
    """What an error budget of 5% leaves of the SUPPORTs and CONTRADICTs.

    Returns:
        `coverage_at_5`: share of them shown with the thresholds of the held-out training fold, and
        `error_at_5`: share wrong of those shown. `best_coverage_at_5`: the most that any single threshold
        could have shown on this very set at 5% errors: a bound, not a result.
    """
    decided = [i for i, label in enumerate(predicted) if label != NOT_ENOUGH_INFO]
    shown: list[int] = []
    for label in (Label.SUPPORT, Label.CONTRADICT):
        least = threshold(calibration.known.get(label, ()), max_error)
        shown += [
            i
            for i in decided
            if LABEL_NAMES[predicted[i]] == label and least is not None and confidence[i] >= least
        ]
    ranked = sorted(decided, key=lambda i: -confidence[i])
    best = 0
    wrong = 0
    for count, i in enumerate(ranked, start=1):
        wrong += not correct[i]
        if wrong <= max_error * count:
            best = count
    return {
        "coverage_at_5": len(shown) / len(decided) if decided else 0.0,
        "error_at_5": sum(not correct[i] for i in shown) / len(shown) if shown else None,
        "best_coverage_at_5": best / len(decided) if decided else 0.0,
    }


def evaluate(
    documents: Sequence[Document], scores: Sequence[Any], calibration: Calibration
) -> tuple[dict[str, Any], list[int]]:
    """Scores of one dev set, and the predicted labels."""
    gold = [d.label for d in documents]
    predicted, probabilities = predictions(scores, calibration)
    result = scores_of(gold, predicted)
    if calibration.fitted_on:
        correct = [g == p for g, p in zip(gold, predicted, strict=True)]
        confidence = [max(p) for p in probabilities]
        result["ece"] = expected_calibration_error(confidence, correct)
        result["reliability"] = reliability(confidence, correct)
        result |= budget_scores(predicted, confidence, correct, calibration)
    if documents[0].source == "citation-integrity":
        result |= integrity_scores(gold, predicted, [p[SUPPORT] for p in probabilities])
    return result, predicted


def _table(results: dict[str, dict[str, Any]]) -> str:
    lines = [
        "| dev set | pairs | accuracy | macro-F1 (95% interval) | S / C / N | ECE |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, r in results.items():
        low, high = r["macro_f1_95"]
        by_label = " / ".join(f"{r[k]:.2f}" for k in ("f1_support", "f1_contradict", "f1_not_enough_info"))
        ece = f"{r['ece']:.3f}" if "ece" in r else "-"
        lines.append(
            f"| {name} | {r['pairs']} | {r['accuracy']:.3f} | {r['macro_f1']:.3f} ({low:.3f} to {high:.3f}) "
            f"| {by_label} | {ece} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate one model on the dev sets."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate", description=__doc__)
    add_model_options(parser)
    parser.add_argument("--sets", nargs="+", choices=sorted(DEV_SETS), default=list(DEV_SETS))
    parser.add_argument("--output", type=Path, help="write scores and predictions here too (JSON)")
    parser.add_argument("--limit", type=int, help="pairs of each set at most, for a quick look")
    options = parser.parse_args(arguments)
    data = data_or_skip()
    if data is None:
        return 0
    model = chosen_model(options)
    results: dict[str, dict[str, Any]] = {}
    labels: dict[str, list[int]] = {}
    started = time.monotonic()
    for name in options.sets:
        documents = DEV_SETS[name](data)[: options.limit]
        print(f"{name}: {len(documents)} pairs", file=sys.stderr, flush=True)
        results[name], labels[name] = evaluate(documents, window_scores(model, documents), model.calibration)
    print(f"{model.name} ({model.revision})\n\n{_table(results)}\n")
    line: dict[str, Any] = {
        "model": model.name,
        "revision": model.revision,
        "seconds": round(time.monotonic() - started, 1),
    }
    bins: dict[str, Any] = {}
    for name, result in results.items():
        key = name.replace("-", "_")
        bins[key] = result.pop("reliability", [])
        line |= {f"{key}_dev_{metric}": _rounded(value) for metric, value in result.items()}
    if options.output:
        options.output.write_text(
            json.dumps({**line, "predictions": labels, "reliability": bins}, indent=2) + "\n",
            encoding="utf-8",
        )
    print(json.dumps(line))
    return 0


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    return [round(v, 4) for v in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main())
