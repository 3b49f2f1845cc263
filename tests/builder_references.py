"""The hand-built report of a run that checked references only."""

from tests.builder_checks import REFERENCE_CHECKS
from tests.builders import empty_report, manuscript_and_pairing
from veriscite.domain import Pairing, Report, Span
from veriscite.reporting import summarise


def references_report() -> Report:
    """A run that checked references only."""
    manuscript, _ = manuscript_and_pairing()
    alone = manuscript.model_copy(update={"text": "", "body": Span(start=0, end=0), "sections": ()})
    summary = summarise(
        manuscript=alone,
        pairing=Pairing(),
        results=(),
        unresolved=(),
        failures=(),
        reference_checks=REFERENCE_CHECKS,
    )
    return empty_report().model_copy(
        update={
            "manuscript": alone,
            "pairing": Pairing(),
            "reference_checks": REFERENCE_CHECKS,
            "summary": summary,
        }
    )
