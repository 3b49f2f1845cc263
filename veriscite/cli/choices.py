"""What options can be set to; light, since `--help` needs it."""

from enum import StrEnum
from pathlib import Path

STDIN = Path("-")
"""The manuscript's name that stands for standard input."""


class Blind(StrEnum):
    """Who the blind verifier is."""

    AUTO = "auto"
    ANTHROPIC = "anthropic"
    STAND_IN = "stand-in"


class ExampleName(StrEnum):
    """The examples that ship."""

    NUMERIC = "numeric"
    AUTHOR_YEAR = "author-year"


class SourceName(StrEnum):
    """Sources on the network, in the order they are asked."""

    SEMANTIC_SCHOLAR = "semantic-scholar"
    OPENALEX = "openalex"
    CROSSREF = "crossref"
    EUROPE_PMC = "europe-pmc"
    ARXIV = "arxiv"

    @property
    def setting(self) -> str:
        """The field of the settings that holds this source's."""
        return self.value.replace("-", "_")
