"""Tasks on a loop that runs in its caller's thread, and only while a call waits for its result.

This is what a tool needs that asks a few brokers a few things and ends. asyncio does it too, but to
import that takes longer than all that such a tool does; this has what the port asks for, and no
threads, signals or processes. Between two calls nothing runs: what has come meanwhile is found by
the next one. A leaf call (`offload`) runs inline, as there is nothing that it could hold up.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager
from functools import partial
from itertools import count
from select import EPOLLIN, EPOLLOUT, epoll
from typing import Any, Generic, Self, TypeVar

__all__ = [
    "CallersAction",
    "CallersCoroutine",
    "CallersLoop",
    "CallersPromise",
    "CallersTasks",
]

Value = TypeVar("Value")
MS_PER_SECOND = 1000
CALL = "call"


class _Cancelled(BaseException):
    """Raised in a task that is to end."""


class _Outcome:
    """What a coroutine ends with, of whatever class: who called has it in the end."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        self.error = error
        return True


class CallersPromise(Generic[Value]):
    """Kept or failed once; one task waits for it."""

    def __init__(self) -> None:
        self._is_settled = False
        self._value: Value
        self._error: Exception | None = None
        self._wake: Callable[[], None] | None = None

    def keep(self, value: Value) -> None:
        if not self._is_settled:
            self._value = value
            self._settle()

    def fail(self, error: Exception) -> None:
        if not self._is_settled:
            self._error = error
            self._settle()

    def is_settled(self) -> bool:
        return self._is_settled

    def wait(self) -> Awaitable[Value]:
        return self

    def __await__(self) -> Generator[CallersPromise[Any], None, Value]:
        if not self._is_settled:
            yield self
        if self._error is not None:
            raise self._error
        return self._value

    def wakes(self, wake: Callable[[], None]) -> None:
        """Call it when this is settled."""
        self._wake = wake

    def give_up(self) -> None:
        """Its value is not wanted any more."""
        self._is_settled, self._wake = True, None

    def _settle(self) -> None:
        self._is_settled = True
        if self._wake is not None:
            self._wake()


class CallersCoroutine:
    """A coroutine on its way."""

    def __init__(self, loop: CallersLoop, name: str, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._loop = loop
        self._name = name
        self._coroutine = coroutine
        self._awaits: CallersPromise[Any] | None = None
        self._is_to_end = False
        self.cancels = 0
        self._ended: list[CallersPromise[None]] = []
        self.is_done = False
        self.value: Any = None
        self.error: BaseException | None = None
        loop.soon(self._go_on)

    def get_name(self) -> str:
        return self._name

    def done(self) -> bool:
        return self.is_done

    def cancel(self) -> bool:
        if self.is_done:
            return False
        self._is_to_end = True
        self.cancels += 1
        if self._awaits is not None:
            self._awaits.give_up()
            self._awaits = None
            self._loop.soon(self._go_on)
        return True

    def __await__(self) -> Generator[CallersPromise[Any], None, None]:
        ended: CallersPromise[None] = CallersPromise()
        self._ended.append(ended)
        try:
            if not self.is_done:
                yield from ended.__await__()
        except _Cancelled:
            self.cancel()
            raise

    def _resume(self) -> None:
        self._awaits = None
        self._loop.soon(self._go_on)

    def _go_on(self) -> None:
        self._loop.current = self
        with _Outcome() as outcome:
            promise = self._next()
            self._awaits = promise
            promise.wakes(self._resume)
        if isinstance(outcome.error, StopIteration):
            self._end(outcome.error.value, None)
        elif outcome.error is not None:
            self._end(None, outcome.error)

    def _next(self) -> CallersPromise[Any]:
        """Run it to what it waits for."""
        if self._is_to_end:
            self._is_to_end = False
            found: CallersPromise[Any] = self._coroutine.throw(_Cancelled())
        else:
            found = self._coroutine.send(None)
        return found

    def _end(self, value: object, error: BaseException | None) -> None:
        self.value, self.error, self.is_done = value, error, True
        self._loop.ended(self)
        for one in self._ended:
            one.keep(None)


class CallersAction:
    """An action that waits for its time."""

    def __init__(self, action: Callable[[], None]) -> None:
        self.action: Callable[[], None] | None = action

    def cancel(self) -> None:
        self.action = None

    def act(self) -> None:
        if self.action is not None:
            self.action()


class CallersLoop:
    """Runs what is ready, and waits for sockets and timers."""

    def __init__(self) -> None:
        self.current: CallersCoroutine
        self.tasks: dict[CallersCoroutine, None] = {}
        self._ready: deque[Callable[[], None]] = deque()
        self._timers: list[tuple[float, int, CallersAction]] = []
        self._numbers = count()
        self._epoll = epoll()
        self._watched: dict[int, tuple[Any, Any]] = {}
        self._failure: BaseException | None = None

    def call(self, work: Coroutine[Any, Any, Value]) -> Value:
        """What the coroutine returns or raises; an interrupt cancels it."""
        task = CallersCoroutine(self, CALL, work)
        try:
            while not task.is_done:
                self._turn()
        finally:
            task.cancel()
        if task.error is not None:
            raise task.error
        found: Value = task.value
        return found

    def spawn(self, name: str, coroutine: Coroutine[Any, Any, Any]) -> CallersCoroutine:
        task = CallersCoroutine(self, name, coroutine)
        self.tasks[task] = None
        return task

    def ended(self, task: CallersCoroutine) -> None:
        """A failure of one that is not itself the call is raised by the call that goes on."""
        is_asked_for = self.tasks.pop(task, task) is task
        is_failure = task.error is not None and not isinstance(task.error, _Cancelled)
        if is_failure and task.error is not None and not is_asked_for:
            task.error.add_note(f"It ended the task {task.get_name()!r}.")
            self._failure = self._failure or task.error

    def soon(self, action: Callable[[], None]) -> None:
        self._ready.append(action)

    def after(self, duration_ms: float, action: Callable[[], None]) -> CallersAction:
        timer = CallersAction(action)
        due_s = time.monotonic() + max(duration_ms, 0) / MS_PER_SECOND
        heapq.heappush(self._timers, (due_s, next(self._numbers), timer))
        return timer

    def watch(self, descriptor: int, *, reads: object = None, writes: object = None) -> None:
        """Call these, without arguments, while it is readable or writable; none: no more."""
        events = (EPOLLIN if reads else 0) | (EPOLLOUT if writes else 0)
        if events:
            change = self._epoll.modify if descriptor in self._watched else self._epoll.register
            change(descriptor, events)
            self._watched[descriptor] = reads, writes
        elif self._watched.pop(descriptor, None) is not None:
            self._epoll.unregister(descriptor)

    def close(self) -> None:
        """End all that runs."""
        while self.tasks:
            for task in list(self.tasks):
                task.cancel()
            self._turn()
        self._epoll.close()

    def _turn(self) -> None:
        for descriptor, events in self._epoll.poll(self._wait_s()):
            reads, writes = self._watched[descriptor]
            if events & ~EPOLLOUT and reads is not None:  # an end and an error are for both
                self._ready.appendleft(reads)  # before the others, which do not have it yet
            if events & ~EPOLLIN and writes is not None:
                self._ready.appendleft(writes)
        now_s = time.monotonic()
        while self._timers and self._timers[0][0] <= now_s:
            timer = heapq.heappop(self._timers)[2]
            self._ready.append(timer.act)  # which may be cancelled by what is ready before it
        for _ in range(len(self._ready)):
            self._ready.popleft()()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            raise failure

    def _wait_s(self) -> float | None:
        if self._ready:
            return 0
        while self._timers and self._timers[0][2].action is None:
            heapq.heappop(self._timers)
        if self._timers:
            return max(self._timers[0][0] - time.monotonic(), 0)
        assert self._watched, "all wait, and for nothing"
        return None


class CallersTasks:
    """The port."""

    def __init__(self, loop: CallersLoop) -> None:
        self._loop = loop

    def spawn(self, name: str, coroutine: Coroutine[Any, Any, None]) -> CallersCoroutine:
        return self._loop.spawn(name, coroutine)

    def running(self) -> list[str]:
        return [task.get_name() for task in self._loop.tasks]

    def after(self, duration_ms: float, action: Callable[[], None]) -> CallersAction:
        return self._loop.after(duration_ms, action)

    async def sleep(self, duration_ms: float) -> None:
        promise: CallersPromise[None] = CallersPromise()
        timer = self._loop.after(duration_ms, partial(promise.keep, None))
        try:
            await promise
        finally:
            timer.cancel()

    async def turn(self) -> None:
        await self.sleep(0)

    def in_turn(self, action: Callable[[], None]) -> None:
        self._loop.soon(action)

    def deadline(self, duration_ms: float) -> AbstractAsyncContextManager[object]:
        return _Deadline(self._loop, duration_ms)

    def promise(self) -> CallersPromise[Any]:
        return CallersPromise()

    async def offload(self, call: Callable[..., Value], *arguments: object) -> Value:
        return call(*arguments)

    def waited_ns(self) -> int | None:
        return None


class _Deadline:
    """Cancels the task that entered it, and makes a timeout of that.

    A cancellation that came from elsewhere as well, as from a deadline around this one, is left to
    go on.
    """

    def __init__(self, loop: CallersLoop, duration_ms: float) -> None:
        self._loop = loop
        self._duration_ms = duration_ms
        self._is_late = False

    async def __aenter__(self) -> None:
        self._task = self._loop.current
        self._cancels_before = self._task.cancels
        self._timer = self._loop.after(self._duration_ms, self._late)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        self._timer.cancel()
        if self._is_late:
            self._task.cancels -= 1
            is_only_this = self._task.cancels == self._cancels_before
            if is_only_this and isinstance(error, _Cancelled):
                raise TimeoutError from error

    def _late(self) -> None:
        self._is_late = True
        self._task.cancel()
