"""The check of a reference list alone."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from veriscite.domain import Manuscript, Pairing, Provenance, ReferenceCheck, Report, RunStatus
from veriscite.domain.events import Event, ManuscriptRead, ReferenceChecked
from veriscite.errors import NoReferencesError
from veriscite.ports import Closeable, Emit, ReferenceChecker
from veriscite.reporting.summary import summarise
from veriscite.workflow.references import check_references
from veriscite.workflow.streamed import StreamedRun


@dataclass(frozen=True)
class ReferenceParts:
    """The adapters of a run that checks references only.

    Attributes:
        read: Reads the list, as a manuscript without text.
        timeout_s: Seconds for all references together.
        closing: What holds connections, closed when the run ends.
    """

    read: Callable[[], Manuscript]
    checker: ReferenceChecker
    provenance: Provenance
    timeout_s: float
    closing: tuple[Closeable, ...] = ()


class ReferenceRun(StreamedRun):
    """Checks one reference list.

    Args:
        parts: The adapters.
        source_name: The list's name.
    """

    def __init__(self, parts: ReferenceParts, source_name: str) -> None:
        super().__init__(source_name, parts.provenance, parts.closing)
        self._parts = parts
        self._manuscript: Manuscript | None = None
        self._checks: dict[str, ReferenceCheck] = {}

    async def _drive(self, emit: Emit) -> None:
        manuscript = await asyncio.to_thread(self._parts.read)
        emit(ManuscriptRead.of(manuscript))
        if not manuscript.references:
            raise NoReferencesError(
                "No reference was found.",
                advice="Give a .bib, RIS, CSL-JSON, EndNote XML or plain list, or a manuscript that ends "
                "with its reference list.",
            )
        self._manuscript = manuscript

        def keep(event: Event) -> None:
            if isinstance(event, ReferenceChecked):
                self._checks[event.check.reference_id] = event.check
            emit(event)

        await check_references(
            self._parts.checker, manuscript.references, keep, timeout_s=self._parts.timeout_s
        )

    def _assemble(self, status: RunStatus) -> Report | None:
        if self._manuscript is None:
            return None
        manuscript, pairing = self._manuscript, Pairing()
        checks = tuple(self._checks[r.id] for r in manuscript.references if r.id in self._checks)
        return Report(
            run_id=self.run_id,
            status=status,
            started_at=self.started_at,
            finished_at=datetime.now(UTC),
            manuscript=manuscript,
            pairing=pairing,
            lookups=(),
            reference_checks=checks,
            results=(),
            unresolved=(),
            failures=(),
            summary=summarise(
                manuscript=manuscript,
                pairing=pairing,
                results=(),
                unresolved=(),
                failures=(),
                reference_checks=checks,
            ),
            provenance=self._parts.provenance,
        )
