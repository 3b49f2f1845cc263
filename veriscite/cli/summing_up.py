"""What is said at the end of a run: the counts, what to look at, and where the reports lie."""

from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from veriscite.cli.lines import Tone
from veriscite.cli.live import STYLES
from veriscite.domain import Report, Summary
from veriscite.reporting.references import (
    FINDING_MEANING,
    FINDING_SYMBOLS,
    FINDING_WORDS,
    Finding,
    checked_references,
    only_references,
    reach_words,
    well_words,
)
from veriscite.reporting.text import (
    STANDING_MEANING,
    STANDING_WORDS,
    SYMBOLS,
    Standing,
    plural,
    shorten,
    status_words,
)
from veriscite.reporting.view import PairView, by_urgency, pairs, standing_counts

_TONES = {
    Standing.SUPPORT: Tone.GOOD,
    Standing.CONTRADICT: Tone.BAD,
    Standing.FAILED: Tone.BAD,
}
_SHOWN = 10


def tell_report(report: Report, paths: Mapping[str, Path], out: TextIO, *, paths_only: bool) -> None:
    """Print the summary and the reports' paths; with `paths_only` nothing but a path a line."""
    if paths_only:
        for path in paths.values():
            print(path, file=out)
        return
    console = Console(file=out, highlight=False)
    views = pairs(report)
    console.print()
    if not only_references(report):
        console.print(_table(report.summary, views))
        for sentence in _sentences(report.summary):
            console.print(Text(sentence))
    if report.reference_checks:
        _tell_references(report, console)
    contradicted = [view for view in by_urgency(views) if view.standing is Standing.CONTRADICT]
    if contradicted:
        console.print(Text("\nLook at these first:", style="bold"))
        for view in contradicted[:_SHOWN]:
            console.print(Text(_contradiction(view)))
        if len(contradicted) > _SHOWN:
            console.print(Text(f"  and {len(contradicted) - _SHOWN} more in the report"))
    console.print(Text("\nReports:", style="bold"))
    for path in paths.values():
        console.print(Text(f"  {path}"), soft_wrap=True)


def _tell_references(report: Report, console: Console) -> None:
    summary, views = report.summary, checked_references(report)
    console.print(Text(f"\n{reach_words(report)}. {well_words(report)}".rstrip()))
    for finding in Finding:
        if count := summary.reference_findings.get(finding.value):
            text = (
                f"  {FINDING_SYMBOLS[finding]} {FINDING_WORDS[finding]}: {count} ({FINDING_MEANING[finding]})"
            )
            console.print(Text(text))
    urgent = [view for view in views if view.remarks[0].finding in _URGENT]
    if urgent:
        console.print(Text("\nReferences to look at first:", style="bold"))
    for view in urgent[:_SHOWN]:
        first = view.remarks[0]
        text = f"  {FINDING_SYMBOLS[first.finding]} {view.check.reference_id}: {first.text}"
        console.print(Text(shorten(text, 240)))
    if len(urgent) > _SHOWN:
        console.print(Text(f"  and {len(urgent) - _SHOWN} more in the report"))


_URGENT = (Finding.RETRACTED, Finding.CONCERN, Finding.INVENTED, Finding.MISMATCH)


def _table(summary: Summary, views: tuple[PairView, ...]) -> Table:
    table = Table(title=f"What came of {plural(summary.claims, 'claim')}", title_justify="left")
    table.add_column("Outcome")
    table.add_column("Claims", justify="right")
    table.add_column("Meaning")
    for standing, count in standing_counts(views).items():
        if count or standing in (Standing.SUPPORT, Standing.CONTRADICT, Standing.NOT_ENOUGH_INFO):
            style = STYLES[_TONES.get(standing, Tone.UNSURE)] if count else STYLES[Tone.QUIET]
            name = Text(f"{SYMBOLS[standing]} {STANDING_WORDS[standing]}", style=style)
            table.add_row(name, str(count), Text(_meaning(standing, summary)))
    return table


def _meaning(standing: Standing, summary: Summary) -> str:
    meaning = STANDING_MEANING[standing]
    if standing is Standing.UNRESOLVED and summary.unresolved_by_status:
        counts = summary.unresolved_by_status.items()
        meaning += f" ({', '.join(f'{count} {status_words(status).lower()}' for status, count in counts)})"
    return meaning


def _sentences(summary: Summary) -> list[str]:
    sentences = [f"Both verifiers agreed at once on {summary.agreed_at_once} of {summary.judged} judged."]
    if summary.actions_per_agent_case is not None:
        sentences.append(
            f"{plural(summary.needed_agent, 'claim')} needed the agent, with "
            f"{summary.actions_per_agent_case:.1f} actions each on average."
        )
    if summary.single_verifier:
        sentences.append(f"Decided on one verifier alone: {summary.single_verifier}.")
    if summary.skipped:
        sentences.append(
            f"Skipped: {plural(summary.skipped, 'marker or part of one', 'markers or parts of them')}."
        )
    return sentences


def _contradiction(view: PairView) -> str:
    label = view.reference.label if view.reference and view.reference.label else view.claim.reference_id
    return f"  {SYMBOLS[Standing.CONTRADICT]} {view.claim.id} citing {label}: {shorten(view.claim.text, 120)}"
