from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from veriscite.domain import Report
from veriscite.errors import InputError
from veriscite.reporting import FORMATS, render
from veriscite.reporting.csv import COLUMNS, guarded, render_csv
from veriscite.reporting.json import render_json
from veriscite.reporting.markdown import render_markdown
from veriscite.reporting.templating import escape_markdown
from veriscite.reporting.text import percent, seconds, shorten, visible


@pytest.mark.parametrize("make", [builders.full_report, builders.cancelled_report, builders.empty_report])
def test_json_gives_the_report_back(make: type[Report]) -> None:
    report = make()
    assert Report.model_validate_json(render_json(report)) == report


def test_csv_has_one_row_for_each_claim_whatever_came_of_it(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(report), newline="")))
    assert [row["claim_id"] for row in rows] == [claim.id for claim in report.pairing.claims]
    assert [row["outcome"] for row in rows] == [
        "CONTRADICT",
        "SUPPORT",
        "NOT_ENOUGH_INFO",
        "NO_VERDICT",
        *["UNRESOLVED"] * 4,
        "FAILED",
        "SUPPORT",
    ]
    assert rows[4]["claim"].startswith("'=")
    assert rows[4]["reference"].startswith("'=")
    assert rows[0]["confidence"] == "0.95"
    assert rows[9]["confidence"] == rows[9]["nli_confidence"] == ""
    assert str(builders.UNCALIBRATED) not in render_csv(report)
    assert set(rows[0]) == set(COLUMNS)


def test_csv_tells_the_deciding_words_and_whether_to_rely_on_them(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(report), newline="")))
    sure, unsure, none = rows[0], rows[1], rows[2]
    assert sure["deciding_words"].startswith("group (-0.70, claim); group (+0.70, evidence); every (+0.60, ")
    assert (sure["deciding_words_trusted"], sure["deciding_words_doubts"]) == ("yes", "")
    assert sure["attribution_relative_delta"] == "0.01"
    assert (sure["deletion_top_drop"], sure["deletion_random_drop"]) == ("1.9", "0.4")
    assert unsure["deciding_words_trusted"] == "no"
    assert "at random" in unsure["deciding_words_doubts"]
    assert unsure["deletion_top_drop"] == "0.2"
    assert {none[name] for name in COLUMNS if name.startswith(("deciding", "attribution", "deletion"))} == {
        ""
    }


@pytest.mark.parametrize("format_", ["html", "md"])
def test_a_report_says_which_words_not_to_rely_on(report: Report, format_: str) -> None:
    text = render(report, format_).decode()
    assert text.count("Do not rely on these words.") == 1
    assert text.count("costs it no more than leaving out words at random.") == 1


@given(st.text())
def test_no_cell_is_ever_a_formula_or_more_than_a_line(text: str) -> None:
    cell = guarded(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert len(cell.splitlines()) <= 1


def test_numbers_stay_numbers() -> None:
    assert guarded(-0.5) == "-0.5"
    assert guarded(None) == ""


def test_csv_bytes_open_in_a_spreadsheet(report: Report) -> None:
    assert render(report, "csv").startswith(b"\xef\xbb\xbfclaim_id,")
    assert "Çelik" in render(report, "csv").decode("utf-8-sig")


def test_an_unknown_format_is_refused(report: Report) -> None:
    with pytest.raises(InputError, match=r"docx.*html, json, csv, md"):
        render(report, "docx")
    assert FORMATS == ("html", "json", "csv", "md")


def test_markdown_shows_hostile_text_as_text(report: Report) -> None:
    text = render_markdown(report)
    assert not re.search(r"(?<!\\)[<\[]", text)  # every bracket that could open something is escaped
    assert "was validated \\| in" in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert str(builders.UNCALIBRATED)[:5] not in text
    assert "99 %" not in text


@pytest.mark.parametrize(
    ("raw", "escaped"),
    [
        ("1. one", "1\\. one"),
        ("- item", "\\- item"),
        ("a # b - c", "a # b - c"),
        ("# h", "\\# h"),
        ("a_b *c* `d`", "a\\_b \\*c\\* \\`d\\`"),
        ("<b>&lt;", "\\<b\\>\\&lt;"),
        ("see http://x.org or www.x.org", "see http\\://x.org or www\\.x.org"),
        ("two\nlines | here", "two lines \\| here"),
    ],
)
def test_markdown_escapes_what_means_something(raw: str, escaped: str) -> None:
    assert escape_markdown(raw) == escaped


def test_hidden_characters_are_spelled_out_and_marks_of_direction_kept() -> None:
    assert visible("a\u202eb\x1b\x07") == "a[U+202E]b[U+001B][U+0007]"
    assert visible("שלום\u200f \u2067x") == "שלום\u200f [U+2067]x"
    assert visible("line\nnext\tcell") == "line\nnext\tcell"


@given(st.text(), st.integers(2, 40))
def test_shortened_text_is_no_longer_than_asked(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "0 %"), (0.001, "< 1 %"), (0.5, "50 %"), (0.9999, "> 99 %"), (1.0, "100 %")]
)
def test_no_share_is_rounded_to_certainty(share: float, words: str) -> None:
    assert percent(share) == words


@pytest.mark.parametrize(("value", "words"), [(0.84, "0.8 s"), (42.4, "42 s"), (200, "3 min 20 s")])
def test_durations_in_words(value: float, words: str) -> None:
    assert seconds(value) == words
