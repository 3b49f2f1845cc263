r"""The manuscript and the files that it takes in: `\input`, `\include`, `\subfile`, `\import`."""

import re
from pathlib import PurePosixPath

from veriscite.domain import ReadingNote
from veriscite.errors import InputError
from veriscite.reading.decoding import decode
from veriscite.reading.latex.clean import SOFT_BREAK, Lines, clean
from veriscite.reading.named_files import Folder, named_file

MAX_FILES = 500
MAX_DEPTH = 20
_MAX_NOTES = 100
_TAKEN_IN = {".tex", ".ltx", ".latex", ".bbl", ".txt"}
# Only files of these kinds are text to be read; `\input{plot.pgf}` draws.
_INPUT = re.compile(
    r"\\(?P<command>input|include|subfile|subfileinclude|import|subimport|includefrom|subincludefrom)"
    r"(?![A-Za-z@])\*?[ \t]{0,8}"
    r"(?:\{(?P<first>[^{}\n]{0,500})\}(?:\s{0,8}\{(?P<second>[^{}\n]{0,500})\})?"
    r"|(?P<bare>[^\s\\{}\[\]]{1,500}))"
)
_DOCUMENT = re.compile(r"\\begin[ \t]{0,8}\{document\}")
_END_DOCUMENT = "\\end{document}"


class Assembly:
    """Puts the text together; what is not taken in becomes a note with its place.

    Attributes:
        notes: What was refused or could not be read.
        contents: The bytes of each file taken in, in order.

    Args:
        root: Where files may be read from; None forbids it.
        max_bytes: The largest file.
        max_characters: The longest text, all files together.
    """

    def __init__(self, root: Folder | None, *, max_bytes: int, max_characters: int) -> None:
        self.notes: list[ReadingNote] = []
        self.contents: list[bytes] = []
        self._root = root
        self._max_bytes = max_bytes
        self._left = max_characters
        self._max_characters = max_characters
        self._files = 0

    def assemble(self, text: str, name: str) -> str:
        """Return the whole text without comments.

        Args:
            text: The main file.
            name: Its name, without its folder.
        """
        self._left -= len(text)
        return self._expanded(text, name, (name,), main=True).replace(SOFT_BREAK, "")

    def _expanded(self, text: str, name: str, open_files: tuple[str, ...], *, main: bool) -> str:
        cleaned, problems = clean(text)
        for message, line in problems:
            self._note(message, name, line, main=main)
        if not main:
            # A part that can be set on its own has a preamble; only what it sets is wanted.
            begin = _DOCUMENT.search(cleaned)
            cleaned = cleaned[begin.end() :] if begin else cleaned
            cleaned = cleaned.removesuffix(_END_DOCUMENT)
        lines = Lines(cleaned)
        pieces: list[str] = []
        at = 0
        for match in _INPUT.finditer(cleaned):
            wanted, end = _wanted(match)
            pieces.append(cleaned[at : match.start()])
            at = end
            if wanted:
                taken = self._taken_in(wanted, name, lines.at(match.start()), open_files, main=main)
                pieces.append(taken if match["command"] == "input" else f"\n\n{taken}\n\n")
        pieces.append(cleaned[at:])
        return "".join(pieces)

    def _taken_in(self, wanted: str, name: str, line: int, open_files: tuple[str, ...], *, main: bool) -> str:
        path = PurePosixPath(wanted)
        if path.suffix.lower() not in _TAKEN_IN:
            path = PurePosixPath(f"{wanted}.tex")
        named = str(path)
        content, problem = self._content(named, open_files)
        if content is None:
            self._note(problem, name, line, main=main, raw=wanted)
            return " "
        try:
            decoded = decode(content, path.name, max_characters=max(self._left, 1))
        except InputError as error:
            self._note(f"{named} was not taken in. {error.message}", name, line, main=main, raw=wanted)
            return " "
        self._left -= len(decoded.text)
        self.contents.append(content)
        return self._expanded(decoded.text, named, (*open_files, named), main=False)

    def _content(self, named: str, open_files: tuple[str, ...]) -> tuple[bytes | None, str]:
        if named in open_files:
            return None, f"{named} takes itself in; it was read once."
        if len(open_files) > MAX_DEPTH:
            return None, f"{named} stands more than {MAX_DEPTH} files deep; it was not taken in."
        if self._files >= MAX_FILES:
            return None, f"More than {MAX_FILES} files are taken in; {named} was left out."
        if self._left <= 0:
            return None, f"{named} was left out: all parts may hold {self._max_characters:,} characters."
        if self._root is None:
            return None, f"The manuscript takes in {named}, which was not given along; it is not read."
        self._files += 1
        return named_file(self._root, named, max_bytes=self._max_bytes, what="a part")

    def _note(self, message: str, name: str, line: int, *, main: bool, raw: str = "") -> None:
        if len(self.notes) < _MAX_NOTES:
            message = message if main else f"{name}, line {line}: {message}"
            self.notes.append(ReadingNote(message=message, raw=raw, line=line if main else None))


def _wanted(match: re.Match[str]) -> tuple[str, int]:
    """Return the file named, and where the command ends."""
    first = (match["first"] or match["bare"] or "").strip().strip('"')
    if not match["command"].endswith(("import", "from")):
        return first, match.end("bare") if match["bare"] else match.end("first") + 1
    if match["second"] is None:
        return first, match.end()
    return str(PurePosixPath(first) / match["second"].strip().strip('"')), match.end()
