"""The command line: `veriscite`."""

from veriscite.cli.commands import main

__all__ = ["main"]
