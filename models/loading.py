"""The options by which a command chooses its model, and loading it."""

from __future__ import annotations

import argparse
from pathlib import Path

from veriscite.settings import StorageSettings
from veriscite.verification.nli_model import ModelChoice, NliModel, load_nli_model


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add `--model`, `--cache` and `--threads`."""
    parser.add_argument("--model", default="science", help="shipped adapter, folder, or hub id")
    parser.add_argument("--cache", type=Path, help="cache folder of the base weights (the user's cache)")
    parser.add_argument("--threads", type=int, default=1)


def chosen_model(options: argparse.Namespace) -> NliModel:
    """Load the model that these options name.

    Raises:
        ModelError: It cannot be loaded.
    """
    cache = options.cache or StorageSettings().cache_dir
    return load_nli_model(ModelChoice(options.model, cache, threads=options.threads))
