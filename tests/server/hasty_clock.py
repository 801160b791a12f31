"""A clock by which every slice is over as soon as somebody looks."""

from __future__ import annotations

from moldau.server.slices import SLICE_NS
from moldau.simulated.clock import SimulatedClock


class HastyClock(SimulatedClock):
    """It goes on by a slice with each look."""

    def monotonic_ns(self) -> int:
        self.advance_ns(SLICE_NS)
        return super().monotonic_ns()
