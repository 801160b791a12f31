"""A clock by which every slice is over as soon as it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from moldau.broker.server.slices import SLICE_NS
from moldau.platform.simulated.clock import SimulatedClock
from tests.broker.replica.broker_world import Broker


@dataclass
class HastyDisk(Broker):
    """A broker each of whose slices is over at once."""

    clock: SimulatedClock = field(default_factory=lambda: HastyClock())


class HastyClock(SimulatedClock):
    """It goes on by a slice with each look."""

    def monotonic_ns(self) -> int:
        self.advance_ns(SLICE_NS)
        return super().monotonic_ns()
