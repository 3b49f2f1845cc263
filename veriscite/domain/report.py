"""What a run hands over."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from veriscite.domain.attribution import Attribution
from veriscite.domain.base import Frozen
from veriscite.domain.citance_verdict import CitanceVerdict
from veriscite.domain.evidence import EvidenceLookup
from veriscite.domain.manuscript import Manuscript, Pairing
from veriscite.domain.reference_check import ReferenceCheck
from veriscite.domain.review import Review
from veriscite.domain.usage import Usage
from veriscite.domain.verdicts import AgentStep, FinalVerdict, VerifierOutcome


class ClaimResult(Frozen):
    """Everything found out about one claim.

    Attributes:
        final: None when every verifier abstained, or the verdict was withheld as too uncertain; `outcomes`
            and `notes` say why.
        attribution: None for NOT_ENOUGH_INFO, or where it could not be made (`notes` say why).
    """

    claim_id: str
    reference_id: str
    outcomes: tuple[VerifierOutcome, ...]
    agreed: bool
    steps: tuple[AgentStep, ...] = ()
    final: FinalVerdict | None
    attribution: Attribution | None = None
    notes: tuple[str, ...] = ()
    duration_s: float = 0.0


NOT_A_FINDING = "not_a_finding"
"""Status of a claim that was not judged since it asserts nothing about the cited work."""


class UnresolvedClaim(Frozen):
    """A claim that was not judged, since there is nothing to judge it against, or nothing to judge in it.

    Attributes:
        status: That of the lookup, or `not_a_finding`.
    """

    claim_id: str
    reference_id: str
    status: str
    reason: str


class Failure(Frozen):
    """A claim that broke; its siblings went on."""

    claim_id: str
    reference_id: str
    step: str
    code: str
    message: str
    advice: str = ""
    retryable: bool = False


class RunStatus(StrEnum):
    """How a run ended."""

    FINISHED = "finished"
    CANCELLED = "cancelled"


class Summary(Frozen):
    """The counts of step 6.

    Attributes:
        markers: Citation markers found.
        claims: Claims, that is claim-reference pairs.
        references: Entries of the reference list.
        cited_references: Distinct entries that at least one marker cites.
        skipped: Markers, or parts of them, that gave no claim.
        unresolved: Claims without evidence; those that are no findings are not among them.
        not_findings: Claims that were not judged since they assert nothing about the cited work.
        judged: Claims with a final verdict.
        abstained: Claims for which every verifier abstained.
        not_reached: Claims that a cancelled run left unjudged.
        agreed_at_once: Judged claims whose verifiers agreed.
        needed_agent: Claims that went to the planner.
        actions_per_agent_case: Mean number of actions; None if no claim went there.
        references_checked: Entries whose own state was looked into.
        reference_findings: Entries by what is to be said of them (`retracted`, `mismatch`, ...); an entry may
            count under several.
    """

    markers: int
    claims: int
    references: int
    cited_references: int
    skipped: int
    unresolved: int
    unresolved_by_status: dict[str, int]
    not_findings: int = 0
    failed: int
    judged: int
    abstained: int
    not_reached: int
    agreed_at_once: int
    needed_agent: int
    single_verifier: int
    actions_per_agent_case: float | None
    labels: dict[str, int]
    references_checked: int = 0
    reference_findings: dict[str, int] = Field(default_factory=dict)


class Component(Frozen):
    """A model, verifier, planner or source that took part, named for what it is."""

    role: str
    name: str
    detail: str = ""
    revision: str = ""


class Provenance(Frozen):
    """Who did what with which version, so that a reader can judge the report."""

    veriscite: str
    components: tuple[Component, ...]
    offline: bool
    libraries: dict[str, str] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Report(Frozen):
    """The result of a run; the same from every surface.

    Attributes:
        reference_checks: The state of each reference, where references were checked; in the list's order.
        citances: The verdicts on sentences that cite several works, in reading order.
        usage: What language models were asked, and its cost.
        reviews: What a person said of the verdicts, every act in order.
    """

    version: int = 1
    run_id: str
    status: RunStatus
    started_at: datetime
    finished_at: datetime
    manuscript: Manuscript
    pairing: Pairing
    lookups: tuple[EvidenceLookup, ...]
    reference_checks: tuple[ReferenceCheck, ...] = ()
    results: tuple[ClaimResult, ...]
    unresolved: tuple[UnresolvedClaim, ...]
    failures: tuple[Failure, ...]
    citances: tuple[CitanceVerdict, ...] = ()
    usage: Usage = Usage()
    reviews: tuple[Review, ...] = ()
    summary: Summary
    provenance: Provenance
