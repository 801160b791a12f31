"""Decisions that come in one turn of the loop share batches of the log.

A batch costs far more than a record in it: it is framed, checked and summed, written, indexed, and
waited for. So decisions of requests that a shard declares as `joined` wait until the turn is over,
or for the linger time that is set, and are then written together, in the order in which they were
made, as Kafka's coordinators do (KIP-848: `group.coordinator.append.linger.ms`). They are applied
when they are written, and whatever else a shard decides comes after that.

A decision is never cut in two: a reader of the log finds all of it, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from moldau.broker.coordinator.encoded_decision import EncodedDecision
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.protocol.records.batch import HEADER_SIZE
from moldau.protocol.records.pack import record_size

JOINED_BATCH_SIZE_MAX: Final = 512 * 1024
"""Half of a topic's default `max.message.bytes`: what is joined comes nowhere near it."""
RECORD_OVERHEAD_MAX: Final = 32
"""Bytes of a record beyond key and value are fewer: attributes and six varints."""
NO_LINGER_MS: Final = 0
"""Every decision is written by itself."""
ONE_TURN_MS: Final = -1
"""Decisions are joined as long as the loop has more of them at hand."""

Write = Callable[[Sequence[EncodedDecision], bool], None]
"""Takes decisions, and whether the loop's turn is theirs alone."""


class Joining:
    """The decisions that wait for the end of the turn."""

    def __init__(self, tasks: Tasks, linger_ms: int, write: Write) -> None:
        self._tasks = tasks
        self._linger_ms = linger_ms
        self._write = write
        self._decisions: list[EncodedDecision] = []
        self._timer: Timer | None = None

    def __repr__(self) -> str:
        return f"Joining({len(self._decisions)} decisions)"

    @property
    def has_some(self) -> bool:
        """Whether any wait."""
        return bool(self._decisions)

    def add(self, decision: EncodedDecision) -> None:
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


def cut_to_size(decisions: Sequence[EncodedDecision]) -> Sequence[Sequence[EncodedDecision]]:
    """The decisions in their order, in as few batches as the bound allows."""
    if _size_at_most(decisions) <= JOINED_BATCH_SIZE_MAX:
        return (decisions,)
    groups: list[list[EncodedDecision]] = [[]]
    batch_size, record_count = HEADER_SIZE, 0
    for decision in decisions:
        size = sum(record_size(0, record_count, key, value) for key, value in decision.pairs)
        if record_count and batch_size + size > JOINED_BATCH_SIZE_MAX:
            groups.append([])
            batch_size, record_count = HEADER_SIZE, 0
        groups[-1].append(decision)
        batch_size += size
        record_count += len(decision.pairs)
    return groups


def _size_at_most(decisions: Sequence[EncodedDecision]) -> int:
    size = HEADER_SIZE
    for decision in decisions:
        for key, value in decision.pairs:
            size += RECORD_OVERHEAD_MAX + len(key) + (0 if value is None else len(value))
    return size
