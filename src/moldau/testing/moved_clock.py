"""A clock whose wall time can be moved, for what takes days: retention, and whatever expires."""

from __future__ import annotations

from moldau.platform.system.clock import SystemClock
from moldau.testing.lasting import UnknownFaultError

__all__ = ["MovedClock"]

MS_PER_SECOND = 1000


class MovedClock:
    """The machine's clock, ahead of it by as much as it was moved; it is never moved back."""

    def __init__(self) -> None:
        self._clock = SystemClock()
        self._ahead_ms = 0

    def move(self, seconds: float) -> None:
        if not seconds >= 0:
            raise UnknownFaultError(
                f"a clock is not moved back, as records of the future would be there, and not by "
                f"{seconds!r} seconds"
            )
        self._ahead_ms += round(seconds * MS_PER_SECOND)

    def now_ms(self) -> int:
        return self._clock.now_ms() + self._ahead_ms

    def monotonic_ns(self) -> int:
        """As it is: how long a request waits does not change."""
        return self._clock.monotonic_ns()
