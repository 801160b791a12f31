"""What a node serves of a partition, as values: the same questions to any node.

Fetches are taken apart here and not by a client: each batch is held against its checksum, and
where one is damaged, or the node answers with an error, the next offset is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from moldau.errors import CorruptRecordError
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    checksum_of,
    iterate_batches,
    read_header,
)
from moldau.protocol.records.record import iterate_records
from tests.damage.contents import next_batch, value_of
from tests.judges.kafka_calls import ask, produce

EARLIEST, LATEST = -2, -1
LIST_OFFSETS_VERSION, FETCH_VERSION = 7, 12
FETCH_BYTES = 2_000
STORAGE_ERROR = 56
CORRUPT_MESSAGE = 2
NOT_YET = frozenset({3, 5, 6, 9, 74, 75, 76})
"""The node does not lead the partition yet."""
OFFSETS_MAX = 200
"""Asked for; damage can make a log seem to have billions."""
TIMEOUT_S = 60
POLL_S = 0.05
WRONG_RECORD = -100
DAMAGED = -101
NOTHING = -102
SKIPPED = -103
"""What is no error code: another record than was written there, a batch with a wrong checksum, an
answer without a batch, and one that begins behind the wanted offset."""


class Outcome(NamedTuple):
    """All that matters to the partition's users."""

    start: int
    end: int
    stable: int
    """The last stable offset."""
    readable: str
    """Spans of offsets whose records came as they were written, markers among them."""
    unreadable: str
    """Spans of the other offsets, each with an error code or one of our own numbers."""
    appended: tuple[int, int, bool]
    """The error and offset of one more batch, and whether it can be read."""


def outcome_of(port: int, topic: str, partition: int) -> Outcome:
    error, start = offset_of(port, topic, partition, EARLIEST)
    if error:
        return Outcome(-error, -error, -error, "", "", (error, -1, False))
    end, stable = (offset_of(port, topic, partition, LATEST, level)[1] for level in (0, 1))
    found = dict(_read(port, topic, partition, start, min(end, start + OFFSETS_MAX)))
    readable = [offset for offset, fault in found.items() if not fault]
    faults = sorted({fault for fault in found.values() if fault})
    unreadable = [
        f"{_spans([one for one in found if found[one] == fault])}: {fault}" for fault in faults
    ]
    code, offset = produce(port, topic, next_batch(0, 1), partition)
    reads_back = not code and dict(_read(port, topic, partition, offset, offset + 1))[offset] in (
        0,
        WRONG_RECORD,
    )
    appended = (code, offset, reads_back)
    return Outcome(start, end, stable, _spans(readable), ", ".join(unreadable), appended)


def _read(port: int, topic: str, partition: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Each offset and what is wrong with it, 0 for nothing."""
    offset = start
    while offset < end:
        error, data = _fetch(port, topic, partition, offset)
        following = offset
        for at, fault in _taken_apart(data, offset, end) if not error else ():
            for skipped in range(following, at):
                yield skipped, SKIPPED
            yield at, fault
            following = at + 1
        if following == offset:
            yield offset, error or NOTHING
            following += 1
        offset = following


def _taken_apart(data: bytes, offset: int, end: int) -> Iterator[tuple[int, int]]:
    try:
        for batch in iterate_batches(data):
            header = read_header(batch)
            if len(batch) < HEADER_SIZE or checksum_of(batch, header) != header.crc:
                if header.base_offset <= offset or header.base_offset < end:
                    yield max(header.base_offset, offset), DAMAGED
                return
            if header.last_offset < offset or header.base_offset >= end:
                return
            yield from _records(batch, offset, end)
            offset = header.next_offset
    except CorruptRecordError:
        return


def _records(batch: memoryview, offset: int, end: int) -> Iterator[tuple[int, int]]:
    header = read_header(batch)
    for record in iterate_records(batch):
        if offset <= record.offset < end:
            is_right = header.is_control or record.value == value_of(record.offset)
            yield record.offset, 0 if is_right else WRONG_RECORD


def _spans(offsets: list[int]) -> str:
    """As `0-30 62-92`."""
    spans: list[list[int]] = []
    for offset in sorted(offsets):
        if spans and spans[-1][1] == offset - 1:
            spans[-1][1] = offset
        else:
            spans.append([offset, offset])
    return " ".join(f"{first}-{last}" for first, last in spans)


def offset_of(port: int, topic: str, partition: int, at: int, level: int = 0) -> tuple[int, int]:
    part = ListOffsetsRequest.ListOffsetsTopic.ListOffsetsPartition(
        partition_index=partition, timestamp=at
    )
    topics = [ListOffsetsRequest.ListOffsetsTopic(name=topic, partitions=[part])]
    request = ListOffsetsRequest(replica_id=-1, isolation_level=level, topics=topics)
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        answer = ask(port, request, ListOffsetsResponse, LIST_OFFSETS_VERSION)
        found = answer.topics[0].partitions[0]
        if found.error_code not in NOT_YET or time.monotonic() > deadline:
            return found.error_code, found.offset
        time.sleep(POLL_S)


def _fetch(port: int, topic: str, partition: int, offset: int) -> tuple[int, bytes]:
    part = FetchRequest.FetchTopic.FetchPartition(
        partition=partition, fetch_offset=offset, partition_max_bytes=FETCH_BYTES
    )
    topics = [FetchRequest.FetchTopic(topic=topic, partitions=[part])]
    request = FetchRequest(max_wait_ms=0, min_bytes=0, session_epoch=-1, topics=topics)
    answer = ask(port, request, FetchResponse, FETCH_VERSION)
    (found,) = answer.responses[0].partitions
    return found.error_code, bytes(found.records or b"")
