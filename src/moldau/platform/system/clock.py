"""The machine's clock."""

from __future__ import annotations

import time
from typing import Final

__all__ = ["SystemClock"]

NANOSECONDS_PER_MS: Final = 1_000_000


class SystemClock:
    """Wall time that may be set by people, and monotonic time that may not."""

    def now_ms(self) -> int:
        return time.time_ns() // NANOSECONDS_PER_MS

    def monotonic_ns(self) -> int:
        return time.monotonic_ns()
