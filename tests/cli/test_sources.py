"""Which sources are asked: options win over the environment."""

import pytest

from veriscite.cli.choices import SourceName
from veriscite.cli.options import build_settings
from veriscite.domain import Component
from veriscite.errors import InputError
from veriscite.settings import EvidenceSettings, Settings, StorageSettings
from veriscite.wiring import describe, finders

ALL = [source.setting for source in SourceName]


def enabled(settings: Settings) -> list[str]:
    return [name for name in ALL if getattr(settings, name).enabled]


def test_all_by_default() -> None:
    assert enabled(build_settings()) == ALL


def test_only_these() -> None:
    chosen = [SourceName.CROSSREF, SourceName.EUROPE_PMC]
    assert enabled(build_settings(only=chosen)) == ["crossref", "europe_pmc"]


def test_not_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARXIV_ENABLED", "0")
    settings = build_settings(without=[SourceName.OPENALEX])
    assert enabled(settings) == ["semantic_scholar", "crossref", "europe_pmc"]
    assert enabled(build_settings(only=[SourceName.ARXIV])) == ["arxiv"]


def test_both_is_refused() -> None:
    with pytest.raises(InputError, match="crossref"):
        build_settings(only=[SourceName.CROSSREF], without=[SourceName.CROSSREF])


def test_what_is_wired_is_what_is_enabled(tmp_path: object) -> None:
    settings = build_settings(without=[SourceName.ARXIV]).model_copy(
        update={"storage": StorageSettings(cache_dir=tmp_path, data_dir=tmp_path)}  # type: ignore[arg-type]
    )
    assert [finder.name for finder in finders(settings)] == ALL[:-1]
    offline = settings.model_copy(update={"evidence": EvidenceSettings(offline=True)})
    assert finders(offline) == ()
    told: tuple[Component, ...] = describe(settings).components
    names = [component.name for component in told if component.role in ("source", "evidence source")]
    assert names == ["library", *ALL[:-1]]
