"""What we draw as HTML: every text of others is escaped, nothing uncalibrated is shown."""

import re
from html.parser import HTMLParser

import pytest
from veriscite_app.cards import attribution_view, by_attention, card
from veriscite_app.log import lines
from veriscite_app.markup import render
from veriscite_app.results import _left_out

from tests import builders
from veriscite.domain import Attribution, Label
from veriscite.reporting.view import pairs

REPORT = builders.full_report()
OURS = {
    "a", "b", "blockquote", "br", "code", "dd", "details", "div", "dl", "dt", "em", "h3", "h4", "li", "mark",
    "ol", "p", "section", "small", "span", "strong", "summary", "time", "ul",
}  # fmt: skip


class Tags(HTMLParser):
    """Collects the elements, attributes and text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def cards_html() -> str:
    return render("cards", cards=[card(pair, REPORT) for pair in pairs(REPORT)])


def all_html() -> str:
    log = render("log", lines=lines(tuple(builders.events_of(REPORT))))
    about = render("about", provenance=REPORT.provenance, run_id=REPORT.run_id)
    left_out = render("left_out", groups=_left_out(REPORT))
    callout = render(
        "callout", tone="bad", title=builders.HOSTILE_SCRIPT, paragraphs=[builders.HOSTILE_IMAGE]
    )
    return cards_html() + log + about + left_out + callout


def test_no_text_of_others_becomes_an_element_or_an_attribute() -> None:
    found = Tags(all_html())
    assert found.names <= OURS
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("src", "srcdoc")]
    assert builders.HOSTILE_SCRIPT in found.text
    assert builders.HOSTILE_IMAGE in found.text


def test_links_lead_to_a_doi_and_nowhere_else() -> None:
    links = [value for name, value in Tags(all_html()).attributes if name == "href"]
    assert links
    assert all(value and value.startswith("https://doi.org/10.") for value in links)


def test_hidden_characters_are_spelled_out() -> None:
    html = all_html()
    assert "\u202e" not in html
    assert "\x1b" not in html
    assert "[U+202E]" in html


def test_uncalibrated_probabilities_are_never_shown() -> None:
    text = Tags(cards_html()).text
    assert "confidence 95 %" in text
    assert "99 %" not in text
    assert "0.98" not in text


@pytest.mark.parametrize(
    "told",
    [
        "Metformin raised fasting glucose in every group",  # the claim
        "doi:10.1000/metf.1",  # the reference as cited
        "Metformin lowered fasting glucose in every group.",  # the decisive sentence
        "Both verifiers find the opposite direction.",  # the reason
        "Blind second opinion",  # an action of the agent
        "Two of three find nothing on recall.",  # its thought
    ],
)
def test_a_card_tells_everything_that_was_found_out(told: str) -> None:
    assert told in Tags(cards_html()).text


def test_the_decisive_sentence_alone_is_marked() -> None:
    view = card(pairs(REPORT)[0], REPORT)
    evidence = view["evidence"]
    assert isinstance(evidence, dict)
    assert [s["text"] for s in evidence["sentences"] if s["decisive"]] == [
        "Metformin lowered fasting glucose in every group."
    ]
    marked = re.findall(r"<mark[^>]*>(.*?)</mark>", render("cards", cards=[view]))
    assert marked == ["Metformin lowered fasting glucose in every group."]


def attribution(delta: float, difference: float) -> Attribution:
    base = builders.attribution("Water is wet.", "It is dry.", 0, Label.CONTRADICT)
    return base.model_copy(update={"convergence_delta": delta, "output_difference": difference})


@pytest.mark.parametrize(
    ("delta", "difference", "doubtful"), [(0.01, 1.0, False), (0.4, 1.0, True), (0.4, 0.0, True)]
)
def test_an_attribution_that_is_in_doubt_says_so(delta: float, difference: float, doubtful: bool) -> None:
    assert bool(attribution_view(attribution(delta, difference))["caution"]) is doubtful


def test_a_card_says_why_not_to_rely_on_its_colours() -> None:
    sure, unsure = (
        Tags(render("cards", cards=[card(pair, REPORT)])).text
        for pair in pairs(REPORT)
        if pair.claim.id in ("c1", "c2")
    )
    assert "Do not rely on these colours. Leaving out the 2 words" in unsure
    assert "Do not rely" not in sure
    assert "its log-odds change by -1.90; without 2 others at random by -0.40." in sure


def test_what_needs_a_look_comes_first() -> None:
    order = [pair.standing.value for pair in sorted(pairs(REPORT), key=by_attention)]
    assert order[0] == "CONTRADICT"
    assert order[-1] == "SUPPORT"
    assert order == sorted(order, key=list(dict.fromkeys(order)).index), "each standing stands together"
