"""Threads for the leaf calls of one loop: few, begun when needed, the last used first.

All is decided on the loop; a thread only waits, calls and hands back. So a thread is woken for each
call and no other one with it, as the library's pool does, and where calls come one at a time there
is one thread.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any

from moldau.platform.system.direct_loop import DirectLoop

__all__ = ["OffloadThreads"]


class _Job:
    """One call, what it has come to, and the future of both."""

    __slots__ = ("arguments", "call", "failure", "value", "waiting")

    def __init__(
        self,
        waiting: asyncio.Future[Any],
        call: Callable[..., object],
        arguments: tuple[object, ...],
    ) -> None:
        self.waiting = waiting
        self.call = call
        self.arguments = arguments
        self.value: object = None
        self.failure: BaseException | None = None

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> bool:
        """Whatever the call raises is raised where it is waited for, and the thread goes on."""
        self.failure = error
        return True


Finished = Callable[["_Worker", _Job], None]
Post = Callable[[Callable[[], object]], object]
"""Has a thing called by the loop, from any thread."""


class _Worker:
    """One thread."""

    def __init__(self, name: str, post: Post, finished: Finished) -> None:
        self._post = post
        self._finished = finished
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        """One at most, and behind it None at the end."""
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def begin(self, job: _Job) -> None:
        self._jobs.put(job)

    def end(self) -> None:
        """After what it is at, if it is at something."""
        self._jobs.put(None)

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            with job:
                job.value = job.call(*job.arguments)
            with suppress(RuntimeError, ValueError):  # the loop is closed, and no task waits
                self._post(partial(self._finished, self, job))
            del job  # an idle thread keeps nothing alive


class OffloadThreads:
    """All of one loop; used on that loop only."""

    def __init__(self, loop: asyncio.AbstractEventLoop, count_max: int) -> None:
        self._loop = loop
        self._post: Post = loop.post if isinstance(loop, DirectLoop) else loop.call_soon_threadsafe
        self._count_max = count_max
        self._all: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._queue: deque[_Job] = deque()
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._all)

    def call(
        self, call: Callable[..., object], arguments: tuple[object, ...]
    ) -> asyncio.Future[Any]:
        """A future of what it returns or raises; one that is cancelled in time is not called."""
        assert not self._is_closed, "its loop is about to end"
        job = _Job(self._loop.create_future(), call, arguments)
        if self._idle:
            self._idle.pop().begin(job)
        elif len(self._all) < self._count_max:
            worker = _Worker(f"offload_{len(self._all)}", self._post, self._finished)
            self._all.append(worker)
            worker.begin(job)
        else:
            self._queue.append(job)
        return job.waiting

    def close(self) -> None:
        """Wait for the calls that are under way; those behind them are not begun any more."""
        self._is_closed = True
        for worker in self._all:
            worker.end()
        for worker in self._all:
            worker.join()

    def _finished(self, worker: _Worker, job: _Job) -> None:
        self._go_on(worker)
        if job.waiting.done():
            return  # cancelled meanwhile
        if job.failure is None:
            job.waiting.set_result(job.value)
        else:
            job.waiting.set_exception(job.failure)

    def _go_on(self, worker: _Worker) -> None:
        while self._queue:
            job = self._queue.popleft()
            if not job.waiting.done():
                worker.begin(job)
                return
        self._idle.append(worker)
