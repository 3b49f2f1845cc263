"""The rule-based planner, row by row."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.planning.parts import (
    CLAIM,
    FIRST,
    FULLER,
    OTHER_WORK,
    REFERENCE,
    SPLIT,
    abstention,
    evidence,
    tools,
    verdict,
    view,
)
from veriscite.domain import AgentAction, AgentStep, Evidence, Label, NotFound, Verdict, VerifierOutcome
from veriscite.planning.agent import resolve
from veriscite.planning.rules import RulesPlanner, conclude, make_query
from veriscite.planning.standing import initial_outcomes, standing_verdicts, voices
from veriscite.ports import PlannerView

S, C, N = Label.SUPPORT, Label.CONTRADICT, Label.NOT_ENOUGH_INFO
SEARCH, SECOND, CONCLUDE = AgentAction
THIN = evidence("Transformers and recurrent networks were compared.")


def step(
    action: AgentAction,
    *outcomes: VerifierOutcome,
    query: str = "",
    found: Evidence | None = None,
    index: int = 1,
) -> AgentStep:
    return AgentStep(
        index=index,
        action=action,
        arguments={"query": query} if query else {},
        outcomes=outcomes,
        evidence=found,
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


SEARCHED = step(SEARCH, query="sample complexity")
ASKED = step(SECOND, verdict("second_opinion", S))


@pytest.mark.parametrize(
    ("outcomes", "found", "steps", "left", "action"),
    [
        # SUPPORT against CONTRADICT: a third voice, thin evidence or not
        (SPLIT, FIRST, (), 3, SECOND),
        (SPLIT, THIN, (), 3, SECOND),
        # once there is one, conclude; but look for more where the evidence is thin
        (SPLIT, FIRST, (ASKED,), 2, CONCLUDE),
        (SPLIT, THIN, (ASKED,), 2, SEARCH),
        (SPLIT, THIN, (ASKED, SEARCHED), 1, CONCLUDE),
        # decided against silent: search where evidence is thin, or NLI is the silent one, or none is sure
        ((verdict("nli", N, 0.9), verdict("blind", S)), FIRST, (), 3, SEARCH),
        ((verdict("nli", S, 0.9), verdict("blind", N)), THIN, (), 3, SEARCH),
        ((verdict("nli", S, 0.5), verdict("blind", N)), FIRST, (), 3, SEARCH),
        # else, or after that, or where nothing is known of how sure they are, a third voice
        ((verdict("nli", S), verdict("blind", N)), FIRST, (), 3, SECOND),
        ((verdict("nli", S, 0.9), verdict("blind", N)), FIRST, (), 3, SECOND),
        ((verdict("nli", N, 0.9), verdict("blind", S)), FIRST, (SEARCHED,), 2, SECOND),
        ((verdict("nli", N, 0.9), verdict("blind", S)), FIRST, (SEARCHED, ASKED), 1, CONCLUDE),
        # no action left
        (SPLIT, FIRST, (), 0, CONCLUDE),
        # nothing to disagree on
        ((verdict("nli", S, 0.9), abstention("blind")), FIRST, (), 3, CONCLUDE),
        ((abstention("nli"), abstention("blind")), FIRST, (), 3, CONCLUDE),
    ],
)
async def test_the_table(
    outcomes: tuple[VerifierOutcome, ...],
    found: Evidence,
    steps: tuple[AgentStep, ...],
    left: int,
    action: AgentAction,
) -> None:
    seen = view(outcomes, left, found, steps=steps)
    decision = await RulesPlanner().decide(seen)
    assert decision.action is action
    assert decision.thought
    assert bool(decision.query) is (action is SEARCH)
    assert (decision.label is not None) is (action is CONCLUDE)
    assert decision == await RulesPlanner().decide(seen)


async def test_tools_that_are_not_there_are_not_chosen() -> None:
    silent = view((verdict("nli", N, 0.9), verdict("blind", S)))
    assert (await RulesPlanner(search=False).decide(silent)).action is SECOND
    assert (await RulesPlanner(second_opinion=False).decide(view(SPLIT))).action is CONCLUDE
    assert (await RulesPlanner(second_opinion=False, search=False).decide(silent)).action is CONCLUDE


@pytest.mark.parametrize(
    ("verdicts", "label"),
    [
        # all calibrated: the mean of the probabilities, and more than half of it
        ((verdict("nli", S, 0.9), verdict("blind", C, 0.6)), S),
        ((verdict("nli", C, 0.95), verdict("blind", N, 0.7)), C),
        ((verdict("nli", S, 0.6), verdict("blind", C, 0.6)), N),
        ((verdict("nli", S, 0.8), verdict("blind", C, 0.8)), N),
        ((verdict("nli", S, 0.55), verdict("blind", N, 0.9)), N),
        # one is not: the majority
        ((verdict("nli", S, 0.99), verdict("blind", C)), N),
        ((verdict("nli", S, 0.99), verdict("blind", C), verdict("second_opinion", C)), C),
        ((verdict("nli", S, 0.99), verdict("blind", C), verdict("second_opinion", N)), N),
        ((verdict("nli", S, 0.99, calibrated=False), verdict("blind", N, 0.4)), N),
        ((verdict("nli", S), abstention("blind")), S),
        ((abstention("nli"), abstention("blind")), N),
        ((), N),
    ],
)
def test_conclusions(verdicts: tuple[VerifierOutcome, ...], label: Label) -> None:
    decision = conclude(view(verdicts))
    assert decision.label is label
    assert decision.justification
    assert decision.confidence is None  # what was not measured is not shown


def test_the_order_of_verdicts_makes_no_difference() -> None:
    verdicts = (verdict("nli", S, 0.9), verdict("blind", C, 0.6), verdict("second_opinion", N, 0.5))
    assert conclude(view(verdicts)).label is conclude(view(verdicts[::-1])).label


def test_evidence_of_another_work_has_no_voice() -> None:
    found = step(SEARCH, verdict("nli", S, 0.99), verdict("blind", S, 0.99), query="q", found=OTHER_WORK)
    seen = view((verdict("nli", N, 0.9), verdict("blind", C, 0.5)), steps=(found,))
    assert {v.label for v in standing_verdicts(seen)} == {N, C}
    assert conclude(seen).label is N


def test_new_evidence_of_the_cited_work_has_one() -> None:
    found = step(SEARCH, verdict("nli", S, 0.9), verdict("blind", S, 0.9), query="q", found=FULLER)
    seen = view((verdict("nli", N, 0.9), verdict("blind", S, 0.5)), steps=(found,))
    assert [v.label for v in voices(seen)] == [S, S]
    assert conclude(seen).label is S


def test_a_silent_text_takes_nothing_from_one_that_speaks() -> None:
    found = step(SEARCH, verdict("nli", N, 0.9), verdict("blind", N, 0.9), query="q", found=FULLER)
    seen = view((verdict("nli", C, 0.9), verdict("blind", C, 0.9)), steps=(found,))
    assert [v.label for v in voices(seen)] == [C, C]


def test_views_may_repeat_the_outcomes_of_steps_or_not() -> None:
    once = view(SPLIT, steps=(ASKED,))
    twice = replace(once, outcomes=(*SPLIT, *ASKED.outcomes))
    assert initial_outcomes(once) == initial_outcomes(twice) == SPLIT
    assert standing_verdicts(once) == standing_verdicts(twice)


def test_the_query_joins_title_and_claim() -> None:
    query = make_query(view())
    assert query == ("Sample complexity sequence models Transformers need labelled data recurrent networks")
    untitled = replace(view(), reference=REFERENCE.model_copy(update={"title": None}))
    assert make_query(untitled).startswith("Vega 2021 Transformers")
    nothing = replace(
        untitled,
        reference=REFERENCE.model_copy(update={"title": None, "authors": (), "year": None}),
        claim=CLAIM.model_copy(update={"text": "It is so."}),
    )
    assert make_query(nothing) == ""


async def test_without_words_to_search_for_it_does_not_search() -> None:
    bare = REFERENCE.model_copy(update={"title": None, "authors": (), "year": None})
    seen = replace(
        view((verdict("nli", N, 0.9), verdict("blind", S))),
        reference=bare,
        claim=CLAIM.model_copy(update={"text": "It is so."}),
    )
    assert (await RulesPlanner().decide(seen)).action is SECOND


async def test_a_query_that_was_searched_is_not_searched_again() -> None:
    first = await RulesPlanner().decide(view((verdict("nli", N, 0.9), verdict("blind", S))))
    searched = step(SEARCH, query=first.query.upper())
    seen = view((verdict("nli", N, 0.9), verdict("blind", S)), 2, steps=(searched,))
    assert (await RulesPlanner().decide(seen)).action is SECOND


LABELS = st.sampled_from(list(Label))
VERDICTS = st.builds(
    verdict, st.just("nli"), LABELS, st.one_of(st.none(), st.floats(0.34, 1.0)), calibrated=st.booleans()
)


@given(VERDICTS, VERDICTS, VERDICTS, st.booleans())
async def test_it_always_concludes_in_time(one: Verdict, two: Verdict, three: Verdict, thin: bool) -> None:
    outcomes = (one, two.model_copy(update={"verifier": "blind"}))
    final, steps = await resolve(
        RulesPlanner(),
        CLAIM,
        REFERENCE,
        THIN if thin else FIRST,
        outcomes,
        tools(
            found=[NotFound(reference_id="vega2021")],
            second=[three.model_copy(update={"verifier": "second_opinion"})],
        ),
    )
    assert len(steps) <= 3
    assert steps[-1].action is CONCLUDE
    given = {v.label for v in (*outcomes, three)}
    assert final.label in given | {N}
    kinds = [s.action for s in steps]
    assert len(kinds) == len(set(kinds))


def test_the_view_is_not_touched() -> None:
    seen: PlannerView = view()
    conclude(seen)
    assert seen == view()
