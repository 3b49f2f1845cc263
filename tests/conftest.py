"""What every test stands on: no network, no keys, folders of its own, steady random numbers."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import network_guard

ROOT = Path(__file__).resolve().parent.parent

_FOREIGN_PREFIXES = (
    "VERISCITE_",
    "ANTHROPIC_",
    "SEMANTIC_SCHOLAR_",
    "S2_",
    "OPENALEX_",
    "CROSSREF_",
    "EUROPE_PMC_",
    "ARXIV_",
    "OPENAI_",
    "LANGSMITH_",
    "LANGCHAIN_",
)
_KEPT = ("VERISCITE_SHARED", "VERISCITE_TEST_CACHE")
_STEADY_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "LANGSMITH_TRACING": "false",
    "TOKENIZERS_PARALLELISM": "false",
    # Spinning OpenMP threads starve each other when another process uses a core.
    "OMP_WAIT_POLICY": "PASSIVE",
    # Rich and typer wrap and colour by the terminal that happens to be there.
    "COLUMNS": "120",
    "NO_COLOR": "1",
    "TERM": "dumb",
}


def _clear_environment() -> None:
    for name in list(os.environ):
        if name.startswith(_FOREIGN_PREFIXES) and name not in _KEPT:
            del os.environ[name]
    os.environ.pop("FORCE_COLOR", None)
    os.environ.update(_STEADY_ENVIRONMENT)
    os.environ.update(network_guard.SUBPROCESS_ENVIRONMENT)


# At import, not in a fixture: huggingface_hub and others read the environment once, when they are imported.
_clear_environment()
network_guard.install()

settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session")
def shared_cache() -> Path:
    """A cache folder that lives longer than one run: converting the base weights takes seconds."""
    folder = Path(os.environ.get("VERISCITE_TEST_CACHE", ROOT / "build" / "test-cache"))
    (folder / "base").mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def _own_folders(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, shared_cache: Path
) -> None:
    """Give each test an empty cache and data folder; only the converted base weights are shared."""
    home = tmp_path_factory.mktemp("home")
    cache = home / "cache"
    cache.mkdir()
    (cache / "base").symlink_to(shared_cache / "base", target_is_directory=True)
    monkeypatch.setenv("VERISCITE_CACHE_DIR", str(cache))
    monkeypatch.setenv("VERISCITE_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("HF_HOME", str(home / "hub"))


@pytest.fixture(autouse=True)
def _nothing_left_this_machine() -> Iterator[None]:
    """Fail a test whose code tried to reach the network and swallowed the refusal."""
    network_guard.install()
    network_guard.refused.clear()
    yield
    refused = list(network_guard.refused)
    network_guard.refused.clear()
    if refused:
        pytest.fail(f"the test tried to leave this machine: {'; '.join(refused)}", pytrace=False)


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    """Return the folder of shared data and cases; a test that needs it skips where it is absent."""
    folder = Path(os.environ.get("VERISCITE_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}; name its folder in VERISCITE_SHARED")
    return folder
