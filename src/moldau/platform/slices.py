"""Long lists are worked through in slices, between which the loop serves others.

Long work is a generator that yields where others may go on. How long it may last at a time is for
the one that runs it: `Pace` looks at the clock after each part, and lets others go on when a slice
is over. The same generators run without a pause where a list is known to be short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator
from heapq import merge
from itertools import islice
from typing import TypeVar

from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks

__all__ = ["SLICE_NS", "STEP", "Pace", "at_once", "counted", "each", "in_order", "run_slice"]

SLICE_NS = 1_000_000
"""What others may have to wait for one piece of long work, as for a turn of a connection."""
STEP = 16
"""Elements between two looks at the clock: of those that take longest, 30 us each."""
COUNTED = 1024
"""Names between two looks at the clock, where they are only counted or compared."""

Item = TypeVar("Item")
Value = TypeVar("Value")


class Pace:
    """How long a piece of work has held the loop."""

    __slots__ = ("_clock", "_over_ns", "_tasks")

    def __init__(self, clock: Clock, tasks: Tasks) -> None:
        self._clock = clock
        self._tasks = tasks
        self._over_ns = clock.monotonic_ns() + SLICE_NS

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


def run_slice(clock: Clock, work: Generator[None, None, Value]) -> tuple[bool, Value | None]:
    """Run it at once as long as a slice lasts; whether it is done, and what it returned."""
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


def counted(items: Iterable[Item]) -> Generator[None, None, Counter[Item]]:
    """`Counter(items)`, with others between."""
    counts: Counter[Item] = Counter()
    rest = iter(items)
    while some := list(islice(rest, COUNTED)):
        counts.update(some)
        yield
    return counts


def in_order(names: Iterable[str]) -> Generator[None, None, Iterator[str]]:
    """`iter(sorted(set(names)))`, with others between."""
    runs: list[list[str]] = []
    rest = iter((yield from counted(names)))
    while some := sorted(islice(rest, COUNTED)):
        runs.append(some)
        yield
    return merge(*runs)
