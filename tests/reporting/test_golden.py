"""Renderings of the full report against files kept in `tests/golden`.

Set `UPDATE_GOLDEN=1` to write them anew, then read the difference before committing it.
"""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests import builders
from veriscite.domain import Report
from veriscite.reporting.csv import render_csv
from veriscite.reporting.html import render_html
from veriscite.reporting.markdown import render_markdown

GOLDEN = Path(__file__).parent.parent / "golden"
VOID = {"meta", "br", "hr", "img", "link", "rect"}


class Outline(HTMLParser):
    """Tags, their telling attributes and their text, indented; raises on tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = " ".join(
            f'{k}="{v}"' for k, v in attrs if k in ("id", "class", "scope", "href", "open", "title")
        )
        self.lines.append("  " * len(self.open) + f"<{tag}{' ' + told if told else ''}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.lines.append("  " * len(self.open) + f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another tag, line {self.getpos()[0]}"

    def handle_data(self, data: str) -> None:
        if data.strip() and self.open[-1] != "style":
            self.lines.append("  " * len(self.open) + " ".join(data.split()))


def outline(html: str) -> str:
    parser = Outline()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return "\n".join(parser.lines) + "\n"


def compare(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode(), f"{name} differs; see {__file__} on how to renew it"


def test_csv(report: Report) -> None:
    compare("report.csv", render_csv(report))


def test_markdown(report: Report) -> None:
    compare("report.md", render_markdown(report))


def test_html(report: Report) -> None:
    compare("report.html.outline", outline(render_html(report)))


@pytest.mark.parametrize("make", [builders.cancelled_report, builders.empty_report])
def test_other_reports_render_to_balanced_html(make: type[Report]) -> None:
    text = outline(render_html(make()))
    assert ("cancelled" in text) == (make is builders.cancelled_report)
    assert ("No citation gave a claim" in text) == (make is builders.empty_report)
