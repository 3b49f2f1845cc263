"""Fine-tune one adapter: `python -m models.train --adapter science`.

Seeded and resumable: it goes on from the last checkpoint in the output folder if the settings are the same.
Loss and scores on the held-out training fold are appended to `log.jsonl`. `--smoke` runs the whole path on a
few rows.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from models.batches import Encoded, encode, length_buckets, tensors
from models.data import TABLES, build
from models.plots import curve_name, training_curve
from models.rows import NOT_SUPPORT, Row
from models.scores import macro_f1
from models.trainable import LoraOnBase, Trainable, WholeCheckpoint
from veriscite.settings import StorageSettings
from veriscite.verification.adapters import WEIGHTS, weights_revision
from veriscite.verification.base_weights import base_weights


@dataclass(frozen=True)
class Recipe:
    """Everything that decides what comes out."""

    adapter: str
    seed: int = 13
    epochs: int = 1
    learning_rate: float = 4e-4
    warmup: float = 0.08
    weight_decay: float = 0.01
    label_smoothing: float = 0.05
    batch: int = 16
    batch_tokens: int = 3072
    max_length: int = 192
    rank: int = 16
    alpha: int = 32
    first_layer: int = 6
    bf16: bool = False
    rows: int | None = None
    starts_from: str = ""
    checkpoint: str = ""


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m models.train", description=__doc__)
    parser.add_argument("--adapter", choices=sorted(TABLES), default="science")
    parser.add_argument("--output", type=Path, help="folder for checkpoints and the adapter (runs/NAME)")
    parser.add_argument("--cache", type=Path, help="cache folder of the base weights (the user's cache)")
    parser.add_argument("--start-from", type=Path, help="folder of an adapter to go on from (a later stage)")
    parser.add_argument(
        "--checkpoint", type=Path, help="folder of another encoder, to train whole in place of the base"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--learning-rate", type=float, default=4e-4)
    parser.add_argument("--first-layer", type=int, default=6, help="layers below this one stay as they are")
    parser.add_argument(
        "--bf16", action="store_true", help="autocast; far slower where the CPU lacks AVX512-BF16"
    )
    parser.add_argument("--checkpoint-every", type=int, default=100, help="steps between checkpoints")
    parser.add_argument(
        "--dev-every", type=int, default=250, help="steps between scores on the held-out fold"
    )
    parser.add_argument("--smoke", action="store_true", help="200 rows, one checkpoint, one dev score")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train; returns the exit code."""
    options = parse(arguments)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    recipe = Recipe(
        adapter=options.adapter,
        seed=options.seed,
        epochs=options.epochs,
        learning_rate=options.learning_rate,
        first_layer=options.first_layer,
        bf16=options.bf16,
        starts_from=weights_revision(options.start_from / WEIGHTS) if options.start_from else "",
        checkpoint=options.checkpoint.resolve().name if options.checkpoint else "",
    )
    output = options.output or Path("runs") / "-".join(filter(None, [options.adapter, recipe.checkpoint]))
    if options.smoke:
        recipe = replace(recipe, rows=200)
        output = options.output or output.with_name(f"{output.name}-smoke")
    print(f"building rows for {recipe.adapter} ...", flush=True)
    dataset = build(recipe.adapter, recipe.seed)
    output.mkdir(parents=True, exist_ok=True)
    (output / "data.json").write_text(json.dumps(dataset.composition, indent=2), encoding="utf-8")
    train_rows, dev_rows = dataset.train[: recipe.rows], dataset.held_out
    random.Random(recipe.seed).shuffle(dev_rows)
    trainable: Trainable
    if options.checkpoint:
        trainable = WholeCheckpoint(options.checkpoint, recipe.seed)
    else:
        base = base_weights(options.cache or StorageSettings().cache_dir)
        layers = LoraOnBase.Layers(recipe.rank, recipe.alpha, recipe.first_layer)
        trainable = LoraOnBase(base, recipe.seed, layers, options.start_from)
    run = Run(recipe, output, trainable, options.threads, options.checkpoint_every, options.dev_every)
    run.train(train_rows, dev_rows[: 60 if options.smoke else 400])
    return 0


def loss_of(logits: Any, labels: Any, smoothing: float) -> Any:
    """Cross-entropy; NOT_SUPPORT rows are scored on the probability of both other labels together.

    Args:
        logits: Shape (batch, 3).
        labels: Shape (batch,), values 0 to 3.
        smoothing: Label smoothing of the plain rows.
    """
    import torch
    from torch.nn import functional

    plain = labels != NOT_SUPPORT
    log_p = functional.log_softmax(logits.float(), dim=-1)
    losses = functional.cross_entropy(
        logits.float(), labels.clamp(max=2), reduction="none", label_smoothing=smoothing
    )
    either = -torch.logsumexp(log_p[:, 1:], dim=-1)
    return torch.where(plain, losses, either).mean()


class Run:
    """One training run in one output folder."""

    def __init__(
        self,
        recipe: Recipe,
        output: Path,
        trainable: Trainable,
        threads: int,
        checkpoint_every: int,
        dev_every: int,
    ) -> None:
        """Prepare; nothing heavy happens before `train`."""
        self.recipe, self.output, self.trainable = recipe, output, trainable
        self.threads, self.checkpoint_every, self.dev_every = threads, checkpoint_every, dev_every

    def train(self, train_rows: Sequence[Row], dev_rows: Sequence[Row]) -> None:
        """Train to the end, or on from the last checkpoint, and save the adapter."""
        import torch
        from transformers import get_linear_schedule_with_warmup

        torch.set_num_threads(self.threads)
        recipe = self.recipe
        model, tokenizer = self.trainable.fresh()
        encoded = encode(train_rows, tokenizer, recipe.max_length)
        dev = encode(dev_rows, tokenizer, recipe.max_length)
        pad = tokenizer.pad_token_id
        plan = self._plan(encoded)
        trained = [p for p in model.parameters() if p.requires_grad]
        optimizer = torch.optim.AdamW(trained, lr=recipe.learning_rate, weight_decay=recipe.weight_decay)
        schedule = get_linear_schedule_with_warmup(optimizer, int(recipe.warmup * len(plan)), len(plan))
        first = self._resume(model, optimizer, schedule)
        counts = {"rows": len(encoded), "steps": len(plan), "weights": sum(p.numel() for p in trained)}
        self._log({"event": "start", "step": first, **counts})
        started, seen, running = time.monotonic(), 0, 0.0
        model.train()
        for step in range(first, len(plan)):
            inputs, labels = tensors(encoded, plan[step], pad)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=recipe.bf16):
                logits = model(**inputs).logits
            loss = loss_of(logits, labels, recipe.label_smoothing)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            seen += len(plan[step])
            running = loss.item() if step == first else 0.97 * running + 0.03 * loss.item()
            done = step + 1
            if done % 20 == 0 or done == len(plan):
                rate = seen / (time.monotonic() - started)
                left = sum(len(b) for b in plan[done:]) / rate / 60
                values = {
                    "loss": round(running, 4),
                    "rows_per_s": round(rate, 2),
                    "minutes_left": round(left, 1),
                }
                self._log({"event": "loss", "step": done, **values})
            if done % self.dev_every == 0 or done == len(plan):
                self._log({"event": "dev", "step": done, **dev_scores(model, dev, pad, recipe.bf16)})
                model.train()
            if done % self.checkpoint_every == 0 and done < len(plan):
                self._checkpoint(done, model, optimizer, schedule)
        self._save(model, counts, time.monotonic() - started)

    def _plan(self, encoded: Sequence[Encoded]) -> list[list[int]]:
        recipe = self.recipe
        plan: list[list[int]] = []
        for epoch in range(recipe.epochs):
            rng = random.Random(recipe.seed + epoch)
            plan += length_buckets(encoded, recipe.batch, recipe.batch_tokens, rng)
        return plan

    def _resume(self, model: Any, optimizer: Any, schedule: Any) -> int:
        import torch

        path = self.output / "checkpoint.pt"
        if not path.is_file():
            return 0
        state = torch.load(path, weights_only=True)
        if state["recipe"] != asdict(self.recipe):
            raise SystemExit(f"{path} is of another recipe; remove it or choose another --output.")
        self.trainable.restore(model, state["model"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        return int(state["step"])

    def _checkpoint(self, step: int, model: Any, optimizer: Any, schedule: Any) -> None:
        import torch

        state = {
            "step": step,
            "recipe": asdict(self.recipe),
            "model": self.trainable.state(model),
            "optimizer": optimizer.state_dict(),
            "schedule": schedule.state_dict(),
        }
        temporary = self.output / "checkpoint.tmp"
        torch.save(state, temporary)
        temporary.replace(self.output / "checkpoint.pt")

    def _save(self, model: Any, counts: dict[str, int], seconds: float) -> None:
        """Write the adapter (or the whole model) beside the checkpoints, then drop the checkpoint."""
        folder = self.output / "adapter"
        temporary = self.output / "adapter.tmp"
        shutil.rmtree(temporary, ignore_errors=True)
        self.trainable.save(model, temporary)
        record = {
            "recipe": asdict(self.recipe),
            **counts,
            "minutes_of_last_session": round(seconds / 60, 1),
            "threads": self.threads,
            "data": json.loads((self.output / "data.json").read_text(encoding="utf-8")),
        }
        if self.trainable.before is not None:
            record["before"] = self.trainable.before
        training_curve(self.output / "log.jsonl", temporary / curve_name(self.recipe.adapter))
        (temporary / "training.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        for file in temporary.iterdir():
            file.chmod(0o644)
        shutil.rmtree(folder, ignore_errors=True)
        temporary.rename(folder)
        (self.output / "checkpoint.pt").unlink(missing_ok=True)
        self._log({"event": "done", "minutes": record["minutes_of_last_session"]})

    def _log(self, entry: dict[str, Any]) -> None:
        line = json.dumps(entry)
        print(line, flush=True)
        with (self.output / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(line + "\n")


def dev_scores(model: Any, dev: Sequence[Encoded], pad: int, bf16: bool) -> dict[str, float]:
    """Accuracy and macro-F1 over rows with a plain label, window by window."""
    import torch

    model.eval()
    rows = [e for e in dev if e.label != NOT_SUPPORT]
    gold: list[int] = []
    predicted: list[int] = []
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
        for batch in length_buckets(rows, 32, 4096, random.Random(0)):
            inputs, labels = tensors(rows, batch, pad)
            predicted += model(**inputs).logits.argmax(-1).tolist()
            gold += labels.tolist()
    accuracy = sum(g == p for g, p in zip(gold, predicted, strict=True)) / max(len(gold), 1)
    return {
        "rows": len(gold),
        "accuracy": round(accuracy, 4),
        "macro_f1": round(macro_f1(gold, predicted), 4),
    }


if __name__ == "__main__":
    sys.exit(main())
