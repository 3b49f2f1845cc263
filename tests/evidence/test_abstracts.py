"""Abstracts: cleaned, refused when they are none, split, bounded."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veriscite.evidence.abstracts import (
    MAX_CHARACTERS,
    Abstract,
    Refusal,
    Refused,
    clean_abstract,
    read_abstract,
)
from veriscite.evidence.sentences import MAX_SENTENCE, split_sentences

BODY = "Glass fibres were cooled to four kelvin. Light slowed down by a factor of three (p < 0.05)."


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (f"<jats:p>{BODY.replace('<', '&lt;')}</jats:p>", BODY),
        (f"&lt;p&gt;{BODY.replace('<', '&amp;lt;')}&lt;/p&gt;", BODY),
        (
            "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title><jats:p>To cool."
            "</jats:p></jats:sec><jats:sec><jats:title>Results:</jats:title><jats:p>CO<jats:sub>2</jats:sub>"
            " froze.</jats:p></jats:sec>",
            "Aims: To cool. Results: CO2 froze.",
        ),
        (f"ABSTRACT {BODY}", BODY),
        (f"Abstract: {BODY}", BODY),
        (f"Summary Background {BODY}", f"Background {BODY}"),
        (f"Abstract {BODY}", BODY),
        (
            "Abstract interpretation is a theory of programs.",
            "Abstract interpretation is a theory of programs.",
        ),
        ("Summary statistics are not enough.", "Summary statistics are not enough."),
        (f"{BODY} © 2017 Wiley Periodicals, Inc.", BODY),
        (f"{BODY} Proteins 2017; 85:1311–1318. © 2017 Wiley Periodicals, Inc.", BODY),
        (f"{BODY} Copyright © 2010 Elsevier Ltd. All rights reserved.", BODY),
        (f"{BODY} (PsycINFO Database Record (c) 2016 APA, all rights reserved).", BODY),
        (f"{BODY} This article is protected by copyright. All rights reserved.", BODY),
        (f"Copyright © 2010 The Authors. {BODY}", BODY),
        ("Two\n  lines\tand a soft\u00adhyphen \x00here", "Two lines and a softhyphen here"),
        ("Values n <12 and m> 3 stay.", "Values n <12 and m> 3 stay."),
        (
            "We study the copyright of books held by libraries.",
            "We study the copyright of books held by libraries.",
        ),
    ],
)
def test_cleaning(raw: str, clean: str) -> None:
    assert clean_abstract(raw) == clean


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, Refusal.EMPTY),
        ("", Refusal.EMPTY),
        (" \n ", Refusal.EMPTY),
        ("<jats:p></jats:p>", Refusal.EMPTY),
        ("No abstract available.", Refusal.PLACEHOLDER),
        ("[Abstract]", Refusal.PLACEHOLDER),
        ("N/A", Refusal.PLACEHOLDER),
        ("Abstract not available", Refusal.PLACEHOLDER),
        ("This abstract has been elided by the publisher and can be read there for a fee.", Refusal.ELIDED),
        ("Slow light in cold glass fibres", Refusal.ONLY_TITLE),
        ("Light slowed.", Refusal.TOO_SHORT),
        (
            "0x3f 12 99 | 77 == 12 ## 0001 --- 1928 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19",
            Refusal.NOT_PROSE,
        ),
        (
            "The above article, published online in 2019, has been retracted by agreement between the "
            "authors and the journal.",
            Refusal.RETRACTION_NOTICE,
        ),
        (
            "Forty pigs were fed barley or oats and weight gain was recorded weekly for a year.",
            Refusal.MISFILED,
        ),
    ],
)
def test_refusals(raw: str | None, reason: Refusal) -> None:
    refused = read_abstract(raw, "Slow light in cold glass fibres")
    assert isinstance(refused, Refused)
    assert refused.reason is reason
    assert refused.detail


def test_what_the_source_says_of_a_missing_abstract_is_told() -> None:
    note = "Notice: these paper fields have been elided by the publisher: {'abstract'}. Paper or ..."
    refused = read_abstract(None, "T", note)
    assert isinstance(refused, Refused)
    assert refused.reason is Refusal.ELIDED
    other = read_abstract(None, "T", "fields elided by the publisher: {'tldr'}")
    assert isinstance(other, Refused)
    assert other.reason is Refusal.EMPTY


def test_short_titles_and_shared_stems_are_not_misfiled() -> None:
    assert isinstance(read_abstract(BODY, "Adult income"), Abstract)
    assert isinstance(read_abstract(BODY, "Cooling, fibrous matter and slowness"), Abstract)
    assert isinstance(read_abstract(BODY, ""), Abstract)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            BODY,
            (
                "Glass fibres were cooled to four kelvin.",
                "Light slowed down by a factor of three (p < 0.05).",
            ),
        ),
        ("Background: It is cold. Results: It froze.", ("Background: It is cold.", "Results: It froze.")),
        (
            "BACKGROUND. It is cold. METHODS. We cooled it.",
            ("BACKGROUND. It is cold.", "METHODS. We cooled it."),
        ),
        ("We gave 5 mg vs. placebo to E. coli.", ("We gave 5 mg vs. placebo to E. coli.",)),
        ("It fell (p=0.028). It rose.", ("It fell (p=0.028).", "It rose.")),
        ("It rose to 3.5 % (Fig. 2). It fell.", ("It rose to 3.5 % (Fig. 2).", "It fell.")),
        ("No full stop at all", ("No full stop at all",)),
        ("", ()),
    ],
)
def test_sentences(text: str, sentences: tuple[str, ...]) -> None:
    assert split_sentences(text) == sentences


def test_a_sentence_without_end_is_bounded() -> None:
    parts = split_sentences("word " * 2_000)
    assert max(map(len, parts)) <= MAX_SENTENCE
    assert " ".join(parts).split() == ["word"] * 2_000


@pytest.mark.parametrize(
    "raw",
    [
        "Cold fibres are slow. " * 60_000,
        "<" * 1_000_000,
        "a<b " * 250_000,
        "&amp;amp;" * 120_000,
        "(" * 1_000_000,
        "<jats:title>" * 90_000,
        "© " * 500_000,
        "x" * 1_000_000,
        "Results: " * 100_000,
    ],
)
def test_a_megabyte_is_cut_and_does_not_hang(raw: str) -> None:
    began = time.monotonic()
    outcome = read_abstract(raw, "Cold fibres")
    assert time.monotonic() - began < 15
    if isinstance(outcome, Abstract):
        assert sum(map(len, outcome.sentences)) <= MAX_CHARACTERS
        assert "too long" in outcome.note


@given(st.text(max_size=500))
def test_any_text_is_read(text: str) -> None:
    outcome = read_abstract(text, text[:20])
    if isinstance(outcome, Abstract):
        assert outcome.sentences
        assert all(sentence.strip() == sentence != "" for sentence in outcome.sentences)
