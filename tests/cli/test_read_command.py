"""`veriscite read`, run as the script runs it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from veriscite.cli import commands

Run = Callable[..., tuple[int, str, str]]

PAPER = """# Sleep in \x1b]0;owned\x07bees

## Results

Bees sleep at night [1]. They also sleep in winter [1, 2], and some say in summer [9].

## References

1. Kaiser W. Busy bees need rest, too. Journal of Comparative Physiology A. 1988;163:565-584.
2. Eban-Rothschild A, Bloch G. Social influences on \u202erhythms. Curr Opin.  2015. doi:10.1000/XYZ.
"""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("paper.md").write_text(PAPER, encoding="utf-8")

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["veriscite", "read", *arguments])
        with pytest.raises(SystemExit) as ended:
            commands.main()
        captured = capsys.readouterr()
        code = ended.value.code
        return code if isinstance(code, int) else 0, captured.out, captured.err

    return run


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_tells_title_sections_markers_references_and_what_was_left_out(run: Run) -> None:
    code, out, _ = run("paper.md")
    lines = _lines(out)
    assert code == 0
    assert lines[0] == "paper.md (markdown)"
    assert any(line.startswith("Results, ") for line in lines)
    assert "3 markers (3 numeric), 2 tied to an entry" in lines
    assert "3 links in 2 sentences give 3 claims." in lines
    assert "m2 [1, 2] → ref-1, ref-2" in lines
    assert "m3 [9] → nothing" in lines
    assert "2 references, 0 in no claim" in lines
    assert any("Kaiser 1988. Busy bees need rest, too" in line and "2 claims" in line for line in lines)
    assert "doi 10.1000/xyz" in out
    left_out = lines[lines.index("Left out, and why") :]
    assert any(line.startswith("m3 9: ") for line in left_out)


def test_prints_nothing_of_the_manuscript_raw(run: Run) -> None:
    _, out, _ = run("paper.md")
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[U+001B]" in out
    assert "[U+202E]" in out


def test_json_holds_everything_but_the_text(run: Run) -> None:
    code, out, _ = run("paper.md", "--json")
    told = json.loads(out)
    assert code == 0
    assert set(told) == {"manuscript", "pairing"}
    assert "text" not in told["manuscript"]
    assert [r["id"] for r in told["manuscript"]["references"]] == ["ref-1", "ref-2"]
    assert [m["reference_ids"] for m in told["pairing"]["markers"]] == [["ref-1"], ["ref-1", "ref-2"], []]
    assert told["pairing"]["skipped"][0]["part"] == "9"


def test_a_list_that_comes_apart(run: Run) -> None:
    Path("body.txt").write_text("Bees sleep at night [@kaiser]. Birds do too (Rattenborg, 2006).\n")
    Path("refs.bib").write_text(
        "@article{rattenborg, author={Rattenborg, N.}, title={Do birds sleep?}, year={2006}}\n"
    )
    code, out, _ = run("body.txt", "--references", "refs.bib")
    assert code == 0
    assert "→ rattenborg" in out
    assert "Rattenborg 2006. Do birds sleep?" in out


def test_a_manuscript_without_anything_to_tell(run: Run) -> None:
    Path("plain.txt").write_text("Bees sleep at night.\n")
    code, out, _ = run("plain.txt")
    assert code == 0
    assert "0 markers, 0 tied to an entry" in out
    assert "No reference list was found." in out


def test_input_that_cannot_be_used_ends_with_2_and_advice(run: Run) -> None:
    code, out, err = run("missing.md")
    assert (code, out) == (2, "")
    assert err.startswith("error: There is no file missing.md.")
    assert run("-", "--references", "-")[0] == 2


def test_help_teaches_by_example(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert "veriscite read body.txt --references refs.bib" in out
