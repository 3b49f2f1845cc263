"""A second head on the encoder for what Citation-Integrity asks: `python -m models.integrity_head`.

Its labels (Sarol et al., 2024) are ACCURATE, NOT_ACCURATE (unsupported, oversimplified, misquoted, now and
then contradicted) and IRRELEVANT, which are another thing than SUPPORT, CONTRADICT and NOT_ENOUGH_INFO. The
encoder stays as it is; a linear layer over its pooled output is trained on the train split. How hard it is
held back is chosen by cross-validation there, articles kept together. Prints a table and one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from models import evaluate
from models.data import EvaluationTexts
from models.documents import citation_integrity
from models.loading import add_model_options, chosen_model
from models.rows import SUPPORT, Document, bucket, data_or_skip, words
from models.scores import f1_by_label, macro_f1
from veriscite.verification.nli_model import NliModel
from veriscite.verification.windows import premise_text

#: The labels in the order of the classes SUPPORT, CONTRADICT and NOT_ENOUGH_INFO that stand for them.
CLASSES = ("ACCURATE", "NOT_ACCURATE", "IRRELEVANT")
_PENALTIES = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
_FOLDS = 5


def features(model: NliModel, documents: Sequence[Document], batch: int = 8) -> Any:
    """What the head reads of each claim and its whole evidence.

    Returns:
        Float tensor of shape (documents, width + 4): the pooled output, the three logits, and the share of
        the claim's words that the evidence has.
    """
    import torch

    seen: list[Any] = []
    hook = model.model.classifier.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    pairs = [(premise_text(d.sentences, range(len(d.sentences))), d.claim) for d in documents]
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
    rows: dict[int, Any] = {}
    started = time.monotonic()
    try:
        for start in range(0, len(order), batch):
            part = order[start : start + batch]
            encoded, _ = model.encode([pairs[i] for i in part])
            with torch.inference_mode():
                logits = model.model(**encoded.to(model.device)).logits.float()
            for index, pooled, own in zip(part, seen.pop().float(), logits, strict=True):
                claim = words(documents[index].claim)
                shared = len(claim & words(pairs[index][0])) / max(1, len(claim))
                rows[index] = torch.cat([pooled, own, torch.tensor([shared])]).clone()
            if start // batch % 25 == 24:
                print(f"  {len(rows)}/{len(pairs)}, {time.monotonic() - started:.0f} s", file=sys.stderr)
    finally:
        hook.remove()
    return torch.stack([rows[i] for i in range(len(pairs))])


class Head:
    """A linear layer over standardised features."""

    def __init__(self, x: Any, labels: Sequence[int], penalty: float) -> None:
        """Fit by L-BFGS: cross-entropy, each class weighing the same, with an L2 penalty on the weights.

        Args:
            x: Features, shape (rows, width).
            labels: Class of each row.
            penalty: Weight of the penalty.
        """
        import torch

        self._mean, self._scale = x.mean(0), x.std(0).clamp(min=1e-6)
        counts = Counter(labels)
        weight = torch.tensor([len(labels) / len(CLASSES) / max(1, counts[c]) for c in range(len(CLASSES))])
        self._weights = torch.zeros(x.shape[1], len(CLASSES), requires_grad=True)
        self._bias = torch.zeros(len(CLASSES), requires_grad=True)
        optimizer = torch.optim.LBFGS(
            [self._weights, self._bias], max_iter=300, line_search_fn="strong_wolfe"
        )
        standard, gold = (x - self._mean) / self._scale, torch.tensor(list(labels))

        def loss() -> Any:
            optimizer.zero_grad()
            logits = standard @ self._weights + self._bias
            value = torch.nn.functional.cross_entropy(logits, gold, weight=weight)
            value = value + penalty * (self._weights**2).sum()
            value.backward()
            return value

        optimizer.step(loss)

    def probabilities(self, x: Any) -> Any:
        """Shape (rows, classes)."""
        import torch

        with torch.no_grad():
            return ((x - self._mean) / self._scale @ self._weights + self._bias).softmax(-1)


def cross_validated(x: Any, labels: Sequence[int], groups: Sequence[str], penalty: float) -> list[int]:
    """Predict each row by a head that was fitted without the rows of its group."""
    fold = [bucket(f"integrity:{group}", _FOLDS) for group in groups]
    predicted = [SUPPORT] * len(labels)
    for held in range(_FOLDS):
        inside = [i for i in range(len(labels)) if fold[i] != held]
        outside = [i for i in range(len(labels)) if fold[i] == held]
        if not inside or not outside:
            continue
        head = Head(x[inside], [labels[i] for i in inside], penalty)
        for i, guess in zip(outside, head.probabilities(x[outside]).argmax(-1).tolist(), strict=True):
            predicted[i] = guess
    return predicted


def scores_of(gold: Sequence[int], probabilities: Any) -> dict[str, Any]:
    """Macro-F1 with its interval, F1 by class, and accurate against not."""
    predicted = probabilities.argmax(-1).tolist()
    three = evaluate.scores_of(gold, predicted)
    two = evaluate.integrity_scores(gold, predicted, probabilities[:, SUPPORT].tolist())
    return {
        "macro_f1": three["macro_f1"],
        "macro_f1_95": three["macro_f1_95"],
        **{f"f1_{name.lower()}": f for name, f in zip(CLASSES, f1_by_label(gold, predicted), strict=True)},
        "accurate_f1": two["accurate_f1"],
        "inaccurate_f1": two["not_accurate_f1"],
        "accurate_auroc": two["accurate_auroc"],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit on train, score on dev."""
    parser = argparse.ArgumentParser(prog="python -m models.integrity_head", description=__doc__)
    add_model_options(parser)
    parser.add_argument("--limit", type=int, help="rows of each split at most, for a quick look")
    options = parser.parse_args(arguments)
    data = data_or_skip()
    if data is None:
        return 0
    model = chosen_model(options)
    forbidden = EvaluationTexts(data)
    train = [d for d in citation_integrity(data, "train") if not forbidden.hold_document(d)][: options.limit]
    dev = citation_integrity(data, "dev")[: options.limit]
    x, x_dev = features(model, train), features(model, dev)
    labels, gold = [d.label for d in train], [d.label for d in dev]
    groups = [d.group for d in train]
    by_penalty = {p: macro_f1(labels, cross_validated(x, labels, groups, p)) for p in _PENALTIES}
    penalty = max(by_penalty, key=lambda p: by_penalty[p])
    found = scores_of(gold, Head(x, labels, penalty).probabilities(x_dev))
    print(f"{model.name} ({model.revision}): {len(train)} rows to train on, {len(dev)} dev rows\n")
    print("| penalty | macro-F1, cross-validated on train |\n| --- | --- |")
    for p, score in by_penalty.items():
        print(f"| {p:g} | {score:.3f} |")
    low, high = found["macro_f1_95"]
    print(f"\ndev, penalty {penalty:g}: macro-F1 {found['macro_f1']:.3f} ({low:.3f} to {high:.3f})\n")
    line = {"model": model.name, "revision": model.revision, "rows": len(train), "penalty": penalty}
    line["cross_validated_macro_f1"] = by_penalty[penalty]
    line |= {f"integrity_head_dev_{name}": value for name, value in found.items()}
    print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in line.items()}))
    return 0


__all__ = ["CLASSES", "Head", "cross_validated", "features", "scores_of"]

if __name__ == "__main__":
    sys.exit(main())
