"""A file or pasted text -> Manuscript: body, sections and reference list."""

from veriscite.reading.bibliography import read_references
from veriscite.reading.reader import DocumentReader

__all__ = ["DocumentReader", "read_references"]
