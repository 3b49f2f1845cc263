"""How well the product reads and links, counted on real articles and lists.

    python -m tests.benchmarks.linking --part jats --half open --verbose

Each item belongs to one of two halves by a hash of its name: the *open* one may be looked at to find
faults, the *held* one is only scored. The table shows both; the figures of the last line, which is JSON,
are the held half's.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.benchmarks.linking import contexts, jats, not_findings, pdf, refstrings, speed, splitting
from tests.benchmarks.linking.scoring import HALVES, Count, Item, Names, data_folder

Part = Callable[[Path, Names], Iterator[Item]]
PARTS: dict[str, tuple[str, Part]] = {
    "jats": ("linking/jats", jats.run),
    "pdf": ("linking/pdf-jats", pdf.run),
    "twocol": ("linking/pdf-twocol", pdf.run_twocol),
    "refstrings": ("refstrings", refstrings.run),
    "splitting": ("refstrings/grobid_refseg.tar.gz", splitting.run),
    "not_findings": ("citation-integrity", not_findings.run),
    "contexts": ("citation-integrity", contexts.run),
}
HEADLINES = {
    "jats_numeric_f1": ("jats", "numeric", "links", "f1"),
    "jats_author_year_f1": ("jats", "author_year", "links", "f1"),
    "pdf_f1": ("pdf", "all", "links", "f1"),
    "twocol_recall": ("twocol", "all", "references", "recall"),
    "refstring_title": ("refstrings", "all", "title", "share"),
    "refstring_first_author": ("refstrings", "all", "first_author", "share"),
    "refstring_year": ("refstrings", "all", "year", "share"),
    "refstring_doi": ("refstrings", "all", "doi", "share"),
    "splitting_f1": ("splitting", "all", "entries", "f1"),
    "not_findings_precision": ("not_findings", "all", "not_findings", "precision"),
    "not_findings_recall": ("not_findings", "all", "not_findings", "recall"),
    "context_precision": ("contexts", "all", "sentences", "precision"),
    "context_recall": ("contexts", "all", "sentences", "recall"),
    "context_f1": ("contexts", "all", "sentences", "f1"),
    "context_baseline_f1": ("contexts", "all", "baseline", "f1"),
}

Totals = dict[tuple[str, str], dict[str, Count]]
"""(row, measure) -> half -> counts."""


def total(items: list[Item]) -> Totals:
    """Add up the items of a part, row by row."""
    totals: Totals = {}
    for item in items:
        for group in item.groups:
            for measure, count in item.counts.items():
                row = totals.setdefault((group, measure), {half: Count() for half in HALVES})
                row[item.half].add(count)
    return totals


def show(part: str, totals: Totals, items: list[Item], console: Console) -> None:
    """Print the part's table."""
    table = Table(title=f"{part}: {len(items)} items", title_justify="left")
    for heading in ("row", "measure", "half", "right", "found", "wanted", "precision", "recall", "F1"):
        table.add_column(heading)
    for (row, measure), halves in sorted(totals.items()):
        for half, count in halves.items():
            if count.wanted or count.found:
                f1 = count.f1 if count.found else None
                figures = ("" if f is None else f"{f:.3f}" for f in (count.precision, count.recall, f1))
                cells = (row, measure, half, *map(str, (count.right, count.found, count.wanted)), *figures)
                table.add_row(*cells)
    console.print(table)


def show_worst(items: list[Item], most: int, console: Console) -> None:
    """Print the worst items of the open half, with what was missed."""
    for item in sorted((i for i in items if i.half == "open" and i.lost), key=lambda i: -i.lost)[:most]:
        console.print(f"\n{item.name}: {item.lost} lost ({'; '.join(item.groups)})", markup=False)
        for miss in item.misses[:25]:
            console.print(f"  {miss}", markup=False)


def main(arguments: list[str] | None = None) -> int:
    """Run; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.linking", description=__doc__)
    parser.add_argument("--part", nargs="+", choices=[*PARTS, "speed"], default=[*PARTS, "speed"])
    parser.add_argument("--half", choices=[*HALVES, "both"], default="both")
    parser.add_argument("--limit", type=int, help="at most so many items of each kind")
    parser.add_argument(
        "--verbose", type=int, nargs="?", const=8, default=0, help="the worst items of the open half"
    )
    options = parser.parse_args(arguments)
    console = Console(width=150, highlight=False, soft_wrap=bool(options.verbose))
    folder = data_folder()
    if folder is None:
        console.print("No shared data: put it in ../shared/data, or name its parent in VERISCITE_SHARED.")
        print("{}")
        return 0
    names = Names(HALVES if options.half == "both" else (options.half,), options.limit)
    figures: dict[str, object] = {}
    for part in options.part:
        if part == "speed":
            figures |= speed.run(folder, console)
            continue
        needed, run = PARTS[part]
        if not (folder / needed).exists():
            console.print(f"{part}: not measured, there is no {needed} in the shared data.")
            continue
        items = list(run(folder, names))
        if not items:
            console.print(f"{part}: not measured, {needed} holds nothing of these halves.")
            continue
        totals = total(items)
        show(part, totals, items, console)
        show_worst(items, options.verbose, console)
        figures |= headline(part, totals)
    print(json.dumps(figures))
    return 0


def headline(part: str, totals: Totals) -> dict[str, object]:
    """Return the held half's figures of a part, with the counts they rest on."""
    figures: dict[str, object] = {}
    for key, (of, row, measure, kind) in HEADLINES.items():
        count = totals.get((row, measure), {}).get("held") if of == part else None
        value = getattr(count, kind) if count else None
        if value is not None:
            figures[key] = round(value, 4)
            figures[f"{key}_n"] = count.wanted if count else 0
    return figures


if __name__ == "__main__":
    sys.exit(main())
