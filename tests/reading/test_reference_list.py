"""The reference list is found at the end of the text, and what follows it is not taken for entries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.domain import Span
from veriscite.reading.reference_list import find_reference_list, list_in

BODY = (
    "Contents\n1 Owls 1\nReferences 9\n\n"
    "1 Owls\nReferences to old owls are rare. See the references in Birk.\n\n"
)
ENTRIES = (
    "1. Ash A. Owls and grass. J Test Orn. 2001;3:1-9.\n2. Birk B. Owls and ice. J Test Orn. 2002;4:1-9."
)


def _lists(text: str) -> list[str]:
    found = find_reference_list(text)
    assert found is not None
    return [span.of(text) for span in found.lists]


@pytest.mark.parametrize(
    "heading",
    [
        "References",
        "REFERENCES:",
        "## References",
        "**References**",
        "### 7. References {.unnumbered}",
        "VII. REFERENCES",
        "412 References",
        "R E F E R E N C E S",
        "References and Notes",
        "Works Cited",
        "Literature Cited",
        "Literaturverzeichnis",
        "Literatur",
        "Bibliographie",
        "Références bibliographiques",
        "Referencias bibliográficas",
        "Bibliografía",
        "Referências",
        "Riferimenti bibliografici",
        "Literatuurlijst",
        "Referenser",
        "Seznam literatury",
        "Kaynakça",
        "Piśmiennictwo",
        "Список литературы",
        "参考文献：",
        "引用文献",
        "참고문헌",
        "المراجع",
    ],
)
def test_headings_in_many_languages_and_forms(heading: str) -> None:
    text = f"{BODY}{heading}\n\n{ENTRIES}\n"
    found = find_reference_list(text)
    assert found is not None
    assert [span.of(text) for span in found.lists] == [ENTRIES]
    assert text[found.start :].startswith(heading)
    assert found.left_out == ()


@pytest.mark.parametrize(
    "line",
    [
        "References to old owls are rare.",
        "References 9",
        "Reference values",
        "See the references",
        "Literature on owls",
        "A reference",
    ],
)
def test_a_sentence_about_references_is_no_heading(line: str) -> None:
    assert find_reference_list(f"{line}\n\nAsh wrote in 2001 that owls hunt.\n") is None


def test_a_review_of_the_literature_is_no_list() -> None:
    text = (
        "Literature\n\nOwls were counted in 2001 and again in 2002. The counts differ,\nsays Birk (2003).\n"
    )
    assert find_reference_list(text) is None


@pytest.mark.parametrize(
    "tail",
    [
        "Appendix A. More owls\n\nOwls were seen in 2003.",
        "Acknowledgements\nWe thank the owls of 2004.",
        "Supplementary Material\n\nTable of 2005.",
        "Figure legends\n\nFigure 1. Owls in 2006.",
        "Figure 1. Owls in a barn in 2007.\n",
        "A\nMore results on owls\n\n(2019) denotes the second batch.",
        "Paper Checklist\n1. For all authors: Yes.\n2. Limits: Yes.",
        "Author contributions\nA.A. wrote it.",
        "## About the authors\n\nAsh was born in 1950.",
        "Cite this article as: Ash et al.: Owls. J Test Orn 2001.",
    ],
)
def test_what_follows_the_list_is_left_out_and_told(tail: str) -> None:
    text = f"{BODY}References\n{ENTRIES}\n\n{tail}"
    found = find_reference_list(text)
    assert found is not None
    assert [span.of(text) for span in found.lists] == [ENTRIES]
    assert found.left_out[0].of(text) == tail.strip()
    assert any("after the reference list" in note.message for note in found.notes(text))


def test_a_title_that_sounds_like_a_tail_stays_an_entry() -> None:
    entries = f"{ENTRIES}\n3. Open access and owls\nCole C. J Test, 2003.\n4. Funding owls. Dell D. 2004."
    assert _lists(f"{BODY}References\n{entries}\n") == [entries]


def test_subheadings_divide_a_list_without_ending_it() -> None:
    text = f"# Owls\n\nText.\n\n## References\n\n### Books\n\n{ENTRIES}\n\n## Appendix\n\nMore of 2009."
    assert _lists(text) == [f"### Books\n\n{ENTRIES}"]


def test_further_lists_are_kept_apart() -> None:
    text = (
        f"{BODY}References\n{ENTRIES}\n\nSupplementary References\n1. Cole C. Extra. 2003.\n\n"
        "Further reading\nDell D. Uncited. 2004.\n"
    )
    assert _lists(text) == [ENTRIES, "1. Cole C. Extra. 2003.", "Dell D. Uncited. 2004."]


def test_the_longer_of_two_lists_is_the_main_one() -> None:
    supplement = "Supplementary data\n\nWe counted.\n\nReferences\n1. Cole C. Extra. 2003.\n"
    text = f"{BODY}References\n{ENTRIES}\n\n{supplement}"
    lists = _lists(text)
    assert lists[0] == ENTRIES


def test_a_list_that_goes_on_after_the_methods_is_one() -> None:
    more = "3. Cole C. 2003.\n4. Dell D. 2004.\n5. Eck E. 2005."
    text = f"{BODY}References\n{ENTRIES}\n\nOnline methods\n\nWe counted.\n\nReferences\n{more}\n"
    assert _lists(text) == [ENTRIES, more]


def test_a_list_without_a_heading_is_found_by_its_numbers() -> None:
    entries = f"{ENTRIES}\n3. Cole C. Owls and song. J Test Orn. 2003;5:1-9."
    text = f"...and so the owls will move inland.\n\n{entries}\n"
    found = find_reference_list(text)
    assert found is not None
    assert found.heading is None
    assert [span.of(text) for span in found.lists] == [entries]
    assert any("no heading" in note.message for note in found.notes(text))


@pytest.mark.parametrize(
    "text",
    [
        "Steps:\n\n1. Catch the owl.\n2. Weigh the owl.\n3. Let it go.\n",
        "Owls hunt at night [1, 2].\n",
        "1. Ash A. 2001.\n2. Birk B. 2002.\n",
        "",
    ],
)
def test_other_lists_are_not_taken(text: str) -> None:
    assert find_reference_list(text) is None


def test_a_heading_in_code_is_not_the_list() -> None:
    text = f"Text.\n\nReferences\n{ENTRIES}\n"
    assert find_reference_list(text, (Span(start=0, end=len(text)),)) is None


def test_a_list_given_apart_loses_heading_and_tail() -> None:
    assert [span.of(t) for t in [f"References\n\n{ENTRIES}\n\nAppendix\nMore"] for span in list_in(t)] == [
        ENTRIES
    ]
    plain = "Ash A. Owls. 2001.\n\nBirk B. Ice. 2002."
    assert [span.of(plain) for span in list_in(plain)] == [plain]
    assert [span.of(ENTRIES) for span in list_in(ENTRIES)] == [ENTRIES]


@given(st.text(alphabet="References\n 12.[]()ABab:#*20010—", max_size=300))
def test_spans_are_always_valid(text: str) -> None:
    for span in list_in(text):
        assert 0 <= span.start <= span.end <= len(text)
    found = find_reference_list(text)
    if found is None:
        return
    position = found.start
    for span in found.lists:
        assert position <= span.start <= span.end <= len(text)
        position = span.end
