"""What a long look for garbage has found alive is not looked through again for a while.

Python looks through all objects of its oldest generation at once, 0.1 s for each 200,000 of them,
and nothing else runs meanwhile. A node of 50,000 partitions has three million, nearly all of which
stay as long as it runs; and what is made for a few answers is enough to have it look again. So what
is alive after a look that took long is set aside (`gc.freeze`).

What is set aside and then left in a circle of references would stay for ever: so the first look
after an hour goes through everything once more.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import monotonic_ns, thread_time_ns
from typing import Final

__all__ = ["AGAIN_NS", "LONG_NS", "LongCollections"]

OLDEST: Final = 2
LONG_NS: Final = 20_000_000
"""Of the processor: requests wait for four times as long as they may for a page of metrics."""
AGAIN_NS: Final = 3_600_000_000_000


class LongCollections:
    """Watches from when it begins until it ends, for the whole process."""

    def __init__(
        self,
        now_ns: Callable[[], int] = monotonic_ns,
        spent_ns: Callable[[], int] = thread_time_ns,
    ) -> None:
        self._now_ns = now_ns
        self._spent_ns = spent_ns
        self._began_ns = 0
        self._first_ns: int | None = None
        """When something was set aside first, since everything was looked through."""

    def __repr__(self) -> str:
        return f"LongCollections({gc.get_freeze_count()} set aside)"

    def begin(self) -> None:
        gc.callbacks.append(self._notice)

    def end(self) -> None:
        gc.callbacks.remove(self._notice)

    def _notice(self, phase: str, info: Mapping[str, int]) -> None:
        if info["generation"] != OLDEST:
            return
        if phase == "start":
            self._began_ns = self._spent_ns()
            if self._first_ns is not None and self._now_ns() - self._first_ns >= AGAIN_NS:
                self._first_ns = None
                gc.unfreeze()
        elif self._spent_ns() - self._began_ns >= LONG_NS:
            if self._first_ns is None:
                self._first_ns = self._now_ns()
            gc.freeze()
