"""A worked example of a disagreement, and fakes of the tools that raise when nobody scripted them."""

from collections import deque
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from veriscite.domain import (
    Abstention,
    Author,
    Claim,
    Component,
    Evidence,
    EvidenceLookup,
    Found,
    Label,
    LabelProbabilities,
    Reference,
    Span,
    Verdict,
    VerifierOutcome,
)
from veriscite.planning.agent import PlannerTools
from veriscite.ports import ClaimAndEvidence, Emit, PlannerView, SearchRequest, silent

CLAIM = Claim(
    id="c1",
    citance_id="s1",
    reference_id="vega2021",
    text="Transformers need more labelled data than recurrent networks to be as accurate.",
    span=Span(start=0, end=79),
)
REFERENCE = Reference(
    id="vega2021",
    raw="Vega L, Okoro N. Sample complexity of sequence models. 2021.",
    title="Sample complexity of sequence models",
    authors=(Author(family="Vega", given="L"), Author(family="Okoro", given="N")),
    year=2021,
)


def evidence(
    *sentences: str, title: str = "Sample complexity of sequence models", own: bool = True
) -> Evidence:
    return Evidence(
        source="library",
        record_id=title,
        title=title,
        sentences=sentences,
        of_cited_work=own,
        retrieved_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


FIRST = evidence(
    "We compare transformers and recurrent networks on nine labelling tasks.",
    "With all the data, both are equally accurate.",
    "With few labels, recurrent networks are ahead by two points.",
    "With pretraining the gap is gone.",
)
FULLER = evidence(
    "We compare transformers and recurrent networks on nine labelling tasks.",
    "Without pretraining, transformers need three times the labels that recurrent networks need.",
)
OTHER_WORK = evidence(
    "Transformers always need more labels than recurrent networks.", title="Another paper", own=False
)


def verdict(
    verifier: str, label: Label, confidence: float | None = None, *, calibrated: bool = True
) -> Verdict:
    """A verdict; with `confidence` the rest of the probability is shared by the other labels."""
    probabilities = None
    if confidence is not None:
        rest = (1 - confidence) / 2
        shares = {other: confidence if other is label else rest for other in Label}
        probabilities = LabelProbabilities(
            support=shares[Label.SUPPORT],
            contradict=shares[Label.CONTRADICT],
            not_enough_info=shares[Label.NOT_ENOUGH_INFO],
        )
    return Verdict(
        verifier=verifier,
        label=label,
        probabilities=probabilities,
        calibrated=calibrated and confidence is not None,
        justification=f"{verifier} read it so.",
        model=f"model of {verifier}",
    )


def abstention(verifier: str) -> Abstention:
    return Abstention(verifier=verifier, code="refused", reason="The model declined to answer.")


SPLIT = (verdict("nli", Label.CONTRADICT, 0.7), verdict("blind", Label.SUPPORT))


def view(
    outcomes: Sequence[VerifierOutcome] = SPLIT, left: int = 3, found: Evidence = FIRST, **more: object
) -> PlannerView:
    return PlannerView(
        claim=CLAIM,
        reference=REFERENCE,
        evidence=found,
        outcomes=tuple(outcomes),
        actions_left=left,
        **more,  # type: ignore[arg-type]
    )


class FakeSource:
    """An EvidenceSource whose searches are scripted; an exception is raised, anything unscripted too."""

    name = "fake"

    def __init__(self, *answers: EvidenceLookup | Evidence | Exception) -> None:
        self._answers = deque(answers)
        self.queries: list[str] = []

    def component(self) -> Component:
        return Component(role="source", name=self.name)

    def lookup(self, references: Sequence[Reference], emit: Emit = silent) -> AsyncIterator[EvidenceLookup]:
        raise AssertionError("the planner looks nothing up")

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        assert request.reference == REFERENCE
        self.queries.append(request.query)
        if not self._answers:
            raise AssertionError(f"the search for {request.query!r} was not scripted")
        answer = self._answers.popleft()
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Evidence):
            return Found(reference_id=REFERENCE.id, evidence=answer, queries=(request.query,))
        return answer


class FakeVerifier:
    """A ClaimVerifier with scripted outcomes, and the questions that it was asked."""

    def __init__(self, name: str, *outcomes: VerifierOutcome | Exception) -> None:
        self._name = name
        self._outcomes = deque(outcomes)
        self.questions: list[ClaimAndEvidence] = []

    @property
    def name(self) -> str:
        return self._name

    def component(self) -> Component:
        return Component(role=self._name, name="fake")

    async def verify(self, question: ClaimAndEvidence) -> VerifierOutcome:
        self.questions.append(question)
        if not self._outcomes:
            raise AssertionError(f"{self._name} was asked, and nobody scripted it")
        outcome = self._outcomes.popleft()
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def tools(
    *,
    found: Sequence[EvidenceLookup | Evidence | Exception] = (),
    nli: Sequence[VerifierOutcome | Exception] = (),
    blind: Sequence[VerifierOutcome | Exception] = (),
    second: Sequence[VerifierOutcome | Exception] = (),
) -> PlannerTools:
    return PlannerTools(
        evidence=FakeSource(*found),
        nli=FakeVerifier("nli", *nli),
        blind=FakeVerifier("blind", *blind),
        second_opinion=FakeVerifier("second_opinion", *second),
    )
