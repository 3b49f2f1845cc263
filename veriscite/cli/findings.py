"""What `veriscite doctor` prints."""

import json
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from veriscite.doctor import Finding

_SIGNS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "missing": ("✗", "bold red")}


def tell_findings(findings: Sequence[Finding], out: TextIO, *, as_json: bool) -> None:
    """Print findings as lines, the advice below each, or as a JSON list."""
    if as_json:
        print(json.dumps([finding.model_dump() for finding in findings], indent=2), file=out)
        return
    console = Console(file=out, highlight=False)
    table = Table.grid(padding=(0, 2, 0, 0))
    for finding in findings:
        sign, style = _SIGNS[finding.status]
        what = Text(finding.what)
        if finding.advice:
            what.append(f"\n{finding.advice}", style="dim")
        table.add_row(Text(f"{sign} {finding.status}", style=style), Text(finding.name, style="bold"), what)
    console.print(table)
    counts = {status: sum(f.status == status for f in findings) for status in _SIGNS}
    console.print(Text(f"\n{counts['ok']} ok, {counts['warn']} to know about, {counts['missing']} missing"))
