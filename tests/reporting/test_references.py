"""What is said of references: the gravest first, hostile text as text, in every format."""

import csv
import io
from html.parser import HTMLParser

from tests.builder_checks import REFERENCE_CHECKS
from tests.builder_references import references_report
from veriscite.domain import Report
from veriscite.reporting import render
from veriscite.reporting.reference_csv import COLUMNS, render_reference_csv
from veriscite.reporting.references import (
    Finding,
    checked_references,
    finding_counts,
    findings_of,
    only_references,
)


def test_the_fixture_holds_every_finding() -> None:
    assert {finding for check in REFERENCE_CHECKS for finding in findings_of(check)} == set(Finding)
    assert finding_counts(REFERENCE_CHECKS)["duplicate"] == 2


def test_the_gravest_come_first_and_what_is_well_is_left_out(report: Report) -> None:
    firsts = [view.remarks[0].finding for view in checked_references(report)]
    assert firsts[:4] == [Finding.RETRACTED, Finding.CONCERN, Finding.INVENTED, Finding.MISMATCH]
    assert firsts == sorted(firsts, key=list(Finding).index)
    assert {"ref-2", "ref-8"}.isdisjoint(view.check.reference_id for view in checked_references(report))


def test_a_report_of_references_says_nothing_of_claims() -> None:
    report = references_report()
    assert only_references(report)
    for format in ("html", "md"):
        text = render(report, format).decode()
        assert "Reference check" in text
        assert "All claims" not in text
        assert "Possibly invented" in text
        assert "<script>" not in text.replace("\\<script\\>", "")
    assert Report.model_validate_json(render(report, "json")) == report
    parser = HTMLParser()
    parser.feed(render(report, "html").decode())


def test_the_table_has_a_row_for_each_reference_and_no_formula(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(render_reference_csv(report), newline="")))
    assert [row["reference_id"] for row in rows] == [check.reference_id for check in REFERENCE_CHECKS]
    assert set(rows[0]) == set(COLUMNS)
    assert rows[0]["findings"] == "retracted; duplicate"
    assert rows[4]["reference"].startswith("'=")
