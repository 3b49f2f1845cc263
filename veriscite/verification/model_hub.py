"""The model hub and its local cache: what lies there, what a repository holds, and fetching it.

Nothing but configuration, tokenizer, card and safetensors is ever fetched: no pickles, no code.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veriscite.errors import ModelError, ModelNotFoundError, SettingsError

CONFIG = "config.json"
CARD = "README.md"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
#: What a tokenizer can be built from without running a checkpoint's code, the best first.
FAST_TOKENIZER = "tokenizer.json"
SLOW_TOKENIZERS = (
    "spm.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
    "vocab.txt",
    "vocab.json",
)
_SMALL = (
    CONFIG,
    CARD,
    "LICENSE",
    FAST_TOKENIZER,
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "merges.txt",
    *SLOW_TOKENIZERS,
)
#: A config or an index beyond this is not one.
_MAX_JSON_BYTES = 5_000_000
#: Left free on the disk beside what is fetched.
_SPARE_BYTES = 50_000_000


class GatedModelError(ModelError):
    """A repository is there, but its owner lets in only whom they know."""

    code = "model_gated"


class HubUnreachableError(ModelError):
    """The hub did not answer, or not as it should: nothing is known of the model."""

    code = "hub_unreachable"
    retryable = True


@dataclass(frozen=True)
class Snapshot:
    """A commit of a hub repository in the local cache.

    Attributes:
        model: The hub id.
        revision: The commit's hash.
        folder: Where its files lie.
        refs: Branches and tags that stand for it.
        size_bytes: Size of what is there.
    """

    model: str
    revision: str
    folder: Path
    refs: frozenset[str]
    size_bytes: int


@dataclass(frozen=True)
class Repository:
    """A commit of a repository on the hub, of which only the list of files was fetched.

    Attributes:
        model: The hub id.
        revision: The commit's hash.
        sizes: Bytes of each file by its path.
    """

    model: str
    revision: str
    sizes: Mapping[str, int]


@dataclass(frozen=True)
class Hub:
    """The hub as this machine sees it.

    Attributes:
        cache: Folder of the local hub cache; None takes the usual one.
        endpoint: URL of the hub; None takes the usual one.
        offline: Whether it must not be asked.
    """

    cache: Path | None = None
    endpoint: str | None = None
    offline: bool = False

    @property
    def folder(self) -> Path:
        """Folder of the local cache; need not exist."""
        from huggingface_hub import constants

        return Path(self.cache or constants.HF_HUB_CACHE).expanduser()

    @property
    def may_be_asked(self) -> bool:
        """Whether neither our settings nor the hub library's own switch forbid the network."""
        from huggingface_hub import constants

        return not self.offline and not constants.is_offline_mode()

    def cached(self) -> list[Snapshot]:
        """All commits of models in the local cache, by name; broken entries are left out."""
        from huggingface_hub import scan_cache_dir
        from huggingface_hub.errors import CacheNotFound

        try:
            found = scan_cache_dir(self.folder)
        except (CacheNotFound, ValueError, OSError):  # no cache yet, or something else in its place
            return []
        return sorted(
            (
                Snapshot(
                    repo.repo_id, commit.commit_hash, commit.snapshot_path, commit.refs, commit.size_on_disk
                )
                for repo in found.repos
                if repo.repo_type == "model"
                for commit in repo.revisions
            ),
            key=lambda snapshot: (snapshot.model, snapshot.revision),
        )

    def snapshot(self, model: str, revision: str | None) -> Snapshot | None:
        """The commit of a model in the local cache that a branch, tag or hash stands for; None without."""
        wanted = revision or "main"
        for snapshot in self.cached():
            if snapshot.model == model and (wanted == snapshot.revision or wanted in snapshot.refs):
                return snapshot
        return None

    def repository(self, model: str, revision: str | None) -> Repository:
        """Ask the hub for a repository's commit and list of files.

        Raises:
            SettingsError: The run is to be offline.
            ModelNotFoundError: There is no such repository or revision.
            GatedModelError: It is not for everyone.
            HubUnreachableError: The hub did not answer.
        """
        from huggingface_hub import HfApi

        self._refuse_offline(model)
        with _asking(model, revision):
            info = HfApi(endpoint=self.endpoint).model_info(
                model, revision=revision or "main", files_metadata=True, timeout=15
            )
        if not info.sha:
            raise HubUnreachableError(
                f"The hub named no commit of {model}.", advice="Try again later, or check HF_ENDPOINT."
            )
        return Repository(model, info.sha, {f.rfilename: f.size or 0 for f in info.siblings or ()})

    def json_file(self, repository: Repository, name: str) -> Any:
        """Fetch a small JSON file of a repository; None for one that is not JSON, or is too large.

        Raises:
            As `repository`.
        """
        from huggingface_hub import hf_hub_download

        if repository.sizes.get(name, 0) > _MAX_JSON_BYTES:
            return None
        with _asking(repository.model, repository.revision), _bars():
            path = hf_hub_download(
                repository.model,
                name,
                revision=repository.revision,
                cache_dir=self.folder,
                endpoint=self.endpoint,
            )
        return read_json(Path(path))

    def fetch(self, repository: Repository, revision: str | None, weights: Iterable[str]) -> Path:
        """Fetch what is needed to run a model and return its folder in the cache.

        Args:
            repository: What `repository` gave.
            revision: The branch, tag or hash it was asked for.
            weights: Names of its weight files.

        Raises:
            ModelError: The disk is too full, or the branch moved on meanwhile.
            As `repository`, besides.
        """
        from huggingface_hub import snapshot_download

        wanted = wanted_files(repository.sizes, weights)
        self._refuse_full_disk(sum(repository.sizes[name] for name in wanted))
        with _asking(repository.model, revision), _bars():
            # By the name it was asked for, so that the cache knows what this name stands for.
            folder = snapshot_download(
                repository.model,
                revision=revision or "main",
                cache_dir=self.folder,
                endpoint=self.endpoint,
                allow_patterns=list(wanted),
            )
        if Path(folder).name != repository.revision:
            raise HubUnreachableError(
                f"{repository.model} changed while it was fetched: {repository.revision} was looked at.",
                advice="Run the same command again.",
            )
        missing = [name for name in wanted if not (Path(folder) / name).is_file()]
        if missing:
            # In an outage the library is content with whatever of this commit is in the cache.
            raise HubUnreachableError(
                f"The hub could not be asked for all of {repository.model}: no {', '.join(missing)} came.",
                advice="Run the same command again; what was fetched is kept.",
            )
        return Path(folder)

    def _refuse_offline(self, model: str) -> None:
        if self.may_be_asked:
            return
        raise SettingsError(
            f"The hub cannot be asked for {model}: this machine is set to stay offline.",
            advice="Leave --offline out and unset VERISCITE_EVIDENCE_OFFLINE, HF_HUB_OFFLINE and "
            "TRANSFORMERS_OFFLINE, or copy the model's folder here and name that.",
        )

    def _refuse_full_disk(self, needed: int) -> None:
        existing = next(path for path in (self.folder, *self.folder.resolve().parents) if path.exists())
        free = shutil.disk_usage(existing).free
        if needed + _SPARE_BYTES > free:
            raise ModelError(
                f"{self.folder} has {free // 1_000_000} MB free; {needed // 1_000_000} MB are to be fetched.",
                advice="Free space there, or set HF_HOME to a folder with more.",
            )


def wanted_files(sizes: Mapping[str, int], weights: Iterable[str]) -> tuple[str, ...]:
    """Files of a repository that are fetched: configuration, tokenizer, card, safetensors."""
    chosen = {*_SMALL, *weights, *((INDEX,) if WEIGHTS not in sizes else ())}
    return tuple(sorted(name for name in sizes if name in chosen))


def read_json(path: Path) -> Any:
    """A JSON file's value; None if it cannot be read, is not JSON, or is far too large."""
    try:
        if path.stat().st_size > _MAX_JSON_BYTES:
            return None
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None


@contextmanager
def _bars() -> Iterator[None]:
    """Progress bars only where somebody watches; in a log they would be thousands of lines."""
    from huggingface_hub.utils.tqdm import (
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    if sys.stderr.isatty() or are_progress_bars_disabled():
        yield
        return
    disable_progress_bars()
    try:
        yield
    finally:
        enable_progress_bars()


@contextmanager
def _asking(model: str, revision: str | None) -> Iterator[None]:
    """Translate what the hub library raises, at this one border."""
    from huggingface_hub import errors

    # The HTTP library below is the hub library's own choice and has changed before: ask it for its base.
    http_error: type[Exception] = errors.HfHubHTTPError.__mro__[1]
    try:
        yield
    # ValueError and KeyError: a page of a proxy in place of the hub's JSON.
    except (errors.HfHubHTTPError, http_error, OSError, ValueError, KeyError) as error:
        raise _translated(error, model, revision) from error


def _translated(error: BaseException, model: str, revision: str | None) -> ModelError:
    from huggingface_hub import errors

    if isinstance(error, errors.LocalEntryNotFoundError) and error.__cause__ is not None:
        error = error.__cause__  # the library's "not in the cache either" hides why it looked there
    tellers: tuple[tuple[type[BaseException], Callable[[], ModelError]], ...] = (
        (errors.GatedRepoError, lambda: _gated(model)),
        (errors.DisabledRepoError, lambda: _missing(f"{model} was disabled on the hub.")),
        (errors.RevisionNotFoundError, lambda: _no_revision(model, revision)),
        (errors.RepositoryNotFoundError, lambda: _missing(f"The hub has no model {model} for you.")),
        (errors.EntryNotFoundError, lambda: _missing(f"{model} lacks a file that was listed.")),
    )
    for kind, tell in tellers:
        if isinstance(error, kind) and not isinstance(error, errors.LocalEntryNotFoundError):
            return tell()
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status in (401, 403):
        return _gated(model)
    if isinstance(error, OSError) and error.errno is not None and status is None and error.filename:
        return ModelError(
            f"{model} could not be written to the hub cache: {error}",
            advice="Free space there, or set HF_HOME to a folder that can be written to.",
        )
    if status == 429:
        return HubUnreachableError(
            f"The hub asks to wait before it is asked for {model} again (HTTP 429).",
            advice="Wait some minutes and run the same command again; what was fetched is kept.",
        )
    why = f"HTTP {status}" if status else (str(error).strip().splitlines() or [type(error).__name__])[0]
    return HubUnreachableError(
        f"The hub could not be asked for {model}: {why}",
        advice="Check the network, a proxy and HF_ENDPOINT, and run the same command again; what was fetched "
        "is kept.",
    )


def _gated(model: str) -> ModelError:
    return GatedModelError(
        f"{model} is gated: the hub lets in only whom its owner has accepted.",
        advice=f"Accept its terms at https://huggingface.co/{model}, then log in (`hf auth login`, or set "
        "HF_TOKEN) and run the same command again.",
    )


def _missing(what: str) -> ModelError:
    return ModelNotFoundError(
        what,
        advice="Check how it is spelled (OWNER/NAME). A private one is seen only when logged in: "
        "`hf auth login`, or set HF_TOKEN.",
    )


def _no_revision(model: str, revision: str | None) -> ModelError:
    return ModelNotFoundError(
        f"{model} has no revision {revision or 'main'}.",
        advice=f"Name a branch, a tag or a full commit hash: https://huggingface.co/{model}/commits/main",
    )
