"""What a user hands in, apart from the widgets it was typed into; and drafts that survive a reload."""

import re
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from veriscite.ports import ManuscriptInput
from veriscite.settings import EvidenceSettings, RunSettings, Settings


@dataclass(frozen=True)
class NamedFile:
    """An uploaded file: its name without a folder, and its bytes."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Submission:
    """Everything that one run needs.

    Attributes:
        manuscript: The manuscript's bytes under its name.
        references: The reference list, when it comes apart.
        library_files: Uploaded files with abstracts.
        library_paths: The example's own files with abstracts.
        max_claims: None means all.
        draft: The form as it stood, so that no text is lost whatever comes of the run.
    """

    manuscript: NamedFile
    references: NamedFile | None = None
    library_files: tuple[NamedFile, ...] = ()
    library_paths: tuple[Path, ...] = ()
    offline: bool = True
    max_claims: int | None = None
    draft: "Draft | None" = None

    def as_input(self) -> ManuscriptInput:
        """Return what the reader is given; further files may not be read from anywhere."""
        return ManuscriptInput(
            content=self.manuscript.content,
            name=self.manuscript.name,
            references=self.references.content if self.references else None,
            references_name=self.references.name if self.references else "references",
        )

    def settings(self) -> Settings:
        """Return the settings of the environment with this form's choices on top."""
        return settings_for(offline=self.offline, max_claims=self.max_claims)

    def library(self, folder: Path) -> tuple[Path, ...]:
        """Write the uploaded library files into `folder`; return all paths of the library."""
        paths = []
        for number, file in enumerate(self.library_files):
            place = folder / str(number)
            place.mkdir()
            path = place / safe_name(file.name, fallback="library.txt")
            path.write_bytes(file.content)
            paths.append(path)
        return (*self.library_paths, *paths)


def settings_for(*, offline: bool, max_claims: int | None = None) -> Settings:
    """Return the settings of the environment with these choices on top."""
    base = Settings()
    run = base.run.model_copy(update={"max_claims": max_claims})
    evidence = base.evidence.model_copy(update={"offline": offline})
    return base.model_copy(update={"evidence": evidence, "run": run})


def offline_by_default() -> bool:
    """Whether to start offline: nothing leaves the machine until a key or the user says so."""
    settings = Settings()
    has_key = settings.semantic_scholar.api_key is not None or settings.anthropic.api_key is not None
    return EvidenceSettings().offline or not has_key


def default_max_claims() -> int | None:
    """Return the limit that the environment sets, if any."""
    return RunSettings().max_claims


def safe_name(name: str, *, fallback: str) -> str:
    """Return a file name without folders and without characters that some system forbids."""
    plain = re.sub(r"[^\w.\- ]", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip(". ")
    return plain[-100:] if plain else fallback


@dataclass(frozen=True)
class Draft:
    """The form's fields, as they can be put back.

    Attributes:
        example: Name of the example that was loaded, empty for none.
    """

    mode: str = "paste"
    manuscript: str = ""
    references: str = ""
    example: str = ""
    library_paths: tuple[Path, ...] = ()
    offline: bool = True
    max_claims: int | None = None
    manuscript_file: NamedFile | None = None
    references_file: NamedFile | None = None

    @property
    def size(self) -> int:
        """About how many bytes it takes to keep."""
        files = (self.manuscript_file, self.references_file)
        return len(self.manuscript) + len(self.references) + sum(len(f.content) for f in files if f)


class Drafts:
    """Typed texts by an unguessable key, so that a reload of the page finds them; the oldest go first.

    Safe to use from several threads.
    """

    def __init__(self, *, keep: int = 50, max_bytes: int = 200_000_000) -> None:
        self._keep = keep
        self._max_bytes = max_bytes
        self._drafts: OrderedDict[str, Draft] = OrderedDict()
        self._lock = threading.Lock()

    def save(self, key: str | None, draft: Draft) -> str:
        """Keep `draft` under `key`, or under a new one; return the key."""
        with self._lock:
            known = key if key is not None and key in self._drafts else secrets.token_urlsafe(12)
            self._drafts[known] = draft
            self._drafts.move_to_end(known)
            while len(self._drafts) > 1 and self._too_much():
                self._drafts.popitem(last=False)
            return known

    def get(self, key: str) -> Draft | None:
        """Return the draft, if it is still here."""
        with self._lock:
            return self._drafts.get(key)

    def _too_much(self) -> bool:
        size = sum(draft.size for draft in self._drafts.values())
        return len(self._drafts) > self._keep or size > self._max_bytes


_DRAFTS = Drafts()


def drafts() -> Drafts:
    """Return the drafts of this server."""
    return _DRAFTS
