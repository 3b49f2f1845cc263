"""Word documents (.docx)."""

from veriscite.reading.docx.read import read_docx

__all__ = ["read_docx"]
