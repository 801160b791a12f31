"""The machine's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

__all__ = ["SystemClock"]

NANOSECONDS_PER_MS: Final = 1_000_000


class SystemClock:
    """Wall time that may be set by people, and monotonic time that may not."""

    __slots__ = ("_time_ns", "monotonic_ns")

    def __init__(self) -> None:
        # hot: twice for each request, so it is the function itself.
        self.monotonic_ns: Callable[[], int] = time.monotonic_ns
        self._time_ns: Callable[[], int] = time.time_ns

    def now_ms(self) -> int:
        return self._time_ns() // NANOSECONDS_PER_MS
