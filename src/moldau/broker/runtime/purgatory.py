"""Delayed operations: requests that wait for something in partitions, or for their time to be over.

They wait in a purgatory, as in Kafka: produce requests for replicas, fetches for bytes,
DeleteRecords for followers. A delayed operation has the partitions that it watches, a condition
that is checked when one of them wakes it, and what completes it. Completion comes exactly once:
when the condition holds, or when the time is up.

It never happens within the wake-up, which comes from the middle of an append of other requests, but
with the next turn of the loop; so a burst of appends makes one response. The timer of each delayed
operation is the loop's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Generic, Protocol, TypeVar

from moldau.platform.ports.tasks import Tasks, Timer

HELD_MS_MAX: Final = 10 * 60 * 1000
"""No operation is delayed longer, whatever a client asks for: its connection may have gone long
ago."""


Waker = TypeVar("Waker")
"""What wakes, and is shown to the condition: a partition."""
Waker_co = TypeVar("Waker_co", covariant=True)


class Watched(Protocol[Waker_co]):
    """What wakes delayed operations: a partition, or what watches several."""

    def watch(self, watcher: Callable[[Waker_co], None]) -> None: ...

    def unwatch(self, watcher: Callable[[Waker_co], None]) -> None: ...


class DelayedOperation(Generic[Waker]):
    """One request that waits."""

    __slots__ = (
        "_in_time", "_is_over", "_kind", "_purgatory", "_then", "_timer", "_until", "_watched",
    )  # fmt: skip

    def __init__(
        self,
        purgatory: Purgatory,
        kind: str,
        watched: tuple[Watched[Waker], ...],
        until: Callable[[Waker], bool],
        then: Callable[[bool], None],
        timeout_ms: float,
    ) -> None:
        self._purgatory = purgatory
        self._kind = kind
        self._watched = watched
        self._until = until
        self._then = then
        self._is_over = False
        self._in_time = False
        for one in watched:
            one.watch(self._wake)
        self._timer: Timer = purgatory.tasks.after(min(timeout_ms, HELD_MS_MAX), self._finish)

    def _wake(self, waker: Waker) -> None:
        if not self._is_over and self._until(waker):
            self._in_time = True
            self._end()
            self._timer = self._purgatory.tasks.after(0, self._finish)

    def _end(self) -> None:
        self._is_over = True
        self._timer.cancel()
        for one in self._watched:
            one.unwatch(self._wake)
        self._purgatory.held[self._kind] -= 1

    def _finish(self) -> None:
        if not self._is_over:
            self._end()
        self._then(self._in_time)

    def forget(self) -> None:
        """The response is not needed any more."""
        if not self._is_over:
            self._end()
        self._timer.cancel()


class Purgatory:
    """All delayed operations of a broker, counted by what they wait for."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.held: Counter[str] = Counter()
        """How many of each kind wait now: Kafka's purgatory sizes."""
        self.expired: Counter[str] = Counter()
        """What each kind of waiting did not bring in time; counted by those that wait."""

    def __repr__(self) -> str:
        return f"Purgatory({dict(self.held)})"

    def hold(
        self,
        kind: str,
        watched: Iterable[Watched[Waker]],
        *,
        until: Callable[[Waker], bool],
        then: Callable[[bool], None],
        timeout_ms: float,
    ) -> DelayedOperation[Waker]:
        """Call `then` once: with True when a wake-up made `until` true, False when time is up."""
        self.held[kind] += 1
        return DelayedOperation(self, kind, tuple(watched), until, then, timeout_ms)
