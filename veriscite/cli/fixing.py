"""`veriscite refs --fix`: the corrected copy of a `.bib`, and what was changed in it."""

import difflib
import os
import secrets
from pathlib import Path
from typing import TextIO

from veriscite.api import fix_references
from veriscite.domain import Report
from veriscite.errors import InputError, UnwritableFolderError
from veriscite.ports import ManuscriptInput
from veriscite.reading.decoding import decode
from veriscite.reading.files import read_file
from veriscite.reading.formats import TextKind, is_docx, is_pdf, reference_list_kind
from veriscite.reporting.text import one_line, plural, shorten, visible


class Fix:
    """Corrects a `.bib` once its report is there.

    Args:
        source: The list that is checked.
        target: Where the corrected copy goes.
        force: Whether a file that is there may be replaced.
        limit: The most bytes that are read.

    Raises:
        InputError: The list is no `.bib`, or the target is the list itself or is there already.
    """

    def __init__(self, source: Path | ManuscriptInput, target: Path, *, force: bool, limit: int) -> None:
        self._target = target
        self._force = force
        self._content = source.content if isinstance(source, ManuscriptInput) else read_file(source, limit)
        self._name = source.name
        if not _is_bibtex(self._content, self._name):
            raise InputError(
                f"{self._name} is no .bib file; only these can be corrected.",
                advice="Leave --fix out, or export the list as BibTeX.",
            )
        if isinstance(source, Path) and _is_same(source, target):
            raise InputError(
                "The corrected copy would overwrite the list itself.", advice="Name another file after --fix."
            )
        self._refuse_existing()

    def __call__(self, report: Report, out: TextIO, *, quiet: bool) -> None:
        """Write the corrected copy and show the difference.

        Raises:
            InputError: The file came to be there meanwhile, or cannot be written.
        """
        fixed, made = fix_references(self._content, report)
        self._write(fixed)
        if quiet:
            print(self._target, file=out)
            return
        for line in _difference(self._content, fixed, self._name, str(self._target)):
            print(visible(line), file=out)
        entries = len({one.reference_id for one in made})
        told = f"{plural(len(made), 'correction')} in {plural(entries, 'entry', 'entries')}"
        print(f"\n{told if made else 'Nothing to correct'}; written to {self._target}", file=out)
        for one in made:
            print(f"  {one_line(one.reference_id)}: {one.part}: {shorten(one.why, 160)}", file=out)

    def _refuse_existing(self) -> None:
        if self._target.is_dir():
            raise InputError(f"{self._target} is a folder.", advice="Name a file after --fix.")
        if self._target.exists() and not self._force:
            raise InputError(f"{self._target} is there already.", advice="Name another file, or add --force.")

    def _write(self, content: bytes) -> None:
        self._refuse_existing()
        temporary = self._target.with_name(f".{self._target.name}-{secrets.token_hex(4)}.tmp")
        try:
            with temporary.open("xb") as file:
                file.write(content)
            if self._force:
                temporary.replace(self._target)
            else:
                # Unlike a rename, a link never replaces what came to be there meanwhile.
                os.link(temporary, self._target)
        except FileExistsError as error:
            raise InputError(
                f"{self._target} is there already.", advice="Name another file, or add --force."
            ) from error
        except OSError as error:
            raise UnwritableFolderError(
                f"{self._target} cannot be written: {error.strerror or error}.", advice="Name another file."
            ) from error
        finally:
            temporary.unlink(missing_ok=True)


def _is_bibtex(content: bytes, name: str) -> bool:
    if is_docx(content) or is_pdf(content, name):
        return False
    try:
        text = decode(content, name, max_characters=max(1, len(content))).text
        return reference_list_kind(text, name) is TextKind.BIBTEX
    except InputError:
        return False


def _is_same(source: Path, target: Path) -> bool:
    try:
        return target.exists() and source.samefile(target)
    except OSError:
        return source.resolve() == target.resolve()


def _difference(before: bytes, after: bytes, name: str, target: str) -> list[str]:
    old, new = (content.decode("utf-8", "replace").splitlines() for content in (before, after))
    return list(difflib.unified_diff(old, new, name, target, lineterm=""))
