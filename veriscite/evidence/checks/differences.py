"""What comes of laying one part of an entry beside one record."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Difference:
    """A part of the entry that differs from a record.

    Attributes:
        cited: As the entry has it.
        found: As the record has it.
        serious: Whether a reader would be led to another work, or another person be credited.
        note: In which way it differs.
    """

    cited: str
    found: str
    serious: bool
    note: str


class Same:
    """The part agrees with the record."""


SAME: Final = Same()

Compared = Difference | Same | None
"""A difference, agreement, or None where there is nothing to compare."""
