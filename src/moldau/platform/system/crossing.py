"""What other threads want done on a loop, without a handle for each.

asyncio's `call_soon_threadsafe` makes a handle and a copy of the caller's context, writes to a
socket each time, and the loop reads that socket twice, in a turn before the one that calls. Here an
action lies in a queue. Only the first one wakes the loop, which calls all that are there as soon as
it looks, in their order.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from io import FileIO
from typing import Final

__all__ = ["Crossing"]

ONE: Final = (1).to_bytes(8, "little")
"""What an eventfd takes and gives: a number of eight bytes, of whatever order."""
COUNTER_BYTES: Final = 8


class Crossing:
    """From any thread to one loop, which calls `take` when `descriptor` can be read."""

    __slots__ = ("_actions", "_counter", "_is_woken", "descriptor")

    def __init__(self) -> None:
        self.descriptor: int = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._counter = FileIO(self.descriptor, "r+")
        self._actions: deque[Callable[[], object]] = deque()
        self._is_woken = False
        """It will look at the queue once more, and has not begun."""

    def __repr__(self) -> str:
        return f"<Crossing: {len(self._actions)} actions>"

    def post(self, action: Callable[[], object]) -> None:
        """Have it called by the loop; `ValueError` after the end."""
        self._actions.append(action)
        if not self._is_woken:
            self._is_woken = True
            self._counter.write(ONE)

    def take(self) -> None:
        """Call what is there now; the loop does so. What comes meanwhile has the next turn."""
        self._counter.read(COUNTER_BYTES)
        self._is_woken = False  # before the queue is looked at: who comes after this wakes again
        actions = self._actions
        try:
            for _ in range(len(actions)):
                actions.popleft()()
        finally:
            if actions:  # one of them failed, and the loop reports that
                self._is_woken = True
                self._counter.write(ONE)

    def close(self) -> None:
        """Nothing is called any more."""
        self._counter.close()
        self._actions.clear()
