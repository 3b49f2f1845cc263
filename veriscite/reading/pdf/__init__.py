"""PDF -> text in reading order, without page furniture.

The text is put together from the glyphs' places: columns one after the other, running heads, page numbers,
line numbers and the first page's small print left out, words that a line end cuts joined, captions and
footnotes moved behind the sentence they interrupt. Raised numbers are written as superscript digits
(`bias¹⁴,¹⁵`). Lines of the page are lines of the text; an empty line parts paragraphs.
"""

from veriscite.reading.pdf.read import read_pdf

__all__ = ["read_pdf"]
