"""Putting batches at the end of the log: as leader, which gives offsets, or as follower.

One append is all or nothing. Everything that may refuse it comes first and changes nothing:
headers, sizes, checksums, the topic's rules, the state of producers. Then the leader epoch is
noted (on disk before its first record), the segment rolls if it must, the bytes are written, and
only then do the log's end and the producers move on. If the write fails, the log fails: what it
left at the end of the file was never acknowledged and recovery judges it.

A leader patches base offset and leader epoch into the bytes that it was given. A follower takes
its leader's bytes as they are: offsets ascend, gaps are legal (the leader may have compacted), a
batch that is cut off at the end is left out, and one of a later leader epoch than the one it
fetched with ends the append (KAFKA-18723).
"""

from __future__ import annotations

from dataclasses import dataclass

from moldau.buffers import Buffer
from moldau.errors import CorruptRecordError, InvalidRecordError
from moldau.log.append_origin import AppendOrigin
from moldau.log.end_marker import EndMarker, read_end_marker
from moldau.log.flushing import flush
from moldau.log.log_state import LogState
from moldau.log.offset_index import MAX_RELATIVE_OFFSET
from moldau.log.producer_entry import BatchNote
from moldau.log.rolling import must_roll, roll
from moldau.log.transaction_verification import VerificationGuard
from moldau.records.batch import (
    CRC_START,
    HEADER_SIZE,
    NO_TIMESTAMP,
    BatchHeader,
    read_header,
    read_whole_header,
    set_base_offset,
    set_leader_epoch,
)
from moldau.records.checksum import crc32c


class BatchTooLargeError(InvalidRecordError):
    """A batch larger than a segment may be, which the topic's settings should exclude."""

    code = 18


class UnexpectedOffsetError(InvalidRecordError):
    """A follower was given batches that do not go on where its log ends."""


@dataclass(frozen=True, slots=True)
class AppendResult:
    """Where an append went."""

    first_offset: int
    last_offset: int
    max_timestamp: int = NO_TIMESTAMP
    is_duplicate: bool = False
    """Whether the producer had sent this batch before: these are its old offsets."""


@dataclass(frozen=True, slots=True)
class LeaderAppend:
    """Who appends on a leader, and with what proof."""

    leader_epoch: int
    origin: AppendOrigin = AppendOrigin.CLIENT
    guard: VerificationGuard | None = None
    transaction_version: int = 0


def append_as_leader(state: LogState, records: Buffer, append: LeaderAppend) -> AppendResult:
    """Give the batches the next offsets and write them; `records` is patched where it lies."""
    now_ms = state.clock.now_ms()
    batches = _writable(records)
    headers, markers = [], []
    position, offset = 0, state.log_end_offset
    while position < len(batches):
        header = read_whole_header(batches, position)
        _check_size(state, header)
        check_checksum(state, batches, header, position)
        marker = marker_in(batches, header, position)
        repeated = state.producers.check(
            header,
            append.origin,
            marker=marker,
            transaction_version=append.transaction_version,
            guard=append.guard,
        )
        if repeated is not None:
            return _duplicate(repeated)
        set_base_offset(batches, offset, position)
        set_leader_epoch(batches, append.leader_epoch, position)
        headers.append(BatchHeader(offset, header[1], append.leader_epoch, *header[3:]))
        markers.append(marker)
        position += header.size
        offset += header.last_offset_delta + 1
    return _append(state, batches, headers, markers, now_ms)


def append_as_follower(state: LogState, records: Buffer, leader_epoch: int) -> AppendResult | None:
    """Write what the leader has; None where there is not one whole batch to take."""
    headers, markers = [], []
    position, next_offset = 0, state.log_end_offset
    while position + HEADER_SIZE <= len(records):
        header = read_header(records, position)
        if position + header.size > len(records) or header.leader_epoch > leader_epoch:
            break
        header = read_whole_header(records, position)
        _check_follows(state, header, next_offset)
        check_checksum(state, records, header, position)
        headers.append(header)
        markers.append(marker_in(records, header, position))
        position += header.size
        next_offset = header.next_offset
    if not headers:
        return None
    taken = records if position == len(records) else memoryview(records)[:position]
    return _append(state, taken, headers, markers, state.clock.now_ms())


def check_checksum(state: LogState, batches: Buffer, header: BatchHeader, position: int) -> None:
    """Raise `CorruptRecordError` unless the batch is as its producer made it."""
    whole = memoryview(batches)[position + CRC_START : position + header.size]
    if crc32c(whole) != header.crc:
        raise CorruptRecordError(
            f"{state.directory}: a batch of {header.size} bytes fails its checksum; send it again"
        )


def marker_in(batches: Buffer, header: BatchHeader, position: int) -> EndMarker | None:
    """The transaction marker in a control batch of a producer; None for all other batches."""
    if header.producer_id < 0 or not header.is_control or header.record_count == 0:
        return None
    return read_end_marker(batches, position)


def _append(
    state: LogState,
    batches: Buffer,
    headers: list[BatchHeader],
    markers: list[EndMarker | None],
    now_ms: int,
) -> AppendResult:
    first_offset, last_offset = headers[0].base_offset, headers[-1].last_offset
    size = len(batches)
    if len(headers) > 1 and not _fits_one_segment(state, size, last_offset):
        return _append_one_by_one(state, batches, headers, markers, now_ms)
    max_timestamp = max([header.max_timestamp for header in headers])
    _note_epochs(state, headers)
    if must_roll(state, size, last_offset, max_timestamp, now_ms):
        gap = last_offset - state.log_end_offset > MAX_RELATIVE_OFFSET
        roll(state, now_ms, first_offset if gap else None)
    state.active.append(batches, headers)
    _move_on(state, headers, markers)
    if state.log_end_offset - state.recovery_point >= state.settings.flush_messages:
        flush(state)
    return AppendResult(first_offset, last_offset, max_timestamp)


def _move_on(state: LogState, headers: list[BatchHeader], markers: list[EndMarker | None]) -> None:
    """The bytes are in the log: let its end, producers and transactions follow."""
    producers = state.producers
    for header, marker in zip(headers, markers, strict=True):
        if header.producer_id < 0:
            continue
        completed = producers.apply(header, marker)
        if completed is not None and completed.is_aborted:
            state.names_synced = False
            state.active.transaction_index.append(completed.as_aborted())
    state.log_end_offset = producers.map_end_offset = headers[-1].next_offset


def _note_epochs(state: LogState, headers: list[BatchHeader]) -> None:
    epochs = state.epochs
    for header in headers:
        if header.leader_epoch != epochs.latest_epoch and header.leader_epoch >= 0:
            epochs.assign(header.leader_epoch, header.base_offset)


def _fits_one_segment(state: LogState, size: int, last_offset: int) -> bool:
    gap = last_offset - state.log_end_offset
    return size <= state.settings.segment_bytes and gap <= MAX_RELATIVE_OFFSET


def _append_one_by_one(
    state: LogState,
    batches: Buffer,
    headers: list[BatchHeader],
    markers: list[EndMarker | None],
    now_ms: int,
) -> AppendResult:
    """A fetch may bring more than a small segment holds."""
    view, position = memoryview(batches), 0
    for header, marker in zip(headers, markers, strict=True):
        batch = view[position : position + header.size]
        _append(state, batch, [header], [marker], now_ms)
        position += header.size
    max_timestamp = max(header.max_timestamp for header in headers)
    return AppendResult(headers[0].base_offset, headers[-1].last_offset, max_timestamp)


def _check_size(state: LogState, header: BatchHeader) -> None:
    if header.size > state.settings.segment_bytes:
        raise BatchTooLargeError(
            f"{state.directory}: a batch of {header.size} bytes exceeds segment.bytes = "
            f"{state.settings.segment_bytes}; send smaller batches or raise it"
        )


def _check_follows(state: LogState, header: BatchHeader, next_offset: int) -> None:
    if header.base_offset < next_offset or header.last_offset_delta < 0:
        raise UnexpectedOffsetError(
            f"{state.directory}: a batch of offsets {header.base_offset} to {header.last_offset} "
            f"cannot follow {next_offset - 1}; the replica must truncate before it fetches on"
        )


def _duplicate(note: BatchNote) -> AppendResult:
    return AppendResult(note.first_offset, note.last_offset, note.timestamp, is_duplicate=True)


def _writable(records: Buffer) -> bytearray | memoryview:
    if isinstance(records, memoryview) and not records.readonly:
        return records
    return records if isinstance(records, bytearray) else bytearray(records)
