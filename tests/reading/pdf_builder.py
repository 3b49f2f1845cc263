"""PDFs made of a few text lines at given places, so that a test says what stands on the page."""

from collections.abc import Sequence
from dataclasses import dataclass

HELVETICA, BOLD = "F1", "F2"


@dataclass(frozen=True)
class Text:
    """A line: its place in points from the lower left corner, its size, its font."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = HELVETICA


def paragraph(
    x: float, top: float, lines: Sequence[str], *, size: float = 10, pitch: float = 12
) -> list[Text]:
    """Lines below each other."""
    return [Text(x, top - pitch * index, line, size) for index, line in enumerate(lines)]


def make_pdf(
    pages: Sequence[Sequence[Text]], *, width: float = 595, height: float = 842, title: str = ""
) -> bytes:
    """Write a PDF with the built-in Helvetica fonts."""
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    fonts = []
    for name in (b"Helvetica", b"Helvetica-Bold"):
        font = b"<< /Type /Font /Subtype /Type1 /BaseFont /" + name + b" /Encoding /WinAnsiEncoding >>"
        fonts.append(add(font))
    parent = len(objects) + 2 * len(pages) + 1
    kids = []
    for texts in pages:
        stream = b"\n".join(_show(text) for text in texts)
        content = add(b"<< /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream")
        page = (
            f"<< /Type /Page /Parent {parent} 0 R /MediaBox [0 0 {width} {height}] /Contents {content} 0 R "
            f"/Resources << /Font << /F1 {fonts[0]} 0 R /F2 {fonts[1]} 0 R >> >> >>"
        )
        kids.append(add(page.encode()))
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    assert add(f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()) == parent
    catalog = add(f"<< /Type /Catalog /Pages {parent} 0 R >>".encode())
    info = add(b"<< /Title (" + _escape(title) + b") >>")
    return _assemble(objects, catalog, info)


def _show(text: Text) -> bytes:
    position = f"BT /{text.font} {text.size} Tf {text.x} {text.y} Td (".encode()
    return position + _escape(text.text) + b") Tj ET"


def _escape(text: str) -> bytes:
    encoded = text.encode("cp1252")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _assemble(objects: Sequence[bytes], catalog: int, info: int) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % offset
    out += b"trailer << /Size %d /Root %d 0 R /Info %d 0 R >>\n" % (len(objects) + 1, catalog, info)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)
