"""A ZIP archive of TeX sources, read like a folder: in memory, within bounds, and nothing is unpacked."""

import io
import posixpath
import re
import stat
import zipfile
import zlib
from pathlib import PurePosixPath

from veriscite.errors import InputError, PasswordRequiredError, TooLargeError, UnreadableFileError

MAX_MEMBERS = 5_000
_ZIP = b"PK\x03\x04"
_SOURCES = (".tex", ".ltx", ".latex")
_DOCUMENT_CLASS = re.compile(
    rb"^[^%\n]{0,200}\\document(?:class|style)\s{0,8}(?:\[[^\]]{0,1000}\])?\s{0,8}\{([^{}\n]{0,80})",
    re.MULTILINE,
)
_BEGIN = re.compile(rb"^[^%\n]{0,200}\\begin[ \t]{0,8}\{document\}", re.MULTILINE)
_PARTS = (b"subfiles", b"standalone")
# What macOS packs along is no file of anybody's.
_APPLE = re.compile(r"(?:^|/)(?:__MACOSX/|\._)")
_USUAL_NAMES = ("main", "ms", "manuscript", "paper", "article", "thesis", "root")
_HEAD = 200_000
_MAX_LOOKED_AT = 300


def is_source_archive(content: bytes) -> bool:
    """Whether a file is a ZIP archive that holds TeX sources, and no document of another kind."""
    if not content.startswith(_ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [name.replace("\\", "/") for name in archive.namelist()[: MAX_MEMBERS + 1]]
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, OSError, EOFError):
        return False
    if any(name in ("[Content_Types].xml", "mimetype") for name in names):
        return False
    return any(name.lower().endswith(_SOURCES) for name in names)


class SourceArchive:
    """An opened archive; files are looked up by their names in it, so that none leads out of it.

    Attributes:
        main: The name of the main file in the archive.
        left_out: How many files were left out, since their names lead out of the archive or they are links.

    Args:
        content: The archive.
        name: Its name, for messages.
        max_bytes: The most bytes that are read of it in all.

    Raises:
        InputError: It is broken, encrypted, holds too much, or no main file.
    """

    def __init__(self, content: bytes, name: str, *, max_bytes: int) -> None:
        self._name = name
        self._left = self._max_bytes = max_bytes
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, OSError) as error:
            raise self._broken("it is damaged or cut off") from error
        members = self._archive.infolist()
        if len(members) > MAX_MEMBERS:
            raise TooLargeError(
                f"{name} holds {len(members):,} files; the limit is {MAX_MEMBERS:,}.",
                advice="Leave out what is no source of the manuscript.",
            )
        self.left_out = 0
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in members:
            path = _inside(member.filename.replace("\\", "/"))
            if path is None or stat.S_ISLNK(member.external_attr >> 16):
                self.left_out += 1
            elif not member.is_dir() and not _APPLE.search(path):
                self._members.setdefault(path, member)
        self.main = self._main_file()
        self._folder = posixpath.dirname(self.main)

    def main_content(self) -> bytes:
        """Return the main file.

        Raises:
            InputError: It is broken, encrypted or too large.
        """
        return self._read(self._members[self.main], self._max_bytes)

    def named(self, named: str, *, max_bytes: int, what: str) -> tuple[bytes | None, str]:
        """Read a file that the manuscript names, as seen from its main file.

        Returns:
            Its content, or None and why it was not read.
        """
        written = named.replace("\\", "/")
        path = _inside(posixpath.join(self._folder, written)) if not written.startswith("/") else None
        if path is None:
            return None, f"The manuscript names {named}, which is not in its archive; it was not read."
        member = self._members.get(path)
        if member is None:
            return None, f"The manuscript names {named} as {what}, which does not exist."
        try:
            return self._read(member, max_bytes), ""
        except InputError as error:
            return None, f"The manuscript names {named}, which cannot be read. {error.message}"

    def _main_file(self) -> str:
        sources = [path for path in self._members if path.lower().endswith(_SOURCES)]
        # Shallow ones first; only so many are looked at.
        sources.sort(key=lambda path: (path.count("/"), path))
        found: list[tuple[bool, int, int, str]] = []
        for path in sources[:_MAX_LOOKED_AT]:
            head = self._read(self._members[path], _HEAD, cut=True)
            kind = _DOCUMENT_CLASS.search(head)
            if kind is None:
                continue
            begins = _BEGIN.search(head) is not None or len(head) >= _HEAD
            part = kind[1].strip() in _PARTS
            stem = PurePosixPath(path).stem.lower()
            rank = _USUAL_NAMES.index(stem) if stem in _USUAL_NAMES else len(_USUAL_NAMES)
            found.append((part or not begins, path.count("/"), rank, path))
        if found:
            best = min(found)
            same = [entry for entry in found if entry[:3] == best[:3]]
            # Of several with nothing to tell them apart, the longest is the paper, not its cover letter.
            return max(same, key=lambda entry: self._members[entry[3]].file_size)[3]
        if len(sources) == 1:
            return sources[0]
        raise UnreadableFileError(
            f"{self._name} holds {len(sources)} LaTeX files, none of them with \\documentclass.",
            advice="Give the main file along, or give it by its path.",
        )

    def _read(self, member: zipfile.ZipInfo, limit: int, *, cut: bool = False) -> bytes:
        """Read a file, or its beginning."""
        if member.flag_bits & 0x1:
            raise PasswordRequiredError(f"{self._name} is encrypted.", advice="Pack it without a password.")
        allowed = limit if cut else min(limit, self._left)
        try:
            with self._archive.open(member) as stream:
                content = stream.read(allowed + 1)
        except (
            zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError,
        ) as error:  # fmt: skip
            raise self._broken(f"its file {member.filename} is damaged") from error
        if len(content) > allowed and not cut:
            raise TooLargeError(
                f"{member.filename} in {self._name} holds more than {allowed:,} bytes.",
                advice="Leave out what is no source of the manuscript.",
            )
        if not cut:
            self._left -= len(content)
        return content[:allowed]

    def _broken(self, why: str) -> InputError:
        return UnreadableFileError(
            f"{self._name} is a ZIP archive that cannot be read: {why}.", advice="Pack or download it again."
        )


def _inside(path: str) -> str | None:
    """Return a path without its detours, or None where it leads out of the archive."""
    if path.startswith("/") or "\0" in path or re.match(r"[A-Za-z]:", path):
        return None
    plain = posixpath.normpath(path)
    return None if plain in ("..", ".") or plain.startswith("../") else plain
