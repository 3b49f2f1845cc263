import json
from pathlib import Path

import pytest

from veriscite.verification.adapters import RESEARCH_NOTE, shipped_adapters, terms_of
from veriscite.verification.nli_model import ModelChoice, identify


@pytest.mark.parametrize(
    ("training", "research"),
    [
        ({"data": [{"commercial_use": True}, {}]}, False),
        ({"data": [{"commercial_use": True}, {"commercial_use": False}]}, True),
        ({"data": [], "before": {"data": [{"commercial_use": False}]}}, True),
        ({}, False),
        ([], False),
    ],
)
def test_terms_follow_the_rows_of_every_stage(tmp_path: Path, training: object, research: bool) -> None:
    (tmp_path / "training.json").write_text(json.dumps(training))
    assert terms_of(tmp_path) == (RESEARCH_NOTE if research else "")


def test_without_a_record_nothing_is_said(tmp_path: Path) -> None:
    assert terms_of(tmp_path) == ""
    (tmp_path / "training.json").write_text("{")
    assert terms_of(tmp_path) == ""


def test_only_the_research_adapter_has_terms_and_says_so() -> None:
    for name, adapter in shipped_adapters().items():
        note = identify(ModelChoice(name, Path())).note
        assert (RESEARCH_NOTE in note) == name.endswith("-research") == bool(terms_of(adapter.folder))
