"""The state that a partition keeps of one producer.

The last five batches are enough to recognise every repeat: the Java producer keeps at most five
requests in flight when it is idempotent (KIP-98, KIP-185). A batch's first sequence and offset
follow from its last ones and the delta between them; after sequence 2³¹-1 comes 0.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from moldau.protocol.records.batch import NO_PRODUCER_EPOCH, NO_SEQUENCE, NO_TIMESTAMP

BATCHES_KEPT: Final = 5
"""The most requests that an idempotent producer may have in flight."""
SEQUENCE_MASK: Final = 0x7FFFFFFF
NO_COORDINATOR_EPOCH: Final = -1
NO_OFFSET: Final = -1


class BatchNote(NamedTuple):
    """One appended batch: what a repeat of it is recognised by and answered with."""

    last_sequence: int
    last_offset: int
    offset_delta: int
    timestamp: int

    @property
    def first_sequence(self) -> int:
        return (self.last_sequence - self.offset_delta) & SEQUENCE_MASK

    @property
    def first_offset(self) -> int:
        return self.last_offset - self.offset_delta


class ProducerEntry:
    """The state of one producer id; changed in place by `ProducerStates` alone."""

    __slots__ = (
        "batches",
        "coordinator_epoch",
        "epoch",
        "last_timestamp",
        "producer_id",
        "transaction_first_offset",
    )

    def __init__(
        self,
        producer_id: int,
        epoch: int = NO_PRODUCER_EPOCH,
        coordinator_epoch: int = NO_COORDINATOR_EPOCH,
        last_timestamp: int = NO_TIMESTAMP,
        transaction_first_offset: int | None = None,
        note: BatchNote | None = None,
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.coordinator_epoch = coordinator_epoch
        self.last_timestamp = last_timestamp
        self.transaction_first_offset = transaction_first_offset
        """Where the open transaction began; None outside of one."""
        self.batches: deque[BatchNote] = deque(maxlen=BATCHES_KEPT)
        """The newest batches of this epoch, oldest first."""
        if note is not None:
            self.batches.append(note)

    def __repr__(self) -> str:
        return (
            f"ProducerEntry({self.producer_id}, epoch {self.epoch}, "
            f"last sequence {self.last_sequence}, last offset {self.last_offset}, "
            f"transaction from {self.transaction_first_offset})"
        )

    @property
    def last_sequence(self) -> int:
        return self.batches[-1].last_sequence if self.batches else NO_SEQUENCE

    @property
    def last_offset(self) -> int:
        """The offset of the last data record; -1 where there is none in this epoch."""
        return self.batches[-1].last_offset if self.batches else NO_OFFSET

    @property
    def last_offset_delta(self) -> int:
        return self.batches[-1].offset_delta if self.batches else 0

    def begin_epoch(self, epoch: int) -> None:
        """Sequences start anew with a new epoch, so its predecessor's batches are forgotten."""
        if epoch != self.epoch:
            self.epoch = epoch
            self.batches.clear()
