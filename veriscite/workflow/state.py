"""Typed state of the two graphs: the run, and one claim in it."""

import operator
from typing import Annotated, TypedDict

from veriscite.domain import (
    AgentStep,
    Attribution,
    Claim,
    ClaimResult,
    Evidence,
    EvidenceLookup,
    Failure,
    FinalVerdict,
    Manuscript,
    Pairing,
    Reference,
    ReferenceCheck,
    Summary,
    UnresolvedClaim,
    VerifierOutcome,
)
from veriscite.ports import ClaimAndEvidence, ManuscriptInput, PlannerDecision


class RunState(TypedDict, total=False):
    """State of a whole run; lists with a reducer grow as the claims' branches return."""

    source: ManuscriptInput
    manuscript: Manuscript
    pairing: Pairing
    lookups: list[EvidenceLookup]
    results: Annotated[list[ClaimResult], operator.add]
    unresolved: Annotated[list[UnresolvedClaim], operator.add]
    failures: Annotated[list[Failure], operator.add]
    reference_checks: list[ReferenceCheck]
    summary: Summary


class ClaimInput(TypedDict):
    """What a claim's branch is sent."""

    claim: Claim
    reference: Reference
    evidence: Evidence


class ClaimState(ClaimInput, total=False):
    """State of one claim's branch."""

    claim_id: str
    question: ClaimAndEvidence
    began: float
    nli: VerifierOutcome
    blind: VerifierOutcome
    agreed: bool
    steps: Annotated[list[AgentStep], operator.add]
    decision: PlannerDecision
    final: FinalVerdict | None
    attribution: Attribution | None
    notes: Annotated[list[str], operator.add]


class VerifierInput(TypedDict):
    """All that a verifier's node can read. Blindness is this schema: the other verdict is not in it.

    `claim_id` names the event that tells of the answer; the verifier itself is given the question alone.
    """

    claim_id: str
    question: ClaimAndEvidence


class ClaimOutput(TypedDict):
    """What a claim's branch gives back to the run; nothing else leaves it."""

    results: list[ClaimResult]
