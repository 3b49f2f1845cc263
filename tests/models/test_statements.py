import random

import pytest

from models.statements import statement_of, trial_claim


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Does obesity predict knee pain in women?", "Obesity predicts knee pain in women."),
        ("Do oblique views add value in the diagnosis?", "Oblique views add value in the diagnosis."),
        ("Is low chloride a risk factor for mortality?", "Low chloride is a risk factor for mortality."),
        ("Are sports journals relevant?", None),
        ("Can folic acid protect against defects?", "Folic acid can protect against defects."),
        ("Does the score identify impairment early?", "The score identifies impairment early."),
        ("Autorefraction in adults: is it mandatory?", None),
        ("Why does it rain?", None),
        ("", None),
    ],
)
def test_questions_become_statements_only_where_grammar_allows(question: str, statement: str | None) -> None:
    assert statement_of(question) == statement


@pytest.mark.parametrize(
    ("direction", "words"),
    [
        ("higher", ("increase", "higher", "raises")),
        ("lower", ("decrease", "lower", "reduce")),
        ("same", ("no ", "not ", "similar")),
    ],
)
def test_trial_claims_say_their_direction(direction: str, words: tuple[str, ...]) -> None:
    for seed in range(30):
        claim = trial_claim(direction, "Aspirin", "placebo", "Mortality", random.Random(seed))
        assert claim is not None
        assert any(word in claim.lower() for word in words)
        assert claim[0].isupper()
        assert claim.endswith(".")


def test_phrases_too_long_to_read_give_no_claim() -> None:
    assert trial_claim("higher", "word " * 30, "placebo", "mortality", random.Random(0)) is None
