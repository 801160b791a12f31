"""Long lists are worked through in slices, between which the loop serves others.

A handler that loops over what its caller has named cannot know how much that is. It says where
others may go on, and the clock decides whether they do:

- A handler that waits anyway (`async def`) awaits `in_slices(broker, each(...))`, or has a `Pace`
  go through a loop that waits.
- One that does not wait is written as a generator that yields, and returns it: as long as a slice
  lasts it is run at once, and what is left goes on in a task.

State may change between two slices, as it may whenever a handler waits. What has to be seen at one
moment, such as the image of the metadata, is taken once, before the first slice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import TypeVar

from moldau.broker.server.broker import Broker
from moldau.protocol.wire.schema import Struct

__all__ = ["SLICE_NS", "STEP", "Pace", "at_once", "dismantle", "each", "in_slices", "run_slice"]

SLICE_NS = 1_000_000
"""What others may have to wait for one piece of long work, as for a turn of a connection."""
STEP = 16
"""Elements between two looks at the clock: of those that take longest, 30 us each."""
DROP_STEP = 4096
"""Objects that are given back at one go."""
FEW = 64
"""Shorter lists are worth a look at what their elements hold."""

Item = TypeVar("Item")
Value = TypeVar("Value")


class Pace:
    """Of one piece of work: how long its slice has lasted."""

    __slots__ = ("_clock", "_over_ns", "_tasks")

    def __init__(self, broker: Broker) -> None:
        self._clock = broker.clock
        self._tasks = broker.tasks
        self._over_ns = self._clock.monotonic_ns() + SLICE_NS

    @property
    def is_over(self) -> bool:
        """Whether it is time to `rest`."""
        return self._clock.monotonic_ns() >= self._over_ns

    async def rest(self) -> None:
        """Let others go on; a new slice begins when this returns."""
        await self._tasks.turn()
        self._over_ns = self._clock.monotonic_ns() + SLICE_NS

    async def run(self, work: Generator[None, None, Value]) -> Value:
        """What the work returns in the end."""
        if self.is_over:  # short pieces of work, many of them, need not pause themselves
            await self.rest()
        try:
            while True:
                next(work)
                if self.is_over:
                    await self.rest()
        except StopIteration as end:
            value: Value = end.value
            return value

    async def each(
        self, ask: Callable[[Item], Awaitable[Value]], items: Iterable[Item]
    ) -> list[Value]:
        """`[await ask(item) for item in items]`."""
        found = []
        for item in items:
            found.append(await ask(item))
            if self.is_over:
                await self.rest()
        return found


async def in_slices(broker: Broker, work: Generator[None, None, Value]) -> Value:
    """What the work returns, with others between its parts."""
    return await Pace(broker).run(work)


def run_slice(broker: Broker, work: Generator[None, None, Value]) -> tuple[bool, Value | None]:
    """Run it at once as long as a slice lasts; whether it is done, and what it returned."""
    clock = broker.clock
    over_ns = clock.monotonic_ns() + SLICE_NS
    try:
        while True:
            next(work)
            if clock.monotonic_ns() >= over_ns:
                return False, None
    except StopIteration as end:
        return True, end.value


def at_once(work: Generator[None, None, Value]) -> Value:
    """What the work returns, without a pause: where it is known to be short."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        value: Value = end.value
        return value


def each(
    function: Callable[[Item], Value], items: Iterable[Item]
) -> Generator[None, None, list[Value]]:
    """`list(map(function, items))`, with others between."""
    found: list[Value] = []
    for count, item in enumerate(items, 1):
        found.append(function(item))
        if not count % STEP:
            yield
    return found


def dismantle(struct: Struct) -> Generator[None, None, None]:
    """Give back what the long lists in it hold: a million objects at once take 0.1 s."""
    for name in struct.DECLARED:
        value = getattr(struct, name)
        if type(value) is not list:
            continue
        if len(value) < FEW:
            for element in value:
                if isinstance(element, Struct):
                    yield from dismantle(element)
        while len(value) > DROP_STEP:
            del value[-DROP_STEP:]
            yield
