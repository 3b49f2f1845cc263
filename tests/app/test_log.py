"""The log: a line for each event."""

from typing import get_args

import pytest
from veriscite_app.log import LONGEST_LINE, line_of, lines

from tests import builders
from veriscite.domain.events import (
    AgentActed,
    AgentActionStarted,
    Attributed,
    ClaimDone,
    Event,
    ReferenceChecked,
    RunFailed,
)

EVENTS = [*builders.events_of(builders.full_report()), RunFailed(code="x", message="All is lost.")]
KINDS = get_args(get_args(Event)[0])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_event_has_a_line_but_the_one_that_only_counts(kind: type[Event]) -> None:
    found = [line_of(event) for event in EVENTS if isinstance(event, kind)]
    if not found:
        pytest.skip("the sample report sends no such event")
    if kind is ClaimDone:
        assert found == [None] * len(found)
    elif kind is ReferenceChecked:
        # Of a reference that needs no look there is nothing to say.
        needed = [event.check.needs_a_look for event in EVENTS if isinstance(event, ReferenceChecked)]
        assert [line is not None for line in found] == needed
    else:
        assert all(line is not None and line.text for line in found)


def test_tool_calls_of_the_agent_are_indented_and_their_answers_more() -> None:
    calls = [line_of(event) for event in EVENTS if isinstance(event, AgentActionStarted)]
    answers = [line_of(event) for event in EVENTS if isinstance(event, AgentActed)]
    assert calls
    assert {line.depth for line in calls if line} == {2}
    assert {line.depth for line in answers if line} == {3}
    assert {line.claim for line in calls if line} == {"c3"}


def test_a_line_never_grows_long_nor_breaks() -> None:
    event = RunFailed(code="x", message="word\n" * 100_000)
    line = line_of(event)
    assert line is not None
    assert len(line.text) <= LONGEST_LINE
    assert "\n" not in line.text


def test_uncalibrated_probabilities_are_never_shown() -> None:
    text = "\n".join(line.text for line in lines(tuple(EVENTS)))
    assert "confidence 95 %" in text
    assert "99 %" not in text
    assert str(builders.UNCALIBRATED)[:4] not in text


def test_deciding_words_that_cannot_be_relied_on_say_why() -> None:
    told = {
        event.claim_id: line
        for event in EVENTS
        if isinstance(event, Attributed) and event.attribution and (line := line_of(event))
    }
    assert told["c1"].text.startswith("Deciding words: group, every, in")
    assert "relied" not in told["c1"].text
    assert told["c2"].text.startswith(
        "Deciding words, not to be relied on: weeks, pressure. Leaving out the 2"
    )
    assert (told["c1"].tone, told["c2"].tone) == ("plain", "warn")
