"""Answers kept in SQLite, so that a second run asks only for what is missing.

Failures are never kept. Negative answers expire sooner than evidence. The file may be shared by several
processes; whatever is wrong with it costs the cache, never the run.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import (
    Column,
    Float,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    select,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

from veriscite.domain import Component, EvidenceLookup, Found, LookupFailed, Reference
from veriscite.evidence.folding import fold
from veriscite.evidence.options import CacheOptions
from veriscite.evidence.streams import closing
from veriscite.ports import Emit, EvidenceSource, SearchRequest, silent

FILE_NAME = "evidence.sqlite3"
SCHEMA = 1
DAY_S = 86_400.0
BUSY_TIMEOUT_S = 10.0
_CHUNK = 400

_log = logging.getLogger(__name__)
_lookup: TypeAdapter[EvidenceLookup] = TypeAdapter(EvidenceLookup)
_metadata = MetaData()
_answers = Table(
    f"answers_{SCHEMA}",
    _metadata,
    Column("key", String(64), primary_key=True),
    Column("source", String(60), nullable=False),
    Column("status", String(20), nullable=False),
    Column("body", Text, nullable=False),
    Column("stored_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False, index=True),
)


class AnswerCache:
    """A table of answers by key, in one SQLite file.

    Args:
        folder: The cache's folder; made when needed.
        options: How long answers are kept.
        clock: Seconds since the epoch.

    Attributes:
        notes: What went wrong with the file, in words for the user.
    """

    def __init__(
        self, folder: Path, options: CacheOptions, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._path = folder / FILE_NAME
        self._keep_s = options.cache_days * DAY_S
        self._keep_negative_s = options.negative_cache_days * DAY_S
        self._clock = clock
        self._engine: Engine | None = None
        self._off = False
        self.notes: list[str] = []

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def get(self, keys: Sequence[str]) -> dict[str, EvidenceLookup]:
        """Answers that are there, still valid and readable, by key."""
        found: dict[str, EvidenceLookup] = {}

        def read(engine: Engine) -> None:
            with engine.connect() as connection:
                for start in range(0, len(keys), _CHUNK):
                    part = list(keys[start : start + _CHUNK])
                    rows = connection.execute(
                        select(_answers.c.key, _answers.c.body).where(
                            _answers.c.key.in_(part), _answers.c.expires_at > self._clock()
                        )
                    )
                    for key, body in rows:
                        try:
                            found[key] = _lookup.validate_json(body)
                        except ValidationError:
                            continue  # written by a version with other fields: ask again

        self._guarded(read)
        return found

    def put(self, source: str, key: str, answer: EvidenceLookup) -> None:
        """Keep an answer; a failure is none."""
        if isinstance(answer, LookupFailed):
            return
        now = self._clock()
        keep = self._keep_s if isinstance(answer, Found) else self._keep_negative_s
        row = {
            "key": key,
            "source": source,
            "status": answer.status,
            "body": answer.model_dump_json(),
            "stored_at": now,
            "expires_at": now + keep,
        }

        def write(engine: Engine) -> None:
            statement = insert(_answers).values(row)
            with engine.begin() as connection:
                connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_=row))

        self._guarded(write)

    def close(self) -> None:
        """Let go of the file."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    def _guarded(self, work: Callable[[Engine], None]) -> None:
        """Do something with the file; move it aside and start anew when it is broken."""
        for attempt in (1, 2):
            if self._off:
                return
            try:
                work(self._open())
            except DatabaseError as error:
                if attempt == 2 or not _is_broken(error):
                    self._give_up(error)
                    return
                self._move_aside()
            except (SQLAlchemyError, OSError) as error:
                self._give_up(error)
                return
            else:
                return

    def _open(self) -> Engine:
        if self._engine is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            engine = create_engine(f"sqlite:///{self._path}", connect_args={"timeout": BUSY_TIMEOUT_S})

            @event.listens_for(engine, "connect")
            def _configure(connection: sqlite3.Connection, _record: object) -> None:
                # Readers and a writer of several processes do not block each other then. While another
                # process switches the file, it is locked; the switch is kept in the file for all.
                with contextlib.suppress(sqlite3.OperationalError):
                    connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")

            self._engine = engine
            with engine.begin() as connection:
                # `create_all` looks first and creates then; another process may be faster in between.
                connection.execute(CreateTable(_answers, if_not_exists=True))
                for index in _answers.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))
                connection.execute(delete(_answers).where(_answers.c.expires_at <= self._clock()))
        return self._engine

    def _move_aside(self) -> None:
        self.close()
        aside = self._path.with_name(f"{self._path.name}.broken-{int(self._clock())}")
        try:
            self._path.rename(aside)
        except FileNotFoundError:
            pass  # another process did it
        except OSError as error:
            self._give_up(error)
            return
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._note(f"The cache of answers was broken; it was moved to {aside.name} and begun anew.")

    def _give_up(self, error: Exception) -> None:
        self.close()
        self._off = True
        reason = str(error.orig) if isinstance(error, DatabaseError) else type(error).__name__
        self._note(f"Answers are not cached in this run: {reason}.")

    def _note(self, text: str) -> None:
        self.notes.append(text)
        _log.warning(text)


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
        async with closing(self._source.lookup(missing, emit)) as answers:
            async for found in answers:
                await asyncio.to_thread(self._cache.put, self.name, keys[found.reference_id], found)
                yield found

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


def _for(answer: EvidenceLookup, reference: Reference) -> EvidenceLookup:
    return answer.model_copy(update={"reference_id": reference.id})


def _is_broken(error: DatabaseError) -> bool:
    text = str(error.orig).lower()
    return "not a database" in text or "malformed" in text or "no such column" in text
