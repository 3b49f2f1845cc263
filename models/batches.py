"""Tokenised rows in batches of like length: most rows are short, so this saves most of the padding."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.rows import Row


@dataclass(frozen=True)
class Encoded:
    """One tokenised pair: token ids, label, and for each token 0 (premise) or 1 (claim)."""

    ids: tuple[int, ...]
    label: int
    types: tuple[int, ...] = ()


def encode(rows: Sequence[Row], tokenizer: Any, max_length: int) -> list[Encoded]:
    """Tokenise pairs, premise first; only the premise is cut when a pair is too long."""
    encoded: list[Encoded] = []
    for start in range(0, len(rows), 2000):
        part = rows[start : start + 2000]
        output = tokenizer(
            [r.premise for r in part],
            [r.hypothesis for r in part],
            truncation="longest_first",
            max_length=max_length,
        )
        # Absent where the verifier's encoder would not get them either.
        types = output.get("token_type_ids", [()] * len(part))
        columns = (output["input_ids"], types, part)
        encoded += [Encoded(tuple(i), r.label, tuple(t)) for i, t, r in zip(*columns, strict=True)]
    return encoded


def length_buckets(
    encoded: Sequence[Encoded], batch: int, tokens: int, rng: random.Random
) -> list[list[int]]:
    """Indices in batches: shuffled, sorted by length within large pools, then the batches shuffled.

    Args:
        encoded: The rows.
        batch: Rows in a batch at most.
        tokens: Padded tokens in a batch at most.
        rng: Source of the shuffles.
    """
    order = list(range(len(encoded)))
    rng.shuffle(order)
    pool = batch * 64
    batches: list[list[int]] = []
    for start in range(0, len(order), pool):
        current: list[int] = []
        for index in sorted(order[start : start + pool], key=lambda i: len(encoded[i].ids)):
            if current and (len(current) == batch or (len(current) + 1) * len(encoded[index].ids) > tokens):
                batches.append(current)
                current = []
            current.append(index)
        if current:
            batches.append(current)
    rng.shuffle(batches)
    return batches


def tensors(encoded: Sequence[Encoded], indices: Sequence[int], pad: int) -> tuple[dict[str, Any], Any]:
    """Padded inputs and labels of one batch.

    Returns:
        `input_ids`, `attention_mask` and `token_type_ids`, each of shape (batch, longest); and labels of
        shape (batch,).
    """
    import torch

    longest = max(len(encoded[i].ids) for i in indices)
    ids = torch.full((len(indices), longest), pad, dtype=torch.long)
    mask, types = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, index in enumerate(indices):
        tokens = torch.tensor(encoded[index].ids, dtype=torch.long)
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
        types[row, : len(encoded[index].types)] = torch.tensor(encoded[index].types, dtype=torch.long)
    labels = torch.tensor([encoded[i].label for i in indices], dtype=torch.long)
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}, labels
