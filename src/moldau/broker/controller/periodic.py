"""What the controller does without being asked.

- A broker without a heartbeat for `broker.session.timeout.ms` is fenced, one at a time.
- Every `leader.imbalance.check.interval.seconds` preferred replicas get their partitions back.
- Every `unclean.leader.election.interval.ms` partitions without a leader get any live replica,
  where their topics allow it.
- Every `delegation.token.expiry.check.interval.ms` tokens that have ended are removed.
- When nothing was written for `metadata.max.idle.interval.ms`, a record without content is: a
  high watermark that moves shows that the quorum can still commit (KIP-835).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from moldau.broker.controller.brokers.heartbeat import fence_records
from moldau.broker.controller.brokers.sessions import Sessions
from moldau.broker.controller.decision import Decision
from moldau.broker.controller.situation import Situation
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.wire.schema import Message

NOTHING = Decision()
ELECTIONS = "moldau.broker.controller.partitions.elections"
TOKENS = "moldau.broker.controller.security.tokens"
Records = Callable[[Situation], Sequence[Message]]


@dataclass(slots=True)
class PeriodicTask:
    """Something that is looked after now and then; an interval of 0 means never."""

    interval_ms: int
    records: Records
    due_at_ms: int = 0

    def put_off(self, now_ms: int) -> None:
        self.due_at_ms = now_ms + self.interval_ms


class Periodic:
    """When what is due; volatile, as a new controller begins anew."""

    def __init__(self, settings: BrokerSettings) -> None:
        balances = settings.auto_leader_rebalance_enable
        interval_ms = settings.leader_imbalance_check_interval_seconds * 1000
        tasks = (
            PeriodicTask(interval_ms if balances else 0, _later(ELECTIONS, "balance_records")),
            PeriodicTask(
                settings.unclean_leader_election_interval_ms, _later(ELECTIONS, "unclean_records")
            ),
            PeriodicTask(
                settings.delegation_token_expiry_check_interval_ms,
                _later(TOKENS, "expired_records"),
            ),
        )
        self._idle = PeriodicTask(settings.metadata_max_idle_interval_ms, lambda _: [NoOpRecord()])
        self._tasks = [task for task in (*tasks, self._idle) if task.interval_ms > 0]

    def begin(self, now_ms: int) -> None:
        for task in self._tasks:
            task.put_off(now_ms)

    def applied(self, now_ms: int) -> None:
        """Something was written, so the cluster is not idle."""
        self._idle.put_off(now_ms)

    def wake_at_ms(self, sessions: Sessions) -> int | None:
        times = [task.due_at_ms for task in self._tasks]
        stale_at_ms = sessions.next_stale_at_ms()
        return min(times if stale_at_ms is None else [*times, stale_at_ms], default=None)

    def tick(self, situation: Situation) -> Decision:
        """One thing that is due; the caller comes back for the next."""
        situation.sessions.look(situation.now_ms)
        for broker_id in situation.sessions.stale(situation.now_ms):
            situation.sessions.drop(broker_id)
            broker = situation.broker(broker_id)
            if broker is not None and not broker.fenced:
                return Decision(fence_records(broker, situation), is_atomic=False)
        for task in self._tasks:
            if situation.now_ms >= task.due_at_ms:
                task.put_off(situation.now_ms)
                if records := task.records(situation):
                    return Decision(records)
        return NOTHING


def _later(module: str, name: str) -> Records:
    """A function of a module that is imported when it is due for the first time."""

    def records(situation: Situation) -> Sequence[Message]:
        found: Records = getattr(import_module(module), name)
        return found(situation)

    return records
