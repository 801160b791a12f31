"""Records on their way to one partition: a delivery for each, a batch for those that go together.

A delivery gives up its key and value as soon as they are packed; from then on it only knows its
batch and its place there, and the batch does not know it, unless it has a call-back: a delivery
that the caller drops is gone at once. What came of the batch is kept once, on the batch, so a
thousand records that arrive cost no more than one.

The size of a batch in the making is an upper bound, as in Java: a record counts with the longest
varints that it may have.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from librt.strings import BytesWriter

from moldau.client.core.producing.outcome import Identity, Outcome, RecordMetadata
from moldau.client.errors import ClientError, InvalidArgumentError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    NO_TIMESTAMP,
    read_header,
    set_checksum,
    write_header,
)
from moldau.protocol.records.builder import BatchFields, assemble_batch, blank_header
from moldau.protocol.records.pack import pack_record
from moldau.protocol.records.record import Record, iterate_records

__all__ = [
    "RECORD_OVERHEAD_MAX",
    "Delivery",
    "Headers",
    "Identity",
    "Outcome",
    "Pending",
    "ProducerBatch",
    "RecordMetadata",
    "packed_batch",
]

RECORD_OVERHEAD_MAX: Final = 36
"""Of a record beside its parts: five bytes of a varint for each length, offset and count of
headers, ten for the timestamp, and one for attributes."""
HEADER_OVERHEAD_MAX: Final = 10
NO_SEQUENCE: Final = -1
SEQUENCE_MASK: Final = 0x7FFFFFFF

Headers: TypeAlias = Sequence[tuple[str, bytes | None]]
OnDelivery: TypeAlias = Callable[["RecordMetadata | None", "ClientError | None"], Any]


class Pending:
    """Deliveries that share their fate."""

    __slots__ = ("deliveries", "outcome", "parts", "waiters")

    def __init__(self) -> None:
        self.deliveries: list[Delivery] = []
        """Those of them that have call-backs."""
        self.parts: tuple[ProducerBatch, ProducerBatch] | None = None
        """What goes in its place, where it was too large as a whole."""
        self.outcome: Outcome | None = None
        self.waiters: list[Any] = []
        """The driver of the core keeps here what to wake."""

    @property
    def is_settled(self) -> bool:
        """Whether all of it has arrived or failed."""
        if self.parts is not None:
            return self.parts[0].is_settled and self.parts[1].is_settled
        return self.outcome is not None


class Delivery:
    """One record that was handed over; the caller may ask what came of it."""

    __slots__ = (
        "_pending",
        "headers",
        "index",
        "key",
        "on_delivery",
        "partition",
        "size",
        "timestamp",
        "topic",
        "value",
        "waiter",
    )

    def __init__(
        self,
        topic: str,
        value: bytes | None,
        key: bytes | None,
        partition: int,
        timestamp: int,
        headers: Headers,
        on_delivery: OnDelivery | None,
    ) -> None:
        self.topic = topic
        self.value = value
        self.key = key
        self.partition = partition
        """-1 until one is chosen."""
        self.timestamp = timestamp
        self.headers = headers
        self.on_delivery = on_delivery
        self._pending: Pending | None = None
        self.index = 0
        self.waiter: Any = None
        """Waits among those of the pending, as soon as there is one."""
        size: int = RECORD_OVERHEAD_MAX
        if key is not None:
            size += len(key)
        if value is not None:
            size += len(value)
        if headers:
            size += _headers_size(headers)
        self.size = size
        """At most so many bytes, packed."""

    def __repr__(self) -> str:
        state = "on its way" if not self.is_done else self.error() or "delivered"
        return f"<{type(self).__name__} to {self.topic}: {state}>"

    @property
    def pending(self) -> Pending | None:
        """Where its fate is decided; of a batch that was split it is in one of the halves."""
        pending = self._pending
        while pending is not None and pending.parts is not None:
            first, second = pending.parts
            if self.index < first.count:
                pending = first
            else:
                self.index -= first.count
                pending = second
            self._pending = pending
        return pending

    @property
    def is_done(self) -> bool:
        """Whether it has arrived or failed."""
        pending = self.pending
        return pending is not None and pending.outcome is not None

    def is_part_of(self, pending: Pending, index: int) -> None:
        """It shares this fate from now on, as the record at `index`."""
        self._pending = pending  # before the waiter is looked at, which another thread may set
        self.index = index
        waiter = self.waiter
        if waiter is not None:
            pending.waiters.append(waiter)
            self.waiter = None

    def error(self) -> ClientError | None:
        """Why it failed, if it did."""
        pending = self.pending
        outcome = None if pending is None else pending.outcome
        return None if outcome is None else outcome.error

    def metadata(self) -> RecordMetadata:
        """Where it is; its error is raised if it failed, and it has to be done."""
        pending = self.pending
        assert pending is not None, "it was never handed over"
        outcome = pending.outcome
        assert outcome is not None, "it is still on its way"
        if outcome.error is not None:
            raise outcome.error
        offset = outcome.base_offset + self.index if outcome.base_offset >= 0 else -1
        time = self.timestamp if outcome.log_append_time < 0 else outcome.log_append_time
        return RecordMetadata(self.topic, self.partition, offset, time)


class ProducerBatch(Pending):
    """A batch of one partition, filled until it is sent."""

    __slots__ = (
        "_base_timestamp",
        "_block",
        "_max_timestamp",
        "attempts",
        "cause",
        "count",
        "created_ms",
        "identity",
        "is_closed",
        "is_out",
        "not_before_ms",
        "part",
        "records",
        "sequence",
        "size",
        "turn",
    )

    def __init__(self, part: TopicPartition, now_ms: int) -> None:
        super().__init__()
        self.part = part
        self.created_ms = now_ms
        self.count = 0
        self.size = HEADER_SIZE
        self.is_closed = False
        """No record is added any more; `records` is the batch."""
        self.records = bytearray()
        self.identity = Identity()
        self.sequence = NO_SEQUENCE
        """The number of its first record, once it was sent."""
        self.is_out = False
        """A broker has it, and has not answered."""
        self.attempts = 0
        self.turn = 0
        """Batches that had left for its partition before it."""
        self.not_before_ms = 0.0
        self.cause: Exception | None = None
        """Why it has to be sent again."""
        self._block = BytesWriter()
        self._base_timestamp = 0
        self._max_timestamp = NO_TIMESTAMP

    def __repr__(self) -> str:
        return f"<ProducerBatch for {self.part}: {self.count} records, {self.attempts} attempts>"

    # hot: the whole of what a record costs here.
    def append(self, delivery: Delivery) -> None:
        timestamp = delivery.timestamp
        if not self.count:
            self._base_timestamp = timestamp
        pack_record(
            self._block,
            timestamp - self._base_timestamp,
            self.count,
            delivery.key,
            delivery.value,
            delivery.headers,
        )
        delivery.key = delivery.value = None
        delivery.headers = ()
        delivery.is_part_of(self, self.count)
        delivery.partition = self.part[1]
        if delivery.on_delivery is not None:
            self.deliveries.append(delivery)
        if timestamp > self._max_timestamp:
            self._max_timestamp = timestamp
        self.size += delivery.size
        self.count += 1

    def close(self, fields: BatchFields) -> None:
        """Pack it; nothing is added from now on."""
        if self.is_closed:
            return
        header = blank_header(
            fields,
            base_timestamp=self._base_timestamp,
            max_timestamp=self._max_timestamp,
            record_count=self.count,
            last_offset_delta=self.count - 1,
        )
        self.records = assemble_batch(header, self._block.getvalue(), fields.level)
        self._block = BytesWriter()
        self.is_closed = True

    def stamp(self, *, is_transactional: bool) -> None:
        """Write its producer and the sequence of its first record into its header."""
        header = read_header(self.records)
        attributes = header.attributes | (TRANSACTIONAL if is_transactional else 0)
        identity = self.identity
        stamped = header.sent_by(identity.producer_id, identity.epoch, self.sequence, attributes)
        write_header(self.records, stamped)
        set_checksum(self.records, len(self.records))

    @property
    def is_in_doubt(self) -> bool:
        """Whether it may have been appended: an attempt has ended, of which that is not known.

        With some errors it would be known; to take those for doubtful too costs an epoch.
        """
        return self.cause is not None and self.sequence >= 0

    def sequence_after(self) -> int:
        return (self.sequence + self.count) & SEQUENCE_MASK

    def halves(self, fields: BatchFields) -> tuple[ProducerBatch, ProducerBatch]:
        """The same records in two batches, for a broker to which the whole is too large."""
        records = list(iterate_records(self.records))
        middle = len(records) // 2
        first = self._part_of(records[:middle], fields)
        second = self._part_of(records[middle:], fields)
        for delivery in self.deliveries:
            half = first if delivery.index < middle else second
            half.deliveries.append(delivery)
        self.parts = (first, second)
        return self.parts

    def _part_of(self, records: list[Record], fields: BatchFields) -> ProducerBatch:
        made = ProducerBatch(self.part, self.created_ms)
        for one in records:
            made.append(
                Delivery(
                    self.part.topic,
                    one.value,
                    one.key,
                    self.part.partition,
                    one.timestamp,
                    one.headers,
                    None,
                )
            )
        made.close(fields)
        return made


TRANSACTIONAL: Final = 0x10


def packed_batch(part: TopicPartition, records: bytearray, now_ms: int) -> ProducerBatch:
    """One that was packed elsewhere, from columns."""
    batch = ProducerBatch(part, now_ms)
    batch.records = records
    batch.size = len(records)
    batch.count = read_header(records).record_count
    batch.is_closed = True
    return batch


def _headers_size(headers: Headers) -> int:
    try:
        return sum(
            HEADER_OVERHEAD_MAX + 3 * len(name) + (0 if value is None else len(value))
            for name, value in headers
        )
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"headers are pairs of a name and bytes, such as [('trace', b'7')], and not {headers!r}"
        ) from None
