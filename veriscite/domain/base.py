"""What every noun of the domain has in common."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value: safe to share between threads and to keep in a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(Frozen):
    """A half-open range of characters, counted in Unicode code points.

    Attributes:
        start: Offset of the first character.
        end: Offset just past the last character.
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the part of `text` that this span covers."""
        return text[self.start : self.end]
