"""The nodes around the claims: step 1 pair, step 2 retrieve, the fan-out, and step 6 summarise."""

import asyncio
from typing import Any

from langgraph.config import get_stream_writer
from langgraph.errors import NodeError, NodeTimeoutError
from langgraph.types import Command, Send

from veriscite.domain import (
    NOT_A_FINDING,
    Ambiguous,
    Claim,
    EvidenceLookup,
    Failure,
    Found,
    LookupFailed,
    NoAbstract,
    NotFound,
    Pairing,
    SkippedMarker,
    SkipReason,
    UnresolvedClaim,
    source_title,
)
from veriscite.domain.events import (
    ClaimFailed,
    ClaimUnresolved,
    ManuscriptRead,
    MarkerSkipped,
    Paired,
    ReferenceLookedUp,
    RetrievalStarted,
)
from veriscite.errors import ClaimTimeoutError, NoCitationsError, NoReferencesError, VeriSciteError
from veriscite.ports import EvidenceSource
from veriscite.reporting.summary import summarise
from veriscite.workflow.claim_nodes import ClaimStepError, Progress
from veriscite.workflow.parts import Parts, RunOptions
from veriscite.workflow.references import check_references
from veriscite.workflow.state import RunState

Update = dict[str, Any]


class RunNodes:
    """The nodes of the run, bound to its parts.

    Args:
        parts: The adapters.
        options: The bounds.
        progress: The run's counter.
    """

    def __init__(self, parts: Parts, options: RunOptions, progress: Progress) -> None:
        self._parts = parts
        self._options = options
        self._progress = progress
        self._source: EvidenceSource | None = None

    def evidence(self) -> EvidenceSource:
        """The sources of this run; known once the manuscript is read."""
        if self._source is None:
            raise RuntimeError("the sources are asked for before the manuscript was read")
        return self._source

    async def pair(self, state: RunState) -> Update:
        """Step 1: read the manuscript and tie each claim to its reference."""
        emit = get_stream_writer()
        manuscript = await asyncio.to_thread(self._parts.reader.read, state["source"])
        emit(ManuscriptRead.of(manuscript))
        if not manuscript.references:
            raise NoReferencesError(
                "No reference list was found.",
                advice="Give it with --references, or let the manuscript end with a heading such as "
                "'References' above its list.",
            )
        pairing = await asyncio.to_thread(self._parts.pairer.pair, manuscript)
        if not pairing.markers:
            raise NoCitationsError(
                "No citation marker was found in the text.",
                advice="Markers such as [1], (Smith et al., 2020) or [@smith2020] are recognised.",
            )
        pairing = limit_claims(pairing, self._options.max_claims)
        for skipped in pairing.skipped:
            emit(MarkerSkipped(skipped=skipped))
        emit(
            Paired(
                markers=len(pairing.markers),
                citances=len(pairing.citances),
                claims=len(pairing.claims),
                skipped=len(pairing.skipped),
                cited_references=len(_cited(pairing)),
            )
        )
        self._progress.total = len(pairing.claims)
        return {"manuscript": manuscript, "pairing": pairing}

    async def retrieve(self, state: RunState) -> Update:
        """Step 2: look each distinct cited reference up, once; load the models meanwhile."""
        emit, pairing = get_stream_writer(), state["pairing"]
        judged = [claim for claim in pairing.claims if not self._set_aside(claim)]
        wanted = {claim.reference_id for claim in judged}
        references = [r for r in state["manuscript"].references if r.id in wanted]
        self._source = self._parts.evidence_for(state["manuscript"])
        emit(RetrievalStarted(references=len(references), sources=(self._source.name,)))
        lookups: list[EvidenceLookup] = []
        loading: asyncio.Task[None] | None = None
        try:
            async for lookup in self._source.lookup(references, emit):
                emit(ReferenceLookedUp(lookup=lookup))
                lookups.append(lookup)
                if loading is None and isinstance(lookup, Found):
                    loading = asyncio.ensure_future(self._parts.prepare(emit))
            if loading is not None:
                await loading
        finally:
            if loading is not None and not loading.done():
                loading.cancel()
        by_id = {lookup.reference_id: lookup for lookup in lookups}
        unresolved = []
        for claim in pairing.claims:
            if claim.not_finding is not None and self._set_aside(claim):
                aside = UnresolvedClaim(
                    claim_id=claim.id,
                    reference_id=claim.reference_id,
                    status=NOT_A_FINDING,
                    reason=claim.not_finding.reason,
                )
                unresolved.append(aside)
                emit(ClaimUnresolved(**aside.model_dump()))
                emit(self._progress.one_more(claim.id))
                continue
            answer = by_id.get(claim.reference_id)
            if isinstance(answer, Found):
                continue
            one = _unresolved(claim, answer)
            unresolved.append(one)
            emit(ClaimUnresolved(**one.model_dump()))
            emit(self._progress.one_more(claim.id))
        order = {reference.id: place for place, reference in enumerate(references)}
        lookups.sort(key=lambda one: order[one.reference_id])
        return {"lookups": lookups, "unresolved": unresolved}

    def fan_out(self, state: RunState) -> list[Send | str]:
        """One branch for each claim that has evidence, and one for the references themselves."""
        evidence = {one.reference_id: one.evidence for one in state["lookups"] if isinstance(one, Found)}
        references = {r.id: r for r in state["manuscript"].references}
        branches: list[Send | str] = [] if self._parts.reference_checker is None else ["check_references"]
        branches += [
            Send(
                "check_claim",
                {
                    "claim": claim,
                    "reference": references[claim.reference_id],
                    "evidence": evidence[claim.reference_id],
                },
            )
            for claim in state["pairing"].claims
            if claim.reference_id in evidence and not self._set_aside(claim)
        ]
        return branches or ["summarise"]

    async def check_references(self, state: RunState) -> Update:
        """Step 2, beside judging: whether the references themselves are right, with what is known by now."""
        checker = self._parts.reference_checker
        if checker is None:
            return {"reference_checks": []}
        checks = await check_references(
            checker,
            state["manuscript"].references,
            get_stream_writer(),
            known=state["lookups"],
            timeout_s=self._options.references_timeout_s,
        )
        return {"reference_checks": checks}

    def _set_aside(self, claim: Claim) -> bool:
        """Whether a claim is shown without a verdict, since it asserts nothing about the cited work."""
        return claim.not_finding is not None and not self._options.check_not_findings

    async def claim_failed(self, state: RunState, error: NodeError) -> Command[str]:
        """The one border where any fault of a claim becomes a failure in the report."""
        claim: Claim = state["claim"]  # type: ignore[typeddict-item]  # the branch's input, not the run's state
        failure = _failure(claim, error.error)
        emit = get_stream_writer()
        emit(ClaimFailed(failure=failure))
        emit(self._progress.one_more(claim.id))
        return Command(update={"failures": [failure]}, goto="summarise")

    async def summarise(self, state: RunState) -> Update:
        """Step 6: count."""
        return {
            "summary": summarise(
                manuscript=state["manuscript"],
                pairing=state["pairing"],
                results=state.get("results", []),
                unresolved=state.get("unresolved", []),
                failures=state.get("failures", []),
                reference_checks=state.get("reference_checks", []),
            )
        }


def limit_claims(pairing: Pairing, max_claims: int | None) -> Pairing:
    """Keep the first claims; what is cut is skipped by name, so that the counts stay true."""
    if max_claims is None or len(pairing.claims) <= max_claims:
        return pairing
    kept, cut = pairing.claims[:max_claims], pairing.claims[max_claims:]
    marker_of = {c.id: c.marker_ids for c in pairing.citances}
    spans = {m.id: m.span for m in pairing.markers}
    skipped = []
    for claim in cut:
        marker_id = next(
            (
                m.id
                for m in pairing.markers
                if m.id in marker_of[claim.citance_id] and claim.reference_id in m.reference_ids
            ),
            marker_of[claim.citance_id][0],
        )
        skipped.append(
            SkippedMarker(
                marker_id=marker_id,
                span=spans[marker_id],
                part=claim.reference_id,
                reason=SkipReason.LIMIT,
                detail=f"Only the first {max_claims} claims were asked for.",
            )
        )
    return pairing.model_copy(update={"claims": kept, "skipped": (*pairing.skipped, *skipped)})


def _cited(pairing: Pairing) -> dict[str, None]:
    return dict.fromkeys(claim.reference_id for claim in pairing.claims)


def _unresolved(claim: Claim, answer: EvidenceLookup | None) -> UnresolvedClaim:
    match answer:
        case NotFound():
            asked = ", ".join(source_title(name) for name in answer.asked) or "no source"
            reason = f"No record was found; asked: {asked}. {answer.detail}".strip()
        case Ambiguous():
            titles = "; ".join(f"{c.title} ({c.year or 'no year'})" for c in answer.candidates)
            reason = answer.detail or f"Several records fit equally well: {titles}"
        case NoAbstract():
            knows = source_title(answer.record.source)
            reason = answer.detail or f"{knows} knows the work, but gives no abstract."
        case LookupFailed():
            reason = f"{source_title(answer.source)} could not be asked: {answer.message}"
        case _:
            return UnresolvedClaim(
                claim_id=claim.id,
                reference_id=claim.reference_id,
                status="lookup_failed",
                reason="The sources gave no answer for this reference.",
            )
    return UnresolvedClaim(
        claim_id=claim.id, reference_id=claim.reference_id, status=answer.status, reason=reason
    )


def _failure(claim: Claim, error: BaseException) -> Failure:
    step, cause = "verify", error
    if isinstance(error, ClaimStepError):
        step, cause = error.step, error.cause
    if isinstance(cause, NodeTimeoutError):
        cause = ClaimTimeoutError(
            "The claim took longer than one claim may.",
            advice="Run it again when the machine is less busy, or raise VERISCITE_RUN_CLAIM_TIMEOUT_S.",
        )
    told = (
        {"code": cause.code, "message": cause.message, "advice": cause.advice, "retryable": cause.retryable}
        if isinstance(cause, VeriSciteError)
        else {"code": type(cause).__name__, "message": (str(cause) or type(cause).__name__)[:500]}
    )
    place = {"claim_id": claim.id, "reference_id": claim.reference_id, "step": step}
    return Failure.model_validate(place | told)
