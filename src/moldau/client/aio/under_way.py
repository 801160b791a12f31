"""Work that goes on when its callers have given up: the next ones wait for the same."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from moldau.client.aio.world import ClientWorld
from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Promise, Task

__all__ = ["UnderWay"]


class UnderWay:
    """One piece of work at a time."""

    def __init__(self, world: ClientWorld, name: str) -> None:
        self._world = world
        self._name = name
        self._task: Task | None = None
        self._waiters: list[Promise[None]] = []
        self._error: MoldauError | None = None
        """Of work that has ended, for the next caller."""

    def __repr__(self) -> str:
        return f"<UnderWay: {self._name}, {'idle' if self._task is None else 'busy'}>"

    async def wait(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """For the end of what is under way, which is begun where nothing is."""
        if self._error is None:
            if self._task is None:
                self._task = self._world.tasks.spawn(self._name, self._run(work))
            await self._ended()
        error, self._error = self._error, None
        if error is not None:
            raise error

    def forget_error(self) -> None:
        """What has failed is not wanted any more."""
        self._error = None

    def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _ended(self) -> None:
        waiter: Promise[None] = self._world.tasks.promise()
        self._waiters.append(waiter)
        try:
            await waiter.wait()
        finally:
            self._waiters.remove(waiter)

    async def _run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except MoldauError as error:
            self._error = error
        finally:
            self._task = None
            for waiter in self._waiters:
                waiter.keep(None)
