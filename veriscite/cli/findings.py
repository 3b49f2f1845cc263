"""What `veriscite doctor` prints."""

import json
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from veriscite.doctor import Finding

_SIGNS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "missing": ("✗", "bold red")}


def tell_findings(findings: Sequence[Finding], out: TextIO, *, as_json: bool) -> None:
    """Print findings as lines, the advice below each, or as a JSON list."""
    if as_json:
        print(json.dumps([finding.model_dump() for finding in findings], indent=2), file=out)
        return
    console = Console(file=out, highlight=False)
    width = max((len(finding.name) for finding in findings), default=0)
    for finding in findings:
        sign, style = _SIGNS[finding.status]
        line = Text.assemble(
            (f"{sign} {finding.status:<7} ", style), (f"{finding.name:<{width}}  ", "bold"), finding.what
        )
        console.print(line, soft_wrap=True)
        if finding.advice:
            console.print(Text(f"{' ' * (width + 12)}{finding.advice}", style="dim"), soft_wrap=True)
    counts = {status: sum(f.status == status for f in findings) for status in _SIGNS}
    console.print(Text(f"\n{counts['ok']} ok, {counts['warn']} to know about, {counts['missing']} missing"))
