"""A loop that measures how long it has waited: how idle a node is, without a thread that could be.

Kafka reports how idle its threads are, and people look at that first. Here one loop does all, and
it is idle while it waits for the network or for a timer. Only turns that wait look at the clock: a
loop that has something to do asks its selector without waiting, and pays nothing.

Where the system has epoll it is asked directly: the selector of the standard library makes a key of
each descriptor that is ready, in Python, before anything is done with it.

A loop that `polls` does not fall asleep at once where its last waits were short (`short_waits`).
"""

from __future__ import annotations

import asyncio
import select
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector, SelectorKey
from time import monotonic_ns, thread_time_ns
from typing import Any, Final

from moldau.platform.system.short_waits import POLL_NS, ShortWaits

__all__ = ["READABLE", "MeasuredLoop", "MeasuredSelector"]

READABLE: Final = 1
"""What a descriptor is that can be read and nothing else: epoll's number."""
WRITABLE: Final = 4
READY_MAX: Final = 512
"""Descriptors that are found at a time; the others are found by the next turn."""
_EPOLL: Final[Any] = getattr(select, "epoll", None)
_select: Final = DefaultSelector.select


class MeasuredSelector(DefaultSelector):
    """A selector that measures how long its loop waits."""

    def __init__(self, *, polls: bool = False) -> None:
        super().__init__()
        self.waited_ns = 0
        self.polls = polls
        self._short_waits = ShortWaits(thread_time_ns)
        self._ended_ns = 0
        """When the last wait was over, after which the loop has worked."""
        inner: Any = getattr(self, "_selector", None)
        has_epoll = _EPOLL is not None and isinstance(inner, _EPOLL)
        self._poll: Any = inner.poll if has_epoll else self._poll_otherwise

    def poll(self, timeout: float | None = None) -> list[tuple[int, int]]:
        """The descriptors that are ready, and for what."""
        # hot: 0.2 us for a turn that waits, out of 6 for the shortest that does anything.
        if timeout is not None and timeout <= 0:
            at_once: list[tuple[int, int]] = self._poll(0, READY_MAX)
            return at_once
        began_ns = monotonic_ns()
        if self.polls:
            return self._poll_before_sleep(timeout, began_ns)
        found: list[tuple[int, int]] = self._poll(timeout, READY_MAX)
        self.waited_ns += monotonic_ns() - began_ns
        return found

    def _poll_before_sleep(self, timeout: float | None, began_ns: int) -> list[tuple[int, int]]:
        short_waits, worked_ns, asleep_ns = self._short_waits, began_ns - self._ended_ns, began_ns
        found: list[tuple[int, int]] = []
        if short_waits.should_poll(worked_ns, began_ns):
            found = self._poll_until(began_ns + POLL_NS)
            asleep_ns = monotonic_ns()
        if found:
            self._ended_ns = asleep_ns
        else:
            found = self._poll(timeout, READY_MAX)
            self._ended_ns = monotonic_ns()
            short_waits.note(worked_ns, self._ended_ns - asleep_ns)
        self.waited_ns += self._ended_ns - began_ns
        return found

    def _poll_until(self, until_ns: int) -> list[tuple[int, int]]:
        """What is ready before that time, found without falling asleep."""
        while monotonic_ns() < until_ns:
            found: list[tuple[int, int]] = self._poll(0, READY_MAX)
            if found:
                return found
        self._short_waits.note_poll_in_vain()
        return []

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        return self.keys_of(self.poll(timeout))

    def keys_of(self, found: list[tuple[int, int]]) -> list[tuple[SelectorKey, int]]:
        """The same, with asyncio's signature; a failure is shown to both reader and writer."""
        keys = self.get_map()
        events: list[tuple[SelectorKey, int]] = []
        for descriptor, ready in found:
            key = keys.get(descriptor)
            if key is not None:
                mask = EVENT_WRITE if ready & ~READABLE else 0
                mask |= EVENT_READ if ready & ~WRITABLE else 0
                events.append((key, mask & key.events))
        return events

    def _poll_otherwise(self, timeout: float | None, _ready_max: int) -> list[tuple[int, int]]:
        """Where there is no epoll."""
        numbers = {EVENT_READ: READABLE, EVENT_WRITE: WRITABLE}
        found = _select(self, timeout)
        return [(key.fd, numbers.get(mask, READABLE | WRITABLE)) for key, mask in found]


class MeasuredLoop(asyncio.SelectorEventLoop):
    """asyncio's own, on such a selector."""

    def __init__(self, selector: MeasuredSelector | None = None) -> None:
        self._measured = selector or MeasuredSelector()
        super().__init__(self._measured)

    @property
    def waited_ns(self) -> int:
        """Since it was made; a wait that is not over does not count yet."""
        return self._measured.waited_ns
