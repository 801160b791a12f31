"""One partition as its readers see it: plain values, whichever broker serves them.

`tests/judges/kafka_view.py` asks a running node of Apache Kafka, `view_of_log` asks a log of ours.
Two views of the same partition are equal, to the byte and the millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.producers.entry import ProducerEntry
from moldau.broker.log.reading import Isolation
from moldau.broker.log.timestamps import FoundOffset
from moldau.protocol.records.batch import iterate_batches, read_header
from moldau.protocol.records.record import iterate_records

NOWHERE = (-1, -1)
FETCH_BYTES = 3_000
"""A few batches: a partition takes many fetches, and each has its own aborted transactions."""
PROBES_MAX = 40
"""Timestamps and offsets that are asked for; each is a round trip to a node."""


class Seen(NamedTuple):
    """A record as a consumer gets it."""

    offset: int
    timestamp: int
    is_log_append_time: bool
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...]
    leader_epoch: int


class Fetched(NamedTuple):
    """The answer to one fetch."""

    high_watermark: int
    last_stable_offset: int
    log_start_offset: int
    aborted: tuple[tuple[int, int], ...] | None
    """Producer id and first offset."""
    data: bytes


class ProducerSeen(NamedTuple):
    """What the partition remembers of a producer."""

    producer_id: int
    epoch: int
    last_sequence: int
    last_timestamp: int
    coordinator_epoch: int
    transaction_first_offset: int


class View(NamedTuple):
    """All that can be asked of a partition."""

    start: int
    end: int
    last_stable_offset: int
    uncommitted: list[Seen]
    committed: list[Seen]
    times: dict[int, tuple[int, int]]
    """Offset and timestamp of the first record that is as young."""
    youngest: tuple[int, int]
    producers: list[ProducerSeen]
    fetches: list[tuple[Fetched, Fetched]]
    """From some offsets on: for readers of everything, and of what is committed."""


def probes_of_time(records: Sequence[Seen]) -> list[int]:
    """Timestamps to look up: those of records, their neighbours, and beyond both ends."""
    times = sorted({record.timestamp for record in records})
    chosen = times[:: max(1, 3 * len(times) // PROBES_MAX)]
    near = {time + step for time in (*chosen, *times[-1:]) for step in (-1, 0, 1)}
    return sorted({0, *near})


def probes_of_offset(start: int, end: int) -> list[int]:
    return [*range(start, end, max(1, (end - start) // PROBES_MAX)), end]


def view_of_log(log: PartitionLog) -> View:
    uncommitted = list(_records(log, Isolation.HIGH_WATERMARK))
    return View(
        log.log_start_offset,
        log.log_end_offset,
        log.last_stable_offset,
        uncommitted,
        list(_records(log, Isolation.COMMITTED)),
        {time: _looked_up(log, time) for time in probes_of_time(uncommitted)},
        _place(log.offset_of_max_timestamp()),
        sorted(map(_producer, log.producers.active())),
        [
            (_fetched(log, offset, Isolation.HIGH_WATERMARK), _committed(log, offset))
            for offset in probes_of_offset(log.log_start_offset, log.log_end_offset)
        ],
    )


def _records(log: PartitionLog, isolation: Isolation) -> Iterator[Seen]:
    """As a consumer reads: skipping markers, and what is listed as aborted."""
    offset = log.log_start_offset
    while (found := log.read(offset, FETCH_BYTES, isolation)).size:
        aborted = found.aborted_transactions or ()
        for batch in iterate_batches(found.read()):
            header = read_header(batch)
            void = any(
                header.producer_id == one.producer_id
                and one.first_offset <= header.base_offset <= one.last_offset
                for one in aborted
            )
            if not void and not header.is_control:
                yield from _seen(batch, offset)
            offset = header.next_offset


def _seen(batch: memoryview, fetch_offset: int) -> Iterator[Seen]:
    header = read_header(batch)
    for record in iterate_records(batch):
        if record.offset >= fetch_offset:
            yield Seen(
                record.offset,
                record.timestamp,
                bool(header.timestamp_type),
                record.key,
                record.value,
                tuple((one.key, one.value) for one in record.headers),
                header.leader_epoch,
            )


def _fetched(log: PartitionLog, offset: int, isolation: Isolation) -> Fetched:
    found = log.read(offset, FETCH_BYTES, isolation)
    aborted = found.aborted_transactions
    return Fetched(
        found.high_watermark,
        found.last_stable_offset,
        found.log_start_offset,
        None if aborted is None else tuple((one.producer_id, one.first_offset) for one in aborted),
        found.read(),
    )


def _committed(log: PartitionLog, offset: int) -> Fetched:
    return _fetched(log, offset, Isolation.COMMITTED)


def _looked_up(log: PartitionLog, timestamp: int) -> tuple[int, int]:
    """Our answer, but for what Kafka misses.

    Kafka looks into the first segment that is young enough and no further. Nothing is found in one
    that lies below the log's start, or that compaction has left with the age of its file alone, or
    with that of a batch without records.
    """
    segments = log.segments
    chosen = next((one for one in segments if one.largest_timestamp >= timestamp), None)
    found = log.offset_for_timestamp(timestamp)
    if (
        chosen is None
        or found is None
        or found.offset < segments.end_of(chosen, log.log_end_offset)
    ):
        return _place(found)
    return NOWHERE


def _place(found: FoundOffset | None) -> tuple[int, int]:
    return NOWHERE if found is None else (found.offset, found.timestamp)


def _producer(entry: ProducerEntry) -> ProducerSeen:
    first_offset = entry.transaction_first_offset
    return ProducerSeen(
        entry.producer_id,
        entry.epoch,
        entry.last_sequence,
        entry.last_timestamp,
        entry.coordinator_epoch,
        -1 if first_offset is None else first_offset,
    )
