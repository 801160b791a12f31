"""Long work in slices: one slice in each turn of the loop, the longest waiting first.

A request that names a million groups, or a connection that has sent a thousand requests ahead,
works for a millisecond and then queues here. Between two slices the loop serves all that
came meanwhile, so long work holds up others for one slice, however much of it there is.

Long work makes objects by the hundred thousand, and they live until it is done. A collection of
the oldest generation would look through all of them, 0.1 s for each 200,000, and find nothing. So
while work queues it runs once in `COLLECT_NS` at most; younger generations are small. That
lasts until the queue was empty for a while: between two of its slices a piece of work may wait for
something else, with all that it has made.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from time import monotonic_ns

from moldau.platform.ports.tasks import Timer

__all__ = ["Turns"]

COLLECT_NS = 60_000_000_000
"""Garbage that other work leaves meanwhile must not grow without bound either."""
QUIET_S = 0.5
"""After this no work is in the middle of anything long."""
NEVER = 2**31 - 1
"""Collections of the middle generation before one of the oldest."""


class Turns:
    """The queue of one loop, whose `call_soon` comes in the next turn."""

    def __init__(
        self,
        call_soon: Callable[[Callable[[], None]], object],
        call_later: Callable[[float, Callable[[], None]], Timer],
    ) -> None:
        self._call_soon = call_soon
        self._call_later = call_later
        self._queue: deque[Callable[[], None]] = deque()
        self._is_running = False
        self._usual: tuple[int, int, int] | None = None
        """How often garbage is looked for otherwise, where we have changed that."""
        self._collected_ns = 0
        self._quiet: Timer | None = None

    def __repr__(self) -> str:
        return f"Turns({len(self._queue)} wait)"

    def add(self, action: Callable[[], None]) -> None:
        """Call it after the slices of those that are here."""
        self._queue.append(action)
        if not self._is_running:
            self._begin()

    def close(self) -> None:
        """The loop ends; others in this process go on as before."""
        if self._quiet is not None:
            self._quiet.cancel()
        self._restore()

    def _begin(self) -> None:
        self._is_running = True
        if self._quiet is not None:
            self._quiet.cancel()
            self._quiet = None
        if self._usual is None:
            self._hold()
        self._call_soon(self._run)

    def _hold(self) -> None:
        self._collected_ns = monotonic_ns()
        usual = gc.get_threshold()
        if usual[2] != NEVER:  # another loop of this process may have been first
            self._usual = usual
            gc.set_threshold(*usual[:2], NEVER)

    def _run(self) -> None:
        if not self._queue:  # the work is done, or waits for something
            self._is_running = False
            self._quiet = self._call_later(QUIET_S, self._restore)
            return
        try:
            self._queue.popleft()()
        finally:
            self._call_soon(self._run)  # behind the slice, if it was only let go on
        now_ns = monotonic_ns()
        if now_ns - self._collected_ns >= COLLECT_NS:
            self._collected_ns = now_ns
            gc.collect()

    def _restore(self) -> None:
        self._quiet = None
        if self._usual is not None:
            gc.set_threshold(*self._usual)
            self._usual = None
