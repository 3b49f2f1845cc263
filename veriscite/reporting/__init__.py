"""Step 6 and what a reader is handed: counts, and the report as HTML, JSON, CSV and Markdown."""

from veriscite.reporting.summary import summarise
from veriscite.reporting.write import FORMATS, check_folder, render, write_report

__all__ = ["FORMATS", "check_folder", "render", "summarise", "write_report"]
