"""The broker's rules for a batch before the log takes it.

From a client there is exactly one batch of format v2, whose base offset is 0 and whose offset
deltas count its records; it is no control batch, a producer id comes with a sequence, it is not
above `max.message.bytes`, and its checksum holds. Then come the topic's rules:

- a compacted topic needs a key in every record;
- with create time, timestamps lie in [now - before.max, now + after.max] (KIP-937);
- with log-append time, the batch's max timestamp becomes now, and the attributes have that bit
  (KIP-32);
- another codec than the topic's is undone and done again.

At last the batch is given its offset and leader epoch, in place wherever its bytes may stay.

Every batch of a client is unpacked, as Kafka does, so that no reader ever meets records that cannot
be read, and the max timestamp is that of the records whatever the producer sent. It is one pass
over the lengths of all records (`records.survey`, compiled: 30 to 70 ns for each), which builds no
record. What brokers write themselves is accepted by its header, unless a rule needs the records: a
compacted topic, a limited past, a max timestamp that is too late, another codec. We differ from
Kafka in one thing: a producer that claims log-append time is always refused; Kafka does so where
the topic has it.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.platform.buffers import Buffer
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import (
    CODEC_MASK,
    HEADER_SIZE,
    LOG_APPEND_TIME_BIT,
    MAGIC,
    NO_TIMESTAMP,
    BatchHeader,
    TimestampType,
    ensure_checksum,
    read_whole_header,
    set_checksum,
    write_header,
)
from moldau.protocol.records.builder import assemble_batch
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.inspection import Inspection, inspect_records
from moldau.protocol.records.pack import pack_rows
from moldau.protocol.records.refusals import (
    BatchTooLargeError,
    InvalidBatchError,
    InvalidTimestampError,
    MisnumberedBatchError,
)

INT64_MAX = (1 << 63) - 1
MAX_MESSAGE_BYTES = 1024 * 1024 + 12
"""Kafka's default: a mebibyte, and the offset and length before it."""
TIMESTAMP_AFTER_MAX_MS = 3_600_000
"""Kafka's default: an hour."""


@dataclass(frozen=True, slots=True)
class ValidationRules:
    """What a topic demands of batches; the defaults are Kafka's."""

    max_message_bytes: int = MAX_MESSAGE_BYTES
    is_compacted: bool = False
    codec: Codec | None = None
    """None keeps each producer's own (`compression.type=producer`)."""
    level: int | None = None
    timestamp_type: TimestampType = TimestampType.CREATE
    timestamp_before_max_ms: int = INT64_MAX
    timestamp_after_max_ms: int = TIMESTAMP_AFTER_MAX_MS


class ValidBatch(NamedTuple):
    """A batch that is ready to be appended."""

    batch: bytearray | memoryview
    header: BatchHeader
    log_append_time: int
    """The log-append time in the response; -1 where the topic keeps the producer's time."""
    was_rebuilt: bool
    """Its records were packed anew, so its size may have changed."""


def validate_batch(
    records: Buffer,
    rules: ValidationRules,
    *,
    now_ms: int,
    base_offset: int,
    leader_epoch: int,
    from_client: bool = True,
) -> ValidBatch:
    """The one batch in `records`, checked, and placed at `base_offset`; or why it is refused.

    A writable buffer is changed in place, and becomes part of the answer.
    """
    header = read_only_batch(records)
    _check_size(header.size, rules)
    ensure_checksum(records, header)
    if from_client:
        _check_client_header(header)
    placed = _place(header, rules, now_ms, base_offset, leader_epoch)
    if from_client or _must_look(header, rules, now_ms):
        inspection = inspect_records(records, header, rules.is_compacted, _window(rules, now_ms))
        if rules.timestamp_type is TimestampType.CREATE and header.record_count:
            placed = _with(placed, inspection.max_timestamp, placed.crc)
        if placed.codec != header.codec or inspection.survey.misplaced:
            return _rebuild(placed, inspection, rules)
    return _patch(records, header, placed)


def read_only_batch(records: Buffer) -> BatchHeader:
    """The header of the batch that fills `records`."""
    if not len(records):
        raise InvalidBatchError("no batch: one per partition is wanted")
    if len(records) >= HEADER_SIZE and records[16] != MAGIC:
        raise InvalidBatchError(f"batch format {records[16]}: only format {MAGIC} is taken")
    header = read_whole_header(records)
    if header.size != len(records):
        raise InvalidBatchError(
            f"{len(records) - header.size} bytes after the batch: one per partition is wanted"
        )
    return header


def _check_size(size: int, rules: ValidationRules) -> None:
    if size > rules.max_message_bytes:
        raise BatchTooLargeError(
            f"batch of {size} bytes: max.message.bytes of the topic is {rules.max_message_bytes}"
        )


def _check_client_header(header: BatchHeader) -> None:
    if header.base_offset:
        raise InvalidBatchError(f"batch of a producer has base offset {header.base_offset}, not 0")
    if header.record_count <= 0:
        raise MisnumberedBatchError(f"batch of a producer claims {header.record_count} records")
    if header.last_offset_delta + 1 != header.record_count:
        raise MisnumberedBatchError(
            f"batch claims {header.record_count} records and a last offset delta of"
            f" {header.last_offset_delta}"
        )
    if header.is_control:
        raise MisnumberedBatchError("control batch from a producer: only brokers write them")
    if header.has_producer and header.base_sequence < 0:
        raise MisnumberedBatchError(
            f"batch of producer {header.producer_id} has sequence {header.base_sequence}"
        )
    _check_client_attributes(header)


def _check_client_attributes(header: BatchHeader) -> None:
    if header.codec > max(Codec):
        raise InvalidBatchError(f"batch names compression codec {header.codec}: there is none")
    if header.is_encrypted:
        raise InvalidBatchError("batch of a producer claims that a broker has encrypted it")
    if header.timestamp_type is TimestampType.LOG_APPEND:
        raise InvalidTimestampError("batch of a producer claims log-append time")


def _place(
    header: BatchHeader, rules: ValidationRules, now_ms: int, base_offset: int, leader_epoch: int
) -> BatchHeader:
    """The header as the log will have it, if the records agree with it."""
    attributes, max_timestamp = header.attributes, header.max_timestamp
    if rules.timestamp_type is TimestampType.LOG_APPEND:
        attributes |= LOG_APPEND_TIME_BIT
        max_timestamp = now_ms
    if rules.codec is not None and not header.is_control:
        attributes = (attributes & ~CODEC_MASK) | rules.codec
    return header.placed(base_offset, leader_epoch, attributes, max_timestamp, header.crc)


def _with(header: BatchHeader, max_timestamp: int, crc: int) -> BatchHeader:
    return header.placed(
        header.base_offset, header.leader_epoch, header.attributes, max_timestamp, crc
    )


def _must_look(header: BatchHeader, rules: ValidationRules, now_ms: int) -> bool:
    if rules.is_compacted:
        return True
    if rules.codec is not None and rules.codec != header.codec:
        return True
    if rules.timestamp_type is TimestampType.LOG_APPEND:
        return False
    past_is_limited = rules.timestamp_before_max_ms < now_ms
    return past_is_limited or header.max_timestamp - now_ms > rules.timestamp_after_max_ms


def _window(rules: ValidationRules, now_ms: int) -> tuple[int, int] | None:
    """The earliest and latest timestamp that records may have, where it is theirs that count."""
    if rules.timestamp_type is TimestampType.LOG_APPEND:
        return None
    earliest = now_ms - rules.timestamp_before_max_ms
    return earliest, min(now_ms + rules.timestamp_after_max_ms, INT64_MAX)


def _rebuild(placed: BatchHeader, inspection: Inspection, rules: ValidationRules) -> ValidBatch:
    block = inspection.block
    if inspection.survey.misplaced:
        block = pack_rows(inspection.rows_in_order(), block, block, block)
    batch = assemble_batch(placed, block, rules.level)
    _check_size(len(batch), rules)
    return ValidBatch(batch, read_whole_header(batch), _log_append_time(placed), was_rebuilt=True)


def _patch(records: Buffer, header: BatchHeader, placed: BatchHeader) -> ValidBatch:
    batch = _writable(records)
    write_header(batch, placed)
    if (placed.attributes, placed.max_timestamp) != (header.attributes, header.max_timestamp):
        placed = _with(placed, placed.max_timestamp, set_checksum(batch, placed.size))
    return ValidBatch(batch, placed, _log_append_time(placed), was_rebuilt=False)


def _writable(records: Buffer) -> bytearray | memoryview:
    if isinstance(records, bytearray) or (isinstance(records, memoryview) and not records.readonly):
        return records
    return bytearray(records)


def _log_append_time(placed: BatchHeader) -> int:
    has_log_append_time = placed.timestamp_type is TimestampType.LOG_APPEND
    return placed.max_timestamp if has_log_append_time else NO_TIMESTAMP
