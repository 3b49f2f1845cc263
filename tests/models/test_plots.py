import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from models.plots import reliability_diagram, training_curve
from models.scores import expected_calibration_error, reliability


def texts(svg: Path) -> str:
    return " ".join(e.text or "" for e in ElementTree.parse(svg).iter() if e.text and e.text.strip())


def test_a_training_curve_names_its_axes_and_repeats_no_step(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    entries = [{"event": "start", "step": 0}]
    entries += [{"event": "loss", "step": s, "loss": 1 / (s + n)} for n, s in enumerate((20, 40, 20, 60))]
    entries += [{"event": "dev", "step": 60, "macro_f1": 0.5}, {"event": "done", "minutes": 1}]
    log.write_text("\n".join(json.dumps(e) for e in entries))
    training_curve(log, tmp_path / "a.svg")
    training_curve(log, tmp_path / "b.svg")
    assert "step" in texts(tmp_path / "a.svg")
    assert "macro-F1" in texts(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_reliability_diagram_names_each_set(tmp_path: Path) -> None:
    bins = reliability([0.4, 0.9, 0.95], [False, True, True])
    reliability_diagram({"one set": bins, "another": bins}, tmp_path / "r.svg")
    assert "one set" in texts(tmp_path / "r.svg")
    assert "another" in texts(tmp_path / "r.svg")


def test_reliability_keeps_every_pair_once() -> None:
    confidence = [0.0, 0.1, 0.1001, 0.55, 1.0, 1.0]
    correct = [False, True, False, True, True, False]
    bins = reliability(confidence, correct)
    assert sum(line["pairs"] for line in bins) == 6
    assert bins[0] == {"pairs": 2, "confidence": pytest.approx(0.05), "accuracy": 0.5}
    assert bins[-1] == {"pairs": 2, "confidence": 1.0, "accuracy": 0.5}
    gaps = [line["pairs"] / 6 * abs(line["confidence"] - line["accuracy"]) for line in bins]
    assert expected_calibration_error(confidence, correct) == pytest.approx(sum(gaps))
