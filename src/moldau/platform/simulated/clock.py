"""A clock that moves only when it is set."""

from __future__ import annotations

__all__ = ["SimulatedClock"]

NANOSECONDS_PER_MS = 1_000_000
START_MS = 1_750_000_000_000
"""The wall's first reading: a plausible day of 2025, the same in every run."""


class SimulatedClock:
    """Both values are set by the simulation."""

    def __init__(self, start_ms: int = START_MS) -> None:
        self._wall_ns = start_ms * NANOSECONDS_PER_MS
        self._elapsed_ns = 0

    def now_ms(self) -> int:
        return self._wall_ns // NANOSECONDS_PER_MS

    def monotonic_ns(self) -> int:
        return self._elapsed_ns

    def advance_ns(self, duration_ns: int) -> None:
        """Let time pass for both hands."""
        assert duration_ns >= 0, "time does not go back"
        self._elapsed_ns += duration_ns
        self._wall_ns += duration_ns

    def advance_ms(self, duration_ms: int) -> None:
        """Let time pass for both hands."""
        self.advance_ns(duration_ms * NANOSECONDS_PER_MS)

    def set_wall_ms(self, now_ms: int) -> None:
        """The wall clock was set, forward or back; the monotonic one stays."""
        self._wall_ns = now_ms * NANOSECONDS_PER_MS
