"""Progress: the six steps and the time left, folded from events."""

from datetime import timedelta

import pytest
from veriscite_app.progress import STEPS, Progress, StepStatus

from tests import builders
from veriscite.domain.events import (
    ClaimDone,
    ClaimStarted,
    Event,
    Paired,
    ReferenceLookedUp,
    RetrievalStarted,
    RunStarted,
)

REPORT = builders.full_report()
EVENTS = builders.events_of(REPORT)


def after(events: list[Event]) -> Progress:
    progress = Progress()
    for event in events:
        progress.add(event)
    return progress


def statuses(progress: Progress, *, stopped: bool = False) -> list[str]:
    steps = progress.steps(stopped=stopped)
    assert tuple(step.key for step in steps) == STEPS
    return [step.status.value for step in steps]


def test_before_anything_all_steps_wait() -> None:
    assert statuses(Progress()) == ["waiting"] * 6
    assert Progress().share == 0


def test_after_the_last_event_all_steps_are_done() -> None:
    progress = after(EVENTS)
    assert statuses(progress) == ["done"] * 6
    assert progress.share == 1
    assert progress.done == REPORT.summary.claims
    assert progress.disagreements == REPORT.summary.needed_agent


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (RunStarted, ["running", "waiting", "waiting", "waiting", "waiting", "waiting"]),
        (Paired, ["done", "waiting", "waiting", "waiting", "waiting", "waiting"]),
        (RetrievalStarted, ["done", "running", "waiting", "waiting", "waiting", "waiting"]),
        (ClaimStarted, ["done", "done", "running", "waiting", "waiting", "waiting"]),
    ],
)
def test_a_step_runs_while_the_next_ones_wait(last: type[Event], expected: list[str]) -> None:
    end = next(n for n, event in enumerate(EVENTS) if isinstance(event, last))
    assert statuses(after(EVENTS[: end + 1])) == expected


def test_an_early_end_stops_what_was_under_way_and_keeps_what_was_done() -> None:
    end = next(n for n, event in enumerate(EVENTS) if isinstance(event, ReferenceLookedUp))
    assert statuses(after(EVENTS[: end + 1]), stopped=True) == ["done"] + ["stopped"] * 5


def test_while_the_models_load_the_verifiers_are_under_way() -> None:
    last = max(n for n, event in enumerate(EVENTS) if isinstance(event, ReferenceLookedUp))
    assert statuses(after(EVENTS[: last + 1]))[:3] == ["done", "done", "running"]


def test_a_step_that_was_never_needed_is_skipped() -> None:
    calm = [event for event in EVENTS if not event.type.startswith("agent_")]
    calm = [
        event.model_copy(update={"needs_agent": False}) if event.type == "compared" else event
        for event in calm
    ]
    assert after(calm).steps()[3].status is StepStatus.SKIPPED


def test_time_left_follows_the_pace_of_judging() -> None:
    start = builders.START
    progress = Progress()
    progress.add(Paired(at=start, markers=20, citances=20, claims=20, skipped=0, cited_references=20))
    for n in range(1, 11):  # ten unresolved claims take no time and must not count for the pace
        progress.add(ClaimDone(at=start, claim_id=f"c{n}", done=n, total=20))
    judging = start + timedelta(seconds=5)
    progress.add(ClaimStarted(at=judging, claim_id="c11", reference_id="r", claim="x", evidence_title=""))
    assert progress.remaining_s(judging) is None
    for n in range(11, 16):
        progress.add(ClaimDone(at=judging, claim_id=f"c{n}", done=n, total=20))
    assert progress.remaining_s(judging + timedelta(seconds=10)) == pytest.approx(10)


def test_no_time_is_promised_once_a_run_has_ended() -> None:
    assert after(EVENTS).remaining_s(builders.START + timedelta(seconds=60)) is None
