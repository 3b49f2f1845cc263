"""What a run is given: one adapter for each port, chosen by `wiring.py`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from veriscite.domain import Manuscript, Provenance
from veriscite.ports import (
    Attributor,
    ClaimVerifier,
    Closeable,
    Emit,
    EvidenceSource,
    Gate,
    ManuscriptReader,
    Pairer,
    Planner,
)


@dataclass(frozen=True)
class Parts:
    """The adapters of one run.

    Attributes:
        evidence_for: Gives the sources for a manuscript, whose own list may hold abstracts.
        attributor: None leaves step 5 out.
        prepare: Loads the models, sending events; called once, as soon as there is something to judge.
        gate: Withholds verdicts that are too uncertain for the user; None shows all.
        closing: What holds connections or threads, closed when the run ends.
    """

    reader: ManuscriptReader
    pairer: Pairer
    evidence_for: Callable[[Manuscript], EvidenceSource]
    nli: ClaimVerifier
    blind: ClaimVerifier
    second_opinion: ClaimVerifier
    planner: Planner
    attributor: Attributor | None
    prepare: Callable[[Emit], Awaitable[None]]
    provenance: Provenance
    closing: tuple[Closeable, ...] = ()
    gate: Gate | None = None


@dataclass(frozen=True)
class RunOptions:
    """Bounds of one run.

    Attributes:
        max_claims: Claims beyond it are skipped, and counted.
        concurrency: Claims under way at once.
        actions: The planner's budget.
        check_not_findings: Whether claims that assert nothing about the cited work are judged too.
        claim_timeout_s: Seconds after which one claim becomes a failure.
    """

    max_claims: int | None = None
    concurrency: int = 16
    actions: int = 3
    check_not_findings: bool = False
    claim_timeout_s: float = 600.0
