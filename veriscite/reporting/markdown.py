"""The report as Markdown, for a pull request, a wiki or a letter."""

from veriscite.domain import Report
from veriscite.reporting.html import abstracts_only
from veriscite.reporting.references import reference_section
from veriscite.reporting.templating import markdown_environment
from veriscite.reporting.text import SYMBOLS
from veriscite.reporting.view import (
    author_names,
    by_urgency,
    pairs,
    standing_counts,
    strongest,
    unresolved_references,
)


def render_markdown(report: Report) -> str:
    """Return the report as Markdown; whatever was read from outside is escaped."""
    views = pairs(report)
    return (
        markdown_environment()
        .get_template("report.md.j2")
        .render(
            report=report,
            views=views,
            urgent=by_urgency(views),
            counts=standing_counts(views),
            unresolved=unresolved_references(report),
            symbols=SYMBOLS,
            **reference_section(report),
            abstracts_only=abstracts_only(report),
            author_names=author_names,
            strongest=strongest,
        )
    )
