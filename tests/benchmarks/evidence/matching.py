"""How often the matching takes the right record, a wrong one, or none.

    python -m tests.benchmarks.evidence.matching --half held --works 300

Works of the recorded answers are cited as users cite them (see `citing`), with the right record among the
nearest titles of all records and with it gone, and beside or instead of look-alikes (see `lookalikes`). The
works fall into a half to look at and a half that is only scored, by a hash of their titles.

A trial counts as *right* if a record of the cited work comes first, *wrong* if another's does, and *missed*
if there was one to take and it was not. Precision is right / (right + wrong), recall is right / all that
could be taken. Intervals are Wilson's, 95 %.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks.evidence.pool import load_pool, shared_data
from tests.benchmarks.evidence.trials import Trial, key, sample, trials
from veriscite.evidence.matching import Choice, choose

SEED = 20


@dataclass
class Count:
    """Outcomes of the trials of one kind."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    left: int = 0
    named: int = 0
    equals: int = 0

    def add(self, outcome: str, takeable: bool) -> None:
        """Count one outcome."""
        self.right += outcome == "right"
        self.wrong += outcome == "wrong"
        self.missed += takeable and outcome != "right"
        self.left += not takeable and outcome == "none"

    def __add__(self, other: "Count") -> "Count":
        return Count(*(getattr(self, n) + getattr(other, n) for n in self.__dataclass_fields__))

    @property
    def precision(self) -> float | None:
        """Share of the taken records that are right."""
        taken = self.right + self.wrong
        return self.right / taken if taken else None

    @property
    def recall(self) -> float | None:
        """Share of the works on offer that were taken."""
        takeable = self.right + self.missed
        return self.right / takeable if takeable else None


@dataclass
class Score:
    """All counts, by group and kind, and what was taken wrongly or missed, in words."""

    counts: dict[tuple[str, str], Count] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)

    def total(self, *groups: str) -> Count:
        """Sum of the groups named, or of all."""
        return sum((c for (group, _), c in self.counts.items() if not groups or group in groups), Count())


def interval(hits: int, total: int) -> tuple[float, float]:
    """Wilson's interval of a share, 95 %."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    reach = z * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5 / (1 + z * z / total)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def judge(trial: Trial, choice: Choice) -> str:
    """Say what came of a trial: `right`, `wrong`, `none`, or `ambiguous`."""
    if choice.accepted:
        return "right" if key(choice.accepted[0].record) in trial.right else "wrong"
    return "ambiguous" if choice.tied else "none"


def measure(questions: Sequence[Trial], *, keep_faults: bool) -> Score:
    """Ask all questions."""
    score = Score()
    for trial in questions:
        choice = choose(trial.reference, trial.offered, by_identifier=trial.by_identifier)
        outcome = judge(trial, choice)
        count = score.counts.setdefault((trial.group, trial.kind), Count())
        count.add(outcome, bool(trial.right))
        if trial.equal:
            count.equals += 1
            count.named += trial.equal <= {key(match.record) for match in choice.tied}
        fault = outcome == "wrong" or (trial.right and outcome != "right")
        if fault and keep_faults:
            score.faults.append(_fault(trial, choice, outcome))
    return score


def _fault(trial: Trial, choice: Choice, outcome: str) -> dict[str, Any]:
    first = next(iter((*choice.accepted, *choice.tied, *choice.nearest)), None)
    return {
        "group": trial.group,
        "kind": trial.kind,
        "outcome": outcome,
        "cited": trial.reference.title or trial.reference.raw,
        "authors": "; ".join(f"{a.family}, {a.given}" for a in trial.reference.authors[:4]),
        "year": trial.reference.year,
        "first": first and first.record.title,
        "first_authors": first and "; ".join(f"{a.family}, {a.given}" for a in first.record.authors[:4]),
        "first_year": first and first.record.year,
        "source": first and first.record.source,
        "why": first and first.reason,
    }


def table(score: Score, title: str) -> Table:
    """Rows by group and kind, a sum under each group."""
    shown = Table("trials of", "kind", "right", "wrong", "missed", "left", "precision", "recall", title=title)
    for group in dict.fromkeys(group for group, _ in score.counts):
        for (of, kind), count in score.counts.items():
            if of == group:
                shown.add_row(group, kind, *_cells(count))
        shown.add_row(group, "all", *_cells(score.total(group)), end_section=True)
    shown.add_row("all", "", *_cells(score.total()))
    return shown


def _cells(count: Count) -> list[str]:
    numbers = [str(n) for n in (count.right, count.wrong, count.missed, count.left)]
    for share, total in (
        (count.precision, count.right + count.wrong),
        (count.recall, count.right + count.missed),
    ):
        low, high = interval(count.right, total)
        numbers.append("" if share is None else f"{share:.4f} ({low:.3f}-{high:.3f})")
    if count.equals:
        numbers[3] = f"{count.named}/{count.equals} named"
    return numbers


def run(argv: Sequence[str] | None = None) -> dict[str, Any]:
    """Measure, print the table, and return the figures.

    Returns:
        `match_precision` and `match_recall` of the half asked for, with counts and intervals; `skipped` where
        the recorded answers are absent.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.evidence.matching", description=__doc__)
    parser.add_argument("--half", default="held", choices=["looked", "held"], help="which works are cited")
    parser.add_argument("--works", type=int, default=150, help="how many works are cited")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--faults", help="write wrong and missed trials of the looked-at half to this file")
    arguments = parser.parse_args(argv)
    data = shared_data()
    if data is None:
        print("Skipped: the recorded answers are absent (set VERISCITE_SHARED).", file=sys.stderr)
        return {"match_precision": None, "match_recall": None, "skipped": True}
    pool = load_pool(data)
    places = sample(pool, arguments.half, arguments.works, arguments.seed)
    began = time.perf_counter()
    questions = list(trials(pool, places, arguments.seed))
    made = time.perf_counter()
    score = measure(questions, keep_faults=arguments.half == "looked")
    took = time.perf_counter() - made
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(
        table(score, f"Matching: {arguments.half} half, {len(places)} works of {len(pool.versions)}")
    )
    console.print(
        f"{len(questions)} trials made in {made - began:.0f} s, judged in {took:.0f} s", markup=False
    )
    if arguments.faults and score.faults:
        lines = (json.dumps(fault, ensure_ascii=False) + "\n" for fault in score.faults)
        Path(arguments.faults).write_text("".join(lines), encoding="utf-8")
    total = score.total()
    return {
        "match_precision": total.precision and round(total.precision, 4),
        "match_recall": total.recall and round(total.recall, 4),
        "match_right": total.right,
        "match_wrong": total.wrong,
        "match_missed": total.missed,
        "match_left_alone": total.left,
        "match_precision_interval": [round(x, 4) for x in interval(total.right, total.right + total.wrong)],
        "match_recall_interval": [round(x, 4) for x in interval(total.right, total.right + total.missed)],
        "match_equals_named": [total.named, total.equals],
        "match_half": arguments.half,
        "match_works": len(places),
        "match_trials": len(questions),
    }


if __name__ == "__main__":
    print(json.dumps(run()))
