"""What attribution needs of a classifier (whoever loads one implements it), and how to read its output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from veriscite.domain import Label
from veriscite.errors import ModelError

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


def log_odds(logits: Any, index: int) -> Any:
    """Log-odds of one class against all others.

    Args:
        logits: Shape (batch, classes).
        index: The class.

    Returns:
        Shape (batch,), natural logarithm.
    """
    import torch

    others = [i for i in range(logits.shape[-1]) if i != index]
    return logits[:, index].float() - torch.logsumexp(logits[:, others].float(), dim=-1)


def score_pairs(encoder: Encoder, pairs: Sequence[tuple[str, str]], index: int) -> list[float]:
    """Log-odds of one class for pairs of premise and claim, in one batch and without gradients.

    Raises:
        ModelError: torch fails, or a number is not finite.
    """
    import torch

    encoded, _ = encoder.encode(pairs)
    try:
        with torch.inference_mode():
            found = log_odds(encoder.model(**encoded.to(encoder.device)).logits, index)
    except RuntimeError as error:
        raise ModelError(f"{encoder.name} failed on a batch of {len(pairs)}: {error}") from error
    if not torch.isfinite(found).all():
        raise ModelError(f"{encoder.name} gave numbers that are not finite.")
    return [float(value) for value in found.cpu()]


class EncoderHost(Protocol):
    """Runs functions on an encoder in the one thread that may touch it."""

    async def run(self, job: Callable[[Any], Answer]) -> Answer:
        """Run a function that takes the loaded `Encoder`."""
        ...
