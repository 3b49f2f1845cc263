"""What a person says of a verdict: accepted, or overridden with a label of their own."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from veriscite.domain.base import Frozen
from veriscite.domain.verdicts import Label


class ReviewDecision(StrEnum):
    """What a reviewer did with a claim."""

    ACCEPTED = "accepted"
    OVERRIDDEN = "overridden"
    WITHDRAWN = "withdrawn"


class Review(Frozen):
    """One act of a reviewer on one claim. Acts are kept in order; the newest of a claim counts.

    Attributes:
        claim_id: The claim, as the report numbers it.
        decision: `withdrawn` takes back whatever was said before.
        label: The reviewer's own label; given when overridden, and then only.
        note: The reviewer's words; may be empty.
        at: When, in UTC.
    """

    claim_id: str
    decision: ReviewDecision
    label: Label | None = None
    note: str = Field(default="", max_length=4_000)
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))

    @model_validator(mode="after")
    def _label_goes_with_override(self) -> Self:
        if (self.label is not None) != (self.decision is ReviewDecision.OVERRIDDEN):
            raise ValueError("a label is given when a verdict is overridden, and only then")
        return self


def standing_reviews(acts: tuple[Review, ...]) -> dict[str, Review]:
    """Return the act that counts for each claim, by claim id; withdrawn ones are left out."""
    newest = {act.claim_id: act for act in acts}
    return {key: act for key, act in newest.items() if act.decision is not ReviewDecision.WITHDRAWN}
