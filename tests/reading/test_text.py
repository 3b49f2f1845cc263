"""Plain text: headings, sections and a modest title."""

from hypothesis import given
from hypothesis import strategies as st

from veriscite.reading.text import read_text

PAPER = """Moss on slate walls

Introduction

Moss covers walls within ten years [1].

2. Study area

We visited walls.

2.1 Weather

It rained. In 1999 we
returned.

RESULTS AND MORE

1. Buy food.
2. Count moss.
"""


def _headings(text: str) -> list[tuple[str | None, int]]:
    return [(section.heading, section.level) for section in read_text(text).sections]


def test_headings_are_told_by_how_they_stand() -> None:
    assert _headings(PAPER) == [
        (None, 1),
        ("Introduction", 1),
        ("Study area", 1),
        ("Weather", 2),
        ("RESULTS AND MORE", 1),
    ]


def test_a_section_covers_its_body_only() -> None:
    document = read_text(PAPER)
    introduction = document.sections[1]
    assert introduction.span.of(PAPER).strip() == "Moss covers walls within ten years [1]."


def test_the_text_is_kept_as_it_is() -> None:
    assert read_text(PAPER).text is PAPER


def test_the_first_line_is_the_title_only_if_it_reads_like_one() -> None:
    assert read_text(PAPER).title == "Moss on slate walls"
    assert read_text("Moss covers walls within ten years [1].\n\nMore of it.").title is None
    assert read_text("Introduction\n\nMoss covers walls.").title is None
    assert read_text("Moss on slate walls\ngoes on in the next line.").title is None
    assert read_text("Moss on slate walls").title is None


@given(st.text(alphabet="Aa1.# \n:-IVX", max_size=300))
def test_sections_never_overlap_and_stay_inside(text: str) -> None:
    position = 0
    for section in read_text(text).sections:
        assert position <= section.span.start <= section.span.end <= len(text)
        position = section.span.end
