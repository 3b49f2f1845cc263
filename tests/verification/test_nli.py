import asyncio
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.verification.tiny import tiny_deberta, tiny_tokenizer
from veriscite.domain import Label, Verdict
from veriscite.errors import ModelError, NoEvidenceError
from veriscite.ports import ClaimAndEvidence, ClaimVerifier
from veriscite.verification.aggregate import PairScore
from veriscite.verification.calibration import Calibration
from veriscite.verification.labels import map_labels
from veriscite.verification.nli import STAND_IN_NAME, NliEncoder, NliVerifier
from veriscite.verification.nli_model import ModelChoice, NliModel

CHOICE = ModelChoice("someone/some-nli-model", Path("unused"))


class Scripted(NliModel):
    """Scores premises by the marks in them: `++` supports, `--` contradicts; remembers what it was asked."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        self.calibration = calibration or Calibration(temperature=1.5, fitted_on="held-out fold")
        self.name, self.revision = "scripted", "r7"
        self.calls: list[list[tuple[str, str]]] = []

    def replica(self) -> "Scripted":
        return self

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        self.calls.append(list(pairs))
        if any("poison" in premise for premise, _ in pairs):
            raise ModelError("poison")
        return [
            PairScore(3.0 if "++" in p else -3.0, 3.0 if "--" in p else -3.0, len(p) > 300) for p, _ in pairs
        ]


def verifier(model: Scripted | None = None, **names: str) -> tuple[NliVerifier, Scripted]:
    model = model or Scripted()
    return NliVerifier(NliEncoder(CHOICE, collect_ms=5, load=lambda _c: model), **names), model


async def judge(sentences: tuple[str, ...], model: Scripted | None = None) -> Verdict:
    subject, _ = verifier(model)
    outcome = await subject.verify(ClaimAndEvidence(claim="C.", sentences=sentences))
    await subject.aclose()
    assert isinstance(outcome, Verdict)
    return outcome


async def test_the_deciding_sentence_is_named() -> None:
    sentences = ("a", "b", "c", "d", "e --", "f", "g")
    verdict = await judge(sentences)
    assert verdict.label is Label.CONTRADICT
    assert verdict.rationale == (4,)
    assert verdict.quotes == ("e --",)
    assert "Sentence 5 of 7 contradicts" in verdict.justification
    assert verdict.confidence is not None
    assert verdict.confidence > 0.8


async def test_nothing_decisive_is_not_enough_info_without_a_rationale() -> None:
    verdict = await judge(("a", "b"))
    assert verdict.label is Label.NOT_ENOUGH_INFO
    assert verdict.rationale == ()
    assert verdict.quotes == ()


async def test_empty_sentences_are_passed_over_and_indices_stay() -> None:
    verdict = await judge(("a", " ", "", "b ++", "c"))
    assert verdict.rationale == (3,)


@pytest.mark.parametrize("sentences", [(), ("", "  ")])
async def test_no_evidence_no_verdict(sentences: tuple[str, ...]) -> None:
    subject, model = verifier()
    with pytest.raises(NoEvidenceError):
        await subject.verify(ClaimAndEvidence(claim="C.", sentences=sentences))
    assert model.calls == []


async def test_windows_that_disagree_are_in_the_notes() -> None:
    verdict = await judge(("a ++", "b", "c", "d", "e", "f", "g --"))
    assert any("opposite label" in note for note in verdict.notes)


async def test_what_was_cut_is_in_the_notes() -> None:
    verdict = await judge(("long ++ " * 100,))
    assert any("cut" in note for note in verdict.notes)
    assert verdict.rationale == (0,)


async def test_a_whole_book_is_read_up_to_a_limit() -> None:
    model = Scripted()
    verdict = await judge(tuple(f"s{i}" for i in range(5_000)), model)
    assert any("first 400 of 5000" in note for note in verdict.notes)
    assert sum(len(call) for call in model.calls) < 250


async def test_uncalibrated_probabilities_give_no_confidence() -> None:
    verdict = await judge(("a ++",), Scripted(Calibration()))
    assert not verdict.calibrated
    assert verdict.probabilities is not None
    assert verdict.confidence is None


async def test_many_claims_share_batches_and_one_failure_stays_alone() -> None:
    subject, model = verifier()
    questions = [ClaimAndEvidence(claim=f"C{i}.", sentences=("a", "b ++", "c")) for i in range(12)]
    questions.append(ClaimAndEvidence(claim="Bad.", sentences=("poison",)))
    outcomes = await asyncio.gather(*(subject.verify(q) for q in questions), return_exceptions=True)
    assert [isinstance(o, Verdict) for o in outcomes] == [True] * 12 + [False]
    assert isinstance(outcomes[-1], ModelError)
    assert max(len(call) for call in model.calls) > 8
    await subject.aclose()


async def test_only_claim_and_evidence_reach_the_model() -> None:
    subject, model = verifier()
    question = ClaimAndEvidence(claim=" C. ", context="Before.", evidence_title="Title", sentences=("a", "b"))
    await subject.verify(question)
    assert model.calls == [[("a b", "C.")]]
    await subject.aclose()


async def test_the_stand_in_is_named_for_what_it_is() -> None:
    subject, _ = verifier(name="blind", display_name=STAND_IN_NAME)
    component = subject.component()
    assert (component.role, component.name) == ("blind", STAND_IN_NAME)
    assert "language model" not in component.name + component.detail
    assert component.detail.startswith("someone/some-nli-model")
    verdict = await subject.verify(ClaimAndEvidence(claim="C.", sentences=("a",)))
    assert isinstance(verdict, Verdict)
    assert (verdict.verifier, verdict.model, verdict.revision) == ("blind", STAND_IN_NAME, "r7")
    await subject.aclose()


def test_component_loads_nothing() -> None:
    def load(_choice: ModelChoice) -> NliModel:
        raise AssertionError("loaded")

    subject: ClaimVerifier = NliVerifier(NliEncoder(CHOICE, load=load))
    assert subject.component().name == "someone/some-nli-model"


async def test_a_missing_model_is_known_before_work_begins() -> None:
    def load(_choice: ModelChoice) -> NliModel:
        raise ModelError("gone")

    subject = NliVerifier(NliEncoder(CHOICE, load=load))
    with pytest.raises(ModelError, match="gone"):
        await subject.load()
    await subject.aclose()


async def test_with_a_real_encoder_from_end_to_end() -> None:
    labels = map_labels({0: "SUPPORT", 1: "CONTRADICT", 2: "NOT_ENOUGH_INFO"}, "tiny")
    model = NliModel(tiny_deberta(seed=5), tiny_tokenizer(), labels, Calibration(), "tiny", "r")
    subject = NliVerifier(NliEncoder(CHOICE, load=lambda _c: model))
    sentences = ("aspirin reduced mortality .", "no effect in mice .", "old weather .", "the trial was one .")
    verdict = await subject.verify(ClaimAndEvidence(claim="aspirin lowers risk .", sentences=sentences))
    assert isinstance(verdict, Verdict)
    assert verdict.probabilities is not None
    expected = max(Label, key=verdict.probabilities.of)
    assert verdict.label is expected
    assert math.isclose(sum(verdict.probabilities.of(label) for label in Label), 1, abs_tol=1e-6)
    assert len(verdict.rationale) == (0 if verdict.label is Label.NOT_ENOUGH_INFO else 1)
    await subject.aclose()
