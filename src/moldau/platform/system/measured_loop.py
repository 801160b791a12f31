"""A loop that measures how long it has waited: how idle a node is, without a thread that could be.

Kafka reports how idle its threads are, and people look at that first. Here one loop does all, and
it is idle while it waits for the network or for a timer. Only turns that wait look at the clock: a
loop that has something to do asks its selector without waiting, and pays nothing.
"""

from __future__ import annotations

import asyncio
from selectors import DefaultSelector, SelectorKey
from time import monotonic_ns
from typing import Final

__all__ = ["MeasuredLoop", "MeasuredSelector"]

_select: Final = DefaultSelector.select


class MeasuredSelector(DefaultSelector):
    """Where a loop waits."""

    def __init__(self) -> None:
        super().__init__()
        self.waited_ns = 0

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        # hot: 0.2 us for a turn that waits, out of 6 for the shortest that does anything.
        if timeout is not None and timeout <= 0:
            return _select(self, timeout)
        began_ns = monotonic_ns()
        found = _select(self, timeout)
        self.waited_ns += monotonic_ns() - began_ns
        return found


class MeasuredLoop(asyncio.SelectorEventLoop):
    """asyncio's own, on such a selector."""

    def __init__(self, selector: MeasuredSelector | None = None) -> None:
        self._measured = selector or MeasuredSelector()
        super().__init__(self._measured)

    @property
    def waited_ns(self) -> int:
        """Since it was made; a wait that is not over does not count yet."""
        return self._measured.waited_ns
