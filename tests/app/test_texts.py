"""The interface's texts: all that are asked for are there, and all that are there are asked for."""

import re
import string
from pathlib import Path

import pytest
from veriscite_app import texts
from veriscite_app.exports import EXPORTS
from veriscite_app.progress import STEPS, StepStatus

from tests.app.conftest import APP
from veriscite.domain import AgentAction, DecidedBy, Label, SkipReason
from veriscite.reporting.text import Standing

SOURCES = [p for p in (APP / "veriscite_app").rglob("*") if p.suffix in (".py", ".html")]
NAMED = {
    "standing": [s.value for s in (*Standing, *Label)],
    "by": [d.value for d in DecidedBy],
    "action": [a.value for a in AgentAction],
    "verifier": ["nli", "blind", "second_opinion"],
    "skip": [s.value for s in SkipReason],
    "lookup": ["not_found", "ambiguous", "no_abstract", "lookup_failed", "not_a_finding"],
}
FAMILIES = (
    *(f"{group}.{value}" for group, values in NAMED.items() for value in values),
    *(f"step.{key}{end}" for key in STEPS for end in ("", ".what")),
    *(f"step.state.{status.value}" for status in StepStatus),
    *(f"results.export_{export.format}" for export in EXPORTS),
    *(f"form.{kind}_{mode}" for kind in ("mode", "empty") for mode in ("paste", "upload")),
    *(f"results.sort_{order}" for order in ("attention", "text")),
    *("example.numeric", "example.author-year"),
)


def asked_for(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r"""\bt\(\s*["']([\w.]+)["']""", text)) - {"step."}


def literal_uses() -> set[str]:
    everything = "\n".join(p.read_text(encoding="utf-8") for p in SOURCES if p.name != "texts.py")
    return {key for key in texts._ENGLISH if re.search(rf"""["']{re.escape(key)}["']""", everything)}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_every_text_asked_for_is_there(path: Path) -> None:
    missing = {key for key in asked_for(path) if not key.endswith(".")} - set(texts._ENGLISH)
    assert not missing


@pytest.mark.parametrize("key", sorted(set(FAMILIES)))
def test_every_value_that_can_occur_has_a_name(key: str) -> None:
    assert texts.t(key)


def test_no_text_is_left_over() -> None:
    nouns = {key for key in texts._ENGLISH if key.endswith((".one", ".other"))}
    roles = {key for key in texts._ENGLISH if key.startswith("role.")}
    own = {"seconds", "minutes"}
    assert set(texts._ENGLISH) - literal_uses() - set(FAMILIES) - nouns - roles - own == set()


def test_values_of_users_with_braces_stay_as_they_are() -> None:
    assert texts.t("log.run_failed", message="{0} {name} {") == "The run failed: {0} {name} {"


def test_placeholders_are_named() -> None:
    for key, text in texts._ENGLISH.items():
        fields = [field for _, field, _, _ in string.Formatter().parse(text) if field is not None]
        assert all(field.isidentifier() for field in fields), key


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"), (-3, "0 s")],
)
def test_durations_are_told_for_people(seconds: float, expected: str) -> None:
    assert texts.duration(seconds) == expected


def test_nouns_follow_their_number() -> None:
    assert texts.count("claim", 1) == "1 claim"
    assert texts.count("claim", 1200) == "1,200 claims"
