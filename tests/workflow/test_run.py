"""The workflow with scripted parts: routing, blindness, isolation, cancellation, counts."""

import asyncio
from dataclasses import replace

import pytest

from tests.fakes.parts import (
    ScriptedAttributor,
    ScriptedPairer,
    ScriptedPlanner,
    ScriptedReader,
    ScriptedVerifier,
    evidence,
    manuscript,
    parts,
)
from veriscite.domain import (
    Abstention,
    AgentAction,
    Candidate,
    DecidedBy,
    FinalVerdict,
    Found,
    Label,
    LookupFailed,
    NoAbstract,
    NotFinding,
    NotFindingKind,
    NotFound,
    RunStatus,
)
from veriscite.domain.events import ClaimSettled, Event
from veriscite.errors import (
    ModelError,
    NoCitationsError,
    NoReferencesError,
    UnreadableFileError,
    VeriSciteError,
)
from veriscite.ports import ClaimAndEvidence, ManuscriptInput, PlannerDecision
from veriscite.workflow import Parts, RunOptions, WorkflowRun
from veriscite.workflow.state import VerifierInput

SUPPORT, CONTRADICT, NEI = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO
CONCLUDE_NEI = PlannerDecision(AgentAction.CONCLUDE, label=NEI, justification="undecided")


def all_say(name: str, label: Label, claims: int) -> ScriptedVerifier:
    return ScriptedVerifier(name, {f"Claim number {n}.": label for n in range(1, claims + 1)})


async def play(given: Parts, options: RunOptions | None = None) -> tuple[WorkflowRun, list[Event]]:
    run = WorkflowRun(given, ManuscriptInput(b"x"), options)
    return run, [event async for event in run.events()]


async def collect(run: WorkflowRun, events: list[Event]) -> None:
    """Append as they come, so that what was sent before an error is kept."""
    async for event in run.events():
        events.append(event)


def kinds(events: list[Event]) -> list[str]:
    return [event.type for event in events]


async def test_agreement_settles_a_claim_without_the_agent() -> None:
    run, events = await play(
        parts(
            2,
            nli=all_say("nli", SUPPORT, 2),
            blind=all_say("blind", SUPPORT, 2),
            attributor=ScriptedAttributor(),
        )
    )
    assert run.report is not None
    assert [r.final.decided_by for r in run.report.results if r.final] == [DecidedBy.AGREEMENT] * 2
    assert run.report.summary.agreed_at_once == 2
    assert run.report.summary.needed_agent == 0
    assert all(r.attribution for r in run.report.results)
    assert kinds(events)[0] == "run_started"
    assert kinds(events)[-1] == "run_finished"
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    assert {e.run_id for e in events} == {run.run_id}


async def test_no_evidence_no_verdict() -> None:
    asked = ScriptedVerifier("nli", {"Claim number 1.": SUPPORT})
    blind = ScriptedVerifier("blind", {"Claim number 1.": SUPPORT})
    record = Candidate(source="s2", record_id="x", title="t")
    run, _ = await play(
        parts(
            4,
            nli=asked,
            blind=blind,
            answers={
                "ref-2": NotFound(reference_id="ref-2", asked=("library",)),
                "ref-3": NoAbstract(reference_id="ref-3", record=record),
                "ref-4": LookupFailed(reference_id="ref-4", source="s2", code="http_503", message="down"),
            },
        )
    )
    assert run.report is not None
    assert [q.claim for q in asked.seen] == ["Claim number 1."]
    assert [q.claim for q in blind.seen] == ["Claim number 1."]
    assert [(u.claim_id, u.status) for u in run.report.unresolved] == [
        ("c2", "not_found"),
        ("c3", "no_abstract"),
        ("c4", "lookup_failed"),
    ]
    assert "down" in run.report.unresolved[2].reason


async def test_a_verifier_sees_claim_and_evidence_only() -> None:
    nli, blind = all_say("nli", SUPPORT, 1), all_say("blind", SUPPORT, 1)
    await play(parts(1, nli=nli, blind=blind))
    assert set(VerifierInput.__annotations__) == {"claim_id", "question"}
    assert set(ClaimAndEvidence.model_fields) == {"claim", "context", "evidence_title", "sentences"}
    assert nli.seen == blind.seen


async def test_the_compiled_graph_reads_only_the_question_for_the_blind_node() -> None:
    from veriscite.workflow.build import build_claim_graph
    from veriscite.workflow.claim_nodes import ClaimNodes, Progress

    given = parts(1, nli=all_say("nli", SUPPORT, 1), blind=all_say("blind", SUPPORT, 1))
    graph = build_claim_graph(
        ClaimNodes(given, RunOptions(), lambda: given.evidence_for(manuscript(1)[0]), Progress())
    )
    for node in ("verify_blind", "verify_nli"):
        assert graph.builder.nodes[node].input_schema is VerifierInput


async def test_a_claim_that_breaks_is_a_failure_and_its_siblings_finish() -> None:
    nli = all_say("nli", SUPPORT, 8)
    nli.answers = {**nli.answers, "Claim number 3.": ValueError("boom")}
    run, events = await play(parts(8, nli=nli, blind=all_say("blind", SUPPORT, 8)))
    assert run.report is not None
    assert len(run.report.results) == 7
    (failure,) = run.report.failures
    assert (failure.claim_id, failure.step, failure.message) == ("c3", "verify_nli", "boom")
    assert "claim_failed" in kinds(events)
    assert run.report.status is RunStatus.FINISHED
    done = [e.done for e in events if e.type == "claim_done"]
    assert done == list(range(1, 9))


@pytest.mark.parametrize("step", ["plan", "attribute"])
async def test_a_fault_in_a_later_step_is_named(step: str) -> None:
    planner = ScriptedPlanner({"c1": [RuntimeError("late")]})
    broken = ScriptedAttributor(RuntimeError("late"))
    run, _ = await play(
        parts(
            1,
            nli=all_say("nli", SUPPORT, 1),
            blind=all_say("blind", CONTRADICT if step == "plan" else SUPPORT, 1),
            planner=planner,
            attributor=broken,
        )
    )
    assert run.report is not None
    assert [f.step for f in run.report.failures] == [step]


async def test_disagreement_goes_to_the_planner_and_stops_after_three_actions() -> None:
    second = ScriptedVerifier("second_opinion", {"Claim number 1.": SUPPORT})
    search = PlannerDecision(AgentAction.SEARCH_AGAIN, query="other words")
    ask = PlannerDecision(AgentAction.SECOND_OPINION)
    planner = ScriptedPlanner(
        {
            "c1": [
                search,
                ask,
                PlannerDecision(AgentAction.SEARCH_AGAIN, query="third words"),
                PlannerDecision(AgentAction.CONCLUDE, label=SUPPORT, justification="two of three"),
            ]
        }
    )
    run, events = await play(
        parts(
            1,
            nli=all_say("nli", SUPPORT, 1),
            blind=all_say("blind", CONTRADICT, 1),
            second_opinion=second,
            planner=planner,
        )
    )
    assert run.report is not None
    (result,) = run.report.results
    assert [view.actions_left for view in planner.views] == [3, 2, 1, 0]
    assert result.final is not None
    assert (result.final.label, result.final.decided_by) == (SUPPORT, DecidedBy.AGENT)
    assert kinds(events).count("agent_acted") == len(result.steps)
    assert run.report.summary.needed_agent == 1


async def test_not_enough_info_is_a_full_conclusion_and_gets_no_attribution() -> None:
    attributor = ScriptedAttributor()
    run, _ = await play(
        parts(
            1,
            nli=all_say("nli", SUPPORT, 1),
            blind=all_say("blind", CONTRADICT, 1),
            planner=ScriptedPlanner({"c1": [CONCLUDE_NEI]}),
            attributor=attributor,
        )
    )
    assert run.report is not None
    assert run.report.results[0].final is not None
    assert run.report.results[0].final.label is NEI
    assert attributor.calls == []


async def test_one_abstention_leaves_a_single_verifier_and_two_leave_no_verdict() -> None:
    silent = Abstention(verifier="blind", code="refused", reason="it refused")
    mute = Abstention(verifier="nli", code="too_long", reason="too long")
    nli = ScriptedVerifier("nli", {"Claim number 1.": CONTRADICT, "Claim number 2.": mute})
    blind = ScriptedVerifier("blind", {"Claim number 1.": silent, "Claim number 2.": silent})
    run, _ = await play(parts(2, nli=nli, blind=blind))
    assert run.report is not None
    first, second = run.report.results
    assert first.final is not None
    assert first.final.decided_by is DecidedBy.SINGLE_VERIFIER
    assert "it refused" in first.final.justification
    assert second.final is None
    assert run.report.summary.abstained == 1


class RefusesContradictions:
    """A gate that withholds one label, and says so."""

    def withheld(self, final: FinalVerdict) -> str:
        return "too uncertain to be shown" if final.label is CONTRADICT else ""


async def test_a_withheld_verdict_is_no_verdict_and_says_why() -> None:
    labels = {"Claim number 1.": CONTRADICT, "Claim number 2.": SUPPORT}
    attributor = ScriptedAttributor()
    given = parts(
        2,
        nli=ScriptedVerifier("nli", labels),
        blind=ScriptedVerifier("blind", labels),
        attributor=attributor,
    )
    run, events = await play(replace(given, gate=RefusesContradictions()))
    assert run.report is not None
    withheld, shown = run.report.results
    assert withheld.final is None
    assert "too uncertain to be shown" in withheld.notes
    assert shown.final is not None
    assert run.report.summary.abstained == 1
    assert len(attributor.calls) == 1
    settled = {e.claim_id: e for e in events if isinstance(e, ClaimSettled)}
    assert settled[withheld.claim_id].final is None
    assert settled[withheld.claim_id].reason == "too uncertain to be shown"


async def test_an_encoder_that_cannot_be_explained_costs_the_attribution_only() -> None:
    run, _ = await play(
        parts(
            1,
            nli=all_say("nli", SUPPORT, 1),
            blind=all_say("blind", SUPPORT, 1),
            attributor=ScriptedAttributor(ModelError("no embeddings layer")),
        )
    )
    assert run.report is not None
    assert run.report.results[0].attribution is None
    assert "no embeddings layer" in run.report.results[0].notes[0]


async def test_cancel_leaves_a_report_of_what_is_done() -> None:
    nli, blind = all_say("nli", SUPPORT, 30), all_say("blind", SUPPORT, 30)
    nli.delay_s = 0.05
    run = WorkflowRun(parts(30, nli=nli, blind=blind), ManuscriptInput(b"x"), RunOptions(concurrency=3))
    events = []
    async for event in run.events():
        events.append(event)
        if event.type == "claim_done" and event.done == 4:
            run.cancel()
    assert run.report is not None
    assert run.report.status is RunStatus.CANCELLED
    summary = run.report.summary
    assert 1 <= summary.judged < 30
    assert summary.not_reached == 30 - summary.judged
    assert events[-1].type == "run_finished"


async def test_cancel_before_pairing_reports_nothing_but_says_so() -> None:
    run = WorkflowRun(
        parts(1, nli=all_say("nli", SUPPORT, 1), blind=all_say("blind", SUPPORT, 1)), ManuscriptInput(b"x")
    )
    run.cancel()
    events: list[Event] = []
    with pytest.raises(VeriSciteError, match="cancelled"):
        await collect(run, events)
    assert kinds(events) == ["run_started", "run_failed"]


async def test_a_listener_that_leaves_stops_the_run() -> None:
    nli, blind = all_say("nli", SUPPORT, 20), all_say("blind", SUPPORT, 20)
    nli.delay_s = 0.05
    run = WorkflowRun(parts(20, nli=nli, blind=blind), ManuscriptInput(b"x"), RunOptions(concurrency=1))
    events = run.events()
    async for event in events:
        if event.type == "claim_started":
            break
    await events.aclose()  # type: ignore[attr-defined]
    before = len(nli.seen)
    await asyncio.sleep(0.2)
    assert len(nli.seen) == before


@pytest.mark.parametrize("asked", [False, True])
async def test_what_is_not_a_finding_is_judged_only_where_asked(asked: bool) -> None:
    given = parts(3, nli=all_say("nli", SUPPORT, 3), blind=all_say("blind", SUPPORT, 3))
    aside = NotFinding(kind=NotFindingKind.METHOD, reason="It names a method that was used.")
    pairing = given.pairer.pair(None)  # type: ignore[arg-type]
    first = pairing.claims[0].model_copy(update={"not_finding": aside})
    pairing = pairing.model_copy(update={"claims": (first, *pairing.claims[1:])})
    given = replace(given, pairer=ScriptedPairer(pairing))
    run, events = await play(given, RunOptions(check_not_findings=asked))
    assert run.report is not None
    summary = run.report.summary
    assert (summary.judged, summary.not_findings, summary.unresolved) == ((3, 0, 0) if asked else (2, 1, 0))
    unresolved = [e for e in events if e.type == "claim_unresolved"]
    assert [(e.claim_id, e.status, e.reason) for e in unresolved] == (
        [] if asked else [("c1", "not_a_finding", "It names a method that was used.")]
    )
    if not asked:
        assert "c1" not in {e.claim_id for e in events if e.type == "claim_started"}


async def test_max_claims_counts_what_it_leaves_out() -> None:
    nli, blind = all_say("nli", SUPPORT, 2), all_say("blind", SUPPORT, 2)
    run, events = await play(parts(5, nli=nli, blind=blind), RunOptions(max_claims=2))
    assert run.report is not None
    assert run.report.summary.claims == 2
    assert [s.marker_id for s in run.report.pairing.skipped] == ["m3", "m4", "m5"]
    assert kinds(events).count("marker_skipped") == 3


@pytest.mark.parametrize("error", [UnreadableFileError("not a PDF"), NoReferencesError("none")])
async def test_bad_input_is_an_event_and_an_error(error: VeriSciteError) -> None:
    given = parts(1, nli=all_say("nli", SUPPORT, 1), blind=all_say("blind", SUPPORT, 1))
    given = Parts(**{**given.__dict__, "reader": ScriptedReader(error)})
    run = WorkflowRun(given, ManuscriptInput(b"x"))
    events: list[Event] = []
    with pytest.raises(type(error)):
        await collect(run, events)
    assert events[-1].type == "run_failed"
    assert events[-1].code == error.code


async def test_a_text_without_citations_is_bad_input() -> None:
    with pytest.raises(NoReferencesError):
        await play(parts(0, nli=all_say("nli", SUPPORT, 0), blind=all_say("blind", SUPPORT, 0)))
    _paper, _pairing = manuscript(1)
    given = parts(1, nli=all_say("nli", SUPPORT, 1), blind=all_say("blind", SUPPORT, 1))
    from tests.fakes.parts import ScriptedPairer
    from veriscite.domain import Pairing

    given = Parts(**{**given.__dict__, "pairer": ScriptedPairer(Pairing())})
    with pytest.raises(NoCitationsError):
        await play(given)


async def test_models_load_once_and_only_when_there_is_something_to_judge() -> None:
    loads = 0

    async def prepare(_emit: object) -> None:
        nonlocal loads
        loads += 1

    nothing = {f"ref-{n}": NotFound(reference_id=f"ref-{n}") for n in (1, 2)}
    nli, blind = all_say("nli", SUPPORT, 3), all_say("blind", SUPPORT, 3)
    await play(parts(2, nli=nli, blind=blind, answers=nothing, prepare=prepare))  # type: ignore[arg-type]
    assert loads == 0
    await play(parts(3, nli=nli, blind=blind, prepare=prepare))  # type: ignore[arg-type]
    assert loads == 1


async def test_a_reference_cited_twice_is_looked_up_once() -> None:
    given = parts(2, nli=all_say("nli", SUPPORT, 2), blind=all_say("blind", SUPPORT, 2))
    _paper, pairing = manuscript(2)
    twice = pairing.model_copy(
        update={"claims": tuple(c.model_copy(update={"reference_id": "ref-1"}) for c in pairing.claims)}
    )
    from tests.fakes.parts import ScriptedPairer, ScriptedSource

    source = ScriptedSource({"ref-1": Found(reference_id="ref-1", evidence=evidence("ref-1"))})
    given = Parts(
        **{**given.__dict__, "pairer": ScriptedPairer(twice), "evidence_for": lambda _paper: source}
    )
    run, _ = await play(given)
    assert source.asked == ["ref-1"]
    assert run.report is not None
    assert len(run.report.results) == 2


async def test_a_claim_that_takes_too_long_is_a_failure_that_says_so() -> None:
    nli, blind = all_say("nli", SUPPORT, 1), all_say("blind", SUPPORT, 1)
    nli.delay_s = 30
    run, _ = await play(parts(1, nli=nli, blind=blind), RunOptions(claim_timeout_s=0.2))
    assert run.report is not None
    (failure,) = run.report.failures
    assert (failure.code, failure.retryable) == ("timeout", True)


async def test_a_verdict_is_not_lost_for_want_of_its_explanation() -> None:
    class Slow(ScriptedAttributor):
        async def attribute(self, *args: object) -> object:  # type: ignore[override]
            await asyncio.sleep(30)
            raise AssertionError("unreachable")

    nli, blind = all_say("nli", SUPPORT, 1), all_say("blind", SUPPORT, 1)
    run, _ = await play(parts(1, nli=nli, blind=blind, attributor=Slow()), RunOptions(claim_timeout_s=2))
    assert run.report is not None
    assert run.report.results[0].final is not None
    assert "too long" in run.report.results[0].notes[0]


async def test_a_verdict_is_told_the_moment_it_is_there() -> None:
    nli, blind = all_say("nli", SUPPORT, 1), all_say("blind", SUPPORT, 1)
    blind.delay_s = 0.3
    _, events = await play(parts(1, nli=nli, blind=blind))
    first, second = (e for e in events if e.type == "verifier_answered")
    assert (first.outcome.verifier, second.outcome.verifier) == ("nli", "blind")
    assert (second.at - first.at).total_seconds() > 0.2
