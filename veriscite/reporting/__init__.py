"""Step 6 and what a reader is handed: counts, and the report as HTML, JSON, CSV and Markdown."""

from veriscite.reporting.summary import summarise

__all__ = ["summarise"]
