"""From a time to an offset: "where was the log at noon?" (KIP-79, KIP-734)

A segment is passed over where its largest timestamp is too old. In the first one that is not, the
time index has up to which batch all records are too old, and from there on batches, then the
records of the first young enough batch, are read. An entry of the time index is used if the
batch that it names has its timestamp; otherwise the indexes are rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from moldau.broker.log.log_state import LogState
from moldau.broker.log.segment.segment import Segment
from moldau.broker.log.segment.time_index import TimestampOffset
from moldau.protocol.records.batch import NO_TIMESTAMP, BatchHeader, TimestampType
from moldau.protocol.records.record import iterate_records


class FoundOffset(NamedTuple):
    """A record's place, its timestamp, and the leader epoch that wrote it."""

    offset: int
    timestamp: int
    leader_epoch: int


def offset_for_timestamp(state: LogState, timestamp: int) -> FoundOffset | None:
    """The first record at or after the log's start that is not older than `timestamp`."""
    for segment in state.segments.starting_at_floor(state.log_start_offset):
        if segment.largest.timestamp < timestamp:
            continue
        found = _first_as_young(state, segment, timestamp, state.log_start_offset)
        if found is not None:
            return found
    return None


def offset_of_max_timestamp(state: LogState) -> FoundOffset | None:
    """The first record with the largest timestamp of the log."""
    segments = state.segments.starting_at_floor(state.log_start_offset)
    segment = max(segments, key=lambda segment: segment.largest.timestamp)
    largest = segment.largest.timestamp
    if largest == NO_TIMESTAMP:
        return None
    return _first_as_young(state, segment, largest, segment.base_offset)


def _first_as_young(
    state: LogState, segment: Segment, timestamp: int, start_offset: int
) -> FoundOffset | None:
    entry = _entry_before(segment, timestamp)
    for position, header in _batches_from(segment, max(entry.offset, start_offset)):
        if header.max_timestamp >= timestamp:
            batch = segment.read_batch(position, header)
            if header.is_encrypted:
                batch = state.encryption.decrypt(state.partition, batch)
            found = _in_batch(batch, header, timestamp, start_offset)
            if found is not None:
                return found
    return None


def _entry_before(segment: Segment, timestamp: int) -> TimestampOffset:
    entry = segment.time_index.lookup(timestamp)
    if entry.timestamp == NO_TIMESTAMP:
        return entry
    found = segment.locate(entry.offset)
    if found is not None and found[1].max_timestamp == entry.timestamp:
        return entry
    segment.rebuild_indexes()
    return segment.time_index.lookup(timestamp)


def _batches_from(segment: Segment, offset: int) -> Iterator[tuple[int, BatchHeader]]:
    found = segment.locate(offset)
    return iter(()) if found is None else segment.batches(found[0])


def _in_batch(
    batch: bytes, header: BatchHeader, timestamp: int, start_offset: int
) -> FoundOffset | None:
    if header.timestamp_type is TimestampType.LOG_APPEND and header.base_offset >= start_offset:
        return FoundOffset(header.base_offset, header.max_timestamp, header.leader_epoch)
    for record in iterate_records(batch):
        if record.timestamp >= timestamp and record.offset >= start_offset:
            return FoundOffset(record.offset, record.timestamp, header.leader_epoch)
    return None
