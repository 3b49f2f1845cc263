"""What `veriscite read` prints. All of it comes from the manuscript: none is printed raw."""

import json
from collections import Counter
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from veriscite.domain import Identifiers, Manuscript, Pairing, Reference
from veriscite.reporting.text import SKIP_WORDS, one_line, plural, shorten

_MARKER_WIDTH, _TITLE_WIDTH, _RAW_WIDTH = 60, 90, 120
_STYLE_WORDS = {
    "numeric": "numeric",
    "superscript": "superscript",
    "author_year": "author-year",
    "key": "key",
}


def tell_read(manuscript: Manuscript, pairing: Pairing, out: TextIO, *, as_json: bool) -> None:
    """Print what was read of a manuscript and how its markers are tied to its references.

    Args:
        manuscript: What was read.
        pairing: Its markers and claims.
        out: Where to print.
        as_json: Print an object with `manuscript` (without its text) and `pairing`.
    """
    if as_json:
        told = {
            "manuscript": manuscript.model_dump(mode="json", exclude={"text"}),
            "pairing": pairing.model_dump(mode="json"),
        }
        print(json.dumps(told, indent=2), file=out)
        return
    console = Console(file=out, highlight=False)
    _tell_manuscript(manuscript, console)
    _tell_markers(pairing, console)
    _tell_references(manuscript, pairing, console)
    _tell_left_out(manuscript, pairing, console)


def _heading(text: str, console: Console) -> None:
    console.print(Text(f"\n{text}", style="bold"))


def _tell_manuscript(manuscript: Manuscript, console: Console) -> None:
    console.print(Text(f"{one_line(manuscript.source_name)} ({manuscript.format})", style="bold"))
    title = shorten(manuscript.title, 300) if manuscript.title else "none was found"
    console.print(Text(f"Title: {title}"))
    body = manuscript.body
    console.print(Text(f"Body: {body.end - body.start:,} of {len(manuscript.text):,} characters"))
    _heading(f"{plural(len(manuscript.sections), 'section')}", console)
    for section in manuscript.sections:
        heading = shorten(section.heading, 100) if section.heading else "(no heading)"
        length = section.span.end - section.span.start
        console.print(Text(f"{'  ' * min(section.level, 6)}{heading}, {length:,} characters"))


def _tell_markers(pairing: Pairing, console: Console) -> None:
    tied = [m for m in pairing.markers if m.reference_ids]
    styles = Counter(_STYLE_WORDS[m.style] for m in pairing.markers)
    kinds = f" ({', '.join(f'{count} {style}' for style, count in styles.most_common())})" if styles else ""
    _heading(f"{plural(len(pairing.markers), 'marker')}{kinds}, {len(tied)} tied to an entry", console)
    links = sum(len(m.reference_ids) for m in tied)
    console.print(
        Text(
            f"{plural(links, 'link')} in {plural(len(pairing.citances), 'sentence')} "
            f"give {plural(len(pairing.claims), 'claim')}."
        )
    )
    aside = [claim for claim in pairing.claims if claim.not_finding]
    if aside:
        console.print(Text(f"{plural(len(aside), 'claim')} not a finding (shown, not judged):"))
        for claim in aside:
            kind = claim.not_finding.kind.value if claim.not_finding else ""
            console.print(Text(f"  {claim.id} {kind}: {shorten(claim.text, 100)}"))
    table = Table.grid(padding=(0, 2, 0, 0))
    for marker in pairing.markers:
        entries = ", ".join(map(one_line, marker.reference_ids))
        table.add_row(
            Text(marker.id, style="dim"),
            Text(shorten(marker.raw, _MARKER_WIDTH)),
            Text(f"→ {entries}") if entries else Text("→ nothing", style="yellow"),
        )
    if pairing.markers:
        console.print(table)


def _tell_references(manuscript: Manuscript, pairing: Pairing, console: Console) -> None:
    cited = Counter(claim.reference_id for claim in pairing.claims)
    uncited = sum(not cited[reference.id] for reference in manuscript.references)
    _heading(f"{plural(len(manuscript.references), 'reference')}, {uncited} in no claim", console)
    table = Table.grid(padding=(0, 2, 0, 0))
    for reference in manuscript.references:
        table.add_row(
            Text(shorten(reference.id, 40), style="bold"),
            Text(shorten(_label(reference), 20)),
            _fields(reference),
            Text(plural(cited[reference.id], "claim"), style="" if cited[reference.id] else "dim"),
        )
    if manuscript.references:
        console.print(table)


def _label(reference: Reference) -> str:
    return f"[{reference.label}]" if reference.label else ""


def _fields(reference: Reference) -> Text:
    authors = [author.family for author in reference.authors]
    names = shorten(", ".join(authors[:3]) + (" et al." if len(authors) > 3 else ""), 60)
    year = f"{reference.year or ''}{reference.year_suffix or ''}"
    told = Text(f"{names or '(no author)'} {one_line(year) or '(no year)'}. ")
    told.append(shorten(reference.title, _TITLE_WIDTH) if reference.title else "(no title)")
    more = [shorten(reference.venue, 60)] if reference.venue else []
    more += _identifiers(reference.identifiers)
    if more:
        told.append(f"\n{'; '.join(more)}", style="dim")
    if not (reference.title and reference.authors and reference.year):
        told.append(f"\nread from: {shorten(reference.raw, _RAW_WIDTH)}", style="dim")
    return told


def _identifiers(identifiers: Identifiers) -> list[str]:
    return [f"{name} {shorten(value, 60)}" for name, value in identifiers if value]


def _tell_left_out(manuscript: Manuscript, pairing: Pairing, console: Console) -> None:
    excluded = sum(span.end - span.start for span in manuscript.excluded)
    if not (manuscript.notes or pairing.skipped or excluded):
        _heading("Nothing was left out", console)
        return
    _heading("Left out, and why", console)
    if excluded:
        parts = plural(len(manuscript.excluded), "part")
        console.print(Text(f"{parts} of the text ({excluded:,} characters): no prose."))
    for note in manuscript.notes:
        line = f" (line {note.line})" if note.line else ""
        raw = f": {shorten(note.raw, _RAW_WIDTH)}" if note.raw else ""
        console.print(Text(f"{one_line(note.message)}{line}{raw}"))
    for skipped in pairing.skipped:
        candidates = ""
        if len(skipped.candidates) > 1:
            candidates = f" Fitting entries: {', '.join(map(one_line, skipped.candidates))}."
        console.print(
            Text(
                f"{skipped.marker_id} {shorten(skipped.part, _MARKER_WIDTH)}: {SKIP_WORDS[skipped.reason]}. "
                f"{shorten(skipped.detail, 200)}{candidates}"
            )
        )
