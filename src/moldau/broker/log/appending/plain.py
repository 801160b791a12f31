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

from dataclasses import replace
from itertools import accumulate
from typing import ClassVar, Final, NamedTuple

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.appending.flushing import flush
from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.appending.rolling import must_roll, roll
from moldau.broker.log.log_state import LogState
from moldau.broker.log.producers.end_marker import EndMarker, marker_in
from moldau.broker.log.producers.entry import BatchNote
from moldau.broker.log.producers.transaction_verification import VerificationGuard
from moldau.broker.log.segment.offset_index import MAX_RELATIVE_OFFSET
from moldau.errors import InvalidRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    NO_TIMESTAMP,
    BatchHeader,
    ensure_checksum,
    read_header,
    read_whole_header,
)
from moldau.protocol.records.refusals import InvalidBatchError
from moldau.protocol.records.validator import ValidBatch, validate_batch


class SegmentOverflowError(InvalidRecordError):
    """A batch larger than a segment may be, which the topic's settings should exclude."""

    code: ClassVar[int] = 18


class UnexpectedOffsetError(InvalidRecordError):
    """A follower was given batches that do not go on where its log ends."""


class Placed(NamedTuple):
    """Batches as they will lie in the log, with their headers and where each begins."""

    batches: Buffer
    headers: tuple[BatchHeader, ...]
    positions: tuple[int, ...]
    log_append_time: int = NO_TIMESTAMP


_AT_START: Final = (0,)


class LeaderAppend(NamedTuple):
    """The origin of an append on a leader, and what was verified of it."""

    leader_epoch: int
    origin: AppendOrigin = AppendOrigin.CLIENT
    guard: VerificationGuard | None = None
    transaction_version: int = 0


def append_as_leader(state: LogState, records: Buffer, append: LeaderAppend) -> AppendResult:
    """Give the batches the next offsets and write them; a writable buffer is patched in place."""
    now_ms = state.clock.now_ms()
    placed = _place(state, records, append, now_ms)
    markers = []
    for header, position in zip(placed.headers, placed.positions, strict=True):
        _check_size(state, header)
        marker = marker_in(header, placed.batches, position)
        repeated = state.producers.check(
            header,
            append.origin,
            marker=marker,
            transaction_version=append.transaction_version,
            guard=append.guard,
        )
        if repeated is not None:
            return _duplicate(state, repeated)
        markers.append(marker)
    if state.encrypts:
        placed = _encrypted(state, placed)
    return _append(state, placed, markers, now_ms)


def _place(state: LogState, records: Buffer, append: LeaderAppend, now_ms: int) -> Placed:
    """The batches in the topic's form, at the next offsets."""
    if append.origin is AppendOrigin.CLIENT:
        valid = validate_batch(
            records,
            state.rules,
            now_ms=now_ms,
            base_offset=state.log_end_offset,
            leader_epoch=append.leader_epoch,
        )
        return Placed(valid.batch, (valid.header,), _AT_START, valid.log_append_time)
    return _place_own(state, records, append, now_ms)


def _place_own(state: LogState, records: Buffer, append: LeaderAppend, now_ms: int) -> Placed:
    """The same for this broker's own records, which may come in several batches."""
    rules = state.rules
    if append.origin is AppendOrigin.RAFT_LEADER:
        rules = replace(rules, max_message_bytes=state.settings.segment_bytes)
    view, position, offset = memoryview(bytearray(records)), 0, state.log_end_offset
    valid: list[ValidBatch] = []
    while position < len(view):
        size = read_whole_header(view, position).size
        one = validate_batch(
            view[position : position + size],
            rules,
            now_ms=now_ms,
            base_offset=offset,
            leader_epoch=append.leader_epoch,
            from_client=False,
        )
        valid.append(one)
        position, offset = position + size, one.header.next_offset
    headers = tuple(one.header for one in valid)
    sizes = [header.size for header in headers]
    positions = tuple(accumulate(sizes, initial=0))[:-1]
    batches = b"".join(one.batch for one in valid)
    return Placed(batches, headers, positions, valid[-1].log_append_time if valid else NO_TIMESTAMP)


def _encrypted(state: LogState, placed: Placed) -> Placed:
    """As they go to the disk; what they hold was judged before."""
    view, key_name, batches = memoryview(placed.batches), state.settings.encryption_at_rest, []
    for header, position in zip(placed.headers, placed.positions, strict=True):
        batch = view[position : position + header.size]
        batches.append(state.encryption.encrypt(state.partition, key_name, batch, header))
    headers = tuple(read_header(batch) for batch in batches)
    for header in headers:
        _check_size(state, header)
    positions = tuple(accumulate((len(batch) for batch in batches), initial=0))[:-1]
    return Placed(b"".join(batches), headers, positions, placed.log_append_time)


def append_as_follower(state: LogState, records: Buffer, leader_epoch: int) -> AppendResult | None:
    """Write what the leader has; None where there is not one whole batch to take."""
    headers, markers, positions = [], [], []
    position, next_offset = 0, state.log_end_offset
    while position + HEADER_SIZE <= len(records):
        header = read_header(records, position)
        if position + header.size > len(records) or header.leader_epoch > leader_epoch:
            break
        header = read_whole_header(records, position)
        _check_follows(state, header, next_offset)
        ensure_checksum(records, header, position)
        headers.append(header)
        positions.append(position)
        markers.append(marker_in(header, records, position))
        position += header.size
        next_offset = header.next_offset
    if not headers:
        return None
    taken = records if position == len(records) else memoryview(records)[:position]
    placed = Placed(taken, tuple(headers), tuple(positions))
    return _append(state, placed, markers, state.clock.now_ms())


def _append(
    state: LogState, placed: Placed, markers: list[EndMarker | None], now_ms: int
) -> AppendResult:
    headers = placed.headers
    if not headers:
        raise InvalidBatchError("nothing to append: the records hold no batch")
    if len(headers) > 1 and not _fits_one_segment(state, placed):
        return _append_one_by_one(state, placed, markers, now_ms)
    first_offset, last_offset = headers[0].base_offset, headers[-1].last_offset
    max_timestamp = max([header.max_timestamp for header in headers])
    _note_epochs(state, headers)
    is_encrypted = headers[0].is_encrypted
    if must_roll(state, len(placed.batches), last_offset, max_timestamp, now_ms, is_encrypted):
        gap = last_offset - state.log_end_offset > MAX_RELATIVE_OFFSET
        roll(state, now_ms, first_offset if gap else None)
    state.active.append(placed.batches, headers)
    _move_on(state, headers, markers)
    if state.log_end_offset - state.recovery_point >= state.settings.flush_messages:
        flush(state)
    return AppendResult(
        first_offset, last_offset, max_timestamp, placed.log_append_time, state.log_start_offset
    )


def _move_on(
    state: LogState, headers: tuple[BatchHeader, ...], markers: list[EndMarker | None]
) -> None:
    """The bytes are in the log: let its end, producers and transactions follow."""
    producers = state.producers
    for header, marker in zip(headers, markers, strict=True):
        if header.producer_id < 0:
            continue
        completed = producers.apply(header, marker)
        if completed is not None and completed.is_aborted:
            state.name_changes += 1
            state.active.transaction_index.append(completed.as_aborted())
    state.log_end_offset = producers.map_end_offset = headers[-1].next_offset


def _note_epochs(state: LogState, headers: tuple[BatchHeader, ...]) -> None:
    epochs = state.epochs
    for header in headers:
        if header.leader_epoch < 0:
            epochs.catch_up()
        elif header.leader_epoch != epochs.latest_epoch:
            epochs.assign(header.leader_epoch, header.base_offset)


def _fits_one_segment(state: LogState, placed: Placed) -> bool:
    headers = placed.headers
    gap = headers[-1].last_offset - state.log_end_offset
    if len(placed.batches) > state.settings.segment_bytes or gap > MAX_RELATIVE_OFFSET:
        return False
    is_encrypted = headers[0].is_encrypted
    for header in headers:  # noqa: SIM110  # a loop is compiled, a generator is called
        if header.is_encrypted is not is_encrypted:
            return False
    return True


def _append_one_by_one(
    state: LogState, placed: Placed, markers: list[EndMarker | None], now_ms: int
) -> AppendResult:
    """A fetch may bring more than a small segment holds."""
    view, results = memoryview(placed.batches), []
    for header, position, marker in zip(placed.headers, placed.positions, markers, strict=True):
        batch = view[position : position + header.size]
        one = Placed(batch, (header,), _AT_START, placed.log_append_time)
        results.append(_append(state, one, [marker], now_ms))
    latest = max([result.max_timestamp for result in results])
    last = results[-1]
    return AppendResult(
        results[0].first_offset, last.last_offset, latest, last.log_append_time,
        last.log_start_offset,
    )  # fmt: skip


def _check_size(state: LogState, header: BatchHeader) -> None:
    if header.size > state.settings.segment_bytes:
        raise SegmentOverflowError(
            f"{state.directory}: a batch of {header.size} bytes exceeds segment.bytes = "
            f"{state.settings.segment_bytes}; send smaller batches or raise it"
        )


def begins_within(state: LogState, records: Buffer) -> int | None:
    """Where the first of these batches begins, if an empty log is to begin in the middle of it.

    A leader whose records were deleted up to the middle of a batch sends the whole batch to those
    that fetch from its start.
    """
    if state.log_end_offset != state.log_start_offset or len(records) < HEADER_SIZE:
        return None
    header = read_header(records)
    is_within = header.base_offset < state.log_end_offset <= header.last_offset
    return header.base_offset if is_within else None


def _check_follows(state: LogState, header: BatchHeader, next_offset: int) -> None:
    if header.base_offset < next_offset or header.last_offset_delta < 0:
        raise UnexpectedOffsetError(
            f"{state.directory}: a batch of offsets {header.base_offset} to {header.last_offset} "
            f"cannot follow {next_offset - 1}; the replica must truncate before it fetches on"
        )


def _duplicate(state: LogState, note: BatchNote) -> AppendResult:
    return AppendResult(
        note.first_offset,
        note.last_offset,
        note.timestamp,
        log_start_offset=state.log_start_offset,
        is_duplicate=True,
    )
