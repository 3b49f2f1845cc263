"""`veriscite models`: which models there are, what they are, whether they work, fetching one."""

import sys
from typing import Annotated

import typer

from veriscite.cli import help_texts
from veriscite.cli.leaving import EXIT_BAD_INPUT, EXIT_OK

models = typer.Typer(
    name="models",
    help=help_texts.MODELS,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="A shipped adapter, a folder, or a hub id.", show_default=False)
]
RevisionOption = Annotated[
    str | None, typer.Option("--revision", help="Branch, tag or commit of a hub id.", show_default="main")
]
OfflineOption = Annotated[bool, typer.Option("--offline", help="Ask nobody on the network.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


@models.command("list", help=help_texts.MODELS_LIST)
def list_models(json_output: JsonOption = False) -> None:
    """List the models on this machine, and which one the settings choose."""
    from veriscite.cli.models_told import tell_list
    from veriscite.cli.options import build_settings
    from veriscite.wiring import model_store

    tell_list(model_store(build_settings()).overview(), sys.stdout, as_json=json_output)


@models.command("show", help=help_texts.MODELS_SHOW)
def show(model: ModelArgument, revision: RevisionOption = None) -> None:
    """Show the card of a model on this machine."""
    from veriscite.cli.models_told import tell_card
    from veriscite.cli.options import build_settings
    from veriscite.wiring import model_store

    tell_card(model_store(build_settings()).card(model, revision), sys.stdout)


@models.command("check", help=help_texts.MODELS_CHECK)
def check(
    model: ModelArgument,
    revision: RevisionOption = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Look at its files only: do not load it and score a pair.")
    ] = False,
    offline: OfflineOption = False,
    json_output: JsonOption = False,
) -> None:
    """Tell whether a model can be used, and what to do if not."""
    from veriscite.cli.models_told import tell_check
    from veriscite.cli.options import build_settings
    from veriscite.wiring import model_store

    found = model_store(build_settings(offline=offline)).check(model, revision, quick=quick)
    tell_check(found, sys.stdout, as_json=json_output)
    raise typer.Exit(EXIT_OK if found.usable else EXIT_BAD_INPUT)


@models.command("pull", help=help_texts.MODELS_PULL)
def pull(
    model: Annotated[str, typer.Argument(metavar="HUB-ID", help="OWNER/NAME.", show_default=False)],
    revision: RevisionOption = None,
    offline: OfflineOption = False,
) -> None:
    """Fetch a model of the hub, once its config and labels have been found usable."""
    from veriscite.cli.models_told import tell_pull_begins, tell_pulled
    from veriscite.cli.options import build_settings
    from veriscite.wiring import model_store

    store = model_store(build_settings(offline=offline))
    done = store.pull(model, revision, announce=lambda seen, size: tell_pull_begins(seen, size, sys.stdout))
    tell_pulled(done, sys.stdout)
    raise typer.Exit(EXIT_OK if done.check.usable else EXIT_BAD_INPUT)
