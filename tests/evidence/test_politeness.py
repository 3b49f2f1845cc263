"""Pace, breaker and retries, with a clock of our own."""

import asyncio

import pytest

from veriscite.domain.events import Event, Waiting
from veriscite.errors import RateLimitedError, SourceError
from veriscite.evidence.politeness import (
    Pace,
    PoliteCaller,
    RefusedRequestError,
    TransientError,
    UnusableAnswerError,
)


class Clock:
    """Time that only passes when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def caller(clock: Clock, **changes: float) -> PoliteCaller:
    values: dict[str, float] = {"attempts": 4, "max_wait_s": 120, "per_second": 1, **changes}
    return PoliteCaller("Source", sleep=clock.sleep, clock=clock, **values)  # type: ignore[arg-type]


async def test_one_request_a_second() -> None:
    clock = Clock()
    source = caller(clock)
    times: list[float] = []

    async def call() -> None:
        times.append(clock.now)

    for _ in range(4):
        await source.ask(call, lambda _e: None)
    assert times == [100, 101, 102, 103]


async def test_a_queue_is_told_once_and_again_only_after_a_while() -> None:
    clock, told, never = Clock(), [], asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await never.wait()

    pace = Pace(1.0, sleep, clock)
    tasks = [asyncio.create_task(pace.turn(told.append)) for _ in range(20)]
    await asyncio.sleep(0)
    assert told == [2.0]
    clock.now += 11
    tasks.append(asyncio.create_task(pace.turn(told.append)))
    await asyncio.sleep(0)
    assert told == [2.0, 9.0]
    for task in tasks:
        task.cancel()


async def test_the_wait_asked_for_is_taken_and_told() -> None:
    clock = Clock()
    events: list[Event] = []
    answers: list[Exception | str] = [TransientError("Source asks.", retry_after_s=12, limited=True), "ok"]

    async def call() -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert await caller(clock).ask(call, events.append) == "ok"
    assert clock.now == 112
    (wait,) = events
    assert isinstance(wait, Waiting)
    assert (wait.source, wait.seconds, wait.reason) == ("Source", 12, "Source asks.")


async def test_waiting_stays_within_the_budget() -> None:
    clock = Clock()
    calls = 0

    async def call() -> None:
        nonlocal calls
        calls += 1
        raise TransientError("Source asks.", retry_after_s=50, limited=True)

    with pytest.raises(RateLimitedError):
        await caller(clock, attempts=10).ask(call, lambda _e: None)
    assert calls == 3
    assert sum(clock.slept) <= 120


async def test_backoff_grows_and_jitters() -> None:
    clock = Clock()

    async def call() -> None:
        raise TransientError("Source is out of order (500).")

    with pytest.raises(SourceError, match="4 attempts"):
        await caller(clock, backoff_s=2, per_second=1000).ask(call, lambda _e: None)
    waits = [s for s in clock.slept if s > 0.01]
    assert len(waits) <= 3
    assert all(wait <= limit for wait, limit in zip(waits, (2, 4, 8), strict=False))


@pytest.mark.parametrize("error", [UnusableAnswerError("Broken."), RefusedRequestError("No.")])
async def test_what_will_not_change_is_not_retried(error: SourceError) -> None:
    calls = 0

    async def call() -> None:
        nonlocal calls
        calls += 1
        raise error

    with pytest.raises(type(error)):
        await caller(Clock()).ask(call, lambda _e: None)
    assert calls == 1


async def test_the_breaker_opens_and_closes_again() -> None:
    clock = Clock()
    source = caller(clock, attempts=1, failures=3, rest_s=60)
    calls = 0
    broken = True

    async def call() -> str:
        nonlocal calls
        calls += 1
        if broken:
            raise UnusableAnswerError("Broken.")
        return "ok"

    for _ in range(6):
        with pytest.raises(SourceError):
            await source.ask(call, lambda _e: None)
    assert calls == 3
    clock.now += 61
    with pytest.raises(UnusableAnswerError):
        await source.ask(call, lambda _e: None)
    with pytest.raises(SourceError, match="not asked any more"):
        await source.ask(call, lambda _e: None)
    assert calls == 4
    clock.now += 61
    broken = False
    assert [await source.ask(call, lambda _e: None) for _ in range(2)] == ["ok", "ok"]


async def test_a_success_in_between_keeps_it_closed() -> None:
    source = caller(Clock(), attempts=1, failures=2)
    outcomes: list[bool] = [False, True, False, True, False]

    async def call() -> None:
        if not outcomes.pop(0):
            raise UnusableAnswerError("Broken.")

    for fails in [True, False, True, False, True]:
        if fails:
            with pytest.raises(UnusableAnswerError):
                await source.ask(call, lambda _e: None)
        else:
            await source.ask(call, lambda _e: None)
    assert outcomes == []


async def test_a_refused_key_is_tried_once_only() -> None:
    source = caller(Clock())
    calls = 0

    async def call() -> None:
        nonlocal calls
        calls += 1
        raise RefusedRequestError("Source refuses us (403).", advice="Check the key.")

    for _ in range(3):
        with pytest.raises(RefusedRequestError, match="Check the key"):
            await source.ask(call, lambda _e: None)
    assert calls == 1
