"""The check of references inside a run, and alone: bounded, isolated, kept when a run is stopped."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from tests.fakes.parts import ScriptedVerifier, manuscript, parts
from veriscite.domain import (
    Component,
    EvidenceLookup,
    Label,
    Provenance,
    Reference,
    ReferenceCheck,
    ReferenceStatus,
    RunStatus,
)
from veriscite.domain.events import Event, ReferenceChecked
from veriscite.errors import NoReferencesError
from veriscite.ports import Emit, ManuscriptInput, silent
from veriscite.workflow import Parts, ReferenceParts, ReferenceRun, RunOptions, WorkflowRun

SOURCE = ManuscriptInput(b"text")


class ScriptedChecker:
    """Finds every reference, but for what it is told to do at one of them."""

    def __init__(self, *, breaks_at: str = "", hangs_at: str = "") -> None:
        self.breaks_at, self.hangs_at = breaks_at, hangs_at
        self.known: list[str] = []

    def component(self) -> Component:
        return Component(role="reference_checker", name="scripted")

    async def check(
        self, references: Sequence[Reference], emit: Emit = silent, known: Sequence[EvidenceLookup] = ()
    ) -> AsyncIterator[ReferenceCheck]:
        self.known = [lookup.reference_id for lookup in known]
        for reference in references:
            if reference.id == self.breaks_at:
                raise ZeroDivisionError("odd entry")
            if reference.id == self.hangs_at:
                await asyncio.sleep(60)
            yield ReferenceCheck(reference_id=reference.id, status=ReferenceStatus.FOUND, duplicates=("x",))


def run_parts(checker: ScriptedChecker, claims: int = 3) -> Parts:
    answers = {f"Claim number {n}.": Label.SUPPORT for n in range(1, claims + 1)}
    made = parts(claims, nli=ScriptedVerifier("nli", answers), blind=ScriptedVerifier("blind", answers))
    return replace(made, reference_checker=checker)


async def events(run: WorkflowRun | ReferenceRun) -> list[Event]:
    return [event async for event in run.events()]


async def test_references_are_checked_beside_the_claims_with_what_retrieval_found() -> None:
    checker = ScriptedChecker()
    run = WorkflowRun(run_parts(checker), SOURCE)
    told = [event for event in await events(run) if isinstance(event, ReferenceChecked)]
    assert [(event.done, event.total) for event in told] == [(1, 3), (2, 3), (3, 3)]
    assert checker.known == ["ref-1", "ref-2", "ref-3"]
    assert run.report is not None
    assert [check.reference_id for check in run.report.reference_checks] == ["ref-1", "ref-2", "ref-3"]
    assert run.report.summary.references_checked == 3
    assert run.report.summary.reference_findings == {"duplicate": 3}
    assert run.report.summary.judged == 3


async def test_without_a_checker_nothing_is_said_of_references() -> None:
    run = WorkflowRun(replace(run_parts(ScriptedChecker()), reference_checker=None), SOURCE)
    assert not [event for event in await events(run) if isinstance(event, ReferenceChecked)]
    assert run.report is not None
    assert run.report.reference_checks == ()


@pytest.mark.parametrize("checker", [ScriptedChecker(breaks_at="ref-2"), ScriptedChecker(hangs_at="ref-2")])
async def test_a_checker_that_breaks_or_hangs_costs_its_own_answers_only(checker: ScriptedChecker) -> None:
    run = WorkflowRun(run_parts(checker), SOURCE, RunOptions(references_timeout_s=0.2))
    await events(run)
    assert run.report is not None
    assert run.report.status is RunStatus.FINISHED
    assert run.report.summary.judged == 3
    assert [check.status.value for check in run.report.reference_checks] == [
        "found", "not_checked", "not_checked",
    ]  # fmt: skip
    detail = run.report.reference_checks[1].answers[0].detail
    assert "odd entry" in detail if checker.breaks_at else "not reached within" in detail


def reference_run(checker: ScriptedChecker, count: int = 3) -> ReferenceRun:
    paper, _ = manuscript(count)
    made = ReferenceParts(
        read=lambda: paper,
        checker=checker,
        provenance=Provenance(veriscite="test", components=(), offline=True),
        timeout_s=5.0,
    )
    return ReferenceRun(made, "refs.bib")


async def test_references_alone() -> None:
    run = reference_run(ScriptedChecker())
    kinds = [event.type for event in await events(run)]
    assert kinds == ["run_started", "manuscript_read", *["reference_checked"] * 3, "run_finished"]
    assert run.report is not None
    assert run.report.summary.references_checked == 3
    assert run.report.results == ()


async def test_a_stopped_run_reports_what_was_checked() -> None:
    for run in (
        reference_run(ScriptedChecker(hangs_at="ref-3")),
        WorkflowRun(run_parts(ScriptedChecker(hangs_at="ref-3")), SOURCE),
    ):
        async for event in run.events():
            if isinstance(event, ReferenceChecked) and event.done == 2:
                run.cancel()
        assert run.report is not None
        assert run.report.status is RunStatus.CANCELLED
        assert [check.reference_id for check in run.report.reference_checks] == ["ref-1", "ref-2"]


async def test_a_list_without_entries_is_bad_input() -> None:
    with pytest.raises(NoReferencesError):
        await events(reference_run(ScriptedChecker(), count=0))
