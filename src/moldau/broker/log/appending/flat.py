"""What the flat paths share: how a batch is looked at, and how it gets its place.

`hot` takes batches of clients and `own` those of our coordinators. Both ask `ordinary_header`
first, add what they ask besides, and end in `put`. Nothing has changed before `put`, and nothing is
refused in it.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from librt.strings import read_i16_be, read_i32_be, read_i64_be

from moldau.broker.log.appending.flushing import flush
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.appending.rolling import must_roll
from moldau.broker.log.log_state import LogState
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    CODEC_MASK,
    CRC_POSITION,
    CRC_START,
    HEADER_SIZE,
    LENGTH_END,
    LENGTH_POSITION,
    MAGIC,
    NO_TIMESTAMP,
    TRANSACTIONAL_BIT,
    BatchHeader,
)
from moldau.protocol.records.checksum import crc32c

_place: Final = Struct(">qii").pack_into
UNSIGNED: Final = 0xFFFFFFFF
_STRANGE_BITS: Final = ~(CODEC_MASK | TRANSACTIONAL_BIT)


# hot: once for each batch of a client or a coordinator.
def ordinary_header(
    state: LogState, records: Buffer, words: bytes, leader_epoch: int, now_ms: int
) -> BatchHeader | None:
    """The header that one whole batch in writable memory will have; None if it is not ordinary.

    `words` has its first bytes, a header's at least, unless it is shorter.
    """
    size = len(records)
    if not HEADER_SIZE <= size <= state.max_message_bytes:
        return None
    # At the positions of the picture in `protocol.records.batch`.
    length: int = read_i32_be(words, LENGTH_POSITION)
    attributes: int = read_i16_be(words, 21)
    last_offset_delta: int = read_i32_be(words, 23)
    max_timestamp: int = read_i64_be(words, 35)
    record_count: int = read_i32_be(words, 57)
    view = records if isinstance(records, memoryview) else memoryview(records)
    offset = state.log_end_offset
    crc: int = read_i32_be(words, CRC_POSITION)
    if (
        read_i64_be(words, 0) != 0
        or length + LENGTH_END != size
        or words[16] != MAGIC
        or record_count <= 0
        or last_offset_delta + 1 != record_count
        or attributes & _STRANGE_BITS
        or max_timestamp - now_ms > state.timestamp_after_max_ms
        or leader_epoch != state.epochs.latest_epoch
        or must_roll(state, size, offset + last_offset_delta, max_timestamp, now_ms, state.encrypts)
        or crc32c(view[CRC_START:]) != crc & UNSIGNED
        or view.readonly
    ):
        return None
    return BatchHeader(
        offset, length, leader_epoch, MAGIC, crc & UNSIGNED, attributes, last_offset_delta,
        read_i64_be(words, 27), max_timestamp, read_i64_be(words, 43), read_i16_be(words, 51),
        read_i32_be(words, 53), record_count,
    )  # fmt: skip


# hot: the other half of it.
def put(state: LogState, records: Buffer, header: BatchHeader) -> AppendResult:
    """Write the batch at the end, patched where it lies, and let the log move on."""
    offset, producers = header.base_offset, state.producers
    _place(records, 0, offset, header.length, header.leader_epoch)
    state.active.append_one(records, header)
    if header.producer_id >= 0:
        producers.apply(header)
    last_offset = offset + header.last_offset_delta
    state.log_end_offset = producers.map_end_offset = last_offset + 1
    if last_offset + 1 - state.recovery_point >= state.flush_messages:
        flush(state)
    return AppendResult(
        offset, last_offset, header.max_timestamp, NO_TIMESTAMP, state.log_start_offset
    )
