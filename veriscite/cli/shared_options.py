"""Options that several commands have; light, since `--help` needs them."""

from pathlib import Path
from typing import Annotated

import typer

from veriscite.cli.choices import SourceName

ALL_FORMATS = "html,json,csv,md"

OutputOption = Annotated[
    Path, typer.Option("--output", "-o", help="Folder for the reports.", file_okay=False)
]
FormatOption = Annotated[
    str, typer.Option("--format", "-f", help="Report formats, with commas: html, json, csv, md.")
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the reports' paths and nothing else.")
]
JsonEventsOption = Annotated[
    bool, typer.Option("--json-events", help="Print one JSON event a line as it happens, for programs.")
]
OfflineOption = Annotated[bool, typer.Option("--offline", help="Ask no source on the network.")]
LibraryOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--library",
        "-l",
        help="A file with abstracts of cited works (.bib, RIS, CSL-JSON, EndNote XML, JSONL), or a "
        "folder of PDFs named by key or DOI; asked before any other source; may be repeated.",
    ),
]
SourceOption = Annotated[
    list[SourceName] | None,
    typer.Option("--source", help="Ask this source on the network and no other; may be repeated."),
]
NoSourceOption = Annotated[
    list[SourceName] | None,
    typer.Option("--no-source", help="Do not ask this source; may be repeated."),
]
FailOnOption = Annotated[
    str,
    typer.Option(
        "--fail-on",
        metavar="WORDS",
        help="Exit with 1 when this is found; words with commas between them. Of claims: contradict. Of "
        "references: retracted, concern, invented, mismatch, ambiguous, not_found, corrected, published, "
        "duplicate, slip, not_checked.",
        show_default=False,
    ),
]
ReferenceChecksOption = Annotated[
    bool,
    typer.Option(
        "--reference-checks/--no-reference-checks",
        help="Look into the references themselves, too: retractions, wrong details, duplicates.",
    ),
]
