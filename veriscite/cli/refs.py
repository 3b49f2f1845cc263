"""`veriscite refs`: whether the references themselves are right, without looking at any claim."""

from pathlib import Path
from typing import Annotated

import typer

from veriscite.cli import shared_options as shared

ListArgument = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="BibTeX, RIS, CSL-JSON, EndNote XML, JSONL, a plain list, or a manuscript whose list is taken; "
        "- reads standard input.",
        show_default=False,
    ),
]
FixOption = Annotated[
    Path | None,
    typer.Option(
        "--fix",
        metavar="OUT.bib",
        help="Write a corrected copy of a .bib and show what was changed: missing DOIs, parts that differ "
        "seriously, published versions of preprints. All else stays byte for byte.",
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Let --fix replace a file that is there.")]


def refs(
    references: ListArgument,
    library: shared.LibraryOption = None,
    output: shared.OutputOption = Path("veriscite-references"),
    formats: shared.FormatOption = shared.ALL_FORMATS,
    offline: shared.OfflineOption = False,
    source: shared.SourceOption = None,
    no_source: shared.NoSourceOption = None,
    fail_on: shared.FailOnOption = "",
    fix: FixOption = None,
    force: ForceOption = False,
    quiet: shared.QuietOption = False,
    json_events: shared.JsonEventsOption = False,
) -> None:
    """Check the references themselves and write a report."""
    from veriscite.cli.fixing import Fix
    from veriscite.cli.options import build_settings, given_input, parse_fail_on, parse_formats
    from veriscite.cli.running import Job, run_job
    from veriscite.reporting import FORMATS

    chosen = parse_formats(formats, FORMATS)
    failing = parse_fail_on(fail_on, claims=False)
    settings = build_settings(offline=offline, only=source or (), without=no_source or ())
    given, _ = given_input(references, None, settings.reading.max_bytes)
    fixing = Fix(given, fix, force=force, limit=settings.reading.max_bytes) if fix is not None else None
    job = Job(
        manuscript=given,
        library=tuple(library or ()),
        settings=settings,
        output=output,
        formats=chosen,
        quiet=quiet,
        json_events=json_events,
        fail_on=failing,
        references_only=True,
        after=fixing,
    )
    raise typer.Exit(run_job(job))
