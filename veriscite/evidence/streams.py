"""Answers as they come, and their sources' tasks ended with the one who listens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from veriscite.domain import EvidenceLookup


@asynccontextmanager
async def closing(stream: AsyncIterator[EvidenceLookup]) -> AsyncIterator[AsyncIterator[EvidenceLookup]]:
    """Close a stream of answers when it is left early, so that requests under way are cancelled at once."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
