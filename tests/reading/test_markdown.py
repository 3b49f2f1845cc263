"""Markdown: what is prose, what is not, and where sections begin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.errors import TooLargeError
from veriscite.reading.markdown import read_markdown


def _excluded(text: str) -> list[str]:
    return [span.of(text) for span in read_markdown(text).excluded]


def _prose(text: str) -> str:
    """What is left when all that is excluded is taken out."""
    left = text
    for span in reversed(read_markdown(text).excluded):
        left = left[: span.start] + left[span.end :]
    return left


@pytest.mark.parametrize(
    "text",
    [
        "Write `[@no1999]` for a citation.",
        "Write `` [@no1999] ` `` here.",
        "Text.\n\n```markdown\n[@no1999]\n```\n\nMore.",
        "Text.\n\n~~~\n[@no1999]\n~~~\n",
        "Text.\n\n    [@no1999] in indented code\n\nMore.",
        "Text.\n\n```\n[@no1999] never closed",
        "Text <!-- [@no1999] --> more.",
        "Text <!-- one\n\n[@no1999]\n\n--> more.",
        "---\nauthor: [@no1999]\n---\n\nText.",
        "A [link](https://x.org/@no1999) here.",
        "A [link](https://x.org/a(b)@no1999) here.",
        "[site]: https://x.org/@no1999\n\nText.",
        'A <a href="mailto:x@no1999">tag</a> here.',
        "Mail <me@no1999.org> for it.",
        "> quoted\n>\n> ```\n> [@no1999]\n> ```\n",
        "- item\n\n  ```\n  [@no1999]\n  ```\n",
    ],
)
def test_what_is_no_prose_is_excluded(text: str) -> None:
    assert "@no1999" not in _prose(text)


@pytest.mark.parametrize(
    "text",
    [
        "As [@yes2001] says.",
        "As *[@yes2001]* says, and **@yes2001** too.",
        "A `` ` `` and [@yes2001].",
        "One ` backtick and [@yes2001].",
        "- item\n\n  continues here [@yes2001].\n",
        "1. item\n\n    continues [@yes2001], four spaces deep.\n",
        "> as [@yes2001] says\n",
        "[a link](target) and [@yes2001](not closed",
        "The price is 3 < 4 [@yes2001] and 5 > 4.",
        "[^1]: A footnote says so [@yes2001].\n",
        "\\`[@yes2001]\\` with escaped ticks.",
        "```\ncode\n```\nthen [@yes2001].",
        "A comment that never ends <!-- [@yes2001].",
        "---\n\n[@yes2001] after a rule.\n\n---\n",
        "Fact<sup>12</sup> and [@yes2001].",
    ],
)
def test_prose_is_kept(text: str) -> None:
    assert "@yes2001" in _prose(text)


def test_superscript_tags_stay() -> None:
    assert _excluded("Fact<sup>12</sup>.") == []


def test_a_citation_before_a_parenthesis_stays_a_citation() -> None:
    assert "[see @yes2001]" in _prose("As shown [see @yes2001] (twice).")


def test_headings_of_both_kinds_make_sections() -> None:
    text = (
        "# Moss {#sec:moss}\n\nIntro.\n\nMethods\n-------\n\nWe `counted`.\n\n### Deep **one** ###\n\nEnd.\n"
    )
    sections = read_markdown(text).sections
    assert [(section.heading, section.level) for section in sections] == [
        ("Moss", 1),
        ("Methods", 2),
        ("Deep one", 3),
    ]
    assert sections[0].span.of(text).strip() == "Intro."


def test_a_heading_in_code_is_none() -> None:
    assert [s.heading for s in read_markdown("Text.\n\n```\n# no\n```\n").sections] == [None]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: >-\n  Moss on\n  walls\n---\n\n# Summary\n", "Moss on walls"),
        ('---\ntitle: "Moss: a study"\nbibliography: [a.bib, b.bib]\n---\nText.', "Moss: a study"),
        ("# Moss on walls\n\n## Introduction\n\nText.", "Moss on walls"),
        ("# Introduction\n\nText.", None),
        ("# One\n\n# Two\n\nText.", None),
        ("Text first.\n\n# Moss on walls\n", None),
    ],
)
def test_the_title_is_modest(text: str, title: str | None) -> None:
    assert read_markdown(text).title == title


def test_front_matter_names_the_bibliography() -> None:
    assert read_markdown("---\nbibliography: paper.bib\n---\nText.").bibliography == ("paper.bib",)
    assert read_markdown("---\nbibliography:\n  - a.bib\n  - b.bib\n---\nText.").bibliography == (
        "a.bib",
        "b.bib",
    )
    assert read_markdown("---\nbibliography: {a: 1}\n---\nText.").bibliography == ()


def test_broken_front_matter_is_noted() -> None:
    document = read_markdown("---\ntitle: [unclosed\nkey: value\n---\n\nText [@a].\n")
    assert document.title is None
    assert any("front matter" in note.message for note in document.notes)
    assert document.excluded[0].start == 0


def test_front_matter_that_explodes_is_harmless() -> None:
    lines = ["a0: &a0 {k: v}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12)]
    text = "---\n" + "\n".join(lines) + "\n---\n\nText.\n"
    assert read_markdown(text).title is None


@given(st.text(alphabet="`~<>!-[]()#*\n @a1\\:=.", max_size=200))
def test_offsets_are_always_valid(text: str) -> None:
    document = read_markdown(text)
    position = 0
    for span in document.excluded:
        assert position <= span.start < span.end <= len(text)
        position = span.end
    position = 0
    for section in document.sections:
        assert position <= section.span.start <= section.span.end <= len(text)
        position = section.span.end


@pytest.mark.parametrize(
    "piece", ["[", "#", "`", "` ", "](", "<", "<a ", "> ", "- ", "(", "<!--", "# a\n", "\\"]
)
def test_a_hostile_text_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    document = read_markdown(piece * (6_000 // len(piece)))
    assert document.format == "markdown"


def test_a_text_of_nothing_but_code_spans_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veriscite.reading.markdown._MAX_EXCLUDED", 100)
    with pytest.raises(TooLargeError, match="code spans"):
        read_markdown("`a` " * 101)
