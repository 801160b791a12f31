"""The log that is damaged: the same bytes in every run, so that outcomes can be written down.

    first segment   offsets 0 to 39, below the recovery point of a node that is killed
    second          offsets 40 to 79, above it
    last            offsets 80 to 119, above the high watermark of the checkpoint too

Plain batches of two records, those of an idempotent producer, and transactions that end well or
not. A record's value says its offset, so a reader can tell whether it got the right one.
"""

from __future__ import annotations

from pathlib import Path

from moldau.broker.log.append_origin import AppendOrigin
from moldau.broker.log.opening import Remembered
from moldau.broker.log.partition_log import PartitionLog
from moldau.broker.log.settings import LogSettings
from moldau.broker.log.world import World
from moldau.platform.simulated.clock import START_MS, SimulatedClock
from moldau.platform.simulated.randomness import SeededRandom
from moldau.platform.system.files import SystemFiles
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from moldau.protocol.records.control import EndMarker, build_marker_batch

SEGMENTS = 3
ROUNDS = 5
"""In each segment; a round has six batches."""
ROUND_OFFSETS = 8
END_OFFSET = SEGMENTS * ROUNDS * ROUND_OFFSETS
RECOVERY_POINT = END_OFFSET // SEGMENTS
HIGH_WATERMARK = 2 * RECOVERY_POINT
"""What the checkpoints of a node that was killed say."""
SETTINGS = LogSettings(segment_index_bytes=1200, index_interval_bytes=400)
IDEMPOTENT, TRANSACTIONAL = 70_001, 70_002
VALUE = b"%08d" + b"." * 60


def value_of(offset: int) -> bytes:
    return VALUE % offset


class Writer:
    """Appends to one log."""

    def __init__(self, log: PartitionLog, clock: SimulatedClock) -> None:
        self._log = log
        self._clock = clock
        self._sequences = {IDEMPOTENT: 0, TRANSACTIONAL: 0}

    def round(self, number: int) -> None:
        """Six batches, eight offsets."""
        self.append()
        self.append(IDEMPOTENT)
        self.append(TRANSACTIONAL, count=1)
        self.append(count=1)
        self.end(commits=number % 2 == 0)
        self.append(count=1)

    def append(self, producer_id: int | None = None, count: int = 2) -> None:
        builder = BatchBuilder(BatchFields(is_transactional=producer_id == TRANSACTIONAL))
        first = self._log.log_end_offset
        for offset in range(first, first + count):
            builder.append(START_MS + offset, b"k%d" % offset, value_of(offset))
        if producer_id is not None:
            builder.set_producer(producer_id, 0, self._sequences[producer_id])
            self._sequences[producer_id] += count
        self._log.append_as_leader(builder.build(), 0)

    def end(self, *, commits: bool) -> None:
        marker = build_marker_batch(
            EndMarker(commits, 0),
            producer_id=TRANSACTIONAL,
            producer_epoch=0,
            timestamp=START_MS + self._log.log_end_offset,
        )
        self._log.append_as_leader(marker, 0, AppendOrigin.COORDINATOR)


def write_log(directory: Path, *, clean: bool) -> None:
    """Make the log, and close it or leave it as a process that is killed does."""
    clock = SimulatedClock()
    world = World(SystemFiles(), clock, SeededRandom(1))
    log = PartitionLog.open(world, str(directory), SETTINGS, Remembered(clean=True))
    log.assign_epoch(0)
    writer = Writer(log, clock)
    for number in range(SEGMENTS * ROUNDS):
        if number and number % ROUNDS == 0:
            log.roll()
        writer.round(number)
    assert log.log_end_offset == END_OFFSET
    log.high_watermark = END_OFFSET
    if clean:
        log.close()
    else:
        log.flush(RECOVERY_POINT)


def next_batch(offset: int = END_OFFSET, count: int = 2) -> bytes:
    """What an append behind the log's end would write."""
    builder = BatchBuilder(BatchFields())
    for at in range(offset, offset + count):
        builder.append(START_MS + at, b"k%d" % at, value_of(at))
    batch = builder.build()
    batch[:8] = offset.to_bytes(8, "big")
    batch[12:16] = bytes(4)
    return bytes(batch)
