from __future__ import annotations

import typing

import pytest

from tests import builders
from veriscite.cli.lines import lines_of
from veriscite.domain import Label
from veriscite.domain.events import ClaimDone, Event, ReferenceChecked, RunFailed, Waiting

EVENTS = builders.events_of(builders.full_report())
TEXT = [str(line) for event in EVENTS for line in lines_of(event)]


def test_the_fixture_holds_every_kind_of_event() -> None:
    kinds = set(typing.get_args(typing.get_args(Event)[0])) - {RunFailed}
    assert {type(event) for event in EVENTS} == kinds


def test_every_event_has_its_line_but_those_that_only_count() -> None:
    silent = [event for event in EVENTS if not lines_of(event)]
    assert {type(event) for event in silent} == {ClaimDone, ReferenceChecked}
    checked = [event.check for event in silent if isinstance(event, ReferenceChecked)]
    assert not any(check.needs_a_look for check in checked)
    assert lines_of(RunFailed(code="x", message="told on standard error instead")) == ()


@pytest.mark.parametrize(
    "line",
    [
        "✓ Paired: 10 markers in 10 citing sentences give 10 claims on 8 references; 2 skipped",
        "  – Skipped 99: no such entry. The reference list has no entry 99; it ends at 9.",
        "  … Waiting 2.0 s for Semantic Scholar: The server asks for a pause.",
        "· Loading NLI model: DeBERTa-v3-xsmall + science",
        "✓ Loaded NLI model in 2.1 s",
        "  ✓ ref-1 found (library): Metformin and fasting glucose",
        "  – ref-8 could not look: The server answered 503 four times.",
        "– c5 Unresolved, not found: No record fits.",
        "  ✗ ref-1 retracted: Retracted on 2019-04-01, says Crossref and OpenAlex, notice "
        "doi:10.1000/metf.r. (and 1 more)",
        "· c1 Judging against ref-1: Metformin raised fasting glucose in every group.",
        "  ✗ c1 NLI model: contradicted (95 %)",
        "  ○ c4 Blind verifier: abstains. No answer after two retries.",
        "  ≠ c3 the verifiers disagree, so the agent takes over",
        "    → c3 agent 2: second opinion() because: The verdicts still differ.",
        "    ← c3 agent 2: The second opinion: not enough information. (1.4 s)",
        "? c3 Not enough information, by the agent's conclusion, after the verifiers disagreed",
        "  ≠ c4 Both verifiers abstained.",
        "  = c1 the verifiers agree",
        "○ c4 No verdict: Every verifier abstained.",
        "! c9 Failed at verify: The model ran out of memory. Set a smaller batch.",
        "  · c10 no deciding words: The model gives no gradients.",
        "  · c1 deciding words: “group” -0.70, “group” +0.70, “every” +0.60, “every” -0.60",
        "  ! c2 do not rely on these words: Leaving out the 2 words that speak most for the label costs it "
        "no more than leaving out words at random.",
        "✓ Finished",
    ],
)
def test_what_is_said(line: str) -> None:
    assert line in TEXT


def test_lines_are_single_and_cannot_drive_the_terminal() -> None:
    joined = "".join(TEXT)
    assert "\n" not in joined
    assert "\x1b" not in joined
    assert "\u202e" not in joined
    assert "[U+001B]" in joined


def test_a_confidence_that_is_not_calibrated_is_not_told() -> None:
    assert "  ✓ c10 NLI model: supported" in TEXT
    assert not [line for line in TEXT if "98." in line or "99 %" in line]


def test_words_that_can_be_relied_on_get_no_warning() -> None:
    assert [line[:4] for line in TEXT if "do not rely" in line] == ["  ! "]


def test_agent_calls_are_indented_under_their_claim() -> None:
    calls = [line for event in EVENTS if event.type.startswith("agent_") for line in lines_of(event)]
    assert len(calls) == 6
    assert {line.indent for line in calls} == {2}
    assert all("c3" in line.text for line in calls)


def test_every_label_is_told_by_sign_and_word() -> None:
    settled = {
        event.final.label: str(lines_of(event)[0])
        for event in EVENTS
        if event.type == "claim_settled" and event.final
    }
    assert settled.keys() == set(Label)
    assert len({line[0] for line in settled.values()}) == 3


def test_a_long_text_is_cut() -> None:
    (line,) = lines_of(Waiting(source="s", seconds=1, reason="because " * 5000))
    assert len(line.text) < 200
