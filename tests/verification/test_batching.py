import asyncio
import threading
import time
from collections.abc import Callable, Sequence

import pytest

from veriscite.errors import ModelError
from veriscite.verification.batching import ModelWorker


class Recorder:
    """Scores a text by its length and remembers the batches."""

    def __init__(self, wait: float = 0.0) -> None:
        self.batches: list[list[str]] = []
        self.loads = 0
        self.threads: set[str] = set()
        self.wait = wait

    def load(self) -> str:
        self.loads += 1
        return "model"

    def score(self, model: str, items: Sequence[str]) -> list[int]:
        assert model == "model"
        self.threads.add(threading.current_thread().name)
        self.batches.append(list(items))
        time.sleep(self.wait)
        if any("poison" in item for item in items):
            raise ValueError("poison")
        return [len(item) for item in items]


def make(recorder: Recorder, **changes: object) -> ModelWorker[str, str, int]:
    settings: dict[str, object] = {"collect_ms": 20, "max_batch": 8, "max_batch_cost": 10_000} | changes
    cost: Callable[[str], int] = len
    return ModelWorker(load=recorder.load, score=recorder.score, cost=cost, **settings)  # type: ignore[arg-type]


async def test_calls_of_many_callers_run_as_one_batch() -> None:
    recorder = Recorder()
    worker = make(recorder)
    answers = await asyncio.gather(worker.score(["a", "bbb"]), worker.score(["cc"]), worker.score(["dddd"]))
    assert answers == [[1, 3], [2], [4]]
    assert recorder.batches == [["dddd", "bbb", "cc", "a"]]
    assert recorder.loads == 1
    assert len(recorder.threads) == 1
    worker.close()


async def test_batches_are_limited_by_count_and_by_cost() -> None:
    recorder = Recorder()
    worker = make(recorder, max_batch=4, max_batch_cost=12)
    assert await worker.score(["x" * n for n in (1, 1, 1, 1, 1, 6, 6, 20)]) == [1, 1, 1, 1, 1, 6, 6, 20]
    assert [len(b) for b in recorder.batches] == [1, 2, 4, 1]
    assert len(recorder.batches[0][0]) == 20
    worker.close()


async def test_one_bad_item_fails_alone() -> None:
    recorder = Recorder()
    worker = make(recorder)
    good, bad, other = await asyncio.gather(
        worker.score(["good"]), worker.score(["poison"]), worker.score(["other"]), return_exceptions=True
    )
    assert (good, other) == ([4], [5])
    assert isinstance(bad, ValueError)
    worker.close()


async def test_a_cancelled_caller_takes_nothing_with_it_and_is_not_scored() -> None:
    recorder = Recorder(wait=0.05)
    worker = make(recorder, collect_ms=30)
    leaving = asyncio.create_task(worker.score(["leaving"]))
    staying = asyncio.create_task(worker.score(["staying"]))
    await asyncio.sleep(0.005)
    leaving.cancel()
    assert await staying == [7]
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert recorder.batches == [["staying"]]
    worker.close()


async def test_a_model_that_does_not_load_tells_every_caller() -> None:
    recorder = Recorder()

    def broken() -> str:
        raise ModelError("no weights")

    worker = ModelWorker(load=broken, score=recorder.score, cost=len, collect_ms=5)
    answers = await asyncio.gather(worker.score(["a", "b"]), worker.score(["c"]), return_exceptions=True)
    assert all(isinstance(answer, ModelError) for answer in answers)
    with pytest.raises(ModelError, match="no weights"):
        await worker.run(lambda model: model)
    worker.close()


async def test_more_callers_than_room_are_held_back_not_lost() -> None:
    recorder = Recorder()
    worker = make(recorder, max_waiting=3, max_batch=2, collect_ms=1)
    answers = await asyncio.gather(*(worker.score(["x" * n] * 5) for n in range(1, 9)))
    assert answers == [[n] * 5 for n in range(1, 9)]
    worker.close()


async def test_jobs_run_in_the_same_thread_after_what_waits() -> None:
    recorder = Recorder()
    worker = make(recorder)
    order: list[str] = []

    def job(model: str) -> str:
        order.append(f"job after {len(recorder.batches)} batch")
        recorder.threads.add(threading.current_thread().name)
        return model.upper()

    scored, answered = await asyncio.gather(worker.score(["a"]), worker.run(job))
    assert (scored, answered) == ([1], "MODEL")
    assert order == ["job after 1 batch"]
    assert len(recorder.threads) == 1
    worker.close()


async def test_wrong_number_of_scores_is_an_error() -> None:
    worker = ModelWorker(load=lambda: "m", score=lambda m, items: [1, 1, 1], cost=len, collect_ms=5)
    with pytest.raises(ModelError, match="3 scores for 1"):
        await worker.score(["a"])
    worker.close()


async def test_after_closing_nothing_hangs() -> None:
    recorder = Recorder(wait=0.05)
    worker = make(recorder, max_batch=1, collect_ms=0)
    running = [asyncio.create_task(worker.score([f"item {n}"])) for n in range(6)]
    await asyncio.sleep(0.02)
    await asyncio.to_thread(worker.close)
    worker.close()
    done = await asyncio.gather(*running, return_exceptions=True)
    assert all(isinstance(d, list | asyncio.CancelledError) for d in done)
    assert any(isinstance(d, asyncio.CancelledError) for d in done)
    with pytest.raises(ModelError, match="closed"):
        await worker.score(["late"])


def test_a_worker_outlives_its_event_loop() -> None:
    recorder = Recorder()
    worker = make(recorder)
    assert asyncio.run(worker.score(["ab"])) == [2]
    assert asyncio.run(worker.score(["abc"])) == [3]
    assert recorder.loads == 1
    worker.close()


async def test_jobs_run_side_by_side_each_on_its_own_replica() -> None:
    recorder = Recorder()
    together = threading.Barrier(2, timeout=60)
    copies = iter(("first copy", "second copy"))
    worker = make(recorder, threads=2, replicate=lambda _model: next(copies))

    def job(model: str) -> tuple[str, str]:
        together.wait()  # passes only if two jobs are under way at once
        return model, threading.current_thread().name

    first, second = await asyncio.gather(worker.run(job), worker.run(job))
    # The one that was loaded is never handed out: what a job does to its model must not reach later copies.
    assert {first[0], second[0]} == {"first copy", "second copy"}
    assert first[1] != second[1]
    assert recorder.loads == 1
    worker.close()


async def test_workers_that_share_slots_take_turns() -> None:
    slots = threading.Semaphore(1)
    running, most = 0, 0
    guard = threading.Lock()

    def job(_model: str) -> None:
        nonlocal running, most
        with guard:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with guard:
            running -= 1

    workers = [make(Recorder(), threads=2, replicate=lambda model: model, slots=slots) for _ in range(2)]
    await asyncio.gather(*(worker.run(job) for worker in workers for _ in range(4)))
    assert most == 1
    for worker in workers:
        worker.close()


def test_several_threads_without_replicas_are_refused() -> None:
    with pytest.raises(ValueError, match="replicas"):
        make(Recorder(), threads=2)
