"""Scripted parts for the workflow: each raises on a call that nobody scripted."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from veriscite.domain import (
    Attribution,
    Citance,
    CitationMarker,
    Claim,
    Component,
    Evidence,
    EvidenceLookup,
    Found,
    Label,
    LabelProbabilities,
    Manuscript,
    MarkerStyle,
    NotFound,
    Pairing,
    Provenance,
    Reference,
    Span,
    TokenScore,
    Verdict,
    VerifierOutcome,
)
from veriscite.ports import (
    ClaimAndEvidence,
    Emit,
    ManuscriptInput,
    PlannerDecision,
    PlannerView,
    SearchRequest,
    silent,
)
from veriscite.workflow import Parts


def verdict(
    label: Label, verifier: str = "nli", p: float = 0.9, rationale: tuple[int, ...] = (0,)
) -> Verdict:
    rest = (1 - p) / 2
    values = {one: (p if one is label else rest) for one in Label}
    return Verdict(
        verifier=verifier,
        label=label,
        probabilities=LabelProbabilities(
            support=values[Label.SUPPORT],
            contradict=values[Label.CONTRADICT],
            not_enough_info=values[Label.NOT_ENOUGH_INFO],
        ),
        calibrated=True,
        rationale=rationale,
        model=f"scripted {verifier}",
    )


def evidence(reference_id: str, **changes: object) -> Evidence:
    values: dict[str, object] = {
        "source": "scripted",
        "record_id": reference_id,
        "title": f"Title of {reference_id}",
        "sentences": (f"First sentence of {reference_id}.", "Second sentence."),
        "retrieved_at": datetime(2026, 1, 1, tzinfo=UTC),
    }
    return Evidence.model_validate(values | changes)


def manuscript(claims: int) -> tuple[Manuscript, Pairing]:
    """A manuscript whose n-th sentence cites the n-th reference."""
    text, markers, citances, made = "", [], [], []
    for n in range(1, claims + 1):
        start, sentence = len(text), f"Claim number {n} [{n}]."
        text += sentence + " "
        span, at = Span(start=start, end=start + len(sentence)), start + sentence.index("[")
        markers.append(
            CitationMarker(
                id=f"m{n}",
                span=Span(start=at, end=start + len(sentence) - 1),
                raw=f"[{n}]",
                style=MarkerStyle.NUMERIC,
                reference_ids=(f"ref-{n}",),
            )
        )
        citances.append(Citance(id=f"s{n}", span=span, text=sentence, marker_ids=(f"m{n}",)))
        made.append(
            Claim(
                id=f"c{n}", citance_id=f"s{n}", reference_id=f"ref-{n}", text=f"Claim number {n}.", span=span
            )
        )
    paper = Manuscript(
        id="0" * 16,
        source_name="pasted text",
        format="text",
        text=text,
        body=Span(start=0, end=len(text)),
        references=tuple(Reference(id=f"ref-{n}", raw=f"Entry {n}") for n in range(1, claims + 1)),
        content_hash="0" * 64,
    )
    return paper, Pairing(markers=tuple(markers), citances=tuple(citances), claims=tuple(made))


class ScriptedReader:
    def __init__(self, paper: Manuscript | Exception) -> None:
        self.paper = paper

    def read(self, source: ManuscriptInput) -> Manuscript:
        if isinstance(self.paper, Exception):
            raise self.paper
        return self.paper


class ScriptedPairer:
    def __init__(self, pairing: Pairing) -> None:
        self.pairing = pairing

    def pair(self, manuscript: Manuscript) -> Pairing:
        return self.pairing


class ScriptedSource:
    """Answers by reference id; a missing script is NotFound only where `default` says so."""

    name = "scripted"

    def __init__(
        self, answers: Mapping[str, EvidenceLookup], searches: Mapping[str, EvidenceLookup] | None = None
    ) -> None:
        self.answers = dict(answers)
        self.searches = dict(searches or {})
        self.asked: list[str] = []

    def component(self) -> Component:
        return Component(role="source", name=self.name)

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        for reference in references:
            self.asked.append(reference.id)
            yield self.answers[reference.id]

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        if not self.searches:
            return NotFound(reference_id=request.reference.id, asked=(self.name,), queries=(request.query,))
        return self.searches[request.reference.id]


Answer = Label | VerifierOutcome | Exception


@dataclass
class ScriptedVerifier:
    """Answers by claim text; raises on a claim that nobody scripted."""

    name: str
    answers: Mapping[str, Answer | Sequence[Answer]]
    seen: list[ClaimAndEvidence] = field(default_factory=list)
    delay_s: float = 0.0

    def component(self) -> Component:
        return Component(role=self.name, name=f"scripted {self.name}")

    async def verify(self, question: ClaimAndEvidence) -> VerifierOutcome:
        self.seen.append(question)
        if question.claim not in self.answers:
            raise AssertionError(f"{self.name} was asked about {question.claim!r}, which nobody scripted")
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        answer = self.answers[question.claim]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Label):
            return verdict(answer, self.name)
        assert not isinstance(answer, Sequence)
        return answer


class ScriptedPlanner:
    """Plays one list of decisions for each claim."""

    name = "scripted planner"

    def __init__(self, decisions: Mapping[str, Sequence[PlannerDecision | Exception]]) -> None:
        self.decisions = {key: list(value) for key, value in decisions.items()}
        self.views: list[PlannerView] = []

    def component(self) -> Component:
        return Component(role="planner", name=self.name)

    async def decide(self, view: PlannerView) -> PlannerDecision:
        self.views.append(view)
        script = self.decisions.get(view.claim.id)
        if not script:
            raise AssertionError(f"the planner was asked once more about {view.claim.id}")
        decision = script.pop(0)
        if isinstance(decision, Exception):
            raise decision
        return decision


class ScriptedAttributor:
    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.calls: list[tuple[str, str, int, Label]] = []

    async def attribute(self, claim: str, sentence: str, sentence_index: int, target: Label) -> Attribution:
        self.calls.append((claim, sentence, sentence_index, target))
        if self.error:
            raise self.error
        return Attribution(
            target=target,
            claim_text=claim,
            sentence=sentence,
            claim=(TokenScore(text=claim[:5], span=Span(start=0, end=5), score=0.5),),
            evidence=(),
            sentence_index=sentence_index,
            baseline="PAD",
            steps=8,
            convergence_delta=0.01,
            output_difference=1.0,
            model="scripted",
        )


def parts(
    claims: int,
    *,
    nli: ScriptedVerifier,
    blind: ScriptedVerifier,
    answers: Mapping[str, EvidenceLookup] | None = None,
    second_opinion: ScriptedVerifier | None = None,
    planner: ScriptedPlanner | None = None,
    attributor: ScriptedAttributor | None = None,
    source: ScriptedSource | None = None,
    prepare: Callable[[Emit], "asyncio.Future[None]"] | None = None,
) -> Parts:
    """A whole set of parts for a manuscript of `claims` claims, all found unless `answers` says otherwise."""
    paper, pairing = manuscript(claims)
    found: dict[str, EvidenceLookup] = {
        r.id: Found(reference_id=r.id, evidence=evidence(r.id)) for r in paper.references
    }
    sources = source or ScriptedSource(found | dict(answers or {}))

    async def nothing(_emit: Emit) -> None:
        return None

    return Parts(
        reader=ScriptedReader(paper),
        pairer=ScriptedPairer(pairing),
        evidence_for=lambda _paper: sources,
        nli=nli,
        blind=blind,
        second_opinion=second_opinion or ScriptedVerifier("second_opinion", {}),
        planner=planner or ScriptedPlanner({}),
        attributor=attributor,
        prepare=prepare or nothing,
        provenance=Provenance(veriscite="test", components=(), offline=True),
    )
