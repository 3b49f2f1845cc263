"""The cache handed on: nothing is lost, and nothing that is read in is trusted."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.evidence.helpers import rec
from veriscite.domain import Evidence, Found, LookupFailed, NotFound
from veriscite.errors import InputError, UnreadableFileError
from veriscite.evidence import cache_transfer
from veriscite.evidence.cache import DAY_S, AnswerCache
from veriscite.evidence.cache_transfer import Imported, export_cache, import_cache
from veriscite.settings import EvidenceSettings

NOW = 1_800_000_000.0
SETTINGS = EvidenceSettings()
FOUND = Found(
    reference_id="r1",
    evidence=Evidence(
        source="crossref", record_id="1", title="T", sentences=("S.",), retrieved_at=datetime.now(UTC)
    ),
)
MISSING = NotFound(reference_id="r2", asked=("crossref",))


def cache_in(folder: Path, now: float = NOW) -> AnswerCache:
    return AnswerCache(folder, SETTINGS, clock=lambda: now)


def filled(folder: Path) -> AnswerCache:
    cache = cache_in(folder)
    cache.put("crossref", "a" * 64, FOUND)
    cache.put("crossref", "b" * 64, MISSING)
    cache.put_records(
        "crossref", {"c" * 64: [rec("T").model_copy(update={"source": "crossref"})], "d" * 64: []}
    )
    return cache


def test_what_is_exported_is_there_after_the_import(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    assert export_cache(filled(tmp_path / "one"), file) == 4
    other = cache_in(tmp_path / "two")
    assert import_cache(other, file) == Imported(taken=4)
    assert other.get(["a" * 64, "b" * 64]) == {"a" * 64: FOUND, "b" * 64: MISSING}
    assert {key: len(found) for key, found in other.get_records(["c" * 64, "d" * 64]).items()} == {
        "c" * 64: 1,
        "d" * 64: 0,
    }
    assert import_cache(other, file) == Imported(older=4)


def test_answers_keep_their_age(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    export_cache(filled(tmp_path / "one"), file)
    later = cache_in(tmp_path / "two", NOW + 8 * DAY_S)
    done = import_cache(later, file)
    assert (done.taken, done.expired) == (1, 3), "only evidence holds longer than a week"


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text("mine")
    with pytest.raises(InputError):
        export_cache(filled(tmp_path / "one"), file)
    assert file.read_text() == "mine"
    assert export_cache(filled(tmp_path / "one"), file, overwrite=True) == 4


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    file = tmp_path / "good.jsonl"
    export_cache(filled(tmp_path / "good"), file)
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize(
    "change",
    [
        {"key": "x"},
        {"key": "A" * 64},
        {"source": "../../etc"},
        {"source": "openalex"},
        {"status": "not_found"},
        {"status": "lookup_failed"},
        {"body": None},
        {"body": {"status": "found"}},
        {"body": [1]},
        {"body": LookupFailed(reference_id="r", source="crossref", code="c", message="m").model_dump()},
        {"stored_at": "yesterday"},
        {"stored_at": -1},
        {"stored_at": NOW + 10 * DAY_S},
        {"stored_at": float("nan")},
    ],
    ids=lambda change: f"{next(iter(change))}",
)
def test_lines_that_hold_no_answer_are_left_out(tmp_path: Path, change: dict[str, Any]) -> None:
    header, first, *rest = lines(tmp_path)
    file = tmp_path / "bad.jsonl"
    written = [header, {**first, **change}, *rest]
    file.write_text("\n".join(json.dumps(line) for line in written) + "\n")
    done = import_cache(cache_in(tmp_path / "two"), file)
    assert (done.taken, done.refused) == (3, 1)


def test_its_own_word_on_how_long_it_holds_does_not_count(tmp_path: Path) -> None:
    header, *rest = lines(tmp_path)
    file = tmp_path / "long.jsonl"
    file.write_text("\n".join(json.dumps({**line, "expires_at": NOW * 10}) for line in [header, *rest]))
    import_cache(cache_in(tmp_path / "two"), file)
    assert cache_in(tmp_path / "two", NOW + 91 * DAY_S).get(["a" * 64]) == {}


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]\n", b"\x00\xff", b"SQLite format 3\x00", b"[" * 5_000])
def test_what_is_no_export_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with pytest.raises(UnreadableFileError):
        import_cache(cache_in(tmp_path / "two"), file)
    with pytest.raises(UnreadableFileError):
        import_cache(cache_in(tmp_path / "two"), tmp_path / "none")


def test_lines_and_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_transfer, "MAX_LINE_BYTES", 2_000)
    header, *rest = lines(tmp_path)
    file = tmp_path / "x.jsonl"
    long = {**rest[0], "body": "x" * 9_000}
    file.write_text("\n".join(json.dumps(line) for line in [header, long, *rest]) + "\n")
    done = import_cache(cache_in(tmp_path / "two"), file)
    assert (done.taken, done.refused) == (4, 1)
    monkeypatch.setattr(cache_transfer, "MAX_FILE_BYTES", 3_000)
    with pytest.raises(InputError):
        import_cache(cache_in(tmp_path / "three"), file)


@given(st.binary(max_size=300))
def test_any_bytes_after_the_header(tmp_path_factory: pytest.TempPathFactory, rest: bytes) -> None:
    folder = tmp_path_factory.mktemp("c")
    file = folder / "x.jsonl"
    file.write_bytes(b'{"format": "veriscite-cache", "version": 1}\n' + rest)
    assert import_cache(cache_in(folder), file).taken == 0


def test_pruning(tmp_path: Path) -> None:
    cache = filled(tmp_path)
    assert cache.file.prune() == 0
    cache.put("openalex", "e" * 64, MISSING)
    assert {(one.source, one.status, one.count) for one in cache.file.tally()} == {
        ("crossref", "found", 1),
        ("crossref", "not_found", 1),
        ("crossref", "records", 2),
        ("openalex", "not_found", 1),
    }
    assert cache.file.prune(source="openalex") == 1
    assert cache.file.prune(older_than=NOW) == 0
    cache.close()
    later = cache_in(tmp_path, NOW + 8 * DAY_S)
    assert later.file.prune() == 3
    assert later.file.prune(everything=True) == 1
    assert later.file.tally() == ()
    assert cache_in(tmp_path / "none").file.prune(everything=True) == 0
    assert not (tmp_path / "none").exists(), "looking must not leave files behind"
