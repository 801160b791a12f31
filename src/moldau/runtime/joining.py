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
from moldau.records.batch import HEADER_SIZE
from moldau.records.moment import MomentBatches, Pair
from moldau.records.pack import record_size

JOINED_BATCH_SIZE_MAX = 512 * 1024
"""Half of a topic's default `max.message.bytes`: what is joined comes nowhere near it."""
RECORD_OVERHEAD_MAX = 32
"""Bytes of a record beyond key and value are fewer: attributes and six varints."""
NO_LINGER_MS = 0
"""Every decision is written by itself."""
ONE_TURN_MS = -1
"""Decisions are joined as long as the loop has more of them at hand."""

Write = Callable[[Sequence[Decision], bool], None]
"""Takes decisions, and whether the loop's turn is theirs alone."""


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

    @property
    def has_some(self) -> bool:
        """Whether any wait."""
        return bool(self._decisions)

    def add(self, decision: Decision) -> None:
        """Have it written with the others."""
        self._decisions.append(decision)
        if self._linger_ms == NO_LINGER_MS:
            self.flush()
        elif self._timer is None:
            self._timer = self._tasks.after(max(0, self._linger_ms), self._time_is_up)

    def flush(self) -> None:
        """Write what waits, now."""
        decisions = self._decisions
        if decisions:
            self.drop()
            self._write(decisions, False)

    def _time_is_up(self) -> None:
        decisions = self._decisions
        self._decisions, self._timer = [], None
        self._write(decisions, True)

    def drop(self) -> None:
        """Forget what waits."""
        self._decisions = []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class JoinedBatch(NamedTuple):
    """A batch, and the decisions whose records are in it; without any records it is empty."""

    decisions: Sequence[Decision]
    records: list[StoredRecord]
    batch: bytearray


def joined_batches(
    decisions: Sequence[Decision], now_ms: int, batches: MomentBatches
) -> Iterator[JoinedBatch]:
    """As few batches as the bound allows, the decisions in their order."""
    records = [record for decision in decisions for record in decision.records]
    pairs = [encode_stored(record) for record in records]
    if _size_at_most(pairs) <= JOINED_BATCH_SIZE_MAX or len(decisions) == 1:
        batch = batches.build(now_ms, pairs) if pairs else bytearray()
        yield JoinedBatch(decisions, records, batch)
        return
    first = 0
    for count in _cut(decisions, pairs):
        some, decisions = decisions[:count], decisions[count:]
        end = first + sum(len(decision.records) for decision in some)
        yield JoinedBatch(some, records[first:end], batches.build(now_ms, pairs[first:end]))
        first = end


def _size_at_most(pairs: Sequence[Pair]) -> int:
    size = HEADER_SIZE
    for key, value in pairs:
        size += RECORD_OVERHEAD_MAX + len(key) + (0 if value is None else len(value))
    return size


def _cut(decisions: Sequence[Decision], pairs: Sequence[Pair]) -> Iterator[int]:
    """How many decisions go into each batch, where all are too many for one."""
    batch_size, decision_count, record_count, first = HEADER_SIZE, 0, 0, 0
    for decision in decisions:
        its_pairs = pairs[first : first + len(decision.records)]
        first += len(its_pairs)
        size = sum(record_size(0, record_count, key, value) for key, value in its_pairs)
        if record_count and batch_size + size > JOINED_BATCH_SIZE_MAX:
            yield decision_count
            batch_size, decision_count, record_count = HEADER_SIZE, 0, 0
        batch_size += size
        decision_count += 1
        record_count += len(its_pairs)
    yield decision_count
