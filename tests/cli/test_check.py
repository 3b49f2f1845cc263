"""The commands against a scripted run: options, outputs and exit codes."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import builders
from veriscite.cli import commands
from veriscite.cli.choices import Blind
from veriscite.cli.options import build_settings, demo_settings, parse_formats
from veriscite.domain import Report
from veriscite.domain.events import Event, RunFailed, event_adapter
from veriscite.errors import InputError, ModelError, SettingsError, UnreadableFileError, VeriSciteError
from veriscite.ports import ManuscriptInput


class ScriptedRun:
    """A run whose outcome is given beforehand."""

    def __init__(
        self, report: Report | None, error: VeriSciteError | None = None, interrupt: int = 0
    ) -> None:
        self._report = report
        self._error = error
        self._interrupt = interrupt
        self.report: Report | None = None
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    def __iter__(self) -> Iterator[Event]:
        if self._error:
            yield RunFailed(code=self._error.code, message=self._error.message)
            raise self._error
        assert self._report
        for event in builders.events_of(self._report)[:-1]:
            yield event
            if event.type == "paired":
                for _ in range(self._interrupt):
                    signal.raise_signal(signal.SIGINT)
        self.report = builders.cancelled_report() if self.cancelled else self._report
        yield builders.events_of(self.report)[-1]


class Cli:
    """Runs the command line in this process, as the script does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._captured = monkeypatch, capfd
        self.asked: dict[str, Any] = {}
        self.script(ScriptedRun(builders.full_report()))

    def script(self, run: ScriptedRun) -> ScriptedRun:
        def stream(manuscript: Any, **options: Any) -> ScriptedRun:
            self.asked = {"manuscript": manuscript, **options}
            return run

        self._monkeypatch.setattr("veriscite.cli.running.stream", stream)
        return run

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["veriscite", *arguments])
        with pytest.raises(SystemExit) as exit:
            commands.main()
        out = self._captured.readouterr()
        return int(exit.value.code or 0), out.out, out.err


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Cli:
    monkeypatch.chdir(tmp_path)
    return Cli(monkeypatch, capfd)


def test_a_finished_run_writes_all_reports_and_says_where(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("check", "paper.md", "-r", "refs.bib", "-l", "a.bib", "-l", "b.ris", "-o", "out")
    assert (code, err) == (0, "")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "references.csv",
        "report.csv",
        "report.html",
        "report.json",
        "report.md",
    ]
    assert "out/report.html" in out
    assert "✗ c1 Contradicted" in out
    assert "Both verifiers agreed at once on 2 of 4 judged." in out
    assert "[bold red]markup" in out
    assert cli.asked["manuscript"] == Path("paper.md")
    assert cli.asked["references"] == Path("refs.bib")
    assert cli.asked["library"] == (Path("a.bib"), Path("b.ris"))


def test_options_become_settings(cli: Cli) -> None:
    code, _, _ = cli(
        "check",
        "paper.md",
        "--offline",
        "--nli-model=some/model",
        "--blind=stand-in",
        "--max-claims=3",
        "--no-attribution",
    )
    settings = cli.asked["settings"]
    assert code == 0
    assert settings.evidence.offline
    assert settings.nli.model == "some/model"
    assert settings.blind.provider == "stand-in"
    assert settings.run.max_claims == 3
    assert not settings.run.attribute


def test_options_win_over_the_environment_and_the_environment_over_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("VERISCITE_BLIND_PROVIDER", "anthropic")
    monkeypatch.setenv("VERISCITE_RUN_MAX_CLAIMS", "7")
    monkeypatch.setenv("VERISCITE_EVIDENCE_OFFLINE", "true")
    settings = build_settings(blind=Blind.STAND_IN)
    assert settings.blind.provider == "stand-in"
    assert settings.run.max_claims == 7
    assert settings.evidence.offline


def test_a_setting_that_cannot_be_used_is_told_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERISCITE_RUN_MAX_CLAIMS", "sk-secret")
    with pytest.raises(SettingsError, match="max_claims") as caught:
        build_settings()
    assert "sk-secret" not in str(caught.value)


def test_the_demo_asks_nothing_outside_this_machine_whatever_keys_are_set(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    code, _, _ = cli("demo", "--example", "author-year")
    settings = cli.asked["settings"]
    assert code == 0
    assert settings.evidence.offline
    assert settings.blind.provider == "stand-in"
    assert settings.anthropic.api_key is None
    assert demo_settings().anthropic.api_key is None
    assert "author-year" in str(cli.asked["manuscript"])
    assert cli.asked["library"]
    assert (tmp_path / "demo-report" / "report.html").is_file()


def test_only_the_formats_asked_for_are_written(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("check", "paper.md", "--format", "JSON, csv,json", "--quiet", "-o", "out")
    assert code == 0
    assert out.splitlines() == ["out/report.json", "out/report.csv", "out/references.csv"]
    assert (
        Report.model_validate_json((tmp_path / "out" / "report.json").read_text()) == builders.full_report()
    )


@pytest.mark.parametrize("formats", ["", " , ", "html,docx"])
def test_formats_that_are_none_are_refused(formats: str) -> None:
    with pytest.raises(InputError, match="Choose from html"):
        parse_formats(formats, ("html", "json"))


def test_json_events_are_all_that_standard_output_gets(cli: Cli) -> None:
    code, out, err = cli("check", "paper.md", "--json-events", "-o", "out")
    assert code == 0
    assert [event_adapter.validate_json(line).type for line in out.splitlines()][-1] == "run_finished"
    assert "out/report.json" in err


def test_fail_on_contradict(cli: Cli) -> None:
    assert cli("check", "paper.md", "--fail-on", "contradict", "-q")[0] == 1
    supported = builders.full_report()
    cli.script(ScriptedRun(supported.model_copy(update={"results": supported.results[1:]})))
    assert cli("check", "paper.md", "--fail-on", "contradict", "-q")[0] == 0
    cli.script(ScriptedRun(supported))
    assert cli("check", "paper.md", "--fail-on", "retracted", "-q")[0] == 1
    assert cli("check", "paper.md", "--fail-on", "refuted", "-q")[0] == 2


def test_bad_input_gives_message_advice_and_exit_code_2(cli: Cli, tmp_path: Path) -> None:
    cli.script(ScriptedRun(None, UnreadableFileError("There is no file x.", advice="Check the name.")))
    code, out, err = cli("check", "x", "--quiet")
    assert (code, out, err) == (2, "", "error: There is no file x.\n  Check the name.\n")


def test_a_run_that_cannot_go_on_gives_exit_code_3_and_leaves_nothing(cli: Cli, tmp_path: Path) -> None:
    cli.script(ScriptedRun(None, ModelError("The model broke.")))
    code, _, err = cli("check", "x", "--quiet")
    assert (code, err) == (3, "error: The model broke.\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "x", "--blind", "oracle"],
        ["check", "x", "--max-claims", "0"],
        ["check", "x", "--fail-on", "support"],
        ["check", "x", "--format", "docx"],
        ["nonsense"],
    ],
)
def test_a_wrong_option_is_bad_input(cli: Cli, arguments: list[str]) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert err


def test_a_folder_that_cannot_be_written_is_told_before_the_work(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("x")
    code, out, err = cli("check", "paper.md", "-o", "taken/file/below")
    assert code == 2
    assert out == ""
    assert "cannot be written to taken/file/below" in err
    assert cli.asked == {}


def test_the_first_interrupt_reports_what_was_done(cli: Cli, tmp_path: Path) -> None:
    run = cli.script(ScriptedRun(builders.full_report(), interrupt=1))
    before = signal.getsignal(signal.SIGINT)
    code, _, err = cli("check", "paper.md", "-o", "out")
    assert code == 130
    assert run.cancelled
    assert "Stopping: what is done by now is reported." in err
    assert json.loads((tmp_path / "out" / "report.json").read_text())["status"] == "cancelled"
    assert signal.getsignal(signal.SIGINT) is before


def test_the_second_interrupt_leaves_at_once(cli: Cli, tmp_path: Path) -> None:
    cli.script(ScriptedRun(builders.full_report(), interrupt=2))
    code, _, _ = cli("check", "paper.md", "-o", "out")
    assert code == 130
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_read_as_bytes_with_references_from_a_file(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "refs.bib").write_bytes(b"@article{x}")
    _feed(monkeypatch, "Müsli [1].".encode("latin-1"))
    assert cli("check", "-", "-r", "refs.bib", "-q")[0] == 0
    assert cli.asked["manuscript"] == ManuscriptInput(
        "Müsli [1].".encode("latin-1"), "standard input", b"@article{x}", "refs.bib"
    )


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b" \n", [], "Standard input is empty"),
        (b"text [1]", ["-r", "-"], "cannot both come from standard input"),
        (b"text [1]", ["-r", "absent.bib"], "absent.bib"),
        (b"x" * 101, [], "larger than"),
    ],
)
def test_standard_input_that_cannot_be_used(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, content: bytes, options: list[str], message: str
) -> None:
    monkeypatch.setenv("VERISCITE_READING_MAX_BYTES", "100")
    _feed(monkeypatch, content)
    code, _, err = cli("check", "-", "-q", *options)
    assert code == 2
    assert message in err


def _feed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))
