"""The NLI verifier: an encoder reads parts of the abstract and names the sentence that decides."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from veriscite.domain import Component, Label, Verdict, VerifierOutcome
from veriscite.errors import NoEvidenceError
from veriscite.ports import ClaimAndEvidence
from veriscite.verification.aggregate import Aggregate, PairScore, aggregate
from veriscite.verification.batching import ModelWorker, usable_cores
from veriscite.verification.calibration import Calibration
from veriscite.verification.nli_model import ModelChoice, ModelIdentity, NliModel, identify, load_nli_model
from veriscite.verification.windows import premise_text

STAND_IN_NAME = "offline stand-in (general NLI encoder)"
#: No abstract is longer; a full text given as evidence is read up to here, with a note.
_MAX_SENTENCES = 400

#: All encoders of the process share the cores: one batch a core is faster than one batch on all of them.
_CORES = threading.Semaphore(usable_cores())
#: Tokens in a batch at most. On a CPU small batches are faster, for what they compute stays in the cache.
_CPU_TOKENS, _OTHER_TOKENS = 1024, 16_384
#: More threads for one encoder gain little: their batches wait for the same memory.
_MOST_THREADS = 8

Answer = TypeVar("Answer")


class NliEncoder:
    """A model and its worker threads, shared by the verifier and whatever explains its verdicts."""

    def __init__(
        self,
        choice: ModelChoice,
        *,
        max_batch: int = 32,
        collect_ms: float = 10.0,
        load: Callable[[ModelChoice], NliModel] = load_nli_model,
    ) -> None:
        """Choose a model; it is loaded on first use.

        Args:
            choice: Which model.
            max_batch: Pairs in a batch at most.
            collect_ms: Milliseconds to wait for the pairs of other claims.
            load: Loads the model, in a worker thread.
        """
        on_cpu = choice.device == "cpu"
        self._choice = choice
        self._identity: ModelIdentity | None = None
        self._reading: tuple[Calibration, str] | None = None
        self._worker: ModelWorker[NliModel, tuple[str, str], PairScore] = ModelWorker(
            load=lambda: load(choice),
            score=lambda model, pairs: model.score(pairs),
            # Four characters make about a token: close enough to put like to like.
            cost=lambda pair: 8 + (len(pair[0]) + len(pair[1])) // 4,
            max_batch=max_batch,
            max_batch_cost=_CPU_TOKENS if on_cpu else _OTHER_TOKENS,
            collect_ms=collect_ms,
            name=f"nli-{choice.model.rsplit('/', 1)[-1]}",
            replicate=lambda model: model.replica(),
            slots=_CORES if on_cpu else None,
            threads=min(_MOST_THREADS, usable_cores()) if on_cpu else 1,
        )

    @property
    def identity(self) -> ModelIdentity:
        """Name, revision and note of the model, without loading it.

        Raises:
            ModelNotFoundError: There is no such model.
        """
        if self._identity is None:
            self._identity = identify(self._choice)
        return self._identity

    async def score(self, pairs: Sequence[tuple[str, str]]) -> list[PairScore]:
        """Score pairs of premise and claim, batched with those of other callers.

        Raises:
            ModelError: The model cannot be loaded or run.
        """
        return await self._worker.score(pairs)

    async def run(self, job: Callable[[NliModel], Answer]) -> Answer:
        """Run a function on the loaded model in its thread, when no pair waits to be scored.

        Raises:
            ModelError: The model cannot be loaded.
        """
        return await self._worker.run(job)

    async def load(self) -> None:
        """Load the model now, so that a missing one is known before work begins.

        Raises:
            ModelError: The model cannot be loaded.
        """
        await self.reading()

    async def reading(self) -> tuple[Calibration, str]:
        """How the model's evidence is read and its margins calibrated, and the model's revision.

        Raises:
            ModelError: The model cannot be loaded.
        """
        if self._reading is None:
            # Asked once: a job waits for all pairs and jobs before it, attributions among them.
            self._reading = await self.run(lambda model: (model.calibration, model.revision))
        return self._reading

    def close(self) -> None:
        """Stop the worker thread."""
        self._worker.close()

    async def aclose(self) -> None:
        """Stop the worker thread without holding up the event loop."""
        await asyncio.to_thread(self.close)


class NliVerifier:
    """Judges claims with an NLI encoder. Implements `veriscite.ports.ClaimVerifier`.

    SUPPORT and CONTRADICT are decided by the premise with the largest margin over NOT_ENOUGH_INFO, which is
    the answer when none passes its threshold. Of the premise that decided, the sentence that alone speaks
    most for the label is the rationale.
    """

    def __init__(
        self,
        encoder: NliEncoder,
        *,
        name: str = "nli",
        display_name: str = "",
        reading: Mapping[str, Any] | None = None,
    ) -> None:
        """Make a verifier.

        Args:
            encoder: The model; several verifiers may share it.
            name: The role that its verdicts carry.
            display_name: What to call it instead of the model's name (the offline stand-in).
            reading: Fields of `Calibration` that say what is read at once, for a reading other than the one
                that was calibrated. Its probabilities are not calibrated.
        """
        self._encoder = encoder
        self._reading = reading
        self._name = name
        self._display_name = display_name

    @property
    def name(self) -> str:
        """The role that its verdicts carry."""
        return self._name

    def component(self) -> Component:
        """Tell what this is, without loading the model."""
        identity = self._encoder.identity
        detail = f"{identity.name}. {identity.note}" if self._display_name else identity.note
        return Component(
            role=self._name,
            name=self._display_name or identity.name,
            detail=detail,
            revision=identity.revision,
        )

    async def load(self) -> None:
        """Load the model now; see `NliEncoder.load`."""
        await self._encoder.load()

    async def aclose(self) -> None:
        """Let go of the model's thread."""
        await self._encoder.aclose()

    async def verify(self, question: ClaimAndEvidence) -> VerifierOutcome:
        """Judge a claim against its evidence.

        Raises:
            NoEvidenceError: No sentence of the evidence holds any text.
            ModelError: The model cannot be loaded or run.
        """
        # Empty sentences are passed over, but the indices stay those of the evidence.
        kept = [i for i, sentence in enumerate(question.sentences) if sentence.strip()]
        if not kept:
            raise NoEvidenceError("The NLI verifier was asked without evidence.")
        notes: list[str] = []
        if len(kept) > _MAX_SENTENCES:
            notes.append(
                f"Only the first {_MAX_SENTENCES} of {len(kept)} sentences of the evidence were read."
            )
            kept = kept[:_MAX_SENTENCES]
        sentences = [question.sentences[i] for i in kept]
        calibration, model_revision = await self._encoder.reading()
        if self._reading is not None:
            calibration = calibration.model_copy(update={**self._reading, "fitted_on": ""})
        claim = question.claim.strip()
        premises = calibration.premises(claim, sentences)
        scores = await self._encoder.score([(premise_text(sentences, p), claim) for p in premises])
        if any(score.truncated for score in scores):
            notes.append(
                "The claim or what was read of the evidence was longer than the model reads, and was cut."
            )
        result = aggregate(scores, calibration)
        rationale: tuple[int, ...] = ()
        if result.window is not None:
            decisive = await self._decisive(sentences, premises[result.window], claim, result.label)
            rationale = (kept[decisive],)
        if result.opposing_window is not None:
            numbers = " ".join(str(kept[i] + 1) for i in premises[result.opposing_window])
            notes.append(f"Sentences {numbers} speak for the opposite label; compare them.")
        return Verdict(
            verifier=self._name,
            label=result.label,
            probabilities=result.probabilities,
            calibrated=calibration.is_fitted,
            rationale=rationale,
            quotes=tuple(question.sentences[i] for i in rationale),
            justification=_justification(result, rationale, len(question.sentences)),
            model=self._display_name or self._encoder.identity.name,
            revision=model_revision,
            notes=tuple(notes),
        )

    async def _decisive(
        self, sentences: Sequence[str], premise: Sequence[int], claim: str, label: Label
    ) -> int:
        if len(premise) == 1:
            return premise[0]
        alone = await self._encoder.score([(sentences[i], claim) for i in premise])
        return premise[max(range(len(alone)), key=lambda i: alone[i].log_odds(label))]


def _justification(result: Aggregate, rationale: tuple[int, ...], count: int) -> str:
    if not rationale:
        return "No part of the evidence supports or contradicts the claim strongly enough."
    verb = "supports" if result.label is Label.SUPPORT else "contradicts"
    return f"Sentence {rationale[0] + 1} of {count} {verb} the claim most."
