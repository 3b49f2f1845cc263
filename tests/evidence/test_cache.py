"""Answers kept between runs; whatever is wrong with the file costs the cache, never the run."""

import multiprocessing
import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.evidence.helpers import gather, ref
from veriscite.domain import Component, Evidence, EvidenceLookup, Found, LookupFailed, NotFound, Reference
from veriscite.evidence.cache import DAY_S, AnswerCache, CachedSource, reference_key
from veriscite.evidence.cache_file import CacheFile, Row
from veriscite.ports import Emit, SearchRequest, silent
from veriscite.settings import EvidenceSettings

SETTINGS = EvidenceSettings(cache_days=90, negative_cache_days=7)


def found_for(reference_id: str) -> Found:
    evidence = Evidence(
        source="fake", record_id="x", title="T", sentences=("One.", "Two."), retrieved_at=datetime.now(UTC)
    )
    return Found(reference_id=reference_id, evidence=evidence)


class FakeSource:
    """Answers by id, and counts; an id it was not told of is an error."""

    name = "fake"

    def __init__(self, answers: dict[str, EvidenceLookup], revision: str = "1") -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.searched: list[str] = []
        self._revision = revision

    def component(self) -> Component:
        return Component(role="evidence source", name="fake", revision=self._revision)

    async def lookup(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> AsyncIterator[EvidenceLookup]:
        for reference in references:
            self.asked.append(reference.id)
            yield self.answers[reference.id]

    async def search(self, request: SearchRequest, emit: Emit = silent) -> EvidenceLookup:
        self.searched.append(request.query)
        return self.answers[request.reference.id]


@pytest.fixture
def references() -> list[Reference]:
    return [
        ref("Alpha rays in stone", "A. Bee", 2001, id="a"),
        ref("Beta rays in stone", "A. Bee", 2002, id="b"),
    ]


def failure(reference_id: str) -> LookupFailed:
    return LookupFailed(reference_id=reference_id, source="fake", code="source_failed", message="down")


async def test_a_second_run_asks_for_nothing(tmp_path: Path, references: list[Reference]) -> None:
    answers: dict[str, EvidenceLookup] = {"a": found_for("a"), "b": NotFound(reference_id="b")}
    first = FakeSource(answers)
    before = await gather(CachedSource(first, AnswerCache(tmp_path, SETTINGS)).lookup(references))
    second = FakeSource({})
    after = await gather(CachedSource(second, AnswerCache(tmp_path, SETTINGS)).lookup(references))
    assert (first.asked, second.asked) == (["a", "b"], [])
    assert after == before == answers


async def test_failures_are_asked_for_again(tmp_path: Path, references: list[Reference]) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    await gather(CachedSource(FakeSource({"a": found_for("a"), "b": failure("b")}), cache).lookup(references))
    again = FakeSource({"b": found_for("b")})
    found = await gather(CachedSource(again, cache).lookup(references))
    assert again.asked == ["b"]
    assert {answer.status for answer in found.values()} == {"found"}


async def test_negative_answers_expire_sooner(tmp_path: Path, references: list[Reference]) -> None:
    now = 1_000_000_000.0
    answers: dict[str, EvidenceLookup] = {"a": found_for("a"), "b": NotFound(reference_id="b")}
    await gather(
        CachedSource(FakeSource(answers), AnswerCache(tmp_path, SETTINGS, clock=lambda: now)).lookup(
            references
        )
    )
    for days, expected in ((6, []), (8, ["b"]), (91, ["a", "b"])):
        source = FakeSource(answers)
        cache = AnswerCache(tmp_path, SETTINGS, clock=lambda days=days: now + days * DAY_S)  # type: ignore[misc]
        keys = {r.id: reference_key(r, "fake|1") for r in references}
        known = cache.get(list(keys.values()))
        assert [r.id for r in references if keys[r.id] not in known] == expected, days
        assert source.asked == []


async def test_the_same_work_in_another_list_hits(tmp_path: Path, references: list[Reference]) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    await gather(CachedSource(FakeSource({"a": found_for("a")}), cache).lookup(references[:1]))
    twin = references[0].model_copy(
        update={"id": "other", "label": "7", "raw": references[0].raw.upper() + " "}
    )
    found = await gather(CachedSource(FakeSource({}), cache).lookup([twin]))
    assert found["other"].reference_id == "other"


def test_the_key_holds_what_decides(references: list[Reference]) -> None:
    one = references[0]
    keys = {
        reference_key(one, "v"),
        reference_key(one, "v2"),
        reference_key(one.model_copy(update={"year": 1999}), "v"),
        reference_key(one.model_copy(update={"title": "Gamma rays"}), "v"),
        reference_key(one.model_copy(update={"identifiers": ref(doi="10.1/x").identifiers}), "v"),
        reference_key(one.model_copy(update={"authors": ()}), "v"),
    }
    assert len(keys) == 6
    assert reference_key(one.model_copy(update={"id": "z", "label": "[9]"}), "v") in keys


async def test_other_rules_or_servers_ask_anew(tmp_path: Path, references: list[Reference]) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    await gather(CachedSource(FakeSource({"a": found_for("a")}, "1"), cache).lookup(references[:1]))
    newer = FakeSource({"a": found_for("a")}, "2")
    await gather(CachedSource(newer, cache).lookup(references[:1]))
    assert newer.asked == ["a"]


async def test_searches_are_cached_by_their_words(tmp_path: Path, references: list[Reference]) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    source = FakeSource({"a": found_for("a")})
    cached = CachedSource(source, cache)
    for query in ("stone rays", "Stone  rays!", "rays"):
        await cached.search(SearchRequest(references[0], query))
    assert source.searched == ["stone rays", "rays"]


@pytest.mark.parametrize("content", [b"this is no database " * 400, b"SQLite format 3\x00" + b"\xff" * 5000])
async def test_a_broken_file_is_moved_aside(
    tmp_path: Path, references: list[Reference], content: bytes
) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    cache.path.write_bytes(content)
    source = FakeSource({"a": found_for("a"), "b": found_for("b")})
    found = await gather(CachedSource(source, cache).lookup(references))
    assert len(found) == 2
    (aside,) = tmp_path.glob("*.broken-*")
    assert aside.read_bytes() == content
    assert aside.name in cache.notes[0]
    again = FakeSource({})
    assert len(await gather(CachedSource(again, cache).lookup(references))) == 2


async def test_a_file_cut_in_the_middle(tmp_path: Path, references: list[Reference]) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    answers: dict[str, EvidenceLookup] = {"a": found_for("a"), "b": found_for("b")}
    await gather(CachedSource(FakeSource(answers), cache).lookup(references))
    cache.close()
    whole = cache.path.read_bytes()
    cache.path.write_bytes(whole[: len(whole) // 2])
    assert (
        len(
            await gather(
                CachedSource(FakeSource(answers), AnswerCache(tmp_path, SETTINGS)).lookup(references)
            )
        )
        == 2
    )


async def test_a_folder_that_cannot_be_written_costs_the_cache_only(
    tmp_path: Path, references: list[Reference]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    cache = AnswerCache(blocked, SETTINGS)
    found = await gather(
        CachedSource(FakeSource({"a": found_for("a"), "b": failure("b")}), cache).lookup(references)
    )
    assert len(found) == 2
    assert "not cached" in cache.notes[0]
    assert len(cache.notes) == 1


async def test_an_answer_of_another_version_is_asked_for_again(
    tmp_path: Path, references: list[Reference]
) -> None:
    cache = AnswerCache(tmp_path, SETTINGS)
    await gather(CachedSource(FakeSource({"a": found_for("a")}), cache).lookup(references[:1]))
    cache.close()
    with sqlite3.connect(cache.path) as connection:
        connection.execute('UPDATE answers_1 SET body = \'{"status": "found", "other": 1}\'')
    source = FakeSource({"a": found_for("a")})
    await gather(CachedSource(source, cache).lookup(references[:1]))
    assert source.asked == ["a"]


def _write_many(folder: str, start: int) -> None:
    cache = AnswerCache(Path(folder), SETTINGS)
    for n in range(start, start + 60):
        cache.put("fake", f"{n:064d}", NotFound(reference_id=str(n)))
    cache.close()
    assert cache.notes == []


def test_two_processes_share_the_file(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write_many, args=(str(tmp_path), start)) for start in (0, 30)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    cache = AnswerCache(tmp_path, SETTINGS)
    assert len(cache.get([f"{n:064d}" for n in range(90)])) == 90
    assert not list(tmp_path.glob("*.broken-*"))


def test_threads_that_come_at_once_to_a_new_file_all_keep_their_answers(tmp_path: Path) -> None:
    for attempt in range(12):
        file = CacheFile(tmp_path / str(attempt))
        together = threading.Barrier(8)

        def work(number: int, file: CacheFile = file, together: threading.Barrier = together) -> None:
            together.wait()
            assert file.get([f"{number:064x}"]) == {}
            row = Row(f"{number:064x}", "a", "records", "[]", file.now(), file.now() + 60)
            assert file.put([row]) == 1

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert len(file.get([f"{number:064x}" for number in range(8)])) == 8
        assert file.notes == []
        file.close()
