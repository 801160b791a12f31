"""Tasks on asyncio's loop, and threads for leaf calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Generic, TypeVar, cast

from moldau.platform.system.direct_loop import DirectLoop
from moldau.platform.system.measured_loop import MeasuredLoop
from moldau.platform.system.offloading import OffloadThreads
from moldau.platform.system.turns import Turns

__all__ = ["SystemPromise", "SystemTasks", "run", "supervise"]

Value = TypeVar("Value")

OFFLOAD_THREADS = 4
"""Enough for a slow disk and a compression at a time; more would only contend for two cores."""
MS_PER_SECOND = 1000


class SystemPromise(Generic[Value]):
    """A future whose second outcome is ignored."""

    def __init__(self, future: asyncio.Future[Value]) -> None:
        self._future = future

    def keep(self, value: Value) -> None:
        if not self._future.done():
            self._future.set_result(value)

    def fail(self, error: Exception) -> None:
        if not self._future.done():
            self._future.set_exception(error)
            self._future.exception()  # seen: a waiter that has gone away is no news

    def is_settled(self) -> bool:
        return self._future.done()

    def wait(self) -> Awaitable[Value]:
        return self._future


class SystemTasks:
    """Made inside a running loop by `supervise`, whose task it ends when another one fails."""

    def __init__(
        self, *, owns_loop: bool = True, on_failure: Callable[[], None] | None = None
    ) -> None:
        """On a loop that others use too, only our own tasks' failures are ours.

        `on_failure` is called with the first of them, for callers that are not the task to end.
        """
        owner = asyncio.current_task()
        assert owner is not None, "tasks live on a running loop"
        self._owner = owner
        self._loop = asyncio.get_running_loop()
        if owns_loop:
            self._loop.set_exception_handler(self._report)
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._turns = Turns(self._loop.call_soon, self._loop.call_later)
        self._threads: OffloadThreads | None = None
        self._is_closing = False
        self._on_failure = on_failure
        self.failure: BaseException | None = None
        """The first error that ended a task."""

    def spawn(self, name: str, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(coroutine, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._ended)
        return task

    def running(self) -> list[str]:
        return [task.get_name() for task in self._tasks]

    def after(self, duration_ms: float, action: Callable[[], None]) -> asyncio.Handle:
        if duration_ms <= 0:
            return self._loop.call_soon(action)  # the next turn of the loop, without its heap
        return self._loop.call_later(duration_ms / MS_PER_SECOND, action)

    async def sleep(self, duration_ms: float) -> None:
        await asyncio.sleep(duration_ms / MS_PER_SECOND)

    async def turn(self) -> None:
        promise = self._loop.create_future()
        self._turns.add(partial(_let_go_on, promise))
        await promise

    def in_turn(self, action: Callable[[], None]) -> None:
        self._turns.add(action)

    def deadline(self, duration_ms: float) -> AbstractAsyncContextManager[object]:
        return asyncio.timeout(duration_ms / MS_PER_SECOND)

    def promise(self) -> SystemPromise[Any]:
        return SystemPromise(self._loop.create_future())

    async def offload(self, call: Callable[..., Value], *arguments: object) -> Value:
        if self._threads is None:
            self._threads = OffloadThreads(self._loop, OFFLOAD_THREADS)
        return cast(Value, await self._threads.call(call, arguments))

    def waited_ns(self) -> int | None:
        return self._loop.waited_ns if isinstance(self._loop, MeasuredLoop) else None

    @property
    def is_here(self) -> bool:
        """Whether their loop is the one that runs; not so in another thread, or after a fork."""
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    @property
    def has_ended(self) -> bool:
        """Whether their loop can run nothing any more."""
        return self._loop.is_closed()

    async def close(self) -> None:
        """Cancel what runs, wait until it has ended, and let the threads finish."""
        self._is_closing = True
        while self._tasks:
            ending = list(self._tasks)
            for task in ending:
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)
            await asyncio.sleep(0)  # they leave `_tasks` by call-backs, for which a turn is needed
        self._turns.close()
        if self._threads is not None:
            self._threads.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            error.add_note(f"It ended the task {task.get_name()!r}.")
            self._fail(error)

    def _report(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A timer's action or a network call-back failed, where no task would raise it."""
        self._fail(context.get("exception") or AssertionError(context["message"]))

    def _fail(self, error: BaseException) -> None:
        if self.failure is None:
            self.failure = error
            if self._is_closing:
                return
            self._owner.cancel()
            if self._on_failure is not None:
                self._on_failure()


async def supervise(tasks: SystemTasks, main: Callable[[Any], Coroutine[Any, Any, Value]]) -> Value:
    """Run `main`; with it end all its tasks, and with the first of them that fails ends `main`."""
    try:
        return await main(tasks)
    finally:
        await tasks.close()
        if tasks.failure is not None:
            raise tasks.failure


def _let_go_on(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def run(main: Callable[[SystemTasks], Coroutine[Any, Any, Value]], *, polls: bool = False) -> Value:
    """Give `main` a loop and tasks, and return what it returns; for `polls`, see `short_waits`."""

    async def begin() -> Value:
        return await supervise(SystemTasks(), main)

    with asyncio.Runner(loop_factory=partial(DirectLoop, polls=polls)) as runner:
        return runner.run(begin())
