"""ZIP archives for tests: of Word documents, of TeX sources, and of worse."""

import io
import zipfile
from collections.abc import Mapping


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these files, names as they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()
