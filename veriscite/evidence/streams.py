"""Answers as they come, and their sources' tasks ended with the one who listens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

Answer = TypeVar("Answer")


@asynccontextmanager
async def closing(stream: AsyncIterator[Answer]) -> AsyncIterator[AsyncIterator[Answer]]:
    """Close a stream of answers when it is left early, so that requests under way are cancelled at once."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
