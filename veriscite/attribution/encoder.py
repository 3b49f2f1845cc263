"""What attribution needs of a classifier; whoever loads the model implements it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from veriscite.domain import Label

Answer = TypeVar("Answer")


class Encoder(Protocol):
    """A loaded sequence-pair classifier with its tokenizer."""

    @property
    def model(self) -> Any:
        """The torch module; called with the tokenizer's output it returns an object with `logits`."""
        ...

    @property
    def tokenizer(self) -> Any:
        """Its fast tokenizer."""
        ...

    @property
    def name(self) -> str:
        """As a person should read it."""
        ...

    @property
    def device(self) -> str:
        """Where it runs."""
        ...

    def label_index(self, label: Label) -> int | None:
        """Index of a label in the logits; None if the model never gives it."""
        ...

    def encode(self, pairs: Sequence[tuple[str, str]], *, offsets: bool = False) -> tuple[Any, list[bool]]:
        """Tokenise pairs of premise and claim; the second value tells which pairs were cut."""
        ...


class EncoderHost(Protocol):
    """Runs functions on an encoder in the one thread that may touch it."""

    async def run(self, job: Callable[[Any], Answer]) -> Answer:
        """Run a function that takes the loaded `Encoder`."""
        ...
