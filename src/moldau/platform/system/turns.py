"""Long work in slices: one slice in each turn of the loop, whoever has waited longest first.

A request that names a million groups, or a connection that has sent a thousand requests ahead,
works for a millisecond and then queues here. Between two slices the loop serves everybody who
came meanwhile, so long work holds up others for one slice, however much of it there is.

Long work makes objects by the hundred thousand, and they live until it is done. A collection of
the oldest generation would look through all of them, 0.1 s for each million, and find nothing. So
while somebody queues it runs once in `COLLECT_NS` at most; younger generations are small.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from time import monotonic_ns

__all__ = ["Turns"]

COLLECT_NS = 10_000_000_000
"""Garbage that other work leaves meanwhile must not grow without bound either."""
NEVER = 2**31 - 1
"""Collections of the middle generation before one of the oldest."""


class Turns:
    """The queue of one loop, whose `call_soon` comes in the next turn."""

    def __init__(self, call_soon: Callable[[Callable[[], None]], object]) -> None:
        self._call_soon = call_soon
        self._queue: deque[Callable[[], None]] = deque()
        self._is_running = False
        self._usual: tuple[int, int, int] | None = None
        """How often garbage is looked for otherwise, where we have changed that."""
        self._collected_ns = 0

    def __repr__(self) -> str:
        return f"Turns({len(self._queue)} wait)"

    def add(self, action: Callable[[], None]) -> None:
        """Call it after the slices of those who are here."""
        self._queue.append(action)
        if not self._is_running:
            self._begin()

    def _begin(self) -> None:
        self._is_running = True
        self._collected_ns = monotonic_ns()
        usual = gc.get_threshold()
        if usual[2] != NEVER:  # another loop of this process may have been first
            self._usual = usual
            gc.set_threshold(*usual[:2], NEVER)
        self._call_soon(self._run)

    def _run(self) -> None:
        if not self._queue:
            self._end()
            return
        try:
            self._queue.popleft()()
        finally:
            self._call_soon(self._run)  # behind the slice, if it was only let go on
        now_ns = monotonic_ns()
        if now_ns - self._collected_ns >= COLLECT_NS:
            self._collected_ns = now_ns
            gc.collect()

    def _end(self) -> None:
        """A turn without anybody: the work is done, and its objects are gone."""
        self._is_running = False
        if self._usual is not None:
            gc.set_threshold(*self._usual)
            self._usual = None
