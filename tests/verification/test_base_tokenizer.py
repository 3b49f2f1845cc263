from pathlib import Path

import pytest

from tests.verification.test_base_weights import needs_package
from veriscite.settings import StorageSettings
from veriscite.verification import base_tokenizer as module
from veriscite.verification.base_weights import base_weights

TEXTS = [
    "Aspirin reduced mortality (RR 0.53, 95% CI 0.38\u20130.74; P<0.001).",
    "  two  blanks\tand a tab\nand a line ",
    "\u03b1-synuclein, e\u0301tude, \ufb01ne \u00bd, zero\u200bwidth, soft\u00adhyphen",
    "\u65e5\u672c\u8a9e \U0001f389 [SEP] [MASK] <s>",
]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The tokenizer's files of the converted base, in a folder of this test's own."""
    source = base_weights(StorageSettings().cache_dir)
    for file in source.iterdir():
        if file.suffix in (".json", ".model") and not file.name.startswith("built-"):
            (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def read(base: Path):
    module.base_tokenizer.cache_clear()
    return module.base_tokenizer(base)


@needs_package
def test_the_stored_tokenizer_is_the_one_that_was_built(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import transformers

    built = read(base)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", None)  # a second build would raise
    stored = read(base)
    assert stored is not built
    for premise, claim in zip(TEXTS, reversed(TEXTS), strict=True):
        both = [
            tokenizer([premise], [claim], truncation="only_first", max_length=40, return_offsets_mapping=True)
            for tokenizer in (built, stored)
        ]
        assert dict(both[0]) == dict(both[1])
    assert stored.special_tokens_map == built.special_tokens_map
    assert (stored.pad_token_id, stored.mask_token_id) == (built.pad_token_id, built.mask_token_id)


@needs_package
@pytest.mark.parametrize("content", [b"", b"{", b'{"model": {}}'])
def test_a_damaged_store_is_built_anew(base: Path, content: bytes) -> None:
    expected = read(base)(TEXTS[0])["input_ids"]
    (stored,) = base.glob("built-tokenizer-*.json")
    whole = stored.read_bytes()
    stored.write_bytes(content)
    assert read(base)(TEXTS[0])["input_ids"] == expected
    assert stored.read_bytes() == whole


@needs_package
def test_a_folder_that_cannot_be_written_is_no_error(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments, **_options):
        raise PermissionError("read-only")

    monkeypatch.setattr(module.tempfile, "mkstemp", refuse)
    assert read(base)(TEXTS[0])["input_ids"]
    assert not list(base.glob("*built-tokenizer-*"))
