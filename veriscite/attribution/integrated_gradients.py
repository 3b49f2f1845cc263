"""Integrated Gradients (Sundararajan et al., 2017) of a verdict over claim and decisive sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from veriscite.attribution.encoder import Encoder, EncoderHost
from veriscite.attribution.quadrature import Effort, Integral, Sample, integrate
from veriscite.domain import Attribution, Label, Span, TokenScore
from veriscite.errors import ModelError

BASELINE = "padding in place of every word; the marks between claim and evidence kept"


class IntegratedGradientsAttributor:
    """Explains an encoder's verdicts. Implements `veriscite.ports.Attributor`.

    The output explained is the log-odds of the target label against the other labels. The integral runs over
    the output of the whole embedding layer (word, position and type embeddings with their norm), from a
    baseline in which every token but the special ones is padding, and is sampled where the output turns (see
    `quadrature`).
    """

    def __init__(self, host: EncoderHost, effort: Effort | None = None) -> None:
        """Explain the model that `host` runs."""
        self._host = host
        self._effort = effort or Effort()

    async def attribute(self, claim: str, sentence: str, sentence_index: int, target: Label) -> Attribution:
        """Attribute the model's output for `target` to the tokens of claim and sentence.

        Args:
            claim: The claim, which the model reads second.
            sentence: The decisive sentence, which the model reads first.
            sentence_index: Its index in the evidence.
            target: The label to explain.

        Raises:
            ModelError: The model has no such label or no embedding layer, or its gradients are not finite.
        """
        effort = self._effort

        def job(encoder: Any) -> Attribution:
            return explain(encoder, claim, sentence, sentence_index, target, effort)

        return await self._host.run(job)


def explain(
    encoder: Encoder, claim: str, sentence: str, sentence_index: int, target: Label, effort: Effort
) -> Attribution:
    """Do the work of `IntegratedGradientsAttributor.attribute`, in the thread of the model."""
    index = encoder.label_index(target)
    if index is None:
        raise ModelError(f"{encoder.name} has no output for {target}, so there is nothing to explain.")
    encoded, _ = encoder.encode([(sentence, claim)], offsets=True)
    offsets = encoded.pop("offset_mapping")[0].tolist()
    parts = encoded.sequence_ids(0)
    inputs = encoded.to(encoder.device)
    with _frozen(encoder.model):
        found = _integrate(encoder, inputs, parts, index, effort)
    return Attribution(
        target=target,
        claim_text=claim,
        sentence=sentence,
        claim=_tokens(claim, parts, offsets, found.scores, part=1),
        evidence=_tokens(sentence, parts, offsets, found.scores, part=0),
        sentence_index=sentence_index,
        baseline=BASELINE,
        steps=found.samples,
        convergence_delta=found.delta,
        output_difference=found.difference,
        model=encoder.name,
    )


def _integrate(
    encoder: Encoder, inputs: Any, parts: Sequence[int | None], index: int, effort: Effort
) -> Integral:
    import torch
    from captum.attr import IntegratedGradients, LayerIntegratedGradients

    ids = inputs["input_ids"]
    padding = encoder.tokenizer.pad_token_id
    if padding is None:
        raise ModelError(f"{encoder.name} has no padding token to start the integral from.")
    words = torch.tensor([[part is not None for part in parts]], device=ids.device)
    baseline = torch.where(words, torch.full_like(ids, padding), ids)
    rest = {name: value for name, value in inputs.items() if name != "input_ids"}
    names = tuple(rest)
    outputs: list[float] = []

    def output(token_ids: Any, *values: Any) -> Any:
        found = _log_odds(
            encoder.model(input_ids=token_ids, **dict(zip(names, values, strict=True))).logits, index
        )
        outputs[:] = found.tolist()
        return found

    class Path(IntegratedGradients):  # type: ignore[misc]
        """Captum's gradients at points of our choice; it hands over embeddings of input and baseline."""

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

    method = LayerIntegratedGradients(output, _embedding_layer(encoder))
    method.ig = Path(output)
    try:
        method.attribute(
            ids, baselines=baseline, additional_forward_args=tuple(value[:1] for value in rest.values())
        )
    except RuntimeError as error:
        raise ModelError(f"Integrated Gradients failed on {encoder.name}: {error}") from error
    except ValueError as error:
        raise ModelError(f"{encoder.name} gave numbers that are not finite: {error}") from error
    integral: Integral | None = method.ig.integral
    assert integral is not None
    return integral


def _log_odds(logits: Any, index: int) -> Any:
    """Log-odds of one class against all others.

    Args:
        logits: Shape (batch, classes).
        index: The class.

    Returns:
        Shape (batch,).
    """
    import torch

    others = [i for i in range(logits.shape[-1]) if i != index]
    return logits[:, index].float() - torch.logsumexp(logits[:, others].float(), dim=-1)


def _embedding_layer(encoder: Encoder) -> Any:
    """The whole embedding layer of the encoder inside a classifier, as DeBERTa, BERT and RoBERTa have it."""
    base = getattr(encoder.model, getattr(encoder.model, "base_model_prefix", ""), None)
    layer = getattr(base, "embeddings", None)
    if layer is None:
        raise ModelError(
            f"{encoder.name} keeps its embeddings where Integrated Gradients does not find them.",
            advice="DeBERTa, BERT and RoBERTa encoders can be explained; the verdicts stand without.",
        )
    return layer


@contextmanager
def _frozen(model: Any) -> Iterator[None]:
    """Switch off gradients of the weights: only those of the embeddings' output are wanted."""
    wanted = [p for p in model.parameters() if p.requires_grad]
    for parameter in wanted:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in wanted:
            parameter.requires_grad_(True)


def _tokens(
    text: str,
    parts: Sequence[int | None],
    offsets: Sequence[Sequence[int]],
    scores: Sequence[float],
    part: int,
) -> tuple[TokenScore, ...]:
    """Tokens of one text with their spans; the blank that a token begins with is left out of its span."""
    tokens = []
    for own, (start, end), score in zip(parts, offsets, scores, strict=True):
        if own != part or start >= end:
            continue
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        if start < end:
            tokens.append(TokenScore(text=text[start:end], span=Span(start=start, end=end), score=score))
    return tuple(tokens)
