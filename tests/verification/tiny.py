"""Tiny encoders with random weights and a word-level tokenizer: no download, milliseconds to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = """
    aspirin reduced raises lowers mortality risk in of patients mice the a was were not trial placebo
    cancer sugar study found that no effect weather old sentence one two three four five six seven eight nine
    ten . , %
""".split()  # noqa: SIM905
THREE = ("SUPPORT", "CONTRADICT", "NOT_ENOUGH_INFO")
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tiny_tokenizer(max_length: int = 64) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: i for i, word in enumerate([*SPECIAL, *WORDS])}
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    raw.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    raw.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        model_max_length=max_length,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


def tiny_deberta(labels: tuple[str, ...] = THREE, seed: int = 0, share_att_key: bool = True) -> Any:
    import torch
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    torch.manual_seed(seed)
    config = DebertaV2Config(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        relative_attention=True,
        position_buckets=8,
        norm_rel_ebd="layer_norm",
        share_att_key=share_att_key,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        type_vocab_size=0,
        pooler_hidden_size=16,
        pad_token_id=0,
        initializer_range=0.6,
        id2label=dict(enumerate(labels)),
        label2id={name: i for i, name in enumerate(labels)},
    )
    return DebertaV2ForSequenceClassification(config).eval()


def tiny_bert(labels: tuple[str, ...] = ("entailment", "neutral", "contradiction"), seed: int = 0) -> Any:
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        pad_token_id=0,
        initializer_range=0.6,
        id2label=dict(enumerate(labels)),
        label2id={name: i for i, name in enumerate(labels)},
    )
    return BertForSequenceClassification(config).eval()


def save_checkpoint(model: Any, folder: Path, *, safe: bool = True) -> Path:
    import torch

    model.save_pretrained(folder)
    if not safe:
        (folder / "model.safetensors").unlink()
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    tiny_tokenizer().save_pretrained(folder)
    return folder
