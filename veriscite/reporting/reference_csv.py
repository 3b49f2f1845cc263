"""The state of the references as a table: one row for each that was checked."""

import csv
import io

from veriscite.domain import Candidate, Report
from veriscite.reporting.csv import guarded
from veriscite.reporting.references import findings_of, mismatch_words, record_words, remarks_on

COLUMNS = (
    "reference_id",
    "reference_label",
    "reference",
    "status",
    "findings",
    "found_by",
    "record_title",
    "record_authors",
    "record_year",
    "record_venue",
    "record_doi",
    "serious_mismatches",
    "slips",
    "notices",
    "published_as",
    "duplicates",
    "suspicion",
    "remarks",
    "answers",
)


def render_reference_csv(report: Report) -> str:
    """Return the checks of references as CSV (RFC 4180, rows end in CR LF), a header row first.

    `findings` holds the words that `--fail-on` takes, with semicolons between them. Cells are guarded as in
    the table of claims.
    """
    references = {reference.id: reference for reference in report.manuscript.references}
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for check in report.reference_checks:
        reference = references.get(check.reference_id)
        row: dict[str, str | int | float | None] = {
            "reference_id": check.reference_id,
            "reference_label": reference.label if reference else None,
            "reference": reference.raw if reference else None,
            "status": check.status.value,
            "findings": "; ".join(findings_of(check)),
            "found_by": "; ".join(check.found_by),
            **_record(check.record),
            "serious_mismatches": " ".join(mismatch_words(m) for m in check.mismatches if m.serious),
            "slips": " ".join(mismatch_words(m) for m in check.mismatches if not m.serious),
            "notices": "; ".join(f"{n.kind} ({n.source}) {n.doi or ''}".strip() for n in check.notices),
            "published_as": record_words(check.published_as) if check.published_as else None,
            "duplicates": "; ".join(check.duplicates),
            "suspicion": check.suspicion,
            "remarks": " ".join(remark.text for remark in remarks_on(check)),
            "answers": "; ".join(f"{answer.source}: {answer.status}" for answer in check.answers),
        }
        writer.writerow([guarded(row[column]) for column in COLUMNS])
    return out.getvalue()


def _record(record: Candidate | None) -> dict[str, str | int | float | None]:
    return {
        "record_title": record.title if record else None,
        "record_authors": "; ".join(record.authors) if record else None,
        "record_year": record.year if record else None,
        "record_venue": record.venue if record else None,
        "record_doi": record.identifiers.doi if record else None,
    }
