"""The hot path for what our own coordinators write: one batch that was just built, flat.

It does what `plain.append_as_leader` does, in the same order, and gives up before anything has
changed where something is out of the ordinary, as `hot` does for clients. In one thing it believes
its caller: whoever appends as `AppendOrigin.COORDINATOR` has built the batch itself, record by
record, of one moment, and each record with a key. So the records are not looked at again. The
header and the checksum are, and so is everything by which topic or log may refuse a batch: sizes,
times, codec, the state of producers. Markers, which end transactions, take the plain path.
tests/log/appending/test_own.py shows that both leave the same bytes and the same state.
"""

from __future__ import annotations

from struct import Struct

from moldau.buffers import Buffer
from moldau.log.append_origin import AppendOrigin
from moldau.log.appending.flushing import flush
from moldau.log.appending.result import AppendResult
from moldau.log.appending.rolling import must_roll
from moldau.log.log_state import LogState
from moldau.log.producers.transaction_verification import VerificationGuard
from moldau.records.batch import (
    CODEC_MASK,
    CRC_START,
    HEADER_SIZE,
    LENGTH_END,
    MAGIC,
    NO_TIMESTAMP,
    TRANSACTIONAL_BIT,
    BatchHeader,
    TimestampType,
)
from moldau.records.checksum import crc32c

_HEADER = Struct(">qiibIhiqqqhii")
_PLACE = Struct(">qii")
_STRANGE_BITS = ~(CODEC_MASK | TRANSACTIONAL_BIT)
_made = tuple.__new__
"""Makes a named tuple of all its fields at once: 0.2 us instead of 0.5 for a header."""


# hot: once for each batch of a coordinator.
def append_own_batch(
    state: LogState, records: Buffer, leader_epoch: int, guard: VerificationGuard | None
) -> AppendResult | None:
    """Append the batch, patched where it lies; None, and nothing changed, if not ordinary."""
    size = len(records)
    rules, producers, settings = state.rules, state.producers, state.settings
    if (
        not isinstance(records, bytearray)
        or not HEADER_SIZE <= size <= rules.max_message_bytes
        or size > settings.segment_bytes
    ):
        return None
    (
        base_offset, length, _epoch, magic, crc, attributes, last_offset_delta, base_timestamp,
        max_timestamp, producer_id, producer_epoch, base_sequence, record_count,
    ) = _HEADER.unpack_from(records)  # fmt: skip
    now_ms = state.clock.now_ms()
    offset = state.log_end_offset
    codec = rules.codec
    if (
        base_offset
        or length + LENGTH_END != size
        or magic != MAGIC
        or record_count <= 0
        or last_offset_delta + 1 != record_count
        or attributes & _STRANGE_BITS
        or (codec is not None and codec != attributes & CODEC_MASK)
        or rules.timestamp_type is not TimestampType.CREATE
        or base_timestamp != max_timestamp
        or not -rules.timestamp_before_max_ms <= max_timestamp - now_ms
        or max_timestamp - now_ms > rules.timestamp_after_max_ms
        or leader_epoch != state.epochs.latest_epoch
        or must_roll(state, size, offset + last_offset_delta, max_timestamp, now_ms)
        or crc32c(memoryview(records)[CRC_START:]) != crc
    ):
        return None
    header = _made(
        BatchHeader,
        (
            offset, length, leader_epoch, magic, crc, attributes, last_offset_delta, base_timestamp,
            max_timestamp, producer_id, producer_epoch, base_sequence, record_count,
        ),
    )  # fmt: skip
    if producer_id >= 0 and (
        producers.check(header, AppendOrigin.COORDINATOR, guard=guard) is not None
    ):
        return None
    _PLACE.pack_into(records, 0, offset, length, leader_epoch)
    state.active.append_one(records, header)
    if producer_id >= 0:
        producers.apply(header)
    last_offset = offset + last_offset_delta
    state.log_end_offset = producers.map_end_offset = last_offset + 1
    if last_offset + 1 - state.recovery_point >= settings.flush_messages:
        flush(state)
    return _made(
        AppendResult,
        (offset, last_offset, max_timestamp, NO_TIMESTAMP, state.log_start_offset, False),
    )
