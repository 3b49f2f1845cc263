"""Integrated Gradients (Sundararajan et al., 2017) of a verdict over claim and decisive sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veriscite.attribution.deletion import deletion_test
from veriscite.attribution.encoder import Encoder, EncoderHost, log_odds
from veriscite.attribution.quadrature import Effort, Integral, Sample, integrate
from veriscite.domain import Attribution, Label, Span, TokenScore
from veriscite.errors import ModelError


class Baseline(StrEnum):
    """Which token stands in place of every word where the integral starts."""

    PADDING = "padding"
    MASK = "mask"


_BASELINE_WORDS = {
    Baseline.PADDING: "padding in place of every word; the marks between claim and evidence kept",
    Baseline.MASK: "the mask in place of every word; the marks between claim and evidence kept",
}


class IntegratedGradientsAttributor:
    """Explains an encoder's verdicts. Implements `veriscite.ports.Attributor`.

    The output explained is the log-odds of the target label against the other labels. The integral runs over
    the output of the whole embedding layer (word, position and type embeddings with their norm), from a
    baseline in which every token but the special ones is padding (or the mask), and is sampled where the
    output turns (see `quadrature`). Whether the label hangs on the words found is then tested by leaving them
    out (see `deletion`).
    """

    def __init__(
        self, host: EncoderHost, effort: Effort | None = None, baseline: Baseline = Baseline.PADDING
    ) -> None:
        """Explain the model that `host` runs."""
        self._host = host
        self._effort = effort or Effort()
        self._baseline = baseline

    async def attribute(self, claim: str, sentence: str, sentence_index: int, target: Label) -> Attribution:
        """Attribute the model's output for `target` to the tokens of claim and sentence.

        Args:
            claim: The claim, which the model reads second.
            sentence: The decisive sentence, which the model reads first.
            sentence_index: Its index in the evidence.
            target: The label to explain.

        Raises:
            ModelError: The model has no such label, no embedding layer or no token to start from, or its
                numbers are not finite.
        """
        effort, baseline = self._effort, self._baseline

        def job(encoder: Any) -> Attribution:
            return explain(encoder, claim, sentence, sentence_index, target, effort, baseline)

        return await self._host.run(job)


def explain(
    encoder: Encoder,
    claim: str,
    sentence: str,
    sentence_index: int,
    target: Label,
    effort: Effort,
    baseline: Baseline = Baseline.PADDING,
) -> Attribution:
    """Do the work of `IntegratedGradientsAttributor.attribute`, in the thread of the model."""
    attribution, output = integrated(encoder, claim, sentence, sentence_index, target, effort, baseline)
    return attribution.model_copy(update={"deletion": deletion_test(encoder, attribution, output)})


def integrated(
    encoder: Encoder,
    claim: str,
    sentence: str,
    sentence_index: int,
    target: Label,
    effort: Effort,
    baseline: Baseline = Baseline.PADDING,
) -> tuple[Attribution, float]:
    """Integrate without testing the result.

    Returns:
        The attribution, and the log-odds of the target label for the whole pair.
    """
    pair = prepare(encoder, claim, sentence, target, baseline)
    with frozen(encoder.model):
        found = _integrate(encoder, pair, effort)
    attribution = Attribution(
        target=target,
        claim_text=claim,
        sentence=sentence,
        claim=_tokens(claim, pair, found.scores, part=1),
        evidence=_tokens(sentence, pair, found.scores, part=0),
        sentence_index=sentence_index,
        baseline=_BASELINE_WORDS[baseline],
        steps=found.samples,
        convergence_delta=found.delta,
        output_difference=found.difference,
        model=encoder.name,
    )
    return attribution, found.output


@dataclass(frozen=True)
class Pair:
    """A pair as the model reads it, and where the integral over it starts.

    Attributes:
        index: The output that is explained.
        ids: Token ids, shape (1, tokens).
        baseline: Token ids at the start, of the same shape.
        rest: The tokenizer's other outputs by name, each of the same shape.
        parts: For each token 0 (sentence), 1 (claim) or None (special).
        offsets: For each token its start and end in its text.
    """

    index: int
    ids: Any
    baseline: Any
    rest: dict[str, Any]
    parts: Sequence[int | None]
    offsets: Sequence[Sequence[int]]

    def output(self, encoder: Encoder, ids: Any, *rest: Any) -> Any:
        """Log-odds of the label explained, shape (batch,); `rest` in the order of the attribute."""
        named = dict(zip(self.rest, rest, strict=True))
        return log_odds(encoder.model(input_ids=ids, **named).logits, self.index)


def prepare(encoder: Encoder, claim: str, sentence: str, target: Label, baseline: Baseline) -> Pair:
    """Tokenise a pair and make its baseline.

    Raises:
        ModelError: The model has no such label, or no token to start from.
    """
    import torch

    index = encoder.label_index(target)
    if index is None:
        raise ModelError(f"{encoder.name} has no output for {target}, so there is nothing to explain.")
    tokenizer = encoder.tokenizer
    start = tokenizer.pad_token_id if baseline is Baseline.PADDING else tokenizer.mask_token_id
    if start is None:
        raise ModelError(f"{encoder.name} has no {baseline} token to start the integral from.")
    encoded, _ = encoder.encode([(sentence, claim)], offsets=True)
    offsets = encoded.pop("offset_mapping")[0].tolist()
    parts = encoded.sequence_ids(0)
    rest = dict(encoded.to(encoder.device))
    ids = rest.pop("input_ids")
    words = torch.tensor([[part is not None for part in parts]], device=ids.device)
    return Pair(index, ids, torch.where(words, torch.full_like(ids, start), ids), rest, parts, offsets)


def _integrate(encoder: Encoder, pair: Pair, effort: Effort) -> Integral:
    import torch
    from captum.attr import IntegratedGradients

    layer = embedding_layer(encoder)
    outputs: list[float] = []

    def from_embeddings(embedded: Any, *inputs: Any) -> Any:
        with _hooked(layer, lambda *_: embedded):
            found = pair.output(encoder, *inputs)
        outputs[:] = found.tolist()
        return found

    class Path(IntegratedGradients):  # type: ignore[misc]
        """Captum's gradients at points of our choice."""

        integral: Integral | None = None

        def _attribute(self, inputs: Any, baselines: Any, **options: Any) -> tuple[Any, ...]:
            (end,), (start,) = inputs, baselines
            way = end - start

            def sample(points: Sequence[float]) -> list[Sample]:
                alphas = torch.tensor(points, dtype=way.dtype, device=way.device).view(-1, 1, 1)
                (gradients,) = self.gradient_func(
                    forward_fn=self.forward_func,
                    inputs=((start + alphas * way).requires_grad_(),),
                    target_ind=None,
                    additional_forward_args=tuple(
                        value.expand(len(points), -1) for value in options["additional_forward_args"]
                    ),
                )
                slopes = (gradients * way).sum(dim=-1).double().cpu()
                totals = slopes.sum(dim=-1).tolist()
                return [Sample(*values) for values in zip(points, list(outputs), slopes, totals, strict=True)]

            self.integral = integrate(sample, effort)
            # Captum wants scores of the embeddings' shape back.
            return (torch.zeros_like(end),)

    # Captum's own method for layers runs the whole model twice more, to learn the embeddings.
    method = Path(from_embeddings)
    rest = tuple(value[:1] for value in pair.rest.values())
    try:
        method.attribute(
            _embedded(encoder, layer, pair, pair.ids),
            baselines=_embedded(encoder, layer, pair, pair.baseline),
            additional_forward_args=(pair.ids, *rest),
        )
    except RuntimeError as error:
        raise ModelError(f"Integrated Gradients failed on {encoder.name}: {error}") from error
    except ValueError as error:
        raise ModelError(f"{encoder.name} gave numbers that are not finite: {error}") from error
    integral: Integral | None = method.integral
    assert integral is not None
    return integral


@contextmanager
def _hooked(layer: Any, hook: Any) -> Iterator[None]:
    """Let `hook` see, or replace, what the layer puts out."""
    handle = layer.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


class _SeenError(Exception):
    """Ends a forward pass of which no more is wanted."""


def _embedded(encoder: Encoder, layer: Any, pair: Pair, ids: Any) -> Any:
    """What the embedding layer makes of some token ids, shape (1, tokens, width)."""
    import torch

    seen: list[Any] = []

    def stop(_module: Any, _inputs: Any, output: Any) -> None:
        seen.append(output)
        raise _SeenError

    with _hooked(layer, stop), torch.no_grad(), suppress(_SeenError):
        pair.output(encoder, ids, *(value[:1] for value in pair.rest.values()))
    return seen[0]


def embedding_layer(encoder: Encoder) -> Any:
    """The whole embedding layer of the encoder inside a classifier, as DeBERTa, BERT and RoBERTa have it.

    Raises:
        ModelError: There is none.
    """
    base = getattr(encoder.model, getattr(encoder.model, "base_model_prefix", ""), None)
    layer = getattr(base, "embeddings", None)
    if layer is None:
        raise ModelError(
            f"{encoder.name} keeps its embeddings where Integrated Gradients does not find them.",
            advice="DeBERTa, BERT and RoBERTa encoders can be explained; the verdicts stand without.",
        )
    return layer


@contextmanager
def frozen(model: Any) -> Iterator[None]:
    """Switch off gradients of the weights: only those of the embeddings' output are wanted."""
    wanted = [p for p in model.parameters() if p.requires_grad]
    for parameter in wanted:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in wanted:
            parameter.requires_grad_(True)


def _tokens(text: str, pair: Pair, scores: Sequence[float], part: int) -> tuple[TokenScore, ...]:
    """Tokens of one text with their spans; the blank that a token begins with is left out of its span."""
    tokens = []
    for own, (start, end), score in zip(pair.parts, pair.offsets, scores, strict=True):
        if own != part or start >= end:
            continue
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        if start < end:
            tokens.append(TokenScore(text=text[start:end], span=Span(start=start, end=end), score=score))
    return tuple(tokens)
