"""Worker threads for one model: calls from many claims are collected for a moment and run as one batch."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from veriscite.errors import ModelError

Model = TypeVar("Model")
Item = TypeVar("Item")
Result = TypeVar("Result")
Answer = TypeVar("Answer")


#: Seconds that closing waits for the batch or job under way.
_LONGEST_GOODBYE_S = 15.0


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass
class _Pending(Generic[Item, Result]):
    item: Item
    cost: int
    future: Future[Result]


class ModelWorker(Generic[Model, Item, Result]):
    """Owns a model and the only threads that touch it, each with a replica of its own.

    Items to score come from any event loop, wait `collect_ms` for company, are sorted by cost and run in
    batches of like cost. An item that fails does not fail its batchmates: a failed batch is run again one by
    one. Other jobs on the same model (attribution) run when no item waits. Cancelling a caller drops what it
    still had waiting.
    """

    def __init__(
        self,
        *,
        load: Callable[[], Model],
        score: Callable[[Model, Sequence[Item]], Sequence[Result]],
        cost: Callable[[Item], int],
        max_batch: int = 32,
        max_batch_cost: int = 4096,
        collect_ms: float = 10.0,
        max_waiting: int = 4096,
        name: str = "model",
        replicate: Callable[[Model], Model] | None = None,
        slots: threading.Semaphore | None = None,
        threads: int = 1,
    ) -> None:
        """Prepare; the threads start and the model loads on first use.

        Args:
            load: Loads the model; runs in the worker thread, once.
            score: Scores a batch; must give as many results as it was given items.
            cost: Estimate of an item's length; a batch costs its size times its longest item.
            max_batch: Items in a batch at most.
            max_batch_cost: Cost of a batch at most (a single item may cost more).
            collect_ms: Milliseconds to wait for further items before a batch is made.
            max_waiting: Items that may wait; further callers are held back until there is room.
            name: Name of the threads.
            replicate: Makes a model that may run beside the one given; needed for more than one thread.
            slots: Taken while a batch or job runs: shared by several workers, it keeps them from running
                more at once than there are cores.
            threads: Threads at most.
        """
        if threads > 1 and replicate is None:
            raise ValueError("several threads need replicas of the model")
        self._load, self._score, self._cost = load, score, cost
        self._max_batch, self._max_batch_cost = max_batch, max_batch_cost
        self._collect_s, self._max_waiting, self._name = collect_ms / 1000, max_waiting, name
        self._items: deque[_Pending[Item, Result]] = deque()
        self._jobs: deque[tuple[Callable[[Model], Any], Future[Any]]] = deque()
        self._changed = threading.Condition()
        self._replicate, self._slots = replicate, slots or threading.Semaphore(threads)
        self._threads: list[threading.Thread] = []
        self._most_threads, self._idle = threads, 0
        self._closed = False
        self._loading = threading.Lock()
        self._loaded: Model | None = None
        self._own = threading.local()

    async def score(self, items: Sequence[Item]) -> list[Result]:
        """Score items; results in the items' order.

        Raises:
            ModelError: The model cannot be loaded, or the worker is closed.
            Exception: Whatever scoring raises for one of these items.
        """
        pending = [_Pending[Item, Result](item, self._cost(item), Future()) for item in items]
        try:
            await self._enqueue(pending)
            return [await asyncio.wrap_future(p.future) for p in pending]
        finally:
            for p in pending:
                p.future.cancel()

    async def run(self, job: Callable[[Model], Answer]) -> Answer:
        """Run any function on the model in its thread, when no item waits to be scored.

        Raises:
            ModelError: The model cannot be loaded, or the worker is closed.
        """
        future: Future[Answer] = Future()
        with self._changed:
            self._start()
            self._jobs.append((job, future))
            self._changed.notify()
        try:
            return await asyncio.wrap_future(future)
        finally:
            future.cancel()

    def close(self) -> None:
        """Stop the thread after what it is running; cancel what waits. Safe to call twice."""
        with self._changed:
            self._closed = True
            waiting = [p.future for p in self._items] + [future for _, future in self._jobs]
            self._items.clear()
            self._jobs.clear()
            self._changed.notify_all()
            threads = list(self._threads)
        for future in waiting:
            future.cancel()
        end = time.monotonic() + _LONGEST_GOODBYE_S
        for thread in threads:
            if thread is not threading.current_thread():
                # Bounded, since a model that is being fetched from a hub may never come.
                thread.join(timeout=max(0.0, end - time.monotonic()))

    async def _enqueue(self, pending: Sequence[_Pending[Item, Result]]) -> None:
        start = 0
        while start < len(pending):
            with self._changed:
                self._start()
                room = self._max_waiting - len(self._items)
                part = pending[start : start + max(room, 0)]
                self._items.extend(part)
                self._changed.notify()
            start += len(part)
            if start < len(pending):
                await asyncio.sleep(0.005)

    def _start(self) -> None:
        if self._closed:
            raise ModelError("The model's worker is closed.", advice="Make a new verifier.")
        if self._idle == 0 and len(self._threads) < self._most_threads:
            # A daemon: a killed program must not hang on a batch that nobody waits for any more.
            name = f"veriscite-{self._name}-{len(self._threads) + 1}"
            self._threads.append(threading.Thread(target=self._work, name=name, daemon=True))
            self._threads[-1].start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                while not (self._items or self._jobs or self._closed):
                    self._changed.wait()
                self._idle -= 1
                if self._closed:
                    return
                collecting = bool(self._items)
            if collecting:
                self._collect()
            with self._slots:
                self._work_once()

    def _work_once(self) -> None:
        """Run one batch, or one job if no item waits. What to run is chosen when there is a core for it."""
        batch = self._take()
        if batch:
            self._score_batch(batch)
            return
        with self._changed:
            taken = self._jobs.popleft() if self._jobs else None
        if taken is not None:
            self._run_job(*taken)

    def _collect(self) -> None:
        """Wait for company, but no longer once a full batch waits."""
        end = time.monotonic() + self._collect_s
        with self._changed:
            while len(self._items) < self._max_batch and not self._closed:
                left = end - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    return

    def _take(self) -> list[_Pending[Item, Result]]:
        """Take one batch: of the items that waited longest the costliest, so that like comes to like."""
        with self._changed:
            count = min(len(self._items), 4 * self._max_batch)
            oldest = [self._items.popleft() for _ in range(count)]
            # Longest first: the largest allocation comes first and is then reused.
            oldest.sort(key=lambda p: -p.cost)
            size = (
                min(self._max_batch, max(1, self._max_batch_cost // max(1, oldest[0].cost))) if oldest else 0
            )
            self._items.extendleft(reversed(oldest[size:]))
            return oldest[:size]

    def _score_batch(self, batch: Sequence[_Pending[Item, Result]]) -> None:
        wanted = [p for p in batch if p.future.set_running_or_notify_cancel()]
        if not wanted:
            return
        try:
            results = list(self._score(self._model(), [p.item for p in wanted]))
            if len(results) != len(wanted):
                raise ModelError(f"The model gave {len(results)} scores for {len(wanted)} pairs.")
        except Exception as error:  # noqa: BLE001 - handed on to the callers, never dropped
            if len(wanted) == 1 or self._loaded is None:
                for p in wanted:
                    p.future.set_exception(error)
            else:
                self._score_singly(wanted)
            return
        for p, result in zip(wanted, results, strict=True):
            p.future.set_result(result)

    def _score_singly(self, wanted: Sequence[_Pending[Item, Result]]) -> None:
        for p in wanted:
            try:
                (result,) = self._score(self._model(), [p.item])
            except Exception as error:  # noqa: BLE001 - handed on to the caller
                p.future.set_exception(error)
            else:
                p.future.set_result(result)

    def _run_job(self, job: Callable[[Model], Any], future: Future[Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            answer = job(self._model())
        except Exception as error:  # noqa: BLE001 - handed on to the caller
            future.set_exception(error)
        else:
            future.set_result(answer)

    def _model(self) -> Model:
        """The calling thread's own model.

        With replicas the one that was loaded is only copied from: a job may hook into its own model for a
        while, and a copy made meanwhile would keep the hooks.
        """
        own: Model | None = getattr(self._own, "model", None)
        if own is None:
            with self._loading:
                if self._loaded is None:
                    self._loaded = self._load()
                own = self._loaded if self._replicate is None else self._replicate(self._loaded)
            self._own.model = own
        return own
