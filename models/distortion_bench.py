"""How often each kind of planted error gets the right verdict: `python -m models.distortion_bench`.

Prints a table and, last, one line of JSON. Sentences of abstracts that were not trained on are edited one
way each; the verdict on the edited sentence against its whole abstract is right if it is the label that the
edit gives it. `caught` counts any verdict but SUPPORT as right for edits that are not supported: a reader
warned for another reason is warned all the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from models.held_out import HeldOutEdit, held_out_edits
from models.loading import add_model_options, chosen_model
from models.predict import predictions, window_scores
from models.rows import LABEL_NAMES, SUPPORT, data_or_skip


def recall_by_kind(
    edits: Sequence[HeldOutEdit], predicted: Sequence[int]
) -> dict[str, dict[str, float | int | str]]:
    """For each kind: expected label, edits, share with that label, and share caught."""
    by_kind: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for edit, label in zip(edits, predicted, strict=True):
        by_kind[edit.kind.removeprefix("distortion:")].append((edit.document.label, label))
    table: dict[str, dict[str, float | int | str]] = {}
    for kind, pairs in sorted(by_kind.items()):
        expected = pairs[0][0]
        table[kind] = {
            "expected": LABEL_NAMES[expected],
            "edits": len(pairs),
            "recall": sum(p == g for g, p in pairs) / len(pairs),
            "caught": sum((p == SUPPORT) == (g == SUPPORT) for g, p in pairs) / len(pairs),
        }
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Score one model on the held-out edits."""
    parser = argparse.ArgumentParser(prog="python -m models.distortion_bench", description=__doc__)
    add_model_options(parser)
    parser.add_argument("--of-a-kind", type=int, default=60, help="edits of one kind at most")
    parser.add_argument("--output", type=Path, help="write the line of JSON here too")
    options = parser.parse_args(arguments)
    data = data_or_skip()
    if data is None:
        return 0
    edits = held_out_edits(data, of_a_kind=options.of_a_kind)
    model = chosen_model(options)
    predicted, _ = predictions(window_scores(model, [e.document for e in edits]), model.calibration)
    table = recall_by_kind(edits, predicted)
    print(f"{model.name} ({model.revision}), {len(edits)} edits\n")
    print("| kind of edit | right verdict | edits | recall | not taken for support |\n" + "|" + " --- |" * 5)
    for kind, found in table.items():
        shares = f"{found['recall']:.2f} | {found['caught']:.2f}"
        print(f"| {kind} | {found['expected']} | {found['edits']} | {shares} |")
    wrong = [found for found in table.values() if found["expected"] != LABEL_NAMES[SUPPORT]]
    mean = sum(float(found["recall"]) for found in wrong) / max(1, len(wrong))
    line = json.dumps(
        {
            "model": model.name,
            "revision": model.revision,
            "distortion_recall_mean": round(mean, 4),
            "distortion_recall": {kind: round(float(v["recall"]), 4) for kind, v in table.items()},
            "distortion_caught": {kind: round(float(v["caught"]), 4) for kind, v in table.items()},
            "edits": {kind: v["edits"] for kind, v in table.items()},
        }
    )
    print(f"\n{line}")
    if options.output:
        options.output.write_text(line + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
