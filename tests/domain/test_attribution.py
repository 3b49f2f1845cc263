from __future__ import annotations

import math

import pytest

from tests import builders
from veriscite.domain import Attribution, DeletionTest, Label, Report


def attribution(
    delta: float = 0.0, difference: float = 2.0, deletion: DeletionTest | None = None
) -> Attribution:
    base = builders.attribution("Water is wet.", "It is dry.", 0, Label.CONTRADICT)
    return base.model_copy(
        update={"convergence_delta": delta, "output_difference": difference, "deletion": deletion}
    )


def drops(top: float, random: float, k: int = 2) -> DeletionTest:
    return DeletionTest(k=k, top_drop=top, random_drop=random)


GOOD = drops(1.5, 0.2)


@pytest.mark.parametrize(
    ("delta", "difference", "relative"),
    [(0.3, 3.0, 0.1), (-0.3, -3.0, 0.1), (0.3, 0.5, 0.3), (0.0, 0.0, 0.0)],
)
def test_the_delta_is_held_against_what_is_explained_or_one_unit(
    delta: float, difference: float, relative: float
) -> None:
    assert attribution(delta, difference).relative_delta == pytest.approx(relative)


@pytest.mark.parametrize(
    ("found", "reasons"),
    [
        (attribution(deletion=GOOD), ()),
        (attribution(0.4, deletion=GOOD), ()),
        (attribution(0.41, deletion=GOOD), ("miss it by 0.41",)),
        (attribution(-0.41, deletion=GOOD), ("miss it by 0.41",)),
        (attribution(0.21, 0.1, deletion=GOOD), ("change in the model's output, 0.10",)),
        (attribution(math.nan, deletion=GOOD), ("add up",)),
        (attribution(deletion=drops(0.3, 0.3)), ("no more than leaving out words at random",)),
        (attribution(deletion=drops(-0.1, -0.5)), ("no less sure",)),
        (attribution(deletion=drops(0.0, -0.5)), ("no less sure",)),
        (attribution(deletion=drops(math.nan, 0.1)), ("no less sure",)),
        (attribution(deletion=drops(0.1, math.nan)), ("at random",)),
        (attribution(), ("was not tested",)),
        (attribution(2.0), ("miss it by 2.00", "was not tested")),
    ],
)
def test_trust_has_to_be_earned(found: Attribution, reasons: tuple[str, ...]) -> None:
    assert len(found.doubts) == len(reasons)
    assert all(reason in doubt for reason, doubt in zip(reasons, found.doubts, strict=True))
    assert found.trusted == (not reasons)


def test_one_word_is_told_as_one() -> None:
    assert "the word that speaks most" in attribution(deletion=drops(-1, 0, k=1)).doubts[0]
    assert "the 3 words that speak most" in attribution(deletion=drops(-1, 0, k=3)).doubts[0]


def test_a_report_from_before_the_test_still_loads_and_is_not_trusted() -> None:
    data = builders.full_report().model_dump(mode="json")
    for result in data["results"]:
        if result["attribution"]:
            del result["attribution"]["deletion"]
    old = Report.model_validate(data).results[0].attribution
    assert old is not None
    assert old.deletion is None
    assert not old.trusted


def test_a_report_keeps_the_test() -> None:
    report = builders.full_report()
    again = Report.model_validate_json(report.model_dump_json())
    assert again.results[0].attribution is not None
    assert again.results[0].attribution.deletion == drops(1.9, 0.4)
