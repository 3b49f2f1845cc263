"""Settings -> adapters; the only place that knows all adapters.

To add an evidence source, write its file in `evidence/sources/` and name it in `_SOURCES`.
"""

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from veriscite._version import __version__
from veriscite.domain import Component, Manuscript, Provenance, Reference
from veriscite.evidence.cache import AnswerCache, CachedSource
from veriscite.evidence.cache_transfer import export_cache as export_cache
from veriscite.evidence.cache_transfer import import_cache as import_cache
from veriscite.evidence.chain import EvidenceChain
from veriscite.evidence.checks import SourcesReferenceChecker
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
from veriscite.ports import (
    EvidenceSource,
    ManuscriptInput,
    ManuscriptReader,
    Pairer,
    ReferenceChecker,
)
from veriscite.reading.bibliography import read_references
from veriscite.reading.files import read_file
from veriscite.reading.list_alone import holds_manuscript, read_list_alone
from veriscite.reading.reader import DocumentReader
from veriscite.settings import Settings
from veriscite.verification.model_checks import ModelCheck as ModelCheck
from veriscite.verification.model_results import ModelCard as ModelCard
from veriscite.verification.model_results import ModelList as ModelList
from veriscite.verification.model_results import Pulled as Pulled
from veriscite.wiring_judges import Judges, attributor, gate, judges, prepare
from veriscite.wiring_judges import model_store as model_store
from veriscite.wiring_judges import uses_claude as uses_claude
from veriscite.workflow.parts import Parts
from veriscite.workflow.reference_run import ReferenceParts

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
    found_by, network = _network(settings)
    judging = judges(settings)
    checker = _checker(settings, found_by, own_library)
    checking = (checker.component(),) if settings.run.check_references else ()
    provenance = _provenance(settings, judging, network, own_library)

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
        nli=judging.nli,
        blind=judging.blind,
        second_opinion=judging.second_opinion,
        planner=judging.planner,
        attributor=attributor(settings, judging.encoders[0][2]),
        prepare=prepare(judging.encoders),
        provenance=provenance.model_copy(
            update={
                "components": (*provenance.components, *(folder.component() for folder in folders), *checking)
            }
        ),
        closing=(*judging.closing, EvidenceChain((), network)),
        gate=gate(settings),
        reference_checker=checker if settings.run.check_references else None,
    )


def build_references(settings: Settings, source: ManuscriptInput, library: Sequence[Path]) -> ReferenceParts:
    """Choose the adapters of a run that checks a reference list only.

    Args:
        settings: What the user wants.
        source: A reference list in any format, or a manuscript that holds one.
        library: Files with entries to compare with.

    Raises:
        InputError: A library file cannot be read.
    """
    parser = PlainListParser()
    own_library = _read_library([path for path in library if not path.is_dir()], settings, parser)
    found_by, network = _network(settings)
    checker = _checker(settings, found_by, own_library)

    def read() -> Manuscript:
        limits = settings.reading
        if holds_manuscript(source.content, source.name):
            return reading(settings)[0].read(source)
        return read_list_alone(
            source, parser, max_characters=limits.max_characters, max_references=limits.max_references
        )

    return ReferenceParts(
        read=read,
        checker=checker,
        provenance=Provenance(
            veriscite=__version__,
            components=(checker.component(), *_source_components(settings, network, own_library)),
            offline=settings.evidence.offline,
            libraries={name: found for name in ("bibtexparser",) if (found := _version_of(name))},
        ),
        timeout_s=settings.run.references_timeout_s,
        closing=(EvidenceChain((), network),),
    )


def describe(settings: Settings) -> Provenance:
    """Tell who would do what with these settings; loads no model, asks nobody.

    Raises:
        InputError: Settings contradict each other.
        ModelNotFoundError: The chosen model is not there.
    """
    return build(settings).provenance


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


def _network(settings: Settings) -> tuple[tuple[RecordFinder, ...], list[EvidenceSource]]:
    """The sources on the network, once as finders of records and once as sources of evidence.

    Both are the same objects beneath, so that what one was told the other need not ask.
    """
    cache = answer_cache(settings)
    found_by = _network_finders(settings, cache)
    return found_by, [CachedSource(FinderSource(finder), cache) for finder in found_by]


def _checker(
    settings: Settings, found_by: Sequence[RecordFinder], own_library: Sequence[Reference]
) -> ReferenceChecker:
    """Checks references against the sources that can find records, and the library."""
    return SourcesReferenceChecker(
        found_by,
        local=[LibrarySource(own_library, own_list=False)] if own_library else [],
        offline=settings.evidence.offline,
    )


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
    judging: Judges,
    network: Sequence[EvidenceSource],
    own_library: Sequence[Reference],
) -> Provenance:
    return Provenance(
        veriscite=__version__,
        components=(
            judging.nli.component(),
            judging.blind.component(),
            judging.second_opinion.component(),
            judging.planner.component(),
            *_source_components(settings, network, own_library),
        ),
        offline=settings.evidence.offline,
        libraries={name: found for name in _LIBRARIES if (found := _version_of(name))},
    )


def _source_components(
    settings: Settings, network: Sequence[EvidenceSource], own_library: Sequence[Reference]
) -> list[Component]:
    with_abstract = sum(bool(r.abstract) for r in own_library)
    library = Component(
        role="source",
        name="library",
        detail=f"{with_abstract} of {len(own_library)} entries have an abstract"
        if own_library
        else "abstracts in the reference list itself, if it has any",
    )
    sources = [source.component() for source in network]
    if settings.evidence.offline:
        sources = [s.model_copy(update={"detail": "not asked: the run is offline"}) for s in sources]
    return [library, *sources]


def _version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
