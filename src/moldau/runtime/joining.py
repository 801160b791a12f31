"""Decisions that come in one turn of the loop share batches of the log.

A batch costs far more than a record in it: it is framed, checked and summed, written, indexed, and
waited for. So decisions of requests that a shard declares as `joined` wait until the turn is over,
or for the linger time that is set, and are then written together, in the order in which they were
made, as Kafka's coordinators do (KIP-848: `group.coordinator.append.linger.ms`). They are applied
when they are written, and whatever else a shard decides comes after that.

A decision is never cut in two: a reader of the log finds all of it, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from moldau.coordinator.record_codec import encode_stored
from moldau.coordinator.shard import Decision, StoredRecord
from moldau.ports.tasks import Tasks, Timer
from moldau.records.builder import BatchBuilder, BatchFields
from moldau.records.pack import record_size

JOINED_BATCH_SIZE_MAX = 512 * 1024
"""Half of a topic's default `max.message.bytes`: what is joined comes nowhere near it."""
NO_LINGER_MS = 0
"""Every decision is written by itself."""
ONE_TURN_MS = -1
"""Decisions are joined as long as the loop has more of them at hand."""

Write = Callable[[Sequence[Decision]], None]


class Joining:
    """The decisions that wait for the end of the turn."""

    def __init__(self, tasks: Tasks, linger_ms: int, write: Write) -> None:
        self._tasks = tasks
        self._linger_ms = linger_ms
        self._write = write
        self._decisions: list[Decision] = []
        self._timer: Timer | None = None

    def __repr__(self) -> str:
        return f"Joining({len(self._decisions)} decisions)"

    def add(self, decision: Decision) -> None:
        """Have it written with the others."""
        self._decisions.append(decision)
        if self._linger_ms == NO_LINGER_MS:
            self.flush()
        elif self._timer is None:
            self._timer = self._tasks.after(max(0, self._linger_ms), self.flush)

    def flush(self) -> None:
        """Write what waits, now."""
        decisions = self._decisions
        if decisions:
            self.drop()
            self._write(decisions)

    def drop(self) -> None:
        """Forget what waits."""
        self._decisions = []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class JoinedBatch(NamedTuple):
    """A batch, and the decisions whose records are in it; without any records it is empty."""

    decisions: list[Decision]
    records: list[StoredRecord]
    batch: bytearray


def joined_batches(
    decisions: Sequence[Decision], now_ms: int, fields: BatchFields
) -> Iterator[JoinedBatch]:
    """As few batches as the bound allows, the decisions in their order."""
    builder, together, records = BatchBuilder(fields), list[Decision](), list[StoredRecord]()
    for decision in decisions:
        pairs = [encode_stored(record) for record in decision.records]
        size = sum(record_size(0, len(records), key, value) for key, value in pairs)
        if records and builder.size + size > JOINED_BATCH_SIZE_MAX:
            yield JoinedBatch(together, records, builder.build())
            builder, together, records = BatchBuilder(fields), [], []
        for key, value in pairs:
            builder.append(now_ms, key, value)
        together.append(decision)
        records += decision.records
    yield JoinedBatch(together, records, builder.build() if records else bytearray())
