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
