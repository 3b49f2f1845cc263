"""A .docx is a ZIP archive: its parts are read one by one, each within bounds, and nothing is unpacked."""

import io
import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from types import TracebackType
from typing import Self
from xml.etree.ElementTree import Element

from veriscite.errors import InputError, PasswordRequiredError, TooLargeError, UnreadableFileError
from veriscite.reading.xml_safe import as_utf8, parse_xml

MAX_MEMBERS = 5_000
MAX_PART = 100_000_000
MAX_RATIO = 500
"""XML packs twenty to fifty times smaller; a bomb a thousand times."""

_MAX_BENEATH = 50
_RATIO_FROM = 20_000_000
_OFFICE = "http://schemas.openxmlformats.org"
_STRICT = "http://purl.oclc.org/ooxml"
PREFIXES: Mapping[str, str] = {
    f"{_OFFICE}/wordprocessingml/2006/main": "w",
    f"{_STRICT}/wordprocessingml/main": "w",
    f"{_OFFICE}/officeDocument/2006/math": "m",
    f"{_STRICT}/officeDocument/math": "m",
    f"{_OFFICE}/drawingml/2006/main": "a",
    f"{_STRICT}/drawingml/main": "a",
    f"{_OFFICE}/markup-compatibility/2006": "mc",
    f"{_OFFICE}/package/2006/relationships": "rel",
    f"{_OFFICE}/officeDocument/2006/bibliography": "b",
    f"{_STRICT}/officeDocument/bibliography": "b",
}
_MAIN_TYPES = ("/officeDocument",)


class Package:
    """An opened document.

    Args:
        content: The file.
        name: Its name, for messages.

    Raises:
        InputError: It is no ZIP archive, is broken, or holds too much.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self._name = name
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, OSError) as error:
            raise self._broken("its ZIP archive is damaged or cut off") from error
        members = self._archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise TooLargeError(
                f"{name} holds {len(members):,} files; a Word document has some dozens.",
                advice="Save the document again, or paste the text.",
            )
        # Names are only ever looked up, so that a path that climbs out of the archive leads nowhere.
        self._members = {member.filename.replace("\\", "/").lstrip("/"): member for member in members}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._archive.close()

    def main_part(self) -> str:
        """Return the name of the part that holds the text."""
        relations = self.part("_rels/.rels")
        for relation in relations if relations is not None else ():
            if relation.get("Type", "").endswith(_MAIN_TYPES):
                target = relation.get("Target", "").lstrip("/")
                if target in self._members:
                    return target
        return "word/document.xml"

    def beside(self, main: str, file: str) -> Element | None:
        """Return the part of that name in the main part's folder, or None; one that is broken is an error."""
        return self.part(posixpath.join(posixpath.dirname(main), file))

    def beneath(self, folder: str) -> list[str]:
        """Return the names of the XML parts in a folder, in order, a few dozen at most."""
        names = (name for name in self._members if posixpath.dirname(name) == folder)
        return sorted(name for name in names if name.endswith(".xml"))[:_MAX_BENEATH]

    def part(self, part: str) -> Element | None:
        """Return the root of a part, or None where there is none.

        Raises:
            InputError: It is broken, encrypted or too large.
        """
        member = self._members.get(part)
        if member is None:
            return None
        content = self._read(member, part)
        text = as_utf8(content).decode(
            "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace"
        )
        return parse_xml(text, f"{self._name} ({part})", prefixes=PREFIXES).root

    def _read(self, member: zipfile.ZipInfo, part: str) -> bytes:
        if member.flag_bits & 0x1:
            raise PasswordRequiredError(
                f"{self._name} is encrypted.", advice="Save it without a password, or paste the text."
            )
        try:
            with self._archive.open(member) as stream:
                content = stream.read(MAX_PART + 1)
        except (
            zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError,
        ) as error:  # fmt: skip
            raise self._broken(f"its part {part} is damaged") from error
        packed = max(member.compress_size, 1)
        if len(content) > MAX_PART or (len(content) > _RATIO_FROM and len(content) > packed * MAX_RATIO):
            raise TooLargeError(
                f"{self._name} unpacks to far more than a document holds ({part}); it was not read.",
                advice="Save the document again, or paste the text.",
            )
        return content

    def _broken(self, why: str) -> InputError:
        return UnreadableFileError(
            f"{self._name} is a Word document that cannot be opened: {why}.",
            advice="Save or download it again, or paste the text.",
        )
