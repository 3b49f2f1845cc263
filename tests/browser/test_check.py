"""From the first click to the files, watched in Chromium."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")

from playwright.sync_api import Page, expect

from veriscite.domain import Report
from veriscite.examples import example

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1200)]

HOSTILE = (
    "Sugar <script>alert('ran')</script><img src=x onerror=alert('ran')> is sweet [1]. "
    "![pixel](http://evil.example/x.png) [link](javascript:alert('ran')) holds $E=mc^2$ [2].\n"
)
LIST = "[1] Smith J. Sugar is sweet. J Food. 2010.\n[2] Jones B. Salt is salty. J Food. 2011.\n"


def long_manuscript() -> str:
    """Return the example with its body ten times over: a run of minutes at the server's set pace."""
    body, heading, references = (
        example("numeric").manuscript.read_text(encoding="utf-8").partition("\n## References")
    )
    assert heading
    return body * 10 + heading + references


def load_example(page: Page) -> None:
    page.get_by_role("button", name="Numbered citations").click()
    title = example("numeric").manuscript.read_text(encoding="utf-8").splitlines()[0]
    expect(page.get_by_label("Manuscript", exact=True)).to_have_value(re.compile(re.escape(title)))


def run(page: Page) -> None:
    # Text is committed when its field is left, which runs the page once; a click that comes while the button
    # is drawn anew is lost.
    page.evaluate("() => document.activeElement?.blur()")
    page.wait_for_timeout(500)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.get_by_role("button", name="Check the citations").click()


def log_lines(page: Page) -> int:
    return page.locator(".vs-line").count()


def upload(page: Page, label: str, file: Path) -> None:
    field = page.get_by_test_id("stFileUploader").filter(has_text=label)
    field.locator("input[type=file]").set_input_files(file)
    expect(field.get_by_text(file.name)).to_be_visible()


def wait_for_lines(page: Page, at_least: int) -> None:
    page.wait_for_function(
        "n => document.querySelectorAll('.vs-line').length >= n || document.querySelector('.vs-card')",
        arg=at_least,
    )


def download(page: Page, name: str) -> bytes:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    return Path(waiting.value.path()).read_bytes()


def test_the_example_from_the_first_click_to_the_files(page: Page) -> None:
    load_example(page)
    run(page)
    wait_for_lines(page, 1)
    assert page.locator(".vs-card").count() == 0, "the first event came only with the last"
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    seen = log_lines(page)
    wait_for_lines(page, seen + 1)
    assert page.locator(".vs-card").count() == 0, "events came all at once"

    expect(page.locator(".vs-card").first).to_be_visible()
    first = page.locator(".vs-card summary").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".vs-card[open]")).to_have_count(1)
    expect(page.locator(".vs-card[open]").get_by_text("Reference as cited")).to_be_visible()

    report = Report.model_validate_json(download(page, "JSON"))
    assert report.manuscript.source_name == "paper.md"
    assert report.summary.claims == len(report.pairing.claims) > 10
    rows = list(csv.reader(io.StringIO(download(page, "CSV").decode("utf-8-sig"))))
    assert len(rows) == report.summary.claims + 1
    assert download(page, "HTML").lstrip().lower().startswith(b"<!doctype html")
    assert report.manuscript.title is not None
    assert report.manuscript.title in download(page, "Markdown").decode()


def test_the_agents_tool_calls_are_indented_in_the_log(page: Page) -> None:
    load_example(page)
    run(page)
    expect(page.locator(".vs-card").first).to_be_visible()
    report = json.loads(download(page, "JSON"))
    if not any(result["steps"] for result in report["results"]):
        pytest.skip("the tiny models happen to agree on every claim")
    page.get_by_role("tab", name="Log").click()
    call, claim_line = page.locator(".vs-depth-2").first, page.locator(".vs-depth-0").first
    expect(call).to_be_visible()
    indent = "e => parseFloat(getComputedStyle(e.querySelector('.vs-line-text')).paddingLeft)"
    assert call.evaluate(indent) > claim_line.evaluate(indent)


def test_a_long_run_outlives_a_reload_and_keeps_what_was_done_when_cancelled(page: Page) -> None:
    load_example(page)
    manuscript = page.get_by_label("Manuscript", exact=True)
    text = long_manuscript()
    manuscript.fill(text)
    run(page)
    page.get_by_role("button", name="Cancel").wait_for()
    wait_for_lines(page, 1)
    page.reload()
    wait_for_lines(page, 30)
    assert page.locator(".vs-card").count() == 0, "the run should take longer than a reload"
    expect(page.get_by_text(re.compile(r"^\d+ of 220 claims ·"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled after")).to_be_visible()
    report = Report.model_validate_json(download(page, "JSON"))
    assert report.status == "cancelled"
    assert report.summary.not_reached > 0
    assert report.manuscript.source_name == "pasted text"
    page.get_by_role("button", name="New check").click()
    expect(manuscript).to_have_value(text)


def test_text_of_users_is_shown_and_never_run(page: Page) -> None:
    page.get_by_label("Manuscript", exact=True).fill(HOSTILE)
    page.get_by_label("Reference list", exact=True).fill(LIST)
    run(page)  # without leaving the field first
    expect(page.locator(".vs-card")).to_have_count(2)
    page.locator(".vs-card summary").first.click()
    expect(page.locator(".vs-card").first).to_contain_text("<script>alert('ran')</script>")
    assert page.locator(".stMain script, .vs img").count() == 0 or not page.evaluate(
        "[...document.querySelectorAll('.vs script, .vs img')].length"
    )


def test_bad_input_is_told_and_nothing_typed_is_lost(page: Page) -> None:
    page.get_by_label("Manuscript", exact=True).fill("A text without any citation marker at all.")
    run(page)
    alert = page.get_by_role("alert").filter(has_text="This input cannot be checked as it is")
    expect(alert).to_be_visible()
    expect(page.get_by_label("Manuscript", exact=True)).to_have_value(re.compile("^A text without"))
    page.reload()
    expect(page.get_by_label("Manuscript", exact=True)).to_have_value(re.compile("^A text without"))


def test_a_reload_keeps_text_that_was_never_run(page: Page) -> None:
    page.get_by_label("Manuscript", exact=True).fill("Half a sentence")
    page.get_by_label("Reference list", exact=True).click()
    page.wait_for_url(re.compile("draft="))
    page.reload()
    expect(page.get_by_label("Manuscript", exact=True)).to_have_value("Half a sentence")


def test_files_can_be_uploaded(page: Page, tmp_path: Path) -> None:
    files = example("author-year")
    page.get_by_text("Upload files").click()
    upload(page, "Manuscript", files.manuscript)
    page.get_by_text("Your own library of abstracts").click()
    upload(page, "BibTeX, RIS", files.library[0])
    run(page)
    expect(page.locator(".vs-card").first).to_be_visible()
    report = Report.model_validate_json(download(page, "JSON"))
    assert report.manuscript.source_name == "paper.md"
    assert report.summary.judged > 0


def test_a_broken_file_is_told_and_can_be_replaced(page: Page, tmp_path: Path) -> None:
    broken = tmp_path / "paper.pdf"
    broken.write_bytes(b"%PDF-1.7\n" + b"\x00\xff broken" * 50)
    page.get_by_text("Upload files").click()
    upload(page, "Manuscript", broken)
    run(page)
    alert = page.get_by_role("alert").filter(has_text="This input cannot be checked as it is")
    expect(alert).to_be_visible()
    expect(page.get_by_text("Kept from the last run: paper.pdf")).to_be_visible()


@pytest.mark.parametrize(
    "page",
    [
        {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
        for width, height in ((1280, 900), (390, 844))
        for scheme in ("light", "dark")
    ],
    indirect=True,
    ids=["wide-light", "wide-dark", "narrow-light", "narrow-dark"],
)
def test_nothing_sticks_out_at_either_width(page: Page, request: pytest.FixtureRequest) -> None:
    sticks_out = "() => { const m = document.querySelector('.stMain'); return m.scrollWidth - m.clientWidth }"
    scheme = request.node.callspec.params["page"]["color_scheme"]
    assert page.evaluate("getComputedStyle(document.querySelector('.vs')).colorScheme") == scheme
    assert page.evaluate(sticks_out) <= 0
    page.get_by_label("Manuscript", exact=True).fill(HOSTILE + "x" * 400)
    page.get_by_label("Reference list", exact=True).fill(LIST)
    run(page)
    expect(page.locator(".vs-card")).to_have_count(2)
    for summary in page.locator(".vs-card summary").all():
        summary.click()
    expect(page.locator(".vs-card[open]")).to_have_count(2)
    assert page.evaluate(sticks_out) <= 0
