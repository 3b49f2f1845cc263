"""The wheel holds what a user needs, and runs the demo in an environment of its own, from an empty folder."""

import json
import site
import subprocess
import sys
import venv
import zipfile
from collections.abc import Sequence
from email.parser import Parser
from pathlib import Path

import pytest

from tests.conftest import ROOT
from veriscite.examples import EXAMPLES

pytestmark = pytest.mark.slow

#: The base weights have some 140 MB; the adapters and everything else are far below this.
MAX_BYTES = 40_000_000


def _run(command: Sequence[str | Path], cwd: Path, timeout: float) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    _run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        cwd=folder,
        timeout=120,
    )
    (built,) = folder.glob("veriscite-*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def _tracked(folder: str, *suffixes: str) -> set[str]:
    """Files below a folder of the checkout, as paths relative to it."""
    base = ROOT / folder
    found = {
        path.relative_to(base).as_posix()
        for path in base.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and (not suffixes or path.suffix in suffixes)
    }
    assert found, folder
    return found


def test_every_module_is_in_it(names: set[str]) -> None:
    assert {f"veriscite/{name}" for name in _tracked("veriscite")} <= names
    assert "veriscite/py.typed" in names


def test_package_data_are_in_it(names: set[str]) -> None:
    for example in EXAMPLES:
        for file in ("paper.md", "library.bib", "expected.json", "README.md"):
            assert f"veriscite/examples/{example}/{file}" in names
    assert "veriscite/linking/references/weights/fields.crfsuite" in names
    for folder in ("veriscite/chat/prompts", "veriscite/reporting/templates"):
        assert any(name.startswith(f"{folder}/") and not name.endswith(".py") for name in names), folder


def test_adapters_and_app_are_in_it(names: set[str]) -> None:
    assert {f"veriscite/_adapters/{name}" for name in _tracked("models/adapters")} <= names
    for adapter in ("science", "general"):
        assert f"veriscite/_adapters/{adapter}/adapter_model.safetensors" in names
    assert {f"veriscite/_app/{name}" for name in _tracked("app", ".py", ".css", ".svg", ".toml")} <= names


def test_nothing_else_is_in_it(wheel: Path, names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"veriscite"}
    assert not [
        name for name in names if "__pycache__" in name or name.endswith((".pyc", ".onnx", ".spm.model"))
    ]
    assert not [name for name in names if "/tests/" in name or name.endswith("tokenizer.json")]
    with zipfile.ZipFile(wheel) as archive:
        weights = [i for i in archive.infolist() if i.filename.endswith((".safetensors", ".bin", ".pt"))]
        assert all(i.filename.startswith("veriscite/_adapters/") for i in weights)
        assert sum(i.file_size for i in archive.infolist()) < MAX_BYTES


def test_metadata(wheel: Path, names: set[str]) -> None:
    (name,) = [name for name in names if name.endswith(".dist-info/METADATA")]
    with zipfile.ZipFile(wheel) as archive:
        metadata = Parser().parsestr(archive.read(name).decode("utf-8"))
        (licence,) = [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]
        assert b"Apache License" in archive.read(licence)
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "app" in (metadata.get_all("Provides-Extra") or [])


@pytest.fixture(scope="module")
def clean_environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel; dependencies are borrowed: installing torch again takes minutes."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    _run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--disable-pip-version-check",
            wheel,
        ],
        cwd=folder,
        timeout=60,
    )
    (packages,) = (folder / "lib").glob("python*/site-packages")
    # The borrowed folder comes after this environment's own packages, and .pth files in it are not read, so
    # that the editable checkout stays out.
    (packages / "borrowed.pth").write_text("\n".join(site.getsitepackages()) + "\n", encoding="utf-8")
    return folder


@pytest.mark.base_weights
@pytest.mark.timeout(600)  # against hanging; building and installing count as well
def test_demo_runs_from_the_installed_wheel(clean_environment: Path, tmp_path: Path) -> None:
    python = clean_environment / "bin" / "python"
    where = _run([python, "-c", "import veriscite; print(veriscite.__file__)"], cwd=tmp_path, timeout=30)
    assert Path(where.strip()).is_relative_to(clean_environment)

    command = [clean_environment / "bin" / "veriscite", "demo", "--output", "out"]
    _run(command, cwd=tmp_path, timeout=400)

    made = {path.name for path in (tmp_path / "out").iterdir()}
    assert made == {"report.html", "report.json", "report.csv", "report.md"}
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["status"] == "finished"
    assert report["failures"] == []
    assert report["summary"]["judged"] >= 15
    assert report["summary"]["unresolved_by_status"] == {"no_abstract": 1, "not_found": 1}
    assert report["summary"]["skipped"] == 1
    # Beside the reports, nothing was left in the user's folder.
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
