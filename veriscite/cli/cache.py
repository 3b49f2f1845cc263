"""`veriscite cache`: what sources answered before; look at it, clear it, hand it on."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from veriscite.cli import help_texts

cache = typer.Typer(
    name="cache",
    help=help_texts.CACHE,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_DAY_S = 86_400.0


@cache.command("show", help=help_texts.CACHE_SHOW)
def show(
    json_output: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
) -> None:
    """Show where the cache is and what is in it."""
    from veriscite.cli.options import build_settings
    from veriscite.reporting.text import plural, source_words
    from veriscite.wiring import answer_cache

    answers = answer_cache(build_settings())
    tally = answers.file.tally()
    if json_output:
        json.dump({"file": str(answers.path), "answers": [vars(one) for one in tally]}, sys.stdout)
        typer.echo()
        return
    typer.echo(f"{answers.path}: {plural(sum(one.count for one in tally), 'answer')}")
    for one in tally:
        days = f"{_day(one.oldest)} to {_day(one.newest)}"
        typer.echo(
            f"  {source_words(one.source):<18} {one.status.replace('_', ' '):<12} {one.count:>7,}  "
            f"{one.bytes / 1_000:>9,.0f} kB  {days}"
        )
    _tell_notes(answers.notes)


@cache.command("prune", help=help_texts.CACHE_PRUNE)
def prune(
    everything: Annotated[bool, typer.Option("--all", help="Delete all answers.")] = False,
    older_than: Annotated[
        float | None, typer.Option("--older-than", min=0, metavar="DAYS", help="Those older than this too.")
    ] = None,
    source_name: Annotated[
        str, typer.Option("--source-name", help="Those of this source too, as `cache show --json` names it.")
    ] = "",
) -> None:
    """Delete answers."""
    from veriscite.cli.options import build_settings
    from veriscite.reporting.text import plural
    from veriscite.wiring import answer_cache

    answers = answer_cache(build_settings())
    before = None if older_than is None else answers.file.now() - older_than * _DAY_S
    source = source_name.strip().replace("-", "_").replace(" ", "_")
    deleted = answers.file.prune(everything=everything, older_than=before, source=source)
    typer.echo(f"{plural(deleted, 'answer')} deleted.")
    _tell_notes(answers.notes)


@cache.command("export", help=help_texts.CACHE_EXPORT)
def export(
    file: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write all answers that still hold to a file."""
    from veriscite.cli.options import build_settings
    from veriscite.reporting.text import plural
    from veriscite.wiring import answer_cache, export_cache

    answers = answer_cache(build_settings())
    count = export_cache(answers, file, overwrite=force)
    typer.echo(f"{plural(count, 'answer')} written to {file}.")
    _tell_notes(answers.notes)


@cache.command("import", help=help_texts.CACHE_IMPORT)
def import_(
    file: Annotated[Path, typer.Argument(help="A file that `cache export` wrote.", show_default=False)],
) -> None:
    """Take answers of an exported file over."""
    from veriscite.cli.options import build_settings
    from veriscite.reporting.text import plural
    from veriscite.wiring import answer_cache, import_cache

    answers = answer_cache(build_settings())
    done = import_cache(answers, file)
    typer.echo(f"{plural(done.taken, 'answer')} taken over.")
    for count, why in (
        (done.older, "not newer than those kept here"),
        (done.expired, "past their time"),
        (done.refused, "no answers, left out"),
    ):
        if count:
            typer.echo(f"  {plural(count, 'line')}: {why}.")
    _tell_notes(answers.notes)


def _tell_notes(notes: list[str]) -> None:
    for note in notes:
        typer.echo(f"note: {note}", err=True)


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
