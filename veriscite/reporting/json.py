"""The report as JSON: nothing left out, and read back without loss."""

from veriscite.domain import Report


def render_json(report: Report) -> str:
    """Return the report as JSON; `Report.model_validate_json` gives it back unchanged."""
    return report.model_dump_json(indent=2) + "\n"
