"""How a source on the network is asked: paced, retried with care, and left alone once it is down."""

import asyncio
import math
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import ClassVar, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random_exponential

from veriscite.domain.events import Waiting
from veriscite.errors import RateLimitedError, SourceError
from veriscite.ports import Emit

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]

TOLD_FROM_S = 2.0
"""Waits of our own limiter shorter than this are not told: they are the normal pace."""
TOLD_AGAIN_S = 10.0
"""A queue of questions waits for one reason, which is told once in so many seconds, not for each of them."""


class TransientError(SourceError):
    """429, a time-out or a 5xx: the same request may succeed after a while.

    Attributes:
        retry_after_s: Seconds that the source asks us to wait, if it says so.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None, limited: bool = False) -> None:
        super().__init__(message, advice="Try again later.")
        self.retry_after_s = retry_after_s
        self.limited = limited


class UnusableAnswerError(SourceError):
    """The source answered, but not as its protocol says: HTML, broken JSON, an empty object."""


class RefusedRequestError(SourceError):
    """The source refuses us: a wrong key, a wrong address. Asking again will not help."""

    code: ClassVar[str] = "source_refused"
    retryable: ClassVar[bool] = False


class BadRequestError(UnusableAnswerError):
    """The source does not take this very request; others may be taken, so it speaks against no source."""


class Pace:
    """Spaces requests evenly over all tasks of one loop, and holds them all when the source asks for it.

    Args:
        per_second: Requests a second.
        sleep: How to wait; tests inject their own.
        clock: Monotonic seconds.
    """

    def __init__(self, per_second: float, sleep: Sleep, clock: Callable[[], float]) -> None:
        self._interval = 1.0 / per_second if per_second > 0 else 0.0
        self._sleep = sleep
        self._clock = clock
        self._next = 0.0
        self._held_until = 0.0
        # Runs in several threads may share one pace.
        self._told_at = -math.inf
        self._lock = threading.Lock()

    async def turn(self, told: Callable[[float], None]) -> None:
        """Wait for the next free moment; `told` hears of a wait before it begins."""
        with self._lock:
            now = self._clock()
            at = max(now, self._next)
            self._next = at + self._interval
            tell = at - now >= TOLD_FROM_S and now >= self._told_at + TOLD_AGAIN_S
            if tell:
                self._told_at = now
        if tell:
            told(at - now)
        while True:
            wait = max(at, self._held_until) - self._clock()
            if wait <= 0:
                return
            await self._sleep(wait)

    def hold(self, seconds: float) -> None:
        """Let nobody ask for a while."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def change(self, per_second: float) -> None:
        """Ask at another pace from now on."""
        self._interval = 1.0 / per_second if per_second > 0 else 0.0


class Paces:
    """One pace for each host, shared by whoever asks there: two runs at once must not ask twice as fast.

    Args:
        sleep: How to wait.
        clock: Monotonic seconds.
    """

    def __init__(self, sleep: Sleep = asyncio.sleep, clock: Callable[[], float] = time.monotonic) -> None:
        self._sleep, self._clock = sleep, clock
        self._by_host: dict[str, Pace] = {}

    def of(self, host: str, per_second: float) -> Pace:
        """The pace of a host; the last word on how fast it is counts."""
        pace = self._by_host.setdefault(host, Pace(per_second, self._sleep, self._clock))
        pace.change(per_second)
        return pace


class Budget:
    """Seconds that a run may spend on asking sources; they count while a question is open.

    Args:
        seconds: How many; 0 or less for no limit.
        clock: Monotonic seconds.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = seconds if seconds > 0 else float("inf")
        self._clock = clock
        self._spent, self._since, self._open = 0.0, 0.0, 0

    @property
    def left_s(self) -> float:
        """Seconds left; infinite without a limit."""
        running = self._clock() - self._since if self._open else 0.0
        return self._limit - self._spent - running

    def check(self, name: str) -> None:
        """Raise when it is spent.

        Raises:
            SourceError: It is; nothing was asked.
        """
        if self.left_s <= 0:
            raise SourceError(
                f"{name} was not asked: the {self._limit:.0f} s that a run may spend on retrieval are over.",
                advice="Run again: only what is missing will be asked for. VERISCITE_EVIDENCE_BUDGET_S "
                "sets another limit.",
            )

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Count the time of one question, and that of several at once only once."""
        if self._open == 0:
            self._since = self._clock()
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1
            if self._open == 0:
                self._spent += self._clock() - self._since


class Breaker:
    """Stops asking after several failures in a row, and tries once more after a rest.

    Args:
        name: Source, for the message.
        failures: How many failures in a row open it.
        rest_s: How long it stays open.
        clock: Monotonic seconds.
    """

    def __init__(self, name: str, failures: int, rest_s: float, clock: Callable[[], float]) -> None:
        self._name = name
        self._limit = failures
        self._rest_s = rest_s
        self._clock = clock
        self._failed = 0
        self._open_until = 0.0
        self._last: SourceError | None = None

    def check(self) -> None:
        """Raise at once while it is open.

        Raises:
            SourceError: The source is left alone; nothing was asked.
        """
        if self._last is None or self._clock() >= self._open_until:
            return
        if isinstance(self._last, RefusedRequestError):
            raise RefusedRequestError(self._last.message, advice=self._last.advice)
        raise SourceError(
            f"{self._name} was not asked any more after failing repeatedly (last: {self._last.message}).",
            advice="Run again later: only what is missing will be asked for.",
        )

    def succeeded(self) -> None:
        """Forget earlier failures."""
        self._failed = 0

    def failed(self, error: SourceError, *, at_once: bool = False) -> None:
        """Count a failure; open after the limit, or at once."""
        self._failed += 1
        if at_once or self._failed >= self._limit:
            self._last = error
            self._open_until = self._clock() + self._rest_s
            # After the rest, one more failure is enough.
            self._failed = self._limit - 1


class PoliteCaller:
    """Asks one source: paced, with retries on `TransientError` only, behind a breaker.

    Args:
        name: Source, for messages and events.
        attempts: Requests at most for one question.
        max_wait_s: Seconds at most that one question may spend waiting between attempts.
        per_second: Requests a second.
        backoff_s: First wait when the source names none; doubles each time, with jitter.
        failures: Exhausted questions in a row after which the source is left alone.
        rest_s: For how long.
        pace: The host's pace; one of its own when there is none.
        budget: What the run may spend on asking.
        sleep: How to wait between attempts and turns.
        clock: Monotonic seconds.
    """

    def __init__(
        self,
        name: str,
        *,
        attempts: int,
        max_wait_s: float,
        per_second: float,
        backoff_s: float = 1.0,
        failures: int = 3,
        rest_s: float = 60.0,
        pace: Pace | None = None,
        budget: Budget | None = None,
        sleep: Sleep = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._attempts = max(1, attempts)
        self._max_wait_s = max_wait_s
        self._sleep = sleep
        self._pace = pace or Pace(per_second, sleep, clock)
        self._budget = budget or Budget(0.0, clock)
        self._breaker = Breaker(name, failures, rest_s, clock)
        self._backoff = wait_random_exponential(multiplier=backoff_s, max=max_wait_s)

    async def ask(self, call: Callable[[], Awaitable[T]], emit: Emit) -> T:
        """Ask, and wait and ask again where that may help.

        Args:
            call: Makes the request anew each time.
            emit: Hears of every wait.

        Raises:
            RateLimitedError: The source asks for a longer wait than we may take.
            SourceError: No usable answer.
        """

        def waiting(seconds: float, reason: str) -> None:
            emit(Waiting(source=self._name, seconds=round(seconds, 2), reason=reason))

        def before_sleep(state: RetryCallState) -> None:
            error = state.outcome.exception() if state.outcome else None
            waiting(state.upcoming_sleep, error.message if isinstance(error, SourceError) else "")

        async def once() -> T:
            self._breaker.check()
            await self._pace.turn(lambda seconds: waiting(seconds, "our own limit of requests a second"))
            self._breaker.check()
            self._budget.check(self._name)
            return await call()

        retrying = AsyncRetrying(
            sleep=self._sleep,
            retry=retry_if_exception_type(TransientError),
            wait=self._wait,
            stop=self._stop,
            before_sleep=before_sleep,
            reraise=True,
        )
        self._breaker.check()
        self._budget.check(self._name)
        try:
            with self._budget.spending():
                value: T = await retrying(once)
        except TransientError as error:
            too_long = error.retry_after_s is not None and error.retry_after_s > self._max_wait_s
            self._breaker.failed(error, at_once=too_long)
            raise self._exhausted(error, too_long=too_long) from None
        except BadRequestError:
            self._breaker.succeeded()
            raise
        except UnusableAnswerError as error:
            self._breaker.failed(error)
            raise
        except RefusedRequestError as error:
            self._breaker.failed(error, at_once=True)
            raise
        self._breaker.succeeded()
        return value

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, TransientError) and error.retry_after_s is not None:
            self._pace.hold(min(error.retry_after_s, self._max_wait_s))
            return error.retry_after_s
        return self._backoff(state)

    def _stop(self, state: RetryCallState) -> bool:
        spent = state.idle_for + state.upcoming_sleep
        too_long = spent > self._max_wait_s or state.upcoming_sleep > self._budget.left_s
        return state.attempt_number >= self._attempts or too_long

    def _exhausted(self, error: TransientError, *, too_long: bool) -> SourceError:
        if too_long:
            return RateLimitedError(
                f"{self._name} asks us to wait {error.retry_after_s:.0f} s, "
                f"but at most {self._max_wait_s:.0f} s are allowed.",
                advice="Run again later: only what is missing will be asked for.",
            )
        kind = RateLimitedError if error.limited else SourceError
        return kind(
            f"{error.message} Given up after {self._attempts} attempts at most.",
            advice="Run again later: only what is missing will be asked for.",
        )
