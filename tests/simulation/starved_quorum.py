"""A quorum on machines that hardly get a processor: one after another, events take a long time.

That is how nodes look from outside that run at the lowest priority beside others' work, or swap.
Requests and answers then lie in queues for longer than some timeouts. Each machine takes from
its queue as a node does (`runtime.quorum.arrivals`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from moldau.broker.quorum.events import TimePassed
from moldau.broker.runtime.quorum.arrivals import Arrivals
from tests.simulation.quorum_cluster import FETCH_WAIT_MS, Cluster, Machine, event_for

__all__ = ["StarvedCluster"]


class StarvedMachine(Machine):
    """One of them; `cost_ms` is how long an event takes at most."""

    fetch_wait_ms = FETCH_WAIT_MS

    def __init__(self, cluster: Cluster, key: Any) -> None:
        super().__init__(cluster, key)
        self.cost_ms = 0
        self._arrivals: Any = Arrivals()
        self._is_busy = False

    def step(self, event: Any) -> None:
        self._queue(lambda: super(StarvedMachine, self).step(event))

    def asked(self, question: Any, who: Any, back: Callable[[Any], None]) -> None:
        self._queue(lambda: self._take_question(question, who, back))

    def tick(self) -> None:
        self._go_on()

    def sync_later(self) -> None:
        """The disk is not what is slow here."""
        end, cuts = self.log.end.offset, self.log.cuts
        self.later(1, lambda: self.synced(end) if cuts == self.log.cuts else None)

    def _queue(self, action: Callable[[], None]) -> None:
        self._arrivals.add(action)
        self._go_on()

    def _go_on(self) -> None:
        """The next event, if there is one and none is being handled."""
        if self._is_busy:
            return
        is_due = self.node is not None and self.node.wake_at_ms <= self.cluster.now_ms
        action = self._arrivals.take(is_due=is_due)
        if action is None and is_due:
            self._arrivals.deadline_seen()
            action = self._let_time_pass
        if action is None:
            return
        if not self.cost_ms:
            action()
            self._go_on()
            return
        self._is_busy = True
        took_ms = self.cluster.random.randrange(1, self.cost_ms + 1)
        self.cluster.after(took_ms, lambda: self._handle(action))

    def _handle(self, action: Callable[[], None]) -> None:
        action()
        self._is_busy = False
        self._go_on()

    def _let_time_pass(self) -> None:
        if self.node is not None and self.node.wake_at_ms <= self.cluster.now_ms:
            super().step(TimePassed())

    def _take_question(self, question: Any, who: Any, back: Callable[[Any], None]) -> None:
        if self.node is not None:
            super().step(event_for(question, who, self.ticket_for(question, back)))


class StarvedCluster(Cluster):
    """All get a processor until they are starved."""

    machine = StarvedMachine

    def starve(self, cost_ms: int) -> None:
        for machine in self.machines.values():
            assert isinstance(machine, StarvedMachine)
            machine.cost_ms = cost_ms

    def leaderless_ms(self, duration_ms: int) -> int:
        """For how much of that time there is no leader."""
        missing_ms, step_ms = 0, 10
        for elapsed_ms in range(0, duration_ms, step_ms):
            if elapsed_ms % 500 == 0:
                self.write()
            self.run_for(step_ms)
            missing_ms += step_ms * (self.leader() is None)
        return missing_ms
