"""DeBERTa without the relative positions that an input cannot reach: the same numbers, less work.

DeBERTa's disentangled attention multiplies every query and key with the embeddings of all relative positions
(512 of them in DeBERTa-v3), though a pair of 60 tokens reaches 119. Cutting the table to what the batch's
length can reach gives identical outputs and saves about a fifth of the time on short inputs.
"""

from __future__ import annotations

from typing import Any


def trim_relative_positions(model: Any) -> bool:
    """Make a DeBERTa-v2/v3 model compute only the relative positions that each batch can reach, in place.

    The model may then run in one thread at a time only, for the span is set by each forward pass.

    Args:
        model: Any transformers model; those without disentangled attention are left as they are.

    Returns:
        Whether the model was changed.
    """
    from transformers.models.deberta_v2 import modeling_deberta_v2 as deberta

    encoders = [m for m in model.modules() if isinstance(m, deberta.DebertaV2Encoder)]
    encoders = [e for e in encoders if e.relative_attention and not getattr(e, "_veriscite_trimmed", False)]
    for encoder in encoders:
        _trim(encoder, deberta)
    return bool(encoders)


def _trim(encoder: Any, deberta: Any) -> None:
    import torch

    full = encoder.position_buckets if encoder.position_buckets > 0 else encoder.max_relative_positions
    attentions = [m for m in encoder.modules() if isinstance(m, deberta.DisentangledSelfAttention)]
    whole_table = encoder.get_rel_embedding
    span = full

    def reach(length: int) -> int:
        if encoder.position_buckets <= 0 or length - 1 <= encoder.position_buckets // 2:
            return int(min(full, length))
        farthest = torch.tensor([length - 1])
        bucket = deberta.make_log_bucket_position(
            farthest, encoder.position_buckets, encoder.max_relative_positions
        )
        return int(min(full, int(bucket.item()) + 1))

    def before(_module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        nonlocal span
        hidden = arguments[0] if arguments else keywords["hidden_states"]
        span = reach(hidden.shape[1])
        for attention in attentions:
            attention.pos_ebd_size = span

    def cut_table() -> Any:
        table = whole_table()
        return None if table is None else table[full - span : full + span]

    encoder.register_forward_pre_hook(before, with_kwargs=True)
    encoder.get_rel_embedding = cut_table
    encoder._veriscite_trimmed = True
