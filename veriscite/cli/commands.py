"""The commands. Heavy parts are imported inside them, so that `--help` is instant."""

import contextlib
import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from veriscite._version import __version__
from veriscite.cli import help_texts
from veriscite.cli.cache import cache
from veriscite.cli.choices import Blind, ExampleName
from veriscite.cli.leaving import EXIT_BAD_INPUT, EXIT_INTERRUPTED, EXIT_RUN_FAILED, leave
from veriscite.cli.models import models
from veriscite.cli.read import read
from veriscite.cli.refs import refs
from veriscite.cli.shared_options import (
    ALL_FORMATS,
    FailOnOption,
    FormatOption,
    JsonEventsOption,
    LibraryOption,
    NoSourceOption,
    OfflineOption,
    OutputOption,
    QuietOption,
    ReferenceChecksOption,
    SourceOption,
)
from veriscite.errors import InputError, RunCancelledError, VeriSciteError

app = typer.Typer(
    name="veriscite",
    help=help_texts.PROGRAM,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(models)
app.add_typer(cache)
app.command(help=help_texts.READ, epilog=help_texts.READ_EXIT_CODES)(read)
app.command(help=help_texts.REFS, epilog=help_texts.REFS_EXIT_CODES)(refs)

AttributionOption = Annotated[
    bool,
    typer.Option(
        "--attribution/--no-attribution", help="Work out which words decided; without it a run is faster."
    ),
]


@app.command(help=help_texts.CHECK, epilog=help_texts.EXIT_CODES)
def check(
    manuscript: Annotated[
        Path,
        typer.Argument(
            help="Text, Markdown, LaTeX, PDF, .docx or JATS XML; - reads text from standard input.",
            show_default=False,
        ),
    ],
    references: Annotated[
        Path | None,
        typer.Option(
            "--references",
            "-r",
            help="The reference list when it comes apart: plain text, BibTeX, RIS, CSL-JSON, EndNote XML or "
            "JSONL. Without it the list is looked for at the end of the manuscript.",
        ),
    ] = None,
    library: LibraryOption = None,
    output: OutputOption = Path("veriscite-report"),
    formats: FormatOption = ALL_FORMATS,
    offline: OfflineOption = False,
    source: SourceOption = None,
    no_source: NoSourceOption = None,
    nli_model: Annotated[
        str | None,
        typer.Option(
            "--nli-model", help="The NLI model: a shipped one (science), a model hub's id, or a folder."
        ),
    ] = None,
    blind: Annotated[
        Blind | None,
        typer.Option(
            "--blind",
            help="The blind verifier: auto takes Claude where ANTHROPIC_API_KEY is set, else the offline "
            "stand-in.",
            show_default="auto",
        ),
    ] = None,
    max_claims: Annotated[
        int | None, typer.Option("--max-claims", min=1, help="Check only the first so many claims.")
    ] = None,
    max_error: Annotated[
        float | None,
        typer.Option(
            "--max-error",
            min=0.0,
            max=1.0,
            help="Withhold verdicts so that at most this share of the supported claims shown, and of the "
            "contradicted ones, is wrong: 0.1 for one in ten. Fewer verdicts are shown. Holds for claims "
            "like those the model was calibrated on; see its card.",
        ),
    ] = None,
    check_not_findings: Annotated[
        bool,
        typer.Option(
            "--check-not-findings",
            help="Judge also claims that assert nothing about the cited work: methods, data, software, "
            "background. Without it they are shown without a verdict.",
        ),
    ] = False,
    fail_on: FailOnOption = "",
    reference_checks: ReferenceChecksOption = True,
    attribution: AttributionOption = True,
    quiet: QuietOption = False,
    json_events: JsonEventsOption = False,
) -> None:
    """Check a manuscript's citations and write a report."""
    from veriscite.cli.options import build_settings, given_input, parse_fail_on, parse_formats
    from veriscite.cli.running import Job, run_job
    from veriscite.reporting import FORMATS

    chosen = parse_formats(formats, FORMATS)
    failing = parse_fail_on(fail_on, claims=True)
    settings = build_settings(
        offline=offline,
        nli_model=nli_model,
        blind=blind,
        max_claims=max_claims,
        attribution=attribution,
        max_error=max_error,
        only=source or (),
        without=no_source or (),
        check_not_findings=check_not_findings,
        reference_checks=reference_checks,
    )
    given, apart = given_input(manuscript, references, settings.reading.max_bytes)
    job = Job(
        manuscript=given,
        references=apart,
        library=tuple(library or ()),
        settings=settings,
        output=output,
        formats=chosen,
        quiet=quiet,
        json_events=json_events,
        fail_on=failing,
    )
    raise typer.Exit(run_job(job))


@app.command(help=help_texts.DEMO)
def demo(
    example_name: Annotated[
        ExampleName, typer.Option("--example", "-e", help="Which of the shipped manuscripts.")
    ] = ExampleName.NUMERIC,
    output: OutputOption = Path("demo-report"),
    formats: FormatOption = ALL_FORMATS,
    attribution: AttributionOption = True,
    quiet: QuietOption = False,
    json_events: JsonEventsOption = False,
) -> None:
    """Check a short manuscript that ships with VeriScite."""
    from veriscite.cli.options import demo_settings, parse_formats
    from veriscite.cli.running import Job, run_job
    from veriscite.examples import example
    from veriscite.reporting import FORMATS

    files = example(example_name.value)
    job = Job(
        manuscript=files.manuscript,
        references=files.references,
        library=files.library,
        settings=demo_settings(attribution=attribution),
        output=output,
        formats=parse_formats(formats, FORMATS),
        quiet=quiet,
        json_events=json_events,
    )
    raise typer.Exit(run_job(job))


@app.command(help=help_texts.DOCTOR)
def doctor(
    json_output: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Tell which models, verifiers and sources are active and why, and what is missing."""
    from veriscite.cli.findings import tell_findings
    from veriscite.cli.options import build_settings
    from veriscite.doctor import diagnose

    findings = diagnose(build_settings())
    tell_findings(findings, sys.stdout, as_json=json_output)
    raise typer.Exit(1 if any(finding.status == "missing" for finding in findings) else 0)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def main() -> None:
    """Run the command line; the entry point of the `veriscite` script.

    Errors of VeriScite become a message on standard error and an exit code: 2 for input that cannot be
    used, 3 for a run that could not go on, 130 for one stopped by Ctrl-C.
    """
    # Until a run begins there are only imports, whose objects all stay: see `running.run_job`.
    gc.disable()
    for stream in (sys.stdout, sys.stderr):
        # Symbols must not end a run on a terminal that cannot show them; the words say the same.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app()
    except SystemExit as exit:  # typer's way to end, Ctrl-C and a closed pipe included
        leave(exit.code if isinstance(exit.code, int) else 0)
    except VeriSciteError as error:
        typer.echo(f"error: {error.message}", err=True)
        if error.advice:
            typer.echo(f"  {error.advice}", err=True)
        leave(_exit_code(error))
    finally:
        gc.enable()  # for a program that calls this and lives on


def _exit_code(error: VeriSciteError) -> int:
    if isinstance(error, RunCancelledError):
        return EXIT_INTERRUPTED
    return EXIT_BAD_INPUT if isinstance(error, InputError) else EXIT_RUN_FAILED
