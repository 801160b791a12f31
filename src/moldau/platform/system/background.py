"""A loop in a thread of its own, for programs that have none.

Only calls cross over: `call` runs a coroutine on the loop and blocks until it is done. Nothing else
is shared, so what lives on the loop needs no locks.
"""

from __future__ import annotations

import asyncio
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from moldau.platform.system.direct_loop import DirectLoop
from moldau.platform.system.tasks import SystemTasks

__all__ = ["Background", "BackgroundEndedError", "MailboxFullError"]

Value = TypeVar("Value")
LOOK_AGAIN_S = 1.0
"""How often a waiting thread looks whether the loop is still there."""


class BackgroundEndedError(RuntimeError):
    """Nothing runs there any more; its cause is what ended it, if it did not end in order."""


class MailboxFullError(TimeoutError):
    """There was no room for as long as one would wait (`mailbox`)."""


def _only_there(_done: Callable[[], None]) -> bool:
    return False


class _Gate:
    """Opened once by one thread, and awaited by another: a lock, and nothing around it."""

    __slots__ = ("_lock",)

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def open(self) -> None:
        with suppress(RuntimeError):  # it is open
            self._lock.release()

    def wait(self, timeout: float) -> bool:
        return self._lock.acquire(timeout=min(max(timeout, 0), LOOK_AGAIN_S))


class _Inside:
    """What the thread has; it must not refer to its owner, which could then never be freed."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.loop: DirectLoop
        self.tasks: SystemTasks
        self._end: asyncio.Event
        self.at_end: list[Callable[[], None]] = []

    def work(self) -> None:
        with asyncio.Runner(loop_factory=DirectLoop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, DirectLoop), "work() has made it"
        self.loop, self.tasks, self._end = loop, SystemTasks(), asyncio.Event()
        self.ready.set()
        with suppress(asyncio.CancelledError):  # by a task that failed: the caller gets its error
            await self._end.wait()
        await self.tasks.close()
        for action in self.at_end:
            action()
        await asyncio.sleep(0)  # for what they have scheduled

    def ended(self) -> BackgroundEndedError:
        """For callers; with the failure that ended it, if there is one."""
        error = BackgroundEndedError("the background loop has ended, or a fork left it behind")
        error.__cause__ = self.tasks.failure
        return error

    def ends_with(self, task: asyncio.Task[None]) -> None:
        """What it has failed with has no reader."""
        if not task.cancelled():
            task.exception()
        self._end.set()

    def stop(self) -> None:
        if self.loop.is_running():
            self.loop.post(self._end.set)


class Background:
    """Runs until it is closed, or forgotten, or a task of it fails, or the program ends."""

    def __init__(self, name: str) -> None:
        self._inside = _Inside()
        self._beginning = threading.Lock()
        self._thread = threading.Thread(target=self._inside.work, name=name, daemon=True)
        self._thread.start()
        self._inside.ready.wait()
        self._finish = weakref.finalize(self, _finish, self._inside, self._thread)

    @property
    def tasks(self) -> SystemTasks:
        """Those of the loop: to be used on it only."""
        return self._inside.tasks

    def at_end(self, action: Callable[[], None]) -> None:
        """Have it done on the loop as the last thing, also where a failure ends it."""
        self._inside.at_end.append(action)

    @property
    def failure(self) -> BaseException | None:
        """What ended it, if it did not end in order."""
        return self._inside.tasks.failure

    @property
    def is_running(self) -> bool:
        """False after its end, and in a process that was forked from its own."""
        return self._thread.is_alive()

    @property
    def is_here(self) -> bool:
        """Whether this is its thread, which cannot wait for itself."""
        return threading.current_thread() is self._thread

    def call(self, work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """What the coroutine returns or raises; an interrupted wait cancels it."""
        if not self._thread.is_alive():
            raise self._inside.ended()
        assert not self.is_here, "the loop cannot wait for itself"
        future: Future[Value] = Future()
        loop = self._inside.loop
        try:
            loop.post(partial(_begin, loop, work, future))
            return future.result()
        except CancelledError:
            error = self._inside.ended()
            raise error from error.__cause__
        finally:
            future.cancel()

    def wait_for(
        self,
        begin: Callable[[Callable[[], None]], None],
        timeout: float | None,
        begin_here: Callable[[Callable[[], None]], bool] = _only_there,
    ) -> bool:
        """Have `begin` called on the loop with what to call when it is done; whether it was.

        Cheaper than a coroutine, for what one waits for again and again. Cheaper still, as the loop
        need not be woken, is `begin_here`, which is called at once, in one thread at a time; it
        returns False if it cannot.
        """
        gate = _Gate()
        with self._beginning:
            has_begun = begin_here(gate.open)
        if not has_begun:
            self.post(lambda: begin(gate.open))
        deadline = None if timeout is None else time.monotonic() + timeout
        while not gate.wait(LOOK_AGAIN_S if deadline is None else deadline - time.monotonic()):
            if not self._thread.is_alive():
                raise self._inside.ended()
            if deadline is not None and time.monotonic() >= deadline:
                return False
        return True

    def post(self, action: Callable[[], None]) -> None:
        """Have it done on the loop before long. It does not wait, so any thread may ask for it, the
        loop's own too, where the collector of garbage may end something; after the end it is void.
        """
        if self._thread.is_alive():
            with suppress(ValueError):  # the loop has just been closed
                self._inside.loop.post(action)

    def end_after(self, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """End when that is done, and do not wait: for what is forgotten and not closed.

        False where it has ended already.
        """
        if self._finish.detach() is None:
            return False
        self.post(partial(_end_after, self._inside, work))
        return True

    def close(self) -> None:
        """End the loop with all that runs on it; doing it again does nothing."""
        self._finish()


def _begin(
    loop: DirectLoop,
    work: Callable[[], Coroutine[Any, Any, Value]],
    future: Future[Value],
) -> None:
    """Called on the loop, which alone makes coroutines: one that was made in the caller's thread
    would be lost, with a warning, where a signal comes before the loop has it.
    """
    if not future.cancelled():
        task = loop.create_task(_done(work))
        task.add_done_callback(partial(_hand_back, future))
        future.add_done_callback(partial(_cancel_with, loop, task))


async def _done(work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
    """What fails before there is a coroutine fails here, too, and so reaches the caller."""
    return await work()


def _hand_back(future: Future[Value], task: asyncio.Task[Value]) -> None:
    if task.cancelled():
        future.cancel()
        return
    error = task.exception()
    if not future.set_running_or_notify_cancel():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(task.result())


def _cancel_with(loop: DirectLoop, task: asyncio.Task[Value], future: Future[Value]) -> None:
    if future.cancelled():
        with suppress(ValueError):  # the loop has been closed
            loop.post(task.cancel)


def _end_after(inside: _Inside, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    task = inside.loop.create_task(_done(work))
    task.add_done_callback(inside.ends_with)


def _finish(inside: _Inside, thread: threading.Thread) -> None:
    inside.stop()
    if thread is not threading.current_thread():
        thread.join()
