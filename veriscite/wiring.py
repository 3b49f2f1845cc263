"""Settings -> adapters; the only place that knows all adapters.

To add an evidence source, write its file in `evidence/sources/` and name it in `_SOURCES`.
"""

import asyncio
import atexit
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from veriscite._version import __version__
from veriscite.domain import Component, Manuscript, Provenance, Reference
from veriscite.domain.events import ModelLoading, ModelReady
from veriscite.errors import SettingsError
from veriscite.evidence.cache import AnswerCache, CachedSource
from veriscite.evidence.cache_transfer import export_cache as export_cache
from veriscite.evidence.cache_transfer import import_cache as import_cache
from veriscite.evidence.chain import EvidenceChain
from veriscite.evidence.finding import RecordFinder
from veriscite.evidence.http import Network
from veriscite.evidence.library import LibrarySource
from veriscite.evidence.options import SourceOptions
from veriscite.evidence.pdf_folder import PdfFolder
from veriscite.evidence.politeness import Budget, Paces
from veriscite.evidence.sources.arxiv import ArXiv
from veriscite.evidence.sources.crossref import Crossref
from veriscite.evidence.sources.europe_pmc import EuropePmc
from veriscite.evidence.sources.finder import NetworkFinder, RecordStore
from veriscite.evidence.sources.openalex import OpenAlex
from veriscite.evidence.sources.semantic_scholar import SemanticScholar
from veriscite.evidence.sources.source import FinderSource
from veriscite.linking import CitationPairer, PlainListParser
from veriscite.planning.rules import RulesPlanner
from veriscite.ports import (
    Attributor,
    ClaimVerifier,
    Closeable,
    Emit,
    EvidenceSource,
    Gate,
    ManuscriptInput,
    ManuscriptReader,
    Pairer,
    Planner,
)
from veriscite.reading.bibliography import read_references
from veriscite.reading.files import read_file
from veriscite.reading.reader import DocumentReader
from veriscite.settings import NliSettings, Settings
from veriscite.verification.error_budget import ErrorBudget
from veriscite.verification.model_checks import ModelCheck as ModelCheck
from veriscite.verification.model_results import ModelCard as ModelCard
from veriscite.verification.model_results import ModelList as ModelList
from veriscite.verification.model_results import Pulled as Pulled
from veriscite.verification.model_store import ModelStore
from veriscite.verification.nli import STAND_IN_NAME, NliEncoder, NliVerifier
from veriscite.verification.nli_model import ModelChoice, stored_calibration
from veriscite.workflow.parts import Parts

#: Sources on the network, in the order they are asked. Each has its settings under its name.
_SOURCES: tuple[tuple[str, Callable[[SourceOptions, Network, RecordStore | None], NetworkFinder]], ...] = (
    ("semantic_scholar", SemanticScholar),
    ("openalex", OpenAlex),
    ("crossref", Crossref),
    ("europe_pmc", EuropePmc),
    ("arxiv", ArXiv),
)

#: One pace for each host and the life of the process: runs at the same time share it.
_PACES = Paces()

_LIBRARIES = ("torch", "transformers", "captum", "langgraph", "pypdfium2", "bibtexparser", "nupunkt")

#: The stand-in's second opinion reads more of the abstract than its first verdict did: a reading of its own.
_SECOND_READING = {"extracts": (5,)}


@dataclass(frozen=True)
class _Judges:
    """Who judges and plans in a run, and what of it must be closed when the run ends."""

    nli: ClaimVerifier
    blind: ClaimVerifier
    second_opinion: ClaimVerifier
    planner: Planner
    encoders: tuple[tuple[str, str, NliEncoder], ...]
    closing: tuple[Closeable, ...] = ()


def reading(settings: Settings) -> tuple[ManuscriptReader, Pairer]:
    """The reader and the pairer of a run, for who wants to see what they make of a manuscript."""
    return DocumentReader(PlainListParser(), **settings.reading.model_dump()), CitationPairer()


def build(settings: Settings, library: Sequence[Path] = ()) -> Parts:
    """Choose the adapters of one run. No model is loaded and nobody is asked yet.

    Args:
        settings: What the user wants.
        library: Files with abstracts of the cited works, and folders of their PDFs.

    Raises:
        InputError: A library file cannot be read, or settings contradict each other.
        ModelNotFoundError: The chosen model is not there.
    """
    reader, pairer = reading(settings)
    folders = [PdfFolder(path, _pdf_text(settings)) for path in library if path.is_dir()]
    files = [path for path in library if not path.is_dir()]
    own_library = _read_library(files, settings, PlainListParser())
    network = _network_sources(settings)
    judges = _judges(settings)
    provenance = _provenance(settings, judges, network, own_library)

    def evidence_for(manuscript: Manuscript) -> EvidenceSource:
        with_abstract = [r for r in manuscript.references if r.abstract]
        local: list[EvidenceSource] = []
        if with_abstract:
            local.append(LibrarySource(with_abstract, own_list=True))
        if own_library:
            local.append(LibrarySource(own_library, own_list=False))
        local += folders
        return EvidenceChain(
            local or [LibrarySource((), own_list=False)], network, offline=settings.evidence.offline
        )

    return Parts(
        reader=reader,
        pairer=pairer,
        evidence_for=evidence_for,
        nli=judges.nli,
        blind=judges.blind,
        second_opinion=judges.second_opinion,
        planner=judges.planner,
        attributor=_attributor(settings, judges.encoders[0][2]),
        prepare=_prepare(judges.encoders),
        provenance=provenance.model_copy(
            update={"components": (*provenance.components, *(folder.component() for folder in folders))}
        ),
        closing=(*judges.closing, EvidenceChain((), network)),
        gate=_gate(settings),
    )


def describe(settings: Settings) -> Provenance:
    """Tell who would do what with these settings; loads no model, asks nobody.

    Raises:
        InputError: Settings contradict each other.
        ModelNotFoundError: The chosen model is not there.
    """
    return build(settings).provenance


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


def _judges(settings: Settings) -> _Judges:
    encoder = _encoder(_choice(settings, settings.nli.model, settings.nli.revision), *_batching(settings.nli))
    nli = NliVerifier(encoder, name="nli")
    if uses_claude(settings):
        return _claude_judges(settings, nli, encoder)
    general = _encoder(_choice(settings, settings.blind.stand_in_model, None), *_batching(settings.nli))
    return _Judges(
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


def _claude_judges(settings: Settings, nli: NliVerifier, encoder: NliEncoder) -> _Judges:
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
    return _Judges(
        nli=nli,
        blind=BlindChatVerifier(blind, load_prompt("blind_verifier")),
        second_opinion=BlindChatVerifier(planner, load_prompt("second_opinion"), role="second_opinion"),
        planner=LlmPlanner(planner, load_prompt("planner")),
        encoders=(("nli", nli.component().name, encoder),),
        closing=(blind, planner),
    )


def _gate(settings: Settings) -> Gate | None:
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


def _attributor(settings: Settings, encoder: NliEncoder) -> Attributor | None:
    if not settings.run.attribute:
        return None
    from veriscite.attribution.integrated_gradients import IntegratedGradientsAttributor

    return IntegratedGradientsAttributor(encoder)


def _prepare(encoders: Sequence[tuple[str, str, NliEncoder]]) -> Callable[[Emit], Awaitable[None]]:
    async def load(role: str, name: str, encoder: NliEncoder, emit: Emit) -> None:
        emit(ModelLoading(role=role, name=name))
        began = time.monotonic()
        await encoder.load()
        emit(ModelReady(role=role, name=name, seconds=time.monotonic() - began))

    async def prepare(emit: Emit) -> None:
        # One after the other: both convert the same base the first time.
        for role, name, encoder in encoders:
            await load(role, name, encoder, emit)

    return prepare


def finders(settings: Settings) -> tuple[RecordFinder, ...]:
    """The sources on the network that are switched on, in order, as finders of records; none offline.

    What they answered is kept in the cache, and shared with the retrieval of evidence.

    Raises:
        SettingsError: An address or a key cannot be used.
    """
    return () if settings.evidence.offline else _network_finders(settings, answer_cache(settings))


def answer_cache(settings: Settings) -> AnswerCache:
    """The cache of answers; its file is made when first needed."""
    return AnswerCache(settings.storage.cache_dir, settings.evidence)


def _network_finders(settings: Settings, cache: AnswerCache) -> tuple[NetworkFinder, ...]:
    network = Network(settings.evidence, paces=_PACES, budget=Budget(settings.evidence.budget_s))
    chosen = [(make, getattr(settings, name)) for name, make in _SOURCES]
    return tuple(make(options, network, cache) for make, options in chosen if options.enabled)


def _network_sources(settings: Settings) -> list[EvidenceSource]:
    cache = answer_cache(settings)
    return [CachedSource(FinderSource(finder), cache) for finder in _network_finders(settings, cache)]


def _read_library(
    files: Sequence[Path], settings: Settings, parser: PlainListParser
) -> tuple[Reference, ...]:
    entries: list[Reference] = []
    for number, path in enumerate(files):
        parsed = read_references(
            read_file(path, settings.reading.max_bytes),
            path.name,
            parser,
            max_characters=settings.reading.max_characters,
            max_references=settings.reading.max_references,
        )
        # Two files may use the same key for different works.
        entries += [
            r.model_copy(update={"id": r.id if len(files) == 1 else f"{number + 1}:{r.id}"})
            for r in parsed.references
        ]
    return tuple(entries)


def _pdf_text(settings: Settings) -> Callable[[bytes, str], str]:
    """The PDF reader, for who wants the text alone."""

    def read(content: bytes, name: str) -> str:
        return reading(settings)[0].read(ManuscriptInput(content, name)).text

    return read


def _provenance(
    settings: Settings,
    judges: _Judges,
    network: Sequence[EvidenceSource],
    own_library: Sequence[Reference],
) -> Provenance:
    offline = settings.evidence.offline
    with_abstract = sum(bool(r.abstract) for r in own_library)
    library = Component(
        role="source",
        name="library",
        detail=f"{with_abstract} of {len(own_library)} entries have an abstract"
        if own_library
        else "abstracts in the reference list itself, if it has any",
    )
    sources = [source.component() for source in network]
    if offline:
        sources = [s.model_copy(update={"detail": "not asked: the run is offline"}) for s in sources]
    return Provenance(
        veriscite=__version__,
        components=(
            judges.nli.component(),
            judges.blind.component(),
            judges.second_opinion.component(),
            judges.planner.component(),
            library,
            *sources,
        ),
        offline=offline,
        libraries={name: found for name in _LIBRARIES if (found := _version_of(name))},
    )


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
