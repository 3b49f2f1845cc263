"""Step 1: reference lists in plain text, citation markers, citances, and the claims they make."""

from veriscite.linking.pairer import CitationPairer
from veriscite.linking.references import PlainListParser

__all__ = ["CitationPairer", "PlainListParser"]
