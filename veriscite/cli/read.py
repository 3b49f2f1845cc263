"""`veriscite read`: what a check would work on, before anything is checked."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from veriscite.cli.leaving import EXIT_OK

ManuscriptArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="Any manuscript that check takes; - reads standard input.", show_default=False
    ),
]
ReferencesOption = Annotated[
    Path | None,
    typer.Option("--references", "-r", help="The reference list when it comes apart, as for check."),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print all that was read, but the text itself, as JSON.")
]


def read(
    manuscript: ManuscriptArgument, references: ReferencesOption = None, json_output: JsonOption = False
) -> None:
    """Show what is read of a manuscript: sections, markers, references, and what was left out."""
    from veriscite.api import read as read_manuscript
    from veriscite.cli.options import build_settings, given_input
    from veriscite.cli.read_told import tell_read

    settings = build_settings()
    source, apart = given_input(manuscript, references, settings.reading.max_bytes)
    found, pairing = read_manuscript(source, references=apart, settings=settings)
    tell_read(found, pairing, sys.stdout, as_json=json_output)
    raise typer.Exit(EXIT_OK)
