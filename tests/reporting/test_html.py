from __future__ import annotations

import base64
import hashlib
import itertools
import re
from html.parser import HTMLParser

import pytest

from tests import builders
from veriscite.domain import Report, Scope
from veriscite.reporting.html import links_of, render_html, stylesheet


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    return render_html(report)


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))


def test_nothing_untrusted_becomes_markup(html: str) -> None:
    assert "<script" not in html
    assert "alert(&#39;x&#39;)" in html  # shown, as text
    assert "\u202e" not in html
    assert "[U+202E]" in html
    assert "\x1b" not in html


def test_it_stands_alone(html: str) -> None:
    tags = Tags(html).all
    assert not {tag for tag, _ in tags} & {"script", "img", "link", "iframe", "object", "form", "base"}
    assert not [name for _, attrs in tags for name in attrs if name == "style" or name.startswith("on")]
    assert "url(" not in stylesheet()
    assert "@import" not in stylesheet()
    hrefs = [attrs["href"] or "" for tag, attrs in tags if tag == "a"]
    assert hrefs
    assert all(href.startswith(("#", "https://", "http://")) for href in hrefs)


def test_its_policy_allows_its_own_style_sheet_and_nothing_else(html: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)
    assert policy
    assert style
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert "default-src 'none'" in policy[1]
    assert f"style-src 'sha256-{digest}'" in policy[1]


def test_a_confidence_that_is_not_calibrated_is_not_shown(html: str) -> None:
    assert "98.7" not in html
    assert "0.98" not in html
    assert "99 %" not in html
    assert "not calibrated and therefore not shown" in html
    assert "contradicted 95 %" in html


def test_headings_go_down_one_level_at_a_time_and_every_link_has_a_target(html: str) -> None:
    tags = Tags(html).all
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    ids = [attrs["id"] for _, attrs in tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    targets = {
        attrs["href"][1:] for tag, attrs in tags if tag == "a" and (attrs["href"] or "").startswith("#")
    }
    labelled = {attrs["aria-labelledby"] for _, attrs in tags if "aria-labelledby" in attrs}
    assert targets | labelled <= set(ids)
    assert all("scope" in attrs for tag, attrs in tags if tag == "th")


def test_what_needs_a_look_comes_first_contradictions_before_all_else(html: str) -> None:
    first = html[html.index('id="first"') : html.index('id="claims"')]
    order = re.findall(r'href="#claim-(c\d+)"', first)
    assert order == ["c1", "c3", "c5", "c6", "c7", "c8", "c4", "c9"]


def test_every_token_carries_its_value(html: str) -> None:
    tokens = [attrs for _, attrs in Tags(html).all if re.match(r"(for|against)-\d", attrs.get("class") or "")]
    valued = [attrs for attrs in tokens if "title" in attrs]
    assert len(tokens) - len(valued) == 4  # the legends of the two attributions
    for attrs in valued:
        sign = "+" if (attrs["class"] or "").startswith("for") else "-"
        assert re.fullmatch(rf"\{sign}\d+\.\d{{3}}", attrs["title"] or "")


def test_only_web_addresses_become_links() -> None:
    found = builders.EVIDENCE["ref-2"]
    assert links_of(found) == ()
    web = found.model_copy(update={"url": "https://example.org/paper"})
    assert links_of(web) == (("record at the source", "https://example.org/paper"),)
    broken = found.model_copy(update={"url": "http://[::1"})
    assert links_of(broken) == ()


def test_the_limit_to_abstracts_is_said_only_where_it_holds(report: Report, html: str) -> None:
    assert "Judged against abstracts only." in html
    lookup = report.lookups[0]
    full = lookup.model_copy(
        update={"evidence": lookup.evidence.model_copy(update={"scope": Scope.FULL_TEXT})}  # type: ignore[union-attr]
    )
    other = report.model_copy(update={"lookups": (full, *report.lookups[1:])})
    assert "abstracts only" not in render_html(other)


def _variables(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", css))


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_meets_wcag_aa(scheme: str) -> None:
    light, dark = stylesheet().split("prefers-color-scheme: dark", 1)
    colours = _variables(light) if scheme == "light" else _variables(dark)
    pairs = [(text, ground) for text in ("text", "muted", "link") for ground in ("bg", "surface")]
    pairs += [(f"{kind}-text", f"{kind}-bg") for kind in ("bad", "unsure", "good", "plain", "mark")]
    pairs += [("token-text", f"{way}-{n}") for way in ("for", "against") for n in range(1, 5)]
    low = {pair: _contrast(*(colours[name] for name in pair)) for pair in pairs}
    assert {pair: round(c, 2) for pair, c in low.items() if c < 4.5} == {}
