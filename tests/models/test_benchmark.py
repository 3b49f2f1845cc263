import json
import sys
from pathlib import Path

import pytest

from models import benchmark
from models.benchmark import BenchmarkError, Part, figures, merged, run


def script(folder: Path, name: str, body: str) -> Part:
    (folder / f"{name}.py").write_text(body)
    return Part(name, (name,))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_part_shows_its_table_and_gives_its_figures(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = script(here, "good", "print('| a |')\nprint()\nprint('{\"score\": 0.5}')")
    assert run(part, []) == {"score": 0.5}
    shown = capsys.readouterr().out
    assert "| a |" in shown
    assert "0.5" not in shown


def test_a_part_that_fails_is_shown_and_stops_all(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = script(here, "bad", "print('half a table')\nraise SystemExit(3)")
    with pytest.raises(BenchmarkError, match="exit code 3"):
        run(part, [])
    assert "half a table" in capsys.readouterr().out


@pytest.mark.parametrize("output", ["", "no figures", "[1, 2]", '{"cut": '])
def test_output_without_figures_is_an_error(output: str) -> None:
    with pytest.raises(BenchmarkError):
        figures(output)


def test_figures_of_all_parts_stand_in_one_line() -> None:
    parts = [
        (Part("a", ()), {"model": "x", "score": 1}),
        (Part("b", (), "other_"), {"model": "y", "score": 2}),
    ]
    assert merged(parts) == {"score": 1, "other_score": 2}
    with pytest.raises(BenchmarkError, match="score"):
        merged([(Part("a", ()), {"score": 1}), (Part("b", ()), {"score": 2})])


def test_the_last_line_is_json_with_the_figures_of_the_parts_asked_for(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [script(here, name, f"print('{{\"{name}_figure\": 1}}')") for name in ("science", "speed")]
    monkeypatch.setattr(benchmark, "SCORES", parts[:1])
    monkeypatch.setattr(benchmark, "TIMED", parts[1:])
    monkeypatch.setattr(benchmark, "data_or_skip", lambda: here)
    assert benchmark.main([]) == 0
    line = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert line["science_figure"] == line["speed_figure"] == 1
    assert line["python"] == ".".join(map(str, sys.version_info[:3]))
    assert benchmark.main(["--only", "speed"]) == 0
    assert "science_figure" not in json.loads(capsys.readouterr().out.splitlines()[-1])
