"""`veriscite cache` as a user meets it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.evidence.test_cache_transfer import FOUND, MISSING
from veriscite.cli.commands import app
from veriscite.errors import UnreadableFileError
from veriscite.evidence.cache import AnswerCache
from veriscite.settings import EvidenceSettings

run = CliRunner().invoke


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERISCITE_CACHE_DIR", str(tmp_path / "cache"))
    cache = AnswerCache(tmp_path / "cache", EvidenceSettings())
    cache.put("crossref", "a" * 64, FOUND)
    cache.put("openalex", "b" * 64, MISSING)
    cache.close()
    return tmp_path


def test_show(folder: Path) -> None:
    told = run(app, ["cache", "show"])
    assert told.exit_code == 0
    assert "2 answers" in told.stdout
    assert "not found" in told.stdout
    data = json.loads(run(app, ["cache", "show", "--json"]).stdout)
    assert {(one["source"], one["count"]) for one in data["answers"]} == {("crossref", 1), ("openalex", 1)}


def test_export_prune_import(folder: Path) -> None:
    file = str(folder / "out.jsonl")
    assert "2 answers written" in run(app, ["cache", "export", file]).stdout
    assert "1 answer deleted" in run(app, ["cache", "prune", "--source-name", "openalex"]).stdout
    assert "1 answer deleted" in run(app, ["cache", "prune", "--all"]).stdout
    assert "2 answers taken over" in run(app, ["cache", "import", file]).stdout
    assert "2 lines: not newer" in run(app, ["cache", "import", file]).stdout


def test_a_file_that_is_no_export(folder: Path) -> None:
    (folder / "x").write_text("hello")
    done = run(app, ["cache", "import", str(folder / "x")])
    assert isinstance(done.exception, UnreadableFileError)


def test_help_teaches() -> None:
    told = run(app, ["cache", "--help"]).stdout
    for word in ("show", "prune", "export", "import", "Examples"):
        assert word in told
