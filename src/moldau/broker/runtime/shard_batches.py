"""What a shard has decided becomes batches for its partition.

Records of one decision go into one batch, so that all of them are there or none: a reader of the
log never sees half of a group's change. Only what need not be atomic (a sweep of expired offsets)
is cut into batches of a bounded size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from moldau.broker.coordinator.record_codec import encode_stored
from moldau.broker.coordinator.shard import Decision, StoredRecord
from moldau.broker.runtime.joining import ONE_TURN_MS
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.moment import MomentBatches

PARTIAL_BATCH_SIZE_MAX = 512 * 1024
"""Half of a topic's default `max.message.bytes`: a sweep is written without ever coming near it."""
WRITE_TIMEOUT_MS = 5_000
"""Kafka's default of `offsets.commit.timeout.ms`."""
FIRST_SEQUENCE = 0
"""In every batch of group and share coordinators, as Kafka writes it; they are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSettings:
    """How a coordinator writes to its topic."""

    codec: Codec = Codec.NONE
    base_sequence: int = FIRST_SEQUENCE
    linger_ms: int = ONE_TURN_MS
    """How long a batch is open for what may share it."""
    timeout_ms: int = WRITE_TIMEOUT_MS
    """How long a write may take to be replicated."""


DEFAULTS = WriteSettings()


def batches_of(
    decision: Decision, now_ms: int, settings: WriteSettings = DEFAULTS
) -> Iterator[tuple[Sequence[StoredRecord], bytearray]]:
    """Each batch with the records that are in it."""
    fields = batch_fields(settings, decision.producer)
    if decision.is_atomic:
        pairs = [encode_stored(record) for record in decision.records]
        yield decision.records, MomentBatches(fields).build(now_ms, pairs)
        return
    builder, records = BatchBuilder(fields), list[StoredRecord]()
    for record in decision.records:
        key, value = encode_stored(record)
        if not builder.has_room(PARTIAL_BATCH_SIZE_MAX, now_ms, key, value):
            yield records, builder.build()
            builder, records = BatchBuilder(fields), []
        builder.append(now_ms, key, value)
        records.append(record)
    yield records, builder.build()


def batch_fields(settings: WriteSettings, producer: tuple[int, int] | None = None) -> BatchFields:
    """What the header of a coordinator's batch holds."""
    codec, base_sequence = settings.codec, settings.base_sequence
    if producer is None:
        return BatchFields(codec=codec, base_sequence=base_sequence)
    producer_id, producer_epoch = producer
    return BatchFields(
        codec=codec,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        base_sequence=base_sequence,
        is_transactional=True,
    )
