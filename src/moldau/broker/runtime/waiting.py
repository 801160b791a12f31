"""Requests that wait for something to happen in partitions, or for their time to be over.

Kafka calls this a purgatory: produce requests wait for replicas, fetches for bytes, DeleteRecords
for followers. A request is *held* with the partitions that it minds, a question that is asked when
one of them wakes it, and what is to be done in the end. Both come exactly once: the question has
been answered yes, or the time is up.

What is done in the end never happens within the wake-up, which comes from the middle of somebody
else's append, but with the next turn of the loop; so a burst of appends makes one answer. The
timer of each held request is the loop's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Protocol

from moldau.broker.replica.partition import Partition
from moldau.platform.ports.tasks import Tasks, Timer

HELD_MS_MAX = 10 * 60 * 1000
"""Nobody is held longer, whatever a client asks for: its connection may have gone long ago."""


class Watched(Protocol):
    """What wakes held requests: a partition."""

    def watch(self, watcher: Callable[[Partition], None]) -> None: ...

    def unwatch(self, watcher: Callable[[Partition], None]) -> None: ...


class Held:
    """One request that waits."""

    __slots__ = (
        "_in_time",
        "_is_over",
        "_kind",
        "_then",
        "_timer",
        "_until",
        "_waiting",
        "_watched",
    )

    def __init__(
        self,
        waiting: Waiting,
        kind: str,
        watched: tuple[Watched, ...],
        until: Callable[[Partition], bool],
        then: Callable[[bool], None],
        timeout_ms: float,
    ) -> None:
        self._waiting = waiting
        self._kind = kind
        self._watched = watched
        self._until = until
        self._then = then
        self._is_over = False
        self._in_time = False
        for one in watched:
            one.watch(self._woken)
        self._timer: Timer = waiting.tasks.after(min(timeout_ms, HELD_MS_MAX), self._finish)

    def _woken(self, partition: Partition) -> None:
        if not self._is_over and self._until(partition):
            self._in_time = True
            self._let_go()
            self._timer = self._waiting.tasks.after(0, self._finish)

    def _let_go(self) -> None:
        self._is_over = True
        self._timer.cancel()
        for one in self._watched:
            one.unwatch(self._woken)
        self._waiting.held[self._kind] -= 1

    def _finish(self) -> None:
        if not self._is_over:
            self._let_go()
        self._then(self._in_time)

    def forget(self) -> None:
        """Nobody wants the answer any more."""
        if not self._is_over:
            self._let_go()
        self._timer.cancel()


class Waiting:
    """All held requests of a broker, counted by what they wait for."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        self.held: Counter[str] = Counter()
        """How many of each kind wait now: Kafka's purgatory sizes."""

    def __repr__(self) -> str:
        return f"Waiting({dict(self.held)})"

    def hold(
        self,
        kind: str,
        watched: Iterable[Watched],
        *,
        until: Callable[[Partition], bool],
        then: Callable[[bool], None],
        timeout_ms: float,
    ) -> Held:
        """Call `then` once: with True when a wake-up made `until` true, False when time is up."""
        self.held[kind] += 1
        return Held(self, kind, tuple(watched), until, then, timeout_ms)
