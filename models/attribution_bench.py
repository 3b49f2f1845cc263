"""Whether attributions name the words that decided, and what they cost: `python -m models.attribution_bench`.

Sentences of abstracts that no training row was made from are edited in one place each, so that it is known
which words contradict the original. Where the verdict is CONTRADICT it is explained, once with each token
that an integral can start from. Beside that, the same pairs are explained by captum as one would call it
without thinking: 50 Gauss-Legendre steps, one at a time. All run on one thread, and seconds are those of the
processor, so that other programs on the machine do not count. Prints tables and, last, one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from statistics import mean
from typing import Any

from models.distortions import plain_claim
from models.held_out import HeldOutEdit, held_out_edits
from models.rows import CONTRADICT, data_or_skip, is_reserved, seeded
from veriscite.attribution.encoder import Encoder
from veriscite.attribution.integrated_gradients import (
    Baseline,
    embedding_layer,
    explain,
    frozen,
    integrated,
    prepare,
)
from veriscite.attribution.quadrature import Effort
from veriscite.domain import Attribution, Label, Span, word_spans
from veriscite.settings import StorageSettings
from veriscite.verification.aggregate import aggregate
from veriscite.verification.nli_model import ModelChoice, NliModel, load_nli_model

TOP = 3
_CAPTUM_STEPS = 50
_BATCH = 8


@dataclass(frozen=True)
class Planted:
    """A claim that one edit made contradict a sentence.

    Attributes:
        changed: Where the claim's words that the edit put there stand; at least one.
    """

    kind: str
    claim: str
    sentence: str
    changed: tuple[Span, ...]


@dataclass(frozen=True)
class Timing:
    """Processor seconds for one attribution each way, and how far each is off.

    Attributes:
        ours: Our integral, without the deletion test.
        tested: Our integral and the deletion test.
        captum: Captum's default.
        our_delta: Convergence delta relative to what is explained, of which less than one unit counts as one.
        captum_delta: The same of captum's default.
    """

    ours: float
    tested: float
    captum: float
    our_delta: float
    captum_delta: float


def changed_words(before: str, after: str) -> tuple[Span, ...]:
    """Return where the words of `after` stand that are new or in place of others of `before`.

    Words that were only taken out leave nothing to point at, so they give no span.
    """
    spans = word_spans(after)
    old = [span.of(before).lower() for span in word_spans(before)]
    new = [span.of(after).lower() for span in spans]
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(spans[j] for tag, _, _, start, end in blocks if tag != "equal" for j in range(start, end))


def planted(data: Path, seed: int = 17) -> Iterator[Planted]:
    """Yield contradicting edits of the abstracts reserved for the examples, the kinds in turn.

    The held-out fold is left alone: windows of its abstracts stand in training rows as unrelated evidence.
    """
    by_kind: dict[str, list[HeldOutEdit]] = defaultdict(list)
    for edit in held_out_edits(data, of_a_kind=sys.maxsize):
        if edit.document.label == CONTRADICT and is_reserved(edit.document.group):
            by_kind[edit.kind].append(edit)
    rng = seeded(seed, "planted")
    for _, edits in sorted(by_kind.items()):
        rng.shuffle(edits)
    for round_ in zip_longest(*(edits for _, edits in sorted(by_kind.items()))):
        for edit in round_:
            if edit is None:
                continue
            changed = changed_words(plain_claim(edit.original), edit.document.claim)
            if changed:
                yield Planted(edit.kind, edit.document.claim, edit.original, changed)


def contradicted(model: NliModel, edits: Iterator[Planted], count: int) -> list[Planted]:
    """Return the first edits that the model says are contradicted by their original sentence."""
    found: list[Planted] = []
    for batch in _batches(edits, _BATCH):
        for edit, score in zip(batch, model.score([(e.sentence, e.claim) for e in batch]), strict=True):
            if aggregate([score], model.calibration).label is Label.CONTRADICT:
                found.append(edit)
        if len(found) >= count:
            break
    return found[:count]


def _batches(edits: Iterator[Planted], size: int) -> Iterator[list[Planted]]:
    batch: list[Planted] = []
    for edit in edits:
        batch.append(edit)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def names_a_change(attribution: Attribution, changed: Sequence[Span], top: int = TOP) -> bool:
    """Whether a changed word is among the claim's `top` words by score towards the target."""
    ranked = sorted(attribution.claim_words, key=lambda word: -word.score)[:top]
    return any(word.span in changed for word in ranked)


def chance(words: int, changed: int, top: int = TOP) -> float:
    """How probable it is that `top` words drawn at random hold one of those changed."""
    return 1 - math.comb(words - changed, min(top, words)) / math.comb(words, min(top, words))


def summary(
    edits: Sequence[Planted], found: Sequence[Attribution], seconds: Sequence[float]
) -> dict[str, Any]:
    """Means over the explained edits; None where nothing was measured."""
    tests = [a.deletion for a in found if a.deletion]
    return {
        "top3": _mean([names_a_change(a, e.changed) for a, e in zip(found, edits, strict=True)]),
        "relative_delta": _mean([a.relative_delta for a in found]),
        "trusted": _mean([a.trusted for a in found]),
        "top_drop": _mean([t.top_drop for t in tests]),
        "random_drop": _mean([t.random_drop for t in tests]),
        "steps": _mean([a.steps for a in found]),
        "seconds": _mean(seconds),
    }


def explained(
    encoder: Encoder, edits: Sequence[Planted], baseline: Baseline
) -> tuple[list[Attribution], list[float]]:
    """Explain every edit, and tell how many processor seconds each took."""
    found, seconds = [], []
    for edit in edits:
        began = time.process_time()
        found.append(explain(encoder, edit.claim, edit.sentence, 0, Label.CONTRADICT, Effort(), baseline))
        seconds.append(time.process_time() - began)
    return found, seconds


def captum_default(encoder: Encoder, claim: str, sentence: str, target: Label) -> float:
    """Explain a pair by captum's own layer integrated gradients.

    Returns:
        The sum of the scores.
    """
    from captum.attr import LayerIntegratedGradients

    pair = prepare(encoder, claim, sentence, target, Baseline.PADDING)

    def output(ids: Any, *rest: Any) -> Any:
        return pair.output(encoder, ids, *rest)

    with frozen(encoder.model):
        scores = LayerIntegratedGradients(output, embedding_layer(encoder)).attribute(
            pair.ids,
            baselines=pair.baseline,
            additional_forward_args=tuple(pair.rest.values()),
            n_steps=_CAPTUM_STEPS,
            internal_batch_size=1,
        )
    return float(scores.double().sum())


def timed(encoder: Encoder, edit: Planted) -> Timing:
    """Explain one edit each way, one after the other."""
    target, effort = Label.CONTRADICT, Effort()
    began = time.process_time()
    attribution, _ = integrated(encoder, edit.claim, edit.sentence, 0, target, effort)
    integral = time.process_time()
    total = captum_default(encoder, edit.claim, edit.sentence, target)
    plain = time.process_time()
    explain(encoder, edit.claim, edit.sentence, 0, target, effort)
    whole = time.process_time()
    difference = attribution.output_difference
    return Timing(
        ours=integral - began,
        tested=whole - plain,
        captum=plain - integral,
        our_delta=attribution.relative_delta,
        captum_delta=abs(total - difference) / max(1.0, abs(difference)),
    )


def seconds_at(encoder: Encoder, edits: Sequence[Planted], tolerance: float) -> float | None:
    """Mean processor seconds of our integral when each pair's relative delta must be within a tolerance."""
    effort = Effort(most=_CAPTUM_STEPS, max_relative_delta=tolerance)
    began = time.process_time()
    for edit in edits:
        integrated(encoder, edit.claim, edit.sentence, 0, Label.CONTRADICT, effort)
    return (time.process_time() - began) / len(edits) if edits else None


def speed(timings: Sequence[Timing], no_worse: float | None = None) -> dict[str, Any]:
    """Means over the timed pairs, and how many times longer captum's default takes.

    Args:
        timings: Of each pair.
        no_worse: Our mean seconds where every delta had to be within captum's mean.
    """
    ours, tested, captum = (
        _mean([t.ours for t in timings]),
        _mean([t.tested for t in timings]),
        _mean([t.captum for t in timings]),
    )
    return {
        "speed_pairs": len(timings),
        "ig_speedup": captum / ours if captum and ours else None,
        "ig_speedup_with_test": captum / tested if captum and tested else None,
        "ig_speedup_no_worse_delta": captum / no_worse if captum and no_worse else None,
        "ig_seconds": ours,
        "ig_seconds_no_worse_delta": no_worse,
        "ig_seconds_with_test": tested,
        "captum_seconds": captum,
        "ig_relative_delta": _mean([t.our_delta for t in timings]),
        "captum_relative_delta": _mean([t.captum_delta for t in timings]),
        "ig_worst_delta": max((t.our_delta for t in timings), default=None),
        "captum_worst_delta": max((t.captum_delta for t in timings), default=None),
    }


def _mean(values: Sequence[float]) -> float | None:
    return float(mean(values)) if values else None


def _rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _print_tables(by_baseline: dict[Baseline, dict[str, Any]], random_top3: float | None, times: Any) -> None:
    print(
        f"A changed word among the claim's top {TOP} at random: {_shown(random_top3)}\n\n"
        "| start | change in top 3 | relative delta | trusted | top drop | random drop | steps | seconds |"
    )
    print("|" + " --- |" * 8)
    for baseline, found in by_baseline.items():
        print(f"| {baseline} | " + " | ".join(_shown(value) for value in found.values()) + " |")
    print("\n| integral | seconds | relative delta | worst |\n|" + " --- |" * 4)
    for name, key in (("ours", "ig"), (f"captum, {_CAPTUM_STEPS} steps", "captum")):
        cells = (times[f"{key}_seconds"], times[f"{key}_relative_delta"], times[f"{key}_worst_delta"])
        print(f"| {name} | " + " | ".join(map(_shown, cells)) + " |")
    no_worse = _shown(times["ig_seconds_no_worse_delta"])
    print(f"| ours, every delta within captum's mean | {no_worse} | | |")
    print(f"| ours with the deletion test | {_shown(times['ig_seconds_with_test'])} | | |\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Explain planted contradictions with one model."""
    parser = argparse.ArgumentParser(prog="python -m models.attribution_bench", description=__doc__)
    parser.add_argument("--pairs", type=int, default=60, help="contradictions to explain")
    parser.add_argument("--speed-pairs", type=int, default=10, help="of them, how many to time beside captum")
    parser.add_argument("--adapter", default="science", help="shipped adapter, folder, or hub id")
    parser.add_argument("--cache", type=Path, help="cache folder of the base weights (the user's cache)")
    parser.add_argument("--output", type=Path, help="write the line of JSON here too")
    parser.add_argument("--smoke", action="store_true", help="a few pairs only, to see that it runs")
    options = parser.parse_args(arguments)
    data = data_or_skip()
    if data is None:
        return 0
    pairs, speed_pairs = (3, 1) if options.smoke else (options.pairs, options.speed_pairs)
    cache = options.cache or StorageSettings().cache_dir
    model = load_nli_model(ModelChoice(options.adapter, cache, threads=1))
    edits = contradicted(model, planted(data), pairs)
    if not edits:
        print("No edit was judged CONTRADICT: there is nothing to explain.", file=sys.stderr)
        return 1
    print(f"{model.name} ({model.revision}): {len(edits)} contradictions", file=sys.stderr, flush=True)
    # The first pass through a model is slower than all that follow.
    captum_default(model, edits[0].claim, edits[0].sentence, Label.CONTRADICT)
    by_baseline = {b: summary(edits, *explained(model, edits, b)) for b in Baseline}
    timings = [timed(model, edit) for edit in edits[:speed_pairs]]
    captum_mean = _mean([t.captum_delta for t in timings]) or 0.0
    times = speed(timings, seconds_at(model, edits[:speed_pairs], captum_mean))
    random_top3 = _mean([chance(len(word_spans(e.claim)), len(e.changed)) for e in edits])
    print(f"{model.name} ({model.revision}), {len(edits)} contradictions\n")
    _print_tables(by_baseline, random_top3, times)
    found: dict[str, Any] = {
        "model": model.name,
        "revision": model.revision,
        "pairs": len(edits),
        "kinds": {kind: sum(e.kind == kind for e in edits) for kind in sorted({e.kind for e in edits})},
        "chance_top3": random_top3,
    }
    for baseline, values in by_baseline.items():
        found |= {f"attribution_{baseline}_{name}": value for name, value in values.items()}
    line = json.dumps({key: _rounded(value) for key, value in (found | times).items()})
    print(line)
    if options.output:
        options.output.write_text(line + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
