"""The report as files to take away, each rendered by the library."""

from dataclasses import dataclass
from pathlib import PurePath

from veriscite.domain import Report
from veriscite_app.submission import safe_name


@dataclass(frozen=True)
class Export:
    """A format, which is also the file's extension, and its media type."""

    format: str
    mime: str

    def file_name(self, report: Report) -> str:
        """Return the name of the file, after the manuscript's."""
        stem = PurePath(safe_name(report.manuscript.source_name, fallback="manuscript")).stem
        return f"{stem.replace(' ', '-')}-veriscite.{self.format}"

    def content(self, report: Report) -> bytes:
        """Return the file's bytes."""
        from veriscite.reporting import render

        return render(report, self.format)


EXPORTS = (
    Export("html", "text/html"),
    Export("json", "application/json"),
    Export("csv", "text/csv"),
    Export("md", "text/markdown"),
)
