"""The check of the references themselves, bounded: what is not done in time is not checked."""

import asyncio
from collections.abc import Sequence

from veriscite.domain import EvidenceLookup, Reference, ReferenceCheck, ReferenceStatus, SourceAnswer
from veriscite.domain.events import ReferenceChecked
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, ReferenceChecker


async def check_references(
    checker: ReferenceChecker,
    references: Sequence[Reference],
    emit: Emit,
    *,
    known: Sequence[EvidenceLookup] = (),
    timeout_s: float,
) -> list[ReferenceCheck]:
    """Check every reference, telling of each as it is done.

    A checker that breaks or takes too long leaves the rest `NOT_CHECKED`, with the reason: no fault here may
    cost the report.

    Args:
        checker: Who checks.
        references: The list.
        emit: Hears of each.
        known: Lookups made before.
        timeout_s: Seconds for all of it.

    Returns:
        One check for each reference, in the list's order.
    """
    done: dict[str, ReferenceCheck] = {}

    def tell(check: ReferenceCheck) -> None:
        done[check.reference_id] = check
        emit(ReferenceChecked(check=check, done=len(done), total=len(references)))

    reason = "the checker gave no answer for this entry"
    try:
        async with asyncio.timeout(timeout_s):
            async with closing(checker.check(references, emit, known)) as checks:
                async for check in checks:
                    tell(check)
    except TimeoutError:
        reason = f"not reached within {timeout_s:.0f} s"
    except Exception as error:  # noqa: BLE001 - the border: a fault in one entry must not cost the report
        reason = f"the check broke: {type(error).__name__}: {error}"[:300]
    for reference in references:
        if reference.id not in done:
            tell(_not_checked(reference, reason))
    return [done[reference.id] for reference in references]


def _not_checked(reference: Reference, reason: str) -> ReferenceCheck:
    answer = SourceAnswer(source="veriscite", status="lookup_failed", detail=reason)
    return ReferenceCheck(reference_id=reference.id, status=ReferenceStatus.NOT_CHECKED, answers=(answer,))
