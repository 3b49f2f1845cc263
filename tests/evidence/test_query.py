"""What is asked for a reference."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.helpers import ref
from veriscite.evidence.query import (
    MAX_CHARACTERS,
    author_year_title_query,
    identifier_queries,
    plain_words,
    quoted,
    raw_query,
    title_query,
)


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (
            "Search & Rescue: “smart” drones—an end-to-end study.",
            "Search Rescue smart drones an end to end study",
        ),
        ("TNF-α in <i>E. coli</i> &amp; yeast", "TNF α in E coli yeast"),
        ("It’s O’Neill's version 3.5 of ‘C++’", "It's O'Neill's version 3.5 of C"),
        ("{B}ayesian \\emph{nets}", "Bayesian nets"),
        ("ﬁne ligatures", "fine ligatures"),
        ("   ", ""),
        ("...", ""),
    ],
)
def test_plain_words(raw: str, plain: str) -> None:
    assert plain_words(raw) == plain


@given(st.text(max_size=400))
def test_queries_of_any_text_are_safe_in_an_address(text: str) -> None:
    words = plain_words(text)
    assert not set('&:?#="“”–—') & set(words)
    assert not words.endswith(".")
    assert plain_words(words) == words
    assert set(quoted(words)) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~%")
    assert unquote(quoted(words)) == words


def test_the_published_rule() -> None:
    reference = ref(
        "A composer's deafness: a new theory of everything that he heard and did not hear", "Davis, P", 1988
    )
    assert author_year_title_query(reference) == (
        "Davis 1988 A composer's deafness a new theory of everything that he heard and"
    )
    assert title_query(reference).endswith("did not hear")


def test_parts_that_are_missing_are_left_out() -> None:
    assert author_year_title_query(ref("Soil and water")) == "Soil and water"
    assert author_year_title_query(ref("Soil and water", "", 2001)) == "2001 Soil and water"


def test_a_raw_entry_is_asked_for_by_its_words() -> None:
    raw = (
        "[12] Hu, E. & Shen, Y.: Low-rank tuning. J. Talk 3(2), 1-9 (2021). https://x.org/10.9 doi:10.9999/x"
    )
    query = author_year_title_query(ref(raw=raw))
    assert query == raw_query(ref(raw=raw)) == "Hu Shen Low rank tuning Talk 3 2 1 9 2021"


def test_bounds() -> None:
    assert len(author_year_title_query(ref("x" * 5000, "y" * 5000, 2000))) <= MAX_CHARACTERS
    assert len(raw_query(ref(raw="word " * 100_000))) <= MAX_CHARACTERS
    assert raw_query(ref(raw="")) == ""


@pytest.mark.parametrize(
    ("identifiers", "asked"),
    [
        ({}, ()),
        ({"doi": "10.1000/x"}, ("DOI:10.1000/x",)),
        ({"doi": "10.48550/arxiv.2101.00001"}, ("ARXIV:2101.00001",)),
        (
            {"doi": "10.1000/x", "arxiv": "2101.00001", "pmid": "7", "pmcid": "PMC99"},
            ("DOI:10.1000/x", "ARXIV:2101.00001", "PMID:7", "PMCID:99"),
        ),
        ({"semantic_scholar": "ab" * 20, "doi": "10.1/y"}, ("ab" * 20, "DOI:10.1/y")),
    ],
)
def test_identifiers_come_in_their_order(identifiers: dict[str, str], asked: tuple[str, ...]) -> None:
    assert identifier_queries(ref("T", **identifiers)) == asked
