"""A bounded queue of events before the place where they are kept.

Putting an event never waits. What anyone can cause without rights, such as a login that fails,
gets half of the room, so that a flood of these does not hide what was changed; and where events
were dropped, an event in their place has how many. One task writes what is there and ends; the next
event begins another. Where the place cannot take them, it is tried again after a pause, and
meanwhile the queue fills: what comes to a full one is dropped and counted.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import Protocol

from moldau.errors import MoldauError
from moldau.platform.ports.tasks import Tasks

__all__ = ["Sink", "Trail"]

log = logging.getLogger(__name__)

BATCH_BYTES = 256 * 1024
"""Written at a time: well below the least `max.message.bytes` that is usual."""
PAUSE_MS_MIN = 50
PAUSE_MS_MAX = 5_000
"""Between two tries at a place that cannot take events, doubled from the least one."""


class Sink(Protocol):
    """A place where events are kept."""

    async def write(self, lines: list[bytes]) -> None:
        """All of these; or `MoldauError` or `TimeoutError`, and then they come again."""
        ...

    async def close(self) -> None: ...


class Trail:
    """A queue of audit records before one sink."""

    def __init__(
        self, name: str, sink: Sink, tasks: Tasks, room: int, gap: Callable[[int], bytes]
    ) -> None:
        """`gap` makes the event that stands for so many that were dropped."""
        self.name = name
        self.written = 0
        self.dropped = 0
        self._sink = sink
        self._tasks = tasks
        self._room = room
        self._gap = gap
        self._missing = 0
        """Dropped since the last event that was kept."""
        self._queue: deque[bytes] = deque()
        self._is_writing = False
        self._is_failing = False

    def __repr__(self) -> str:
        return f"Trail({self.name}: {self.written} written, {self.dropped} dropped)"

    @property
    def waiting(self) -> int:
        return len(self._queue)

    def put(self, line: bytes, *, is_cheap: bool = False) -> None:
        """Keep the event, or count it as dropped; a cheap one is what takes no rights to cause."""
        room = self._room // 2 if is_cheap else self._room
        if len(self._queue) >= max(room, 1):
            if not self._missing:
                log.warning("The audit's queue for %s is full: events are dropped", self.name)
            self.dropped += 1
            self._missing += 1
            return
        self._close_gap()
        self._keep(line)

    def _close_gap(self) -> None:
        missing, self._missing = self._missing, 0
        if missing:
            self._keep(self._gap(missing))

    def _keep(self, line: bytes) -> None:
        self._queue.append(line)
        if not self._is_writing:
            self._is_writing = True
            self._tasks.spawn(f"audit to {self.name}", self._write())

    async def close(self, within_ms: float) -> None:
        """Write what is there, if that can be done in time."""
        self._close_gap()
        try:
            async with self._tasks.deadline(within_ms):
                while self._queue:
                    await self._tasks.sleep(1)
        except TimeoutError:
            log.warning("%d audit events for %s are lost", len(self._queue), self.name)
            self.dropped += len(self._queue)
            self._queue.clear()
        await self._sink.close()

    async def _write(self) -> None:
        pause_ms = PAUSE_MS_MIN
        try:
            while self._queue:
                if await self._is_written(self._next()):
                    pause_ms = PAUSE_MS_MIN
                else:
                    await self._tasks.sleep(pause_ms)
                    pause_ms = min(2 * pause_ms, PAUSE_MS_MAX)
        finally:
            self._is_writing = False

    def _next(self) -> list[bytes]:
        lines: list[bytes] = []
        size = 0
        for line in self._queue:
            size += len(line)
            if lines and size > BATCH_BYTES:
                break
            lines.append(line)
        return lines

    async def _is_written(self, lines: list[bytes]) -> bool:
        try:
            await self._sink.write(lines)
        except (MoldauError, TimeoutError) as error:
            if not self._is_failing:
                log.warning("Audit events wait for %s: %s", self.name, error)
            self._is_failing = True
            return False
        self._is_failing = False
        for _ in range(min(len(lines), len(self._queue))):
            self._queue.popleft()
        self.written += len(lines)
        return True
