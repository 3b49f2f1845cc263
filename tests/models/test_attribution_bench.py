from __future__ import annotations

from pathlib import Path

import pytest

from models.attribution_bench import (
    Planted,
    Timing,
    captum_default,
    chance,
    changed_words,
    names_a_change,
    planted,
    speed,
    summary,
    timed,
)
from models.data import is_held_out
from models.held_out import held_out_edits
from models.rows import is_reserved
from tests import builders
from tests.attribution.test_integrated_gradients import CLAIM, ENCODERS, SENTENCE
from veriscite.attribution.integrated_gradients import integrated
from veriscite.attribution.quadrature import Effort
from veriscite.domain import Attribution, Label, word_spans


def attribution(claim: str) -> Attribution:
    """The builder's scores: the second word speaks for, each third against."""
    return builders.attribution(claim, "It is dry.", 0, Label.CONTRADICT)


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("Drug A reduced pain.", "Drug A increased pain.", ["increased"]),
        ("It was safe in mice.", "It was not safe in mice.", ["not"]),
        ("It was not safe.", "It was safe.", []),
        ("In 12.5% of 40 rats", "In 25.0% of 40 rats", ["25.0"]),
        ("Higher in A than in B", "Higher in B than in A", ["B", "A"]),
        ("it rose.", "It rose", []),
    ],
)
def test_the_words_that_an_edit_put_in_are_found(before: str, after: str, changed: list[str]) -> None:
    assert sorted(span.of(after) for span in changed_words(before, after)) == sorted(changed)


def test_a_change_counts_among_the_top_words_of_the_claim_only() -> None:
    claim = "zero one two three four five six"
    found = attribution(claim)
    ranked = [w.text for w in sorted(found.claim_words, key=lambda w: -w.score)]
    for place, text in enumerate(ranked):
        changed = [span for span in word_spans(claim) if span.of(claim) == text]
        assert names_a_change(found, changed) is (place < 3)


@pytest.mark.parametrize(("words", "changed", "share"), [(10, 1, 0.3), (3, 1, 1.0), (2, 1, 1.0), (4, 0, 0.0)])
def test_what_chance_would_find(words: int, changed: int, share: float) -> None:
    assert chance(words, changed) == pytest.approx(share)


def test_means_of_what_was_found() -> None:
    claim = "one two three four"
    edits = [
        Planted("k", claim, "It is dry.", (span,)) for span in (word_spans(claim)[0], word_spans(claim)[1])
    ]
    found = [attribution(claim), attribution(claim).model_copy(update={"deletion": None})]
    means = summary(edits, found, [1.0, 3.0])
    assert means["trusted"] == 0.5
    assert means["top_drop"] == 1.9  # the untested one does not count as a drop of nothing
    assert means["steps"] == 32
    assert means["seconds"] == 2.0
    assert summary([], [], [])["top3"] is None


def test_the_speed_up_is_that_of_the_means() -> None:
    found = speed([Timing(1.0, 2.0, 5.0, 0.1, 0.2), Timing(3.0, 3.0, 15.0, 0.3, 0.1)], no_worse=4.0)
    assert found["ig_speedup_no_worse_delta"] == 2.5
    assert found["ig_speedup"] == 5.0
    assert found["ig_speedup_with_test"] == 4.0
    assert found["ig_worst_delta"] == 0.3
    assert found["ig_relative_delta"] == pytest.approx(0.2)
    assert speed([])["ig_speedup"] is None


def test_captum_alone_comes_to_the_same_sum() -> None:
    model = ENCODERS["bert"]
    ours, _ = integrated(model, CLAIM, SENTENCE, 0, Label.CONTRADICT, Effort(first=64, most=65))
    assert captum_default(model, CLAIM, SENTENCE, Label.CONTRADICT) == pytest.approx(
        ours.output_difference, abs=0.05
    )
    timing = timed(model, Planted("k", CLAIM, SENTENCE, ()))
    assert timing.captum > 0
    assert timing.captum_delta < 0.1


def test_only_abstracts_that_training_never_saw_are_used(shared_folder: Path) -> None:
    found = list(planted(shared_folder / "data"))
    assert len(found) > 100
    assert {edit.kind for edit in found[:5]} == {e.kind for e in found}, "the kinds come in turn"
    assert all(edit.changed for edit in found)
    groups = {
        (e.original, e.document.claim): e.document.group
        for e in held_out_edits(shared_folder / "data", of_a_kind=10**6)
    }
    own = {groups[edit.sentence, edit.claim] for edit in found}
    assert all(is_reserved(group) for group in own)
    assert any(is_held_out("cc-by-distortions", group) for group in set(groups.values()) - own)
