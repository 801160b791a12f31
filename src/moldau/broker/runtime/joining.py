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
from typing import ClassVar, NamedTuple, TypeAlias

from moldau.broker.coordinator.record_codec import encode_stored
from moldau.broker.coordinator.shard import Decision, Reply
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import HEADER_SIZE
from moldau.protocol.records.moment import MomentBatches, Pair
from moldau.protocol.records.pack import record_size
from moldau.protocol.wire.schema import Message

JOINED_BATCH_SIZE_MAX = 512 * 1024
"""Half of a topic's default `max.message.bytes`: what is joined comes nowhere near it."""
RECORD_OVERHEAD_MAX = 32
"""Bytes of a record beyond key and value are fewer: attributes and six varints."""
NO_LINGER_MS = 0
"""Every decision is written by itself."""
ONE_TURN_MS = -1
"""Decisions are joined as long as the loop has more of them at hand."""

Write = Callable[["Sequence[Joined]", bool], None]
"""Takes decisions, and whether the loop's turn is theirs alone."""


@dataclass(slots=True)
class Prepared:
    """A decision whose records are encoded already, and that is applied by its maker."""

    kind: type[Message]
    """Of the keys of all records; none is a tombstone."""
    pairs: Sequence[Pair]
    apply: Callable[[int], None]
    """Called with the offset of the first record when they are in the log."""
    replies: Sequence[Reply]
    effects: ClassVar[tuple[object, ...]] = ()
    failed: ClassVar[None] = None


Joined: TypeAlias = Decision | Prepared


class Joining:
    """The decisions that wait for the end of the turn."""

    def __init__(self, tasks: Tasks, linger_ms: int, write: Write) -> None:
        self._tasks = tasks
        self._linger_ms = linger_ms
        self._write = write
        self._decisions: list[Joined] = []
        self._timer: Timer | None = None

    def __repr__(self) -> str:
        return f"Joining({len(self._decisions)} decisions)"

    @property
    def has_some(self) -> bool:
        """Whether any wait."""
        return bool(self._decisions)

    def add(self, decision: Joined) -> None:
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
    """What is in one batch, and how many records are of each; without any records it is empty."""

    joined: Sequence[Joined]
    record_counts: Sequence[int]
    batch: bytearray


def joined_batches(
    joined: Sequence[Joined], now_ms: int, batches: MomentBatches
) -> Iterator[JoinedBatch]:
    """As few batches as the bound allows, the decisions in their order."""
    pairs: list[Pair] = []
    counts: list[int] = []
    for one in joined:
        its_pairs = one.pairs if isinstance(one, Prepared) else map(encode_stored, one.records)
        before = len(pairs)
        pairs.extend(its_pairs)
        counts.append(len(pairs) - before)
    if _size_at_most(pairs) <= JOINED_BATCH_SIZE_MAX or len(joined) == 1:
        batch = batches.build(now_ms, pairs) if pairs else bytearray()
        yield JoinedBatch(joined, counts, batch)
        return
    first = first_pair = 0
    for count in _cut(counts, pairs):
        end, end_pair = first + count, first_pair + sum(counts[first : first + count])
        batch = batches.build(now_ms, pairs[first_pair:end_pair])
        yield JoinedBatch(joined[first:end], counts[first:end], batch)
        first, first_pair = end, end_pair


def _size_at_most(pairs: Sequence[Pair]) -> int:
    size = HEADER_SIZE
    for key, value in pairs:
        size += RECORD_OVERHEAD_MAX + len(key) + (0 if value is None else len(value))
    return size


def _cut(record_counts: Sequence[int], pairs: Sequence[Pair]) -> Iterator[int]:
    """How many decisions go into each batch, where all are too many for one."""
    batch_size, decision_count, record_count, first = HEADER_SIZE, 0, 0, 0
    for count in record_counts:
        its_pairs = pairs[first : first + count]
        first += count
        size = sum(record_size(0, record_count, key, value) for key, value in its_pairs)
        if record_count and batch_size + size > JOINED_BATCH_SIZE_MAX:
            yield decision_count
            batch_size, decision_count, record_count = HEADER_SIZE, 0, 0
        batch_size += size
        decision_count += 1
        record_count += count
    yield decision_count
