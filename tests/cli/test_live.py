from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from tests import builders
from veriscite.cli.live import (
    JsonView,
    LiveView,
    PlainView,
    SilentView,
    choose_view,
    phase_of,
)
from veriscite.domain.events import ModelLoading, event_adapter

EVENTS = builders.events_of(builders.full_report())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(out: io.StringIO, width: int) -> Console:
    return Console(
        file=out, force_terminal=True, width=width, color_system=None, _environ={"TERM": "xterm-256color"}
    )


def test_the_live_view_shows_every_line_and_a_bar_over_claims() -> None:
    out = Terminal()
    view = LiveView(terminal(out, width=200))
    with view:
        for event in EVENTS:
            view.show(event)
            if event.type == "claim_done" and event.done == 4:
                (task,) = view._progress.tasks
                assert (task.completed, task.total) == (4, 10)
                view._progress.refresh()
    text = out.getvalue()
    assert "4/10" in text
    assert "? c3 Not enough information" in text
    assert "[bold red]markup[/bold red]" in text  # shown as written, not taken for markup
    assert "\x1b[31mred" not in text
    assert "[U+001B][31mred" in text


def test_the_live_view_gives_the_terminal_back_when_the_run_breaks() -> None:
    out = Terminal()
    view = LiveView(terminal(out, width=80))
    with pytest.raises(RuntimeError), view:
        raise RuntimeError("broken")
    assert out.getvalue().rfind("\x1b[?25h") > out.getvalue().rfind("\x1b[?25l")  # the cursor is shown again


def test_the_phases_of_a_run() -> None:
    phases = list(dict.fromkeys(filter(None, map(phase_of, EVENTS))))
    assert phases == [
        "Pairing claims with references",
        "Retrieving abstracts",
        "Loading models",
        "Judging claims",
        "Finished",
    ]
    assert phase_of(ModelLoading(role="nli", name="x")) == "Loading models"


def test_the_plain_view_prints_lines_without_any_control_character() -> None:
    out = io.StringIO()
    with PlainView(out) as view:
        for event in EVENTS:
            view.show(event)
    text = out.getvalue()
    assert "\x1b" not in text
    assert "[10/10] claims done" in text
    assert text.splitlines()[-1] == "✓ Finished"


def test_the_json_view_prints_events_that_read_back() -> None:
    out = io.StringIO()
    with JsonView(out) as view:
        for event in EVENTS:
            view.show(event)
    lines = out.getvalue().splitlines()
    assert [event_adapter.validate_json(line) for line in lines] == EVENTS
    assert all(isinstance(json.loads(line), dict) for line in lines)


@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        ({}, LiveView),
        ({"NO_COLOR": "1"}, PlainView),
        ({"NO_COLOR": ""}, LiveView),
        ({"TERM": "dumb"}, PlainView),
    ],
)
def test_a_terminal_gets_what_it_can_show(environment: dict[str, str], kind: type) -> None:
    view = choose_view(Terminal(), quiet=False, json_events=False, environment=environment)
    assert isinstance(view, kind)


def test_files_and_pipes_get_lines_and_programs_get_json() -> None:
    assert isinstance(choose_view(io.StringIO(), quiet=False, json_events=False, environment={}), PlainView)
    assert isinstance(choose_view(Terminal(), quiet=True, json_events=False, environment={}), SilentView)
    assert isinstance(choose_view(Terminal(), quiet=True, json_events=True, environment={}), JsonView)
