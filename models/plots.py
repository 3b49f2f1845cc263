"""Pictures for the model cards: how training went, and whether confidence can be taken at its word."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: Distinct for the colour-blind too (Okabe and Ito, 2008).
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")


def curve_name(stage: str) -> str:
    """Name of the file with the training curve of one stage."""
    return f"training-{stage}.svg"


def training_curve(log: Path, target: Path) -> None:
    """Draw loss and dev scores over the steps of one run.

    Args:
        log: The run's `log.jsonl`.
        target: SVG file to write.
    """
    entries = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    losses = _by_step(entries, "loss")
    scores = _by_step(entries, "dev")
    figure, axes = _figure(6.4, 3.2)
    axes.plot(list(losses), [e["loss"] for e in losses.values()], color=_COLOURS[0])
    axes.set_xlabel("step")
    axes.set_ylabel("training loss (running mean)", color=_COLOURS[0])
    other = axes.twinx()
    values = [e["macro_f1"] for e in scores.values()]
    other.plot(list(scores), values, color=_COLOURS[1], marker="o", linestyle="--")
    other.set_ylabel("macro-F1, held-out rows", color=_COLOURS[1])
    axes.spines["top"].set_visible(False)
    other.spines["top"].set_visible(False)
    _write(figure, target)


def _by_step(entries: Sequence[dict[str, Any]], event: str) -> dict[int, dict[str, Any]]:
    """Entries of one kind, each step once: a run that went on from a checkpoint logs some steps again.

    The later entry counts.
    """
    return dict(sorted({e["step"]: e for e in entries if e["event"] == event}.items()))


def reliability_diagram(bins: Mapping[str, Sequence[Mapping[str, float]]], target: Path) -> None:
    """Draw accuracy over confidence, one line a set; on the diagonal confidence holds.

    Args:
        bins: For each set what `models.scores.reliability` gave.
        target: SVG file to write.
    """
    figure, axes = _figure(4.2, 4.0)
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=1, label="as it should be")
    for number, (name, lines) in enumerate(bins.items()):
        most = max(line["pairs"] for line in lines)
        colour = _COLOURS[number % len(_COLOURS)]
        x, y = [line["confidence"] for line in lines], [line["accuracy"] for line in lines]
        axes.plot(x, y, color=colour, linewidth=1.2, label=name)
        axes.scatter(x, y, s=[10 + 70 * line["pairs"] / most for line in lines], color=colour, zorder=3)
    axes.set_xlim(0.3, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("confidence (area of a dot: pairs)")
    axes.set_ylabel("share right")
    axes.legend(frameon=False, fontsize=8, loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
    _write(figure, target)


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    # No pyplot: nothing here needs a screen or keeps figures in memory.
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _write(figure: Any, target: Path) -> None:
    from matplotlib import rc_context

    # The same numbers give the same file: no date, no random names of parts.
    with rc_context({"svg.hashsalt": "veriscite", "svg.fonttype": "none"}):
        figure.savefig(target, format="svg", metadata={"Date": None})
