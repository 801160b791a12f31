"""One after the other, in the order in which they came."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from moldau.platform.ports.tasks import Promise, Tasks

__all__ = ["Turns"]


class Turns:
    """Entering waits until those before have left."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._is_taken = False
        self._waiting: deque[Promise[None]] = deque()
        self.users = 0
        """Inside or waiting."""

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        self.users += 1
        try:
            async with self._entered():
                yield
        finally:
            self.users -= 1

    @asynccontextmanager
    async def _entered(self) -> AsyncIterator[None]:
        while self._is_taken:
            mine: Promise[None] = self._tasks.promise()
            self._waiting.append(mine)
            await mine.wait()
        self._is_taken = True
        try:
            yield
        finally:
            self._is_taken = False
            while self._waiting:
                first = self._waiting.popleft()
                if not first.is_settled():
                    first.keep(None)
                    break
