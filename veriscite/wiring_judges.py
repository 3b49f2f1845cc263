"""Settings -> who judges, plans and explains. `wiring.py` puts it together with reading and the sources."""

import asyncio
import atexit
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache

from veriscite.domain.events import ModelLoading, ModelReady
from veriscite.errors import SettingsError
from veriscite.planning.rules import RulesPlanner
from veriscite.ports import Attributor, ClaimVerifier, Closeable, Emit, Gate, Planner
from veriscite.settings import NliSettings, Settings
from veriscite.verification.error_budget import ErrorBudget
from veriscite.verification.model_store import ModelStore
from veriscite.verification.nli import STAND_IN_NAME, NliEncoder, NliVerifier
from veriscite.verification.nli_model import ModelChoice, stored_calibration

#: The stand-in's second opinion reads more of the abstract than its first verdict did: a reading of its own.
_SECOND_READING = {"extracts": (5,)}


@dataclass(frozen=True)
class Judges:
    """Who judges and plans in a run, and what of it must be closed when the run ends."""

    nli: ClaimVerifier
    blind: ClaimVerifier
    second_opinion: ClaimVerifier
    planner: Planner
    encoders: tuple[tuple[str, str, NliEncoder], ...]
    closing: tuple[Closeable, ...] = ()


def model_store(settings: Settings) -> ModelStore:
    """The models that may be chosen, seen with these settings; loads none, asks nobody yet."""
    choice = _choice(settings, settings.nli.model, settings.nli.revision)
    return ModelStore(choice, settings.blind.stand_in_model)


def uses_claude(settings: Settings) -> bool:
    """Whether Claude is the blind verifier and the planner.

    Raises:
        SettingsError: It was asked for, but there is no key, or the run is to be offline.
    """
    provider, has_key = settings.blind.provider, settings.anthropic.api_key is not None
    if provider == "stand-in":
        return False
    if provider == "auto":
        return has_key and not settings.evidence.offline
    if not has_key:
        raise SettingsError(
            "Claude was asked for as the blind verifier, but there is no key.",
            advice="Set ANTHROPIC_API_KEY, or choose --blind stand-in.",
        )
    if settings.evidence.offline:
        raise SettingsError(
            "Claude was asked for as the blind verifier, but --offline asks nobody on the network.",
            advice="Leave --offline out, or choose --blind stand-in.",
        )
    return True


def judges(settings: Settings) -> Judges:
    """Choose the verifiers and the planner.

    Raises:
        SettingsError: Settings contradict each other.
        ModelNotFoundError: The chosen model is not there.
    """
    encoder = _encoder(_choice(settings, settings.nli.model, settings.nli.revision), *_batching(settings.nli))
    nli = NliVerifier(encoder, name="nli")
    if uses_claude(settings):
        return _claude_judges(settings, nli, encoder)
    general = _encoder(_choice(settings, settings.blind.stand_in_model, None), *_batching(settings.nli))
    return Judges(
        nli=nli,
        blind=NliVerifier(general, name="blind", display_name=STAND_IN_NAME),
        second_opinion=NliVerifier(
            general,
            name="second_opinion",
            display_name=f"{STAND_IN_NAME}, reading more sentences",
            reading=_SECOND_READING,
        ),
        # Offline the library is all there is to search, and it has given what it has.
        planner=RulesPlanner(search=not settings.evidence.offline),
        encoders=(("nli", nli.component().name, encoder), ("blind", STAND_IN_NAME, general)),
    )


def _claude_judges(settings: Settings, nli: NliVerifier, encoder: NliEncoder) -> Judges:
    from veriscite.chat.anthropic_chat import AnthropicChat
    from veriscite.chat.prompts import load_prompt
    from veriscite.planning.llm_planner import LlmPlanner
    from veriscite.verification.blind_chat import BlindChatVerifier

    anthropic = settings.anthropic
    key = anthropic.api_key
    assert key is not None
    limiter = asyncio.Semaphore(anthropic.concurrency)

    def chat(model: str) -> AnthropicChat:
        return AnthropicChat(
            model,
            key,
            base_url=anthropic.base_url,
            timeout_s=anthropic.timeout_s,
            max_retries=anthropic.max_retries,
            limiter=limiter,
        )

    blind, planner = chat(anthropic.blind_model), chat(anthropic.planner_model)
    return Judges(
        nli=nli,
        blind=BlindChatVerifier(blind, load_prompt("blind_verifier")),
        second_opinion=BlindChatVerifier(planner, load_prompt("second_opinion"), role="second_opinion"),
        planner=LlmPlanner(planner, load_prompt("planner")),
        encoders=(("nli", nli.component().name, encoder),),
        closing=(blind, planner),
    )


def gate(settings: Settings) -> Gate | None:
    """What withholds verdicts, where an error budget is set."""
    if settings.run.max_error is None:
        return None
    choice = _choice(settings, settings.nli.model, settings.nli.revision)
    return ErrorBudget(stored_calibration(choice).known, settings.run.max_error)


def _choice(settings: Settings, model: str, revision: str | None) -> ModelChoice:
    return ModelChoice(
        model=model,
        cache_dir=settings.storage.cache_dir,
        revision=revision,
        device=settings.nli.device,
        threads=settings.nli.threads,
        local_only=settings.evidence.offline,
    )


def _batching(nli: NliSettings) -> tuple[int, float]:
    return nli.max_batch, nli.collect_ms


@cache
def _encoder(choice: ModelChoice, max_batch: int, collect_ms: float) -> NliEncoder:
    """An encoder is kept for the life of the process, so that a second run need not load it again."""
    encoder = NliEncoder(choice, max_batch=max_batch, collect_ms=collect_ms)
    # torch aborts the process when the interpreter goes while one of its threads is at work.
    atexit.register(encoder.close)
    return encoder


def attributor(settings: Settings, encoder: NliEncoder) -> Attributor | None:
    """What tells which words decided, unless it is left out."""
    if not settings.run.attribute:
        return None
    from veriscite.attribution.integrated_gradients import IntegratedGradientsAttributor

    return IntegratedGradientsAttributor(encoder)


def prepare(encoders: Sequence[tuple[str, str, NliEncoder]]) -> Callable[[Emit], Awaitable[None]]:
    """Loads the encoders, and tells of it."""

    async def load(role: str, name: str, encoder: NliEncoder, emit: Emit) -> None:
        emit(ModelLoading(role=role, name=name))
        began = time.monotonic()
        await encoder.load()
        emit(ModelReady(role=role, name=name, seconds=time.monotonic() - began))

    async def load_all(emit: Emit) -> None:
        # One after the other: both convert the same base the first time.
        for role, name, encoder in encoders:
            await load(role, name, encoder, emit)

    return load_all
