"""The shipped examples, checked as `veriscite demo` checks them, held against what is right.

`python -m tests.benchmarks.examples [NAME ...]` prints a row for each citation that was planted or missed
(`--all`: for every one), the counts, and last one line of JSON.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from veriscite import Settings, check
from veriscite.domain import Report
from veriscite.examples import EXAMPLES, example
from veriscite.settings import BlindSettings, EvidenceSettings


@dataclass(frozen=True)
class Row:
    """One citation: what is right, and what came out."""

    marker: str
    first_author: str
    planted: str
    expected: str
    got: str
    by: str

    @property
    def right(self) -> bool:
        """Whether what came out is what is right."""
        return self.expected == self.got


def compare(report: Report, expected: Path) -> list[Row]:
    """Find each expected citation in the report by its snippet and reference."""
    outcome: dict[str, tuple[str, str]] = {}
    for result in report.results:
        final = result.final
        outcome[result.claim_id] = (final.label, final.decided_by) if final else ("no verdict", "")
    outcome |= {one.claim_id: (f"unresolved:{one.status}", "") for one in report.unresolved}
    outcome |= {one.claim_id: (f"failed:{one.step}", "") for one in report.failures}
    references = {r.id: r for r in report.manuscript.references}
    text = report.manuscript.text
    rows = []
    for one in json.loads(expected.read_text(encoding="utf-8"))["claims"]:
        got, by = "not found in the report", ""
        for claim in report.pairing.claims:
            reference, wanted = references[claim.reference_id], one["reference"]
            author = reference.authors[0].family if reference.authors else ""
            same_work = author == wanted["first_author"] and reference.year == wanted["year"]
            if same_work and one["snippet"] in " ".join(claim.span.of(text).split()):
                got, by = outcome[claim.id]
        for skipped in report.pairing.skipped:
            near = text[max(0, skipped.span.start - 300) : skipped.span.end]
            if one["expected"].startswith("skipped") and one["snippet"] in " ".join(near.split()):
                got = f"skipped:{skipped.reason}"
        rows.append(
            Row(
                one["marker"],
                one["reference"]["first_author"] or "",
                one["planted"] or "",
                one["expected"],
                str(got),
                str(by),
            )
        )
    return rows


def main(arguments: list[str] | None = None) -> int:
    """Run; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.examples", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(EXAMPLES))
    parser.add_argument("--all", action="store_true", help="a row for every citation")
    options = parser.parse_args(arguments)
    # As the demo: the same on every machine, whatever keys its environment holds.
    settings = Settings(evidence=EvidenceSettings(offline=True), blind=BlindSettings(provider="stand-in"))
    figures: dict[str, object] = {}
    for name in options.names:
        files = example(name)
        report = check(
            files.manuscript, references=files.references, library=files.library, settings=settings
        )
        rows = compare(report, files.expected)
        print(f"\n{name}\n| marker | work | planted | right answer | came out | decided by | |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for row in rows:
            if options.all or row.planted or not row.right:
                mark = "right" if row.right else "**missed**"
                print(
                    f"| {row.marker} | {row.first_author} | {row.planted} | {row.expected} | {row.got} "
                    f"| {row.by} | {mark} |"
                )
        right, planted = [r for r in rows if r.right], [r for r in rows if r.planted]
        alarms = Counter(r.got for r in rows if r.expected == "SUPPORT" and r.got != "SUPPORT")
        figures[name] = {
            "citations": len(rows),
            "right": len(right),
            "planted": len(planted),
            "planted_caught": sum(r.right for r in planted),
            "planted_shown_as_support": sum(r.got == "SUPPORT" for r in planted),
            "true_claims_not_supported": dict(alarms),
            "agreed_at_once": report.summary.agreed_at_once,
            "needed_agent": report.summary.needed_agent,
        }
        caught = sum(r.right for r in planted)
        print(f"{len(right)} of {len(rows)} right; of {len(planted)} planted, {caught} right")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
