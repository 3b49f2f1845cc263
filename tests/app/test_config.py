"""The server's settings: what must not be loosened by accident."""

import tomllib
from typing import Any

import pytest

from tests.app.conftest import APP


@pytest.fixture(scope="module")
def config() -> dict[str, Any]:
    return tomllib.loads((APP / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_only_this_machine_is_served_and_foreign_sites_cannot_post(config: dict[str, Any]) -> None:
    server = config["server"]
    assert server["address"] == "127.0.0.1"
    assert server["enableXsrfProtection"] is True
    assert server["enableCORS"] is True
    assert 0 < server["maxUploadSize"] <= 100


def test_nothing_is_reported_to_anyone(config: dict[str, Any]) -> None:
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorLinks"] is False
    assert config["server"]["showEmailPrompt"] is False


def test_no_font_is_fetched(config: dict[str, Any]) -> None:
    theme = config["theme"]
    assert (theme["font"], theme["codeFont"]) == ("sans-serif", "monospace")
    assert "fontFaces" not in theme


def test_modules_with_running_jobs_are_never_reloaded(config: dict[str, Any]) -> None:
    assert config["server"]["fileWatcherType"] == "none"


def test_the_live_view_does_not_collect_garbage_at_the_runs_expense(config: dict[str, Any]) -> None:
    assert config["runner"]["postScriptGC"] is False


def test_streamlit_knows_every_option() -> None:
    from streamlit import config as known

    text = (APP / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    options = known.get_config_options()
    for section, values in tomllib.loads(text).items():
        for name, value in values.items():
            nested = value if isinstance(value, dict) else {None: value}
            for inner in nested:
                key = f"{section}.{name}" + (f".{inner}" if inner else "")
                assert key in options
