"""What the controller does without being asked.

- A broker that was not heard of for `broker.session.timeout.ms` is fenced, one at a time.
- When nothing was written for `metadata.max.idle.interval.ms`, a record that says nothing is: a
  high watermark that moves shows that the quorum can still commit (KIP-835).
"""

from __future__ import annotations

from moldau.config.broker.settings import BrokerSettings
from moldau.controller.brokers.heartbeat import fence_records
from moldau.controller.brokers.sessions import Sessions
from moldau.controller.decision import Decision
from moldau.controller.situation import Situation
from moldau.messages.stored.metadata_cluster import NoOpRecord

NOTHING = Decision()


class Periodic:
    """When what is due; volatile, as a new controller begins anew."""

    def __init__(self, settings: BrokerSettings) -> None:
        self._idle_interval_ms = settings.metadata_max_idle_interval_ms
        self._idle_at_ms = 0

    def begin(self, now_ms: int) -> None:
        self._idle_at_ms = now_ms + self._idle_interval_ms

    def applied(self, now_ms: int) -> None:
        """Something was written."""
        self._idle_at_ms = now_ms + self._idle_interval_ms

    def wake_at_ms(self, sessions: Sessions) -> int | None:
        times = [sessions.next_stale_at_ms()]
        if self._idle_interval_ms:
            times.append(self._idle_at_ms)
        return min((time for time in times if time is not None), default=None)

    def tick(self, situation: Situation) -> Decision:
        for broker_id in situation.sessions.stale(situation.now_ms):
            situation.sessions.drop(broker_id)
            broker = situation.broker(broker_id)
            if broker is not None and not broker.fenced:
                return Decision(fence_records(broker, situation))
        if self._idle_interval_ms and situation.now_ms >= self._idle_at_ms:
            self._idle_at_ms = situation.now_ms + self._idle_interval_ms
            return Decision([NoOpRecord()])
        return NOTHING
