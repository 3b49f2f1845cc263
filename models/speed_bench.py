"""How fast the NLI verifier is beside a plain loop: `python -m models.speed_bench`.

Both judge the same claims against the same abstracts with the same weights and the same reading of the
evidence, one after the other in one process. The plain loop is what one writes with transformers alone: the
model as the library gives it, one pair at a time, all cores for each pair. Prints a table and, last, one line
of JSON; says how many verdicts are the same, which should be all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.held_out import held_out_edits
from models.rows import Document, data_or_skip, seeded
from veriscite.domain import Label, Verdict
from veriscite.ports import ClaimAndEvidence
from veriscite.settings import StorageSettings
from veriscite.verification import lora
from veriscite.verification.adapters import shipped_adapter
from veriscite.verification.aggregate import PairScore, aggregate
from veriscite.verification.base_weights import base_weights
from veriscite.verification.batching import usable_cores
from veriscite.verification.calibration import Calibration, load_calibration
from veriscite.verification.nli import NliEncoder, NliVerifier
from veriscite.verification.nli_model import ModelChoice
from veriscite.verification.windows import premise_text

_SENTENCES = 8


def claims(data: Path, count: int) -> list[Document]:
    """Claims against abstracts of eight sentences, from abstracts that were not trained on."""
    edits = [e.document for e in held_out_edits(data) if len(e.document.sentences) >= _SENTENCES]
    chosen = seeded(7, "speed").sample(edits, min(count, len(edits)))
    return [Document(d.claim, d.sentences[:_SENTENCES], d.label, d.source, d.group) for d in chosen]


class PlainLoop:
    """The verifier as a plain loop over transformers' own model."""

    def __init__(self, adapter: str, cache: Path, cores: int) -> None:
        """Load base, adapter and tokenizer by transformers."""
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        folder, base = shipped_adapter(adapter).folder, base_weights(cache)
        model = AutoModelForSequenceClassification.from_pretrained(
            base, num_labels=3, ignore_mismatched_sizes=True, use_safetensors=True
        )
        self.model = lora.merged(model, folder).eval()
        self.tokenizer = AutoTokenizer.from_pretrained(base)
        self.calibration = load_calibration(folder) or Calibration()
        self.cores = cores

    def score(self, premise: str, claim: str) -> PairScore:
        """Margins of one pair."""
        import torch

        encoded = self.tokenizer(
            premise,
            claim,
            truncation="only_first",
            max_length=self.calibration.max_length,
            return_tensors="pt",
        )
        with torch.no_grad():
            support, contradict, unknown = self.model(**encoded).logits[0].tolist()
        return PairScore(support - unknown, contradict - unknown)

    def judge(self, document: Document) -> Label:
        """Read the evidence as the verifier does and name the deciding sentence."""
        premises = self.calibration.premises(document.claim, document.sentences)
        scores = [self.score(premise_text(document.sentences, p), document.claim) for p in premises]
        result = aggregate(scores, self.calibration)
        if result.window is not None:
            alone = [self.score(document.sentences[i], document.claim) for i in premises[result.window]]
            max(alone, key=lambda score: score.log_odds(result.label))
        return result.label

    def run(self, documents: Sequence[Document]) -> tuple[list[Label], float]:
        """Labels, and seconds."""
        import torch

        before = torch.get_num_threads()
        torch.set_num_threads(self.cores)
        self.judge(documents[0])
        began = time.perf_counter()
        labels = [self.judge(document) for document in documents]
        seconds = time.perf_counter() - began
        torch.set_num_threads(before)
        return labels, seconds


async def ours(encoder: NliEncoder, documents: Sequence[Document]) -> tuple[list[Label], float]:
    """The same by the verifier: labels, and seconds."""
    verifier = NliVerifier(encoder)
    questions = [ClaimAndEvidence(claim=d.claim, sentences=d.sentences) for d in documents]
    await verifier.verify(questions[0])
    began = time.perf_counter()
    outcomes = await asyncio.gather(*(verifier.verify(question) for question in questions))
    seconds = time.perf_counter() - began
    return [outcome.label for outcome in outcomes if isinstance(outcome, Verdict)], seconds


async def measure(options: argparse.Namespace, documents: Sequence[Document]) -> dict[str, Any]:
    """Both ways, in turn, as often as asked; the best time of each counts."""
    cache = options.cache or StorageSettings().cache_dir
    encoder = NliEncoder(ModelChoice(options.model, cache))
    began = time.perf_counter()
    await encoder.load()
    loading = time.perf_counter() - began
    plain = PlainLoop(options.model, cache, usable_cores())
    times: dict[str, list[float]] = {"plain": [], "ours": []}
    same = 0
    for _ in range(options.rounds):
        expected, seconds = await asyncio.to_thread(plain.run, documents)
        times["plain"].append(seconds)
        found, seconds = await ours(encoder, documents)
        times["ours"].append(seconds)
        same = sum(a == b for a, b in zip(expected, found, strict=True))
    await encoder.aclose()
    return {
        "claims": len(documents),
        "same_verdicts": same,
        "plain_s_per_claim": round(min(times["plain"]) / len(documents), 4),
        "ours_s_per_claim": round(min(times["ours"]) / len(documents), 4),
        "nli_speedup": round(min(times["plain"]) / min(times["ours"]), 2),
        "load_s": round(loading, 2),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "cores": usable_cores(),
        "machine": platform.processor() or platform.machine(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m models.speed_bench", description=__doc__)
    parser.add_argument("--model", default="science", help="shipped adapter")
    parser.add_argument("--claims", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=2, help="how often each way is timed; the best counts")
    parser.add_argument("--cache", type=Path, help="cache folder of the base weights (the user's cache)")
    options = parser.parse_args(arguments)
    data = data_or_skip()
    if data is None:
        return 0
    found = asyncio.run(measure(options, claims(data, options.claims)))
    print("| way | seconds a claim |\n| --- | --- |")
    print(
        f"| plain loop | {found['plain_s_per_claim']:.3f} |\n| VeriScite | {found['ours_s_per_claim']:.3f} |"
    )
    print(f"\n{found['same_verdicts']} of {found['claims']} verdicts are the same.\n")
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
