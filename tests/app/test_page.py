"""The page's logic, run by Streamlit's own test runner against scripted runs."""

import threading
import time
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest
from veriscite_app import jobs
from veriscite_app.submission import Submission

from tests import builders
from tests.app.conftest import APP, ScriptedRun
from veriscite.domain import Provenance
from veriscite.errors import ModelNotFoundError, NoReferencesError
from veriscite.examples import example

REPORT = builders.full_report()
EVENTS = builders.events_of(REPORT)
Script = Callable[..., None]

HOSTILE = "# <script>alert(1)</script> ![x](http://evil.example/x.png) $E=mc^2$ :material/home: [1]"


@pytest.fixture(autouse=True)
def _sidebar_knows(describe: Callable[[Callable[[object], Provenance]], None]) -> None:
    describe(lambda _settings: builders.PROVENANCE)


def opened(**query: str) -> AppTest:
    app = AppTest.from_file(str(APP / "main.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def html(app: AppTest) -> str:
    return "\n".join(element.proto.body for element in app.get("html"))


def click(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def job_of(app: AppTest) -> str:
    job_id = app.query_params["job"]
    # AppTest gives a list for what a test set, and a plain text for what the page set.
    return job_id[0] if isinstance(job_id, list) else job_id


def ended(job_id: str) -> None:
    deadline = time.monotonic() + 20
    while not jobs.registry().view(job_id).state.ended:  # type: ignore[union-attr]
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_nothing_to_check_is_said_and_no_run_is_started(script: Script) -> None:
    app = click(opened(), "run")
    assert "There is nothing to check yet" in html(app)
    assert "job" not in app.query_params


@pytest.mark.parametrize("name", ["numeric", "author-year"])
def test_the_example_is_one_click(name: str, script: Script, submitted: list[Submission]) -> None:
    script(ScriptedRun(EVENTS, REPORT))
    app = click(opened(), f"example-{name}")
    files = example(name)
    assert app.text_area(key="manuscript").value == files.manuscript.read_text(encoding="utf-8")
    ended(job_of(click(app, "run")))
    (given,) = submitted
    assert given.manuscript.content == files.manuscript.read_bytes()
    assert given.manuscript.name == files.manuscript.name
    assert given.library_paths == files.library
    assert given.offline


def test_what_is_typed_and_chosen_is_what_is_run(script: Script, submitted: list[Submission]) -> None:
    script(ScriptedRun(EVENTS, REPORT))
    app = opened()
    app.text_area(key="manuscript").set_value(HOSTILE)
    app.text_area(key="references").set_value("@article{a}")
    app.toggle(key="offline").set_value(False)
    app.number_input(key="max_claims").set_value(3)
    ended(job_of(click(app, "run")))
    (given,) = submitted
    assert given.manuscript.content.decode() == HOSTILE
    assert given.references is not None
    assert given.references.content == b"@article{a}"
    assert (given.offline, given.max_claims, given.manuscript.name) == (False, 3, "pasted text")


def test_an_edited_example_no_longer_bears_its_files_name(
    script: Script, submitted: list[Submission]
) -> None:
    script(ScriptedRun(EVENTS, REPORT))
    app = click(opened(), "example-numeric")
    app.text_area(key="manuscript").set_value("Mine [1].").run()
    ended(job_of(click(app, "run")))
    assert submitted[0].manuscript.name == "pasted text"


def test_a_run_is_shown_live_and_then_its_results(script: Script) -> None:
    run = ScriptedRun(EVENTS, REPORT, hold_at=20)
    script(run)
    app = click(click(opened(), "example-numeric"), "run")
    deadline = time.monotonic() + 20
    while len(jobs.registry().view(job_of(app)).events) < 20:  # type: ignore[union-attr]
        assert time.monotonic() < deadline
        time.sleep(0.01)
    app.run()
    live = html(app)
    assert "Run started on paper.md" in live
    assert 'class="vs-step vs-step-running"' in live
    assert "data-claim=" not in live
    run.go.set()
    ended(job_of(app))
    app.run()
    assert "data-claim=" in html(app)
    assert not [button for button in app.button if button.key == "cancel"]


def test_cancel_shows_what_was_done(script: Script) -> None:
    script(ScriptedRun(EVENTS, REPORT, hold_at=12, when_cancelled=builders.cancelled_report()))
    app = click(click(opened(), "example-numeric"), "run")
    app = click(app, "cancel")
    ended(job_of(app))
    app.run()
    assert "Cancelled after" in html(app)
    assert "Not reached" in html(app)


def test_bad_input_is_told_and_the_text_is_still_there(script: Script, submitted: list[Submission]) -> None:
    error = NoReferencesError("There is no <b>list</b>.", advice="Paste *it* on the right.")
    script(ScriptedRun(EVENTS[:1], error=error))
    app = opened()
    app.text_area(key="manuscript").set_value(HOSTILE)
    app.toggle(key="offline").set_value(False)
    job_id = job_of(click(app, "run"))
    ended(job_id)
    for page in (app.run(), opened(job=job_id)):  # the same session, and a reload
        assert "There is no &lt;b&gt;list&lt;/b&gt;." in html(page)
        assert "Paste *it* on the right." in html(page)
        assert page.text_area(key="manuscript").value == HOSTILE
        assert page.toggle(key="offline").value is False


def test_a_reload_finds_the_typed_text(script: Script) -> None:
    app = opened()
    app.text_area(key="manuscript").set_value(HOSTILE).run()
    again = opened(draft=app.query_params["draft"])
    assert again.text_area(key="manuscript").value == HOSTILE


def test_a_reload_finds_the_run_and_going_back_finds_the_text(script: Script) -> None:
    script(ScriptedRun(EVENTS, REPORT))
    app = click(click(opened(), "example-numeric"), "run")
    ended(job_of(app))
    again = opened(job=job_of(app))
    assert "data-claim=" in html(again)
    back = click(again, "new")
    assert back.text_area(key="manuscript").value.startswith("# ")
    assert "job" not in back.query_params


def test_a_run_that_is_no_longer_kept_is_said_so(script: Script) -> None:
    app = opened(job="long-gone")
    assert "This run is no longer here" in html(app)
    assert app.button(key="run")


def test_a_second_session_sees_only_what_its_address_names(script: Script) -> None:
    script(ScriptedRun(EVENTS, REPORT), ScriptedRun(EVENTS, REPORT))
    first, second = (click(click(opened(), "example-numeric"), "run") for _ in range(2))
    assert job_of(first) != job_of(second)
    assert "data-claim=" not in html(opened())


@pytest.fixture
def results(script: Script) -> AppTest:
    script(ScriptedRun(EVENTS, REPORT))
    app = click(click(opened(), "example-numeric"), "run")
    ended(job_of(app))
    return app.run()


def cards(app: AppTest) -> list[str]:
    return [part.split('"')[0] for part in html(app).split('data-claim="')[1:]]


def test_claims_filter_by_verdict(results: AppTest) -> None:
    pills = results.button_group(key=f"filter-{job_of(results)}")
    assert sorted(cards(results)) == sorted(claim.id for claim in REPORT.pairing.claims)
    pills.set_value(["CONTRADICT"]).run()
    assert cards(results) == ["c1"]


def test_claims_filter_by_the_agent(results: AppTest) -> None:
    results.toggle(key=f"agent-{job_of(results)}").set_value(True).run()
    assert cards(results) == ["c3"]


def test_claims_can_stand_as_in_the_text(results: AppTest) -> None:
    results.button_group(key=f"order-{job_of(results)}").set_value("text").run()
    assert cards(results) == [claim.id for claim in REPORT.pairing.claims]


def test_each_format_is_offered_with_the_librarys_own_content(results: AppTest) -> None:
    from veriscite_app.results import _content

    from veriscite.reporting import render

    offered = {button.proto.id.rsplit("-", 1)[-1]: button.proto for button in results.get("download_button")}
    assert set(offered) == {"html", "json", "csv", "md"}
    for format_name in offered:
        assert _content(format_name, job_of(results), REPORT) == render(REPORT, format_name)


def test_many_claims_come_page_by_page(script: Script) -> None:
    claims = tuple(REPORT.pairing.claims[0].model_copy(update={"id": f"k{n}"}) for n in range(60))
    many = REPORT.model_copy(update={"pairing": REPORT.pairing.model_copy(update={"claims": claims})})
    script(ScriptedRun(EVENTS, many))
    app = click(click(opened(), "example-numeric"), "run")
    ended(job_of(app))
    app.run()
    assert cards(app) == [f"k{n}" for n in range(25)]
    app.button_group(key=f"page-{job_of(app)}-60").set_value(2).run()
    assert cards(app) == [f"k{n}" for n in range(50, 60)]


def test_a_report_without_claims_is_a_result_too(script: Script) -> None:
    script(ScriptedRun(EVENTS, builders.empty_report()))
    app = click(click(opened(), "example-numeric"), "run")
    ended(job_of(app))
    app.run()
    assert "No claim was judged" in html(app)


def test_the_sidebar_tells_what_is_active(script: Script) -> None:
    assert "rule-based planner" in html(opened())


def test_the_sidebar_tells_what_is_missing(
    script: Script, describe: Callable[[Callable[[object], Provenance]], None]
) -> None:
    def missing(_settings: object) -> Provenance:
        raise ModelNotFoundError("The weights are missing.", advice="Reinstall.")

    describe(missing)
    assert "The weights are missing." in html(opened())


def test_the_page_does_not_wait_for_the_sidebar(
    script: Script, describe: Callable[[Callable[[object], Provenance]], None]
) -> None:
    ready = threading.Event()

    def slow(_settings: object) -> Provenance:
        assert ready.wait(60)
        return builders.PROVENANCE

    describe(slow)
    app = opened()
    assert app.button(key="run")
    assert "rule-based planner" not in html(app)
    ready.set()
    assert "rule-based planner" in html(app.run())


def test_nothing_typed_is_given_to_a_markdown_element(script: Script) -> None:
    script(ScriptedRun(EVENTS, error=NoReferencesError(HOSTILE, advice=HOSTILE)))
    app = opened()
    app.text_area(key="manuscript").set_value(HOSTILE)
    ended(job_of(click(app, "run")))
    app.run()
    drawn = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info, *app.title, *app.header]
    assert not [element.value for element in drawn if "<script" in element.value or "evil" in element.value]
    assert "<script>alert(1)" not in html(app)
