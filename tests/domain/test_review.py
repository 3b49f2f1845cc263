"""A reviewer's acts: the newest counts, and a withdrawn one leaves nothing."""

import pytest
from pydantic import ValidationError

from veriscite.domain import Label, Review, ReviewDecision, standing_reviews


def accepted(claim: str) -> Review:
    return Review(claim_id=claim, decision=ReviewDecision.ACCEPTED)


def overridden(claim: str, label: Label) -> Review:
    return Review(claim_id=claim, decision=ReviewDecision.OVERRIDDEN, label=label)


def test_the_newest_act_on_a_claim_counts() -> None:
    acts = (accepted("c1"), accepted("c2"), overridden("c1", Label.CONTRADICT))
    assert standing_reviews(acts) == {"c1": acts[2], "c2": acts[1]}


def test_a_withdrawn_act_leaves_nothing_and_can_be_followed_by_another() -> None:
    back = Review(claim_id="c1", decision=ReviewDecision.WITHDRAWN)
    assert standing_reviews((accepted("c1"), back)) == {}
    again = overridden("c1", Label.SUPPORT)
    assert standing_reviews((accepted("c1"), back, again)) == {"c1": again}


@pytest.mark.parametrize("decision", [ReviewDecision.ACCEPTED, ReviewDecision.WITHDRAWN])
def test_only_an_override_has_a_label(decision: ReviewDecision) -> None:
    with pytest.raises(ValidationError, match="only then"):
        Review(claim_id="c1", decision=decision, label=Label.SUPPORT)


def test_an_override_needs_a_label() -> None:
    with pytest.raises(ValidationError, match="a label is given"):
        Review(claim_id="c1", decision=ReviewDecision.OVERRIDDEN)
