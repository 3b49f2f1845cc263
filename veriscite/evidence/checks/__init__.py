"""The state of references themselves, told apart from what is claimed of them."""

from veriscite.evidence.checks.checker import SourcesReferenceChecker
from veriscite.evidence.checks.corrections import Correction, corrections

__all__ = ["Correction", "SourcesReferenceChecker", "corrections"]
