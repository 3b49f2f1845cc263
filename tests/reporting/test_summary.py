from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from veriscite.domain import (
    AgentAction,
    AgentStep,
    ClaimResult,
    DecidedBy,
    Failure,
    FinalVerdict,
    Label,
    Report,
    UnresolvedClaim,
)
from veriscite.reporting import summarise


def test_each_kind_of_outcome_is_counted(report: Report) -> None:
    summary = report.summary
    assert (summary.markers, summary.claims, summary.references, summary.cited_references) == (10, 10, 9, 8)
    assert (summary.judged, summary.abstained, summary.unresolved, summary.failed) == (4, 1, 4, 1)
    assert (summary.skipped, summary.not_reached) == (2, 0)
    assert (summary.agreed_at_once, summary.needed_agent, summary.single_verifier) == (2, 1, 1)
    assert summary.actions_per_agent_case == 3.0
    assert summary.labels == {"SUPPORT": 2, "CONTRADICT": 1, "NOT_ENOUGH_INFO": 1}
    assert summary.unresolved_by_status == {
        "ambiguous": 1,
        "lookup_failed": 1,
        "no_abstract": 1,
        "not_found": 1,
    }


def test_a_cancelled_run_tells_what_it_did_not_reach(cancelled: Report) -> None:
    assert cancelled.summary.not_reached == 4
    assert cancelled.summary.actions_per_agent_case is None


def test_without_claims_everything_is_zero() -> None:
    summary = builders.empty_report().summary
    assert (summary.claims, summary.judged, summary.not_reached) == (0, 0, 0)
    assert summary.labels == {"SUPPORT": 0, "CONTRADICT": 0, "NOT_ENOUGH_INFO": 0}


_IDS = st.sampled_from([f"c{n}" for n in range(1, 13)])  # c11 and c12 are not in the pairing


@st.composite
def _results(draw: st.DrawFn) -> ClaimResult:
    label = draw(st.none() | st.sampled_from(list(Label)))
    steps = tuple(
        AgentStep(index=n + 1, action=AgentAction.CONCLUDE, started_at=builders.START)
        for n in range(draw(st.integers(0, 4)))
    )
    final = label and FinalVerdict(label=label, decided_by=draw(st.sampled_from(list(DecidedBy))))
    return ClaimResult(
        claim_id=draw(_IDS), reference_id="ref-1", outcomes=(), agreed=False, steps=steps, final=final
    )


@given(
    st.lists(_results(), max_size=14),
    st.lists(_IDS, max_size=14),
    st.lists(st.tuples(_IDS, st.sampled_from(["not_found", "no_abstract"])), max_size=14),
)
def test_every_claim_is_counted_exactly_once(
    results: list[ClaimResult], failed: list[str], unresolved: list[tuple[str, str]]
) -> None:
    manuscript, pairing = builders.manuscript_and_pairing()
    summary = summarise(
        manuscript=manuscript,
        pairing=pairing,
        results=results,
        failures=[
            Failure(claim_id=i, reference_id="ref-1", step="verify", code="x", message="") for i in failed
        ],
        unresolved=[
            UnresolvedClaim(claim_id=i, reference_id="ref-1", status=status, reason="")
            for i, status in unresolved
        ],
    )
    assert summary.claims == (
        summary.judged + summary.abstained + summary.unresolved + summary.failed + summary.not_reached
    )
    assert summary.judged == sum(summary.labels.values())
    assert summary.unresolved == sum(summary.unresolved_by_status.values())
    assert min(summary.not_reached, summary.abstained) >= 0
    assert (summary.actions_per_agent_case is None) == (summary.needed_agent == 0)
    assert summary.agreed_at_once + summary.single_verifier <= summary.judged
