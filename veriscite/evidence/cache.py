"""Answers kept in SQLite, so that a second run asks only for what is missing.

Failures are never kept. What one source answered to one question (its records, none included) is kept for
the shorter time; evidence, which changes seldom, for the longer one.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from veriscite.domain import Component, EvidenceLookup, LookupFailed, Reference
from veriscite.evidence.cache_file import CacheFile, Row
from veriscite.evidence.folding import fold
from veriscite.evidence.options import CacheOptions
from veriscite.evidence.records import Record
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, EvidenceSource, SearchRequest, silent

T = TypeVar("T")
DAY_S = 86_400.0
WRITTEN_AT_ONCE = 100
WRITTEN_EVERY_S = 1.0
RECORDS = "records"
"""The status of rows that hold what a source answered to one question."""

lookup_adapter: TypeAdapter[EvidenceLookup] = TypeAdapter(EvidenceLookup)
records_adapter: TypeAdapter[tuple[Record, ...]] = TypeAdapter(tuple[Record, ...])


class AnswerCache:
    """Answers by key.

    Args:
        folder: The cache's folder; made when needed.
        options: How long answers are kept.
        clock: Seconds since the epoch.
    """

    def __init__(
        self, folder: Path, options: CacheOptions, *, clock: Callable[[], float] = time.time
    ) -> None:
        self.file = CacheFile(folder, clock)
        self._keep_s = options.cache_days * DAY_S
        self._keep_negative_s = options.negative_cache_days * DAY_S

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    @property
    def notes(self) -> list[str]:
        """What went wrong with the file, in words for the user."""
        return self.file.notes

    def get(self, keys: Sequence[str]) -> dict[str, EvidenceLookup]:
        """Answers that are there, still valid and readable, by key."""
        return _readable(self.file.get(keys), lookup_adapter)

    def put(self, source: str, key: str, answer: EvidenceLookup) -> None:
        """Keep an answer; a failure is none."""
        self.put_all(source, [(key, answer)])

    def put_all(self, source: str, answers: Sequence[tuple[str, EvidenceLookup]]) -> None:
        """Keep answers by their keys, in one go."""
        rows = [
            self._row(source, key, answer.status, answer.model_dump_json())
            for key, answer in answers
            if not isinstance(answer, LookupFailed)
        ]
        if rows:
            self.file.put(rows)

    def get_records(self, keys: Sequence[str]) -> dict[str, tuple[Record, ...]]:
        """What sources answered to questions, by key."""
        return _readable(self.file.get(keys), records_adapter)

    def put_records(self, source: str, records: Mapping[str, Sequence[Record]]) -> None:
        """Keep what a source answered; nothing is an answer too."""
        self.file.put(
            [
                self._row(source, key, RECORDS, records_adapter.dump_json(tuple(found)).decode())
                for key, found in records.items()
            ]
        )

    def keep_s(self, status: str) -> float:
        """Seconds that answers of a status are kept."""
        return self._keep_s if status == "found" else self._keep_negative_s

    def close(self) -> None:
        """Let go of the file."""
        self.file.close()

    def _row(self, source: str, key: str, status: str, body: str) -> Row:
        now = self.file.now()
        return Row(key, source, status, body, stored_at=now, expires_at=now + self.keep_s(status))


class CachedSource:
    """A source with a cache in front of it.

    Args:
        source: The source; its component's revision is part of the key, so that answers of older rules
            or of another server are not reused.
        cache: Where answers are kept.
    """

    def __init__(self, source: EvidenceSource, cache: AnswerCache) -> None:
        self._source = source
        self._cache = cache
        self._version = f"{source.name}|{source.component().revision}"

    @property
    def name(self) -> str:
        """The source's name."""
        return self._source.name

    @property
    def cache(self) -> AnswerCache:
        """Where answers are kept."""
        return self._cache

    def component(self) -> Component:
        """Tell of the source, and that answers are cached."""
        component = self._source.component()
        return component.model_copy(update={"detail": f"{component.detail}; answers cached"})

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        """Yield cached answers at once, then those that had to be asked for."""
        keys = {reference.id: reference_key(reference, self._version) for reference in references}
        known = await asyncio.to_thread(self._cache.get, list(dict.fromkeys(keys.values())))
        missing = []
        for reference in references:
            if keys[reference.id] in known:
                yield _for(known[keys[reference.id]], reference)
            else:
                missing.append(reference)
        if not missing:
            return
        fresh: list[tuple[str, EvidenceLookup]] = []
        written = time.monotonic()
        try:
            async with closing(self._source.lookup(missing, emit)) as answers:
                async for found in answers:
                    fresh.append((keys[found.reference_id], found))
                    # A transaction for each answer would take longer than a batch of them takes to come.
                    if len(fresh) >= WRITTEN_AT_ONCE or time.monotonic() - written > WRITTEN_EVERY_S:
                        part, fresh, written = fresh, [], time.monotonic()
                        await asyncio.to_thread(self._cache.put_all, self.name, part)
                    yield found
        finally:
            # Also when the run is left early: what was answered is kept.
            self._cache.put_all(self.name, fresh)

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        """Search, or repeat what the same search found before."""
        key = reference_key(request.reference, f"{self._version}|search|{fold(request.query)}")
        known = await asyncio.to_thread(self._cache.get, [key])
        if key in known:
            return _for(known[key], request.reference)
        found = await self._source.search(request, emit)
        await asyncio.to_thread(self._cache.put, self.name, key, found)
        return found

    async def aclose(self) -> None:
        """Close the source's connections and the cache's file."""
        close = getattr(self._source, "aclose", None)
        if close is not None:
            await close()
        await asyncio.to_thread(self._cache.close)


def reference_key(reference: Reference, version: str) -> str:
    """Key of a reference: what decides which work is meant, written in one way.

    The id and the label are not part of it, so that the same entry in another manuscript hits too.

    Returns:
        64 hex digits.
    """
    parsed = reference.title is not None
    parts = {
        "identifiers": reference.identifiers.model_dump(exclude_none=True),
        "title": fold(reference.title or ""),
        "authors": [[fold(a.family), fold(a.given or "")] for a in reference.authors],
        "year": reference.year,
        # With a parsed title the raw entry still helps to match; its spelling does not matter.
        "raw": fold(reference.raw) if parsed else reference.raw[:4_000],
        "version": version,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _readable(bodies: Mapping[str, str], adapter: TypeAdapter[T]) -> dict[str, T]:
    found = {}
    for key, body in bodies.items():
        try:
            found[key] = adapter.validate_json(body)
        except ValidationError:
            continue  # written by a version with other fields: ask again
    return found


def _for(answer: EvidenceLookup, reference: Reference) -> EvidenceLookup:
    return answer.model_copy(update={"reference_id": reference.id})
