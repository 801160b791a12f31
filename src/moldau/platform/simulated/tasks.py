"""Tasks on a loop whose time jumps from timer to timer.

The loop is asyncio's own: what runs in simulation is scheduled by the very code that schedules it
in production. Only its waiting is replaced. Where it would sleep in the operating system until the
next timer, the clock is moved to that timer and nothing sleeps. asyncio runs what is ready first
in, first out, so the order of events is a function of the program and its seed.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Mapping
from selectors import BaseSelector, SelectorKey
from typing import Any, TypeVar

from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.system.tasks import SystemTasks, supervise

__all__ = ["SimulatedTasks", "run"]

Value = TypeVar("Value")

NANOSECONDS_PER_SECOND = 1_000_000_000


class SimulatedTasks(SystemTasks):
    """As in production, but a leaf call runs inline, between two other events."""

    async def offload(self, call: Callable[..., Value], *arguments: object) -> Value:
        await asyncio.sleep(0)
        return call(*arguments)


class _Jump(BaseSelector):
    """Where a loop waits: here, by moving the clock."""

    def __init__(self, clock: SimulatedClock) -> None:
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        assert timeout is not None, "the simulation stands still: all wait, and no timer is set"
        if timeout > 0:
            self._clock.advance_ns(math.ceil(timeout * NANOSECONDS_PER_SECOND))
        return []

    def register(self, fileobj: object, events: int, data: object = None) -> SelectorKey:
        """The loop's own wake-up pipe; never written to, as there are no threads."""
        return SelectorKey(0, 0, events, data)

    def unregister(self, fileobj: object) -> SelectorKey:
        return SelectorKey(0, 0, 0, None)

    def get_map(self) -> Mapping[Any, SelectorKey]:
        return {}


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, clock: SimulatedClock) -> None:
        super().__init__(_Jump(clock))
        self._moldau_clock = clock

    def time(self) -> float:
        return self._moldau_clock.monotonic_ns() / NANOSECONDS_PER_SECOND


def run(
    main: Callable[[SimulatedTasks], Coroutine[Any, Any, Value]],
    clock: SimulatedClock | None = None,
) -> Value:
    """Give `main` a loop that keeps `clock`, and return what it returns."""
    hands = clock or SimulatedClock()

    async def begin() -> Value:
        return await supervise(SimulatedTasks(), main)

    with asyncio.Runner(loop_factory=lambda: _VirtualLoop(hands)) as runner:
        return runner.run(begin())
