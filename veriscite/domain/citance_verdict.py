"""What the works cited by one sentence come to, taken together."""

from enum import StrEnum

from veriscite.domain.base import Frozen
from veriscite.domain.verdicts import FinalVerdict, VerifierOutcome


class CitanceStanding(StrEnum):
    """How a sentence that cites several works stands."""

    SUPPORTED = "supported"
    SUPPORTED_TOGETHER = "supported_together"
    DISPUTED = "disputed"
    CONTRADICTED = "contradicted"
    NOT_SUPPORTED = "not_supported"
    NOT_JUDGED = "not_judged"


class CitanceVerdict(Frozen):
    """The verdict on a citance that cites several works for the same claim.

    Attributes:
        citance_id: The sentence.
        claim_ids: Its claims, one for each work, in the order of citation.
        standing: `supported` by at least one work alone; `supported_together` only by all evidence joined;
            `disputed` where some support and some contradict; `contradicted` by some and supported by none;
            `not_supported` by any; `not_judged` where no claim has a verdict.
        supporting: Ids of the references whose evidence supports it alone.
        contradicting: Ids of the references whose evidence contradicts it.
        adding_nothing: Ids of the judged references that neither support nor contradict, alone or joined.
        not_judged: Ids of the references without a verdict.
        joint: The verdict on the joined evidence; None where it was not needed or could not be had.
        joint_outcomes: What the verifiers said of the joined evidence.
        note: What a reader should know, such as that evidence is missing for some.
    """

    citance_id: str
    claim_ids: tuple[str, ...]
    standing: CitanceStanding
    supporting: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    adding_nothing: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    joint: FinalVerdict | None = None
    joint_outcomes: tuple[VerifierOutcome, ...] = ()
    note: str = ""
