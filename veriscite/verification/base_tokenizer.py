"""The base encoder's tokenizer, kept in the form that loads fastest.

transformers rebuilds DeBERTa's tokenizer from its vocabulary of 128,000 pieces every time, which takes longer
than reading the encoder's weights. What it builds is stored beside them, and read back as it is. The stored
file is named after the release that built it, for another may build another.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_SPECIAL = ("bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token")


@cache
def base_tokenizer(base: Path) -> Any:
    """The fast tokenizer of all adapters on one base; every call gives the same object.

    Args:
        base: Folder of the converted base encoder. The built tokenizer is stored there if that can be
            written.

    Raises:
        OSError: The folder holds no tokenizer.
        ValueError: Its files are no tokenizer.
    """
    import transformers

    stored = base / f"built-tokenizer-{transformers.__version__}.json"
    if stored.is_file():
        with suppress(Exception):  # the tokenizers library raises plain Exception on a damaged file
            return _read(base, stored)
    built = transformers.AutoTokenizer.from_pretrained(base, local_files_only=True)
    with suppress(OSError):
        _store(built, stored)
    return built


def _read(base: Path, stored: Path) -> Any:
    from transformers import PreTrainedTokenizerFast

    config = json.loads((base / "tokenizer_config.json").read_text(encoding="utf-8"))
    return PreTrainedTokenizerFast(
        tokenizer_file=str(stored),
        model_max_length=config["model_max_length"],
        clean_up_tokenization_spaces=False,
        model_input_names=["input_ids", "attention_mask", "token_type_ids"],
        **{name: config[name] for name in _SPECIAL},
    )


def _store(tokenizer: Any, target: Path) -> None:
    """Write the file in one step, so that a process killed meanwhile leaves none that is half written."""
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(tokenizer.backend_tokenizer.to_str())
        path = Path(temporary)
        path.chmod(0o644)
        path.replace(target)
    finally:
        Path(temporary).unlink(missing_ok=True)
