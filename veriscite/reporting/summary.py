"""The counts of step 6."""

from collections import Counter
from collections.abc import Sequence

from veriscite.domain import (
    NOT_A_FINDING,
    ClaimResult,
    DecidedBy,
    Failure,
    Label,
    Manuscript,
    Pairing,
    Summary,
    UnresolvedClaim,
)


def summarise(
    *,
    manuscript: Manuscript,
    pairing: Pairing,
    results: Sequence[ClaimResult],
    unresolved: Sequence[UnresolvedClaim],
    failures: Sequence[Failure],
) -> Summary:
    """Count what came of every claim.

    Each claim of `pairing` is counted exactly once, so that
    `claims == judged + abstained + unresolved + not_findings + failed + not_reached` holds for any input.
    Should a claim have several outcomes, a result counts before a failure and a failure before
    unresolved. Outcomes of
    claims that `pairing` does not know are not counted.

    Args:
        manuscript: Gives the entries of the reference list.
        pairing: Gives markers, claims and skipped parts.
        results: Claims that the verifiers were asked about.
        unresolved: Claims without evidence.
        failures: Claims that broke.

    Returns:
        The counts:

        - `markers`, `claims`, `references`, `skipped`: lengths of the lists of that name.
        - `cited_references`: distinct reference ids that a marker resolves to.
        - `judged`: results with a final verdict; `labels` splits them by label, zeros included.
        - `abstained`: results without one.
        - `unresolved`, split in `unresolved_by_status` (statuses that occur only).
        - `not_findings`: claims set aside since they assert nothing about the cited work.
        - `not_reached`: claims with no outcome at all.
        - `agreed_at_once`: judged, decided by agreement, without a single action of the planner.
        - `needed_agent`: results for which the planner acted, whatever came of it.
        - `single_verifier`: judged on one verifier's word, the other having abstained.
        - `actions_per_agent_case`: all actions, concluding ones included, over `needed_agent`; None where
          that is zero.
    """
    known = {claim.id for claim in pairing.claims}
    by_claim = {result.claim_id: result for result in results if result.claim_id in known}
    failed = {failure.claim_id for failure in failures if failure.claim_id in known} - by_claim.keys()
    status_of = {
        claim.claim_id: claim.status
        for claim in unresolved
        if claim.claim_id in known and claim.claim_id not in by_claim and claim.claim_id not in failed
    }
    aside = [claim_id for claim_id, status in status_of.items() if status == NOT_A_FINDING]
    for claim_id in aside:
        del status_of[claim_id]
    finals = [result.final for result in by_claim.values() if result.final is not None]
    labels = Counter(final.label for final in finals)
    went_to_agent = [result for result in by_claim.values() if _went_to_agent(result)]
    actions = sum(len(result.steps) for result in went_to_agent)
    return Summary(
        markers=len(pairing.markers),
        claims=len(known),
        references=len(manuscript.references),
        cited_references=len({r for marker in pairing.markers for r in marker.reference_ids}),
        skipped=len(pairing.skipped),
        unresolved=len(status_of),
        unresolved_by_status=dict(sorted(Counter(status_of.values()).items())),
        not_findings=len(aside),
        failed=len(failed),
        judged=len(finals),
        abstained=len(by_claim) - len(finals),
        not_reached=len(known) - len(by_claim) - len(failed) - len(status_of) - len(aside),
        agreed_at_once=sum(
            result.final is not None
            and result.final.decided_by is DecidedBy.AGREEMENT
            and not _went_to_agent(result)
            for result in by_claim.values()
        ),
        needed_agent=len(went_to_agent),
        single_verifier=sum(final.decided_by is DecidedBy.SINGLE_VERIFIER for final in finals),
        actions_per_agent_case=actions / len(went_to_agent) if went_to_agent else None,
        labels={label.value: labels[label] for label in Label},
    )


def _went_to_agent(result: ClaimResult) -> bool:
    return bool(result.steps) or (result.final is not None and result.final.decided_by is DecidedBy.AGENT)
