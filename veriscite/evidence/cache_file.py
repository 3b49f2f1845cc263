"""The cache's SQLite file: rows by key, that expire. What is wrong with it costs the cache, never the run."""

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

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
    func,
    select,
)
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

FILE_NAME = "evidence.sqlite3"
SCHEMA = 1
BUSY_TIMEOUT_S = 10.0
_CHUNK = 400

_log = logging.getLogger(__name__)
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


@dataclass(frozen=True)
class Row:
    """One answer as it is kept.

    Attributes:
        key: 64 hex digits.
        status: As the lookups name it, or `records`.
        body: JSON.
        stored_at: Seconds since the epoch.
        expires_at: Seconds since the epoch.
    """

    key: str
    source: str
    status: str
    body: str
    stored_at: float
    expires_at: float


@dataclass(frozen=True)
class Tally:
    """How many valid answers there are of one source and status, and how old."""

    source: str
    status: str
    count: int
    bytes: int
    oldest: float
    newest: float


class CacheFile:
    """Rows by key, in one SQLite file, which several processes may share.

    Args:
        folder: The cache's folder; made when needed.
        clock: Seconds since the epoch.

    Attributes:
        notes: What went wrong with the file, in words for the user.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE_NAME
        self._clock = clock
        self._engine: Engine | None = None
        self._off = False
        # Several sources ask from threads of their own: one makes, moves or closes the file at a time.
        self._lock = threading.RLock()
        self.notes: list[str] = []

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._clock()

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Bodies that are there and still valid, by key."""
        found: dict[str, str] = {}

        def read(engine: Engine) -> None:
            with engine.connect() as connection:
                for start in range(0, len(keys), _CHUNK):
                    part = list(keys[start : start + _CHUNK])
                    rows = connection.execute(
                        select(_answers.c.key, _answers.c.body).where(
                            _answers.c.key.in_(part), _answers.c.expires_at > self._clock()
                        )
                    )
                    found.update((key, body) for key, body in rows)

        self._guarded(read)
        return found

    def put(self, rows: Sequence[Row], *, only_newer: bool = False) -> int:
        """Keep rows in one transaction.

        Args:
            rows: What to keep.
            only_newer: Whether a row that is there and as new stays.

        Returns:
            How many were written.
        """
        written = 0

        def write(engine: Engine) -> None:
            nonlocal written
            written = 0
            with engine.begin() as connection:
                for row in rows:
                    values = vars(row)
                    statement = insert(_answers).values(values)
                    done = connection.execute(
                        statement.on_conflict_do_update(
                            index_elements=["key"],
                            set_=values,
                            where=_answers.c.stored_at < row.stored_at if only_newer else None,
                        )
                    )
                    written += done.rowcount

        self._guarded(write)
        return written

    def tally(self) -> tuple[Tally, ...]:
        """Count what is kept and still valid, by source and status."""
        found: list[Tally] = []

        def read(engine: Engine) -> None:
            column = _answers.c
            query = (
                select(
                    column.source,
                    column.status,
                    func.count(),
                    func.sum(func.length(column.body)),
                    func.min(column.stored_at),
                    func.max(column.stored_at),
                )
                .where(column.expires_at > self._clock())
                .group_by(column.source, column.status)
                .order_by(column.source, column.status)
            )
            with engine.connect() as connection:
                found[:] = [Tally(*row) for row in connection.execute(query)]

        if self._path.exists():
            self._guarded(read)
        return tuple(found)

    def rows(self) -> Iterator[Row]:
        """All rows that are still valid, by key, a few at a time."""
        last = ""
        while self._path.exists():
            part: list[Row] = []

            def read(engine: Engine, after: str = last, into: list[Row] = part) -> None:
                query = (
                    select(_answers)
                    .where(_answers.c.key > after, _answers.c.expires_at > self._clock())
                    .order_by(_answers.c.key)
                    .limit(_CHUNK)
                )
                with engine.connect() as connection:
                    into[:] = [Row(*row) for row in connection.execute(query)]

            self._guarded(read)
            if not part:
                return
            yield from part
            last = part[-1].key

    def prune(self, *, everything: bool = False, older_than: float | None = None, source: str = "") -> int:
        """Delete rows, expired ones always, and give the room back.

        Args:
            everything: All of them.
            older_than: Those stored before this time (seconds since the epoch).
            source: Those of this source only, beside the expired ones.

        Returns:
            How many were deleted.
        """
        deleted = 0

        def write(engine: Engine) -> None:
            nonlocal deleted
            chosen = _answers.c.expires_at <= self._clock()
            if everything or older_than is not None or source:
                wanted = [_answers.c.key == _answers.c.key]
                if older_than is not None:
                    wanted.append(_answers.c.stored_at < older_than)
                if source:
                    wanted.append(_answers.c.source == source)
                condition = wanted[0]
                for one in wanted[1:]:
                    condition = condition & one
                chosen = chosen | condition
            with engine.begin() as connection:
                deleted = connection.execute(delete(_answers).where(chosen)).rowcount
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM")

        if self._path.exists():
            self._guarded(write, expire=False)
        return deleted

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
                self._engine = None

    def _guarded(self, work: Callable[[Engine], None], *, expire: bool = True) -> None:
        """Do something with the file; move it aside and start anew when it is broken."""
        with self._lock:
            self._do(work, expire=expire)

    def _do(self, work: Callable[[Engine], None], *, expire: bool) -> None:
        for attempt in (1, 2):
            if self._off:
                return
            try:
                work(self._open(expire=expire))
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

    def _open(self, *, expire: bool = True) -> Engine:
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

            with engine.begin() as connection:
                # `create_all` looks first and creates then; another process may be faster in between.
                connection.execute(CreateTable(_answers, if_not_exists=True))
                for index in _answers.indexes:
                    connection.execute(CreateIndex(index, if_not_exists=True))
                if expire:
                    connection.execute(delete(_answers).where(_answers.c.expires_at <= self._clock()))
            self._engine = engine
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


def _is_broken(error: DatabaseError) -> bool:
    text = str(error.orig).lower()
    return "not a database" in text or "malformed" in text or "no such column" in text
