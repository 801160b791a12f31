"""The metadata log on a disk."""

from __future__ import annotations

from random import Random

import pytest

from moldau.broker.log.directory.partition_metadata import read_partition_metadata
from moldau.broker.log.world import World
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.runtime.quorum.batches import metadata_batch
from moldau.broker.runtime.quorum.metadata_log import (
    LostMetadataError,
    MetadataLog,
    MetadataLogSettings,
)
from moldau.platform.simulated.clock import SimulatedClock
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.slices import at_once
from moldau.protocol.messages.stored.metadata_cluster import NoOpRecord
from moldau.protocol.wire.uuids import METADATA_TOPIC_ID


@pytest.fixture
def world():
    files = SimulatedFiles()
    files.make_directory("/data")
    return World(files, SimulatedClock(), Random(1))


def opened(world, segment_bytes=1 << 20, *, clean=False):
    return MetadataLog.open(world, "/data", MetadataLogSettings(segment_bytes), clean=clean)


def noop(epoch):
    return at_once(metadata_batch([NoOpRecord()], 30, epoch, 1_795_000_000_000))


def test_the_directory_says_whose_records_it_has(world):
    opened(world)
    directory = "/data/__cluster_metadata-0"
    identity = read_partition_metadata(world.files, directory)
    assert identity is not None
    assert identity.topic_id == METADATA_TOPIC_ID


def test_ends_of_epochs_are_known(world):
    log = opened(world)
    for epoch in (1, 1, 3):
        log.append(noop(epoch), epoch)
    assert log.end == LogEnd(3, 3)
    assert log.end_of_epoch(1) == LogEnd(1, 2)
    assert log.end_of_epoch(2) == LogEnd(1, 2)
    assert log.end_of_epoch(9) == LogEnd(3, 3)


def test_nothing_waits_for_the_commit_of_noops_at_the_end(world):
    log = opened(world)
    log.append(noop(1), 1)
    for start_offset in (1, 2):
        log.append(noop(1), 1)
        log.note_idle(start_offset)
    assert (log.news_end, log.end.offset) == (1, 3)
    log.append(noop(1), 1)
    assert log.news_end == 4
    log.append(noop(1), 1)
    log.note_idle(4)
    assert log.news_end == 4


def test_batches_are_read_from_any_offset(world):
    log = opened(world)
    for _ in range(5):
        log.append(noop(1), 1)
    assert len(list(log.batches(2))) == 3
    assert list(log.batches(5)) == []


def test_what_is_cut_is_gone(world):
    log = opened(world)
    for epoch in (1, 1, 3):
        log.append(noop(epoch), epoch)
    log.truncate_to(2)
    assert log.end == LogEnd(1, 2)


def test_what_was_flushed_is_there_after_a_start(world):
    log = opened(world)
    log.append(noop(1), 1)
    work = log.begin_flush()
    work.sync()
    log.finish_flush(work)
    log.close()
    assert opened(world).end == LogEnd(1, 1)


def test_a_log_that_ends_before_the_snapshot_begins_behind_it(world):
    log = opened(world)
    log.append(noop(1), 1)
    log.snapshots.write(SnapshotId(9, 4), [b"x"])
    log.close()
    again = opened(world)
    assert (again.start_offset, again.end) == (9, LogEnd(4, 9))
    assert again.end_of_epoch(4) == LogEnd(4, 9)


def test_snapshots_that_end_before_the_log_are_forgotten_at_the_start(world):
    log = opened(world)
    for snapshot in (SnapshotId(3, 1), SnapshotId(9, 4)):
        log.snapshots.write(snapshot, [b"x"])
    log.log.truncate_fully_and_start_at(9)
    log.close()
    again = opened(world)
    assert again.snapshots.ids == [SnapshotId(9, 4)]
    assert again.end_of_epoch(4) == LogEnd(4, 9)


def test_a_longer_log_that_has_parted_from_the_snapshot_is_not_read(world):
    log = opened(world)
    for _ in range(12):
        log.append(noop(1), 1)
    log.snapshots.write(SnapshotId(9, 4), [b"x"])
    log.close()
    again = opened(world)
    assert (again.start_offset, again.end) == (9, LogEnd(4, 9))


def test_segments_before_a_snapshot_go(world):
    log = opened(world, segment_bytes=200)
    for _ in range(10):
        log.append(noop(1), 1)
    log.snapshots.add(SnapshotId(8, 1))
    log.log.high_watermark = 10
    log.trim(SnapshotId(8, 1))
    assert log.start_offset == 8
    assert log.log.segments.first.base_offset in (6, 7, 8)
    assert repr(log).startswith("MetadataLog(")


def test_a_log_whose_beginning_nothing_holds_is_refused(world):
    log = opened(world, segment_bytes=200)
    for _ in range(10):
        log.append(noop(1), 1)
    log.snapshots.add(SnapshotId(8, 1))
    log.log.high_watermark = 10
    log.trim(SnapshotId(8, 1))
    log.close()
    with pytest.raises(LostMetadataError, match="log begins at offset 8, and no snapshot"):
        list(opened(world, segment_bytes=200).judged_batches())


def test_batches_are_judged_behind_the_snapshot(world):
    log = opened(world)
    for _ in range(5):
        log.append(noop(1), 1)
    log.snapshots.add(SnapshotId(3, 1))
    assert len(list(log.judged_batches())) == 2


def test_what_was_committed_and_synced_must_be_there_again(world):
    log = opened(world)
    for _ in range(5):
        log.append(noop(1), 1)
    log.note_committed(4)
    log.close()
    assert opened(world).end == LogEnd(1, 5)
    world.files.remove(f"{log.log.directory}/00000000000000000000.log")
    assert opened(world).end == LogEnd(0, 0)  # nothing had been synced when it was noted


def test_a_note_is_kept_until_a_snapshot_holds_as_much(world):
    log = opened(world)
    for _ in range(5):
        log.append(noop(1), 1)
    log.log.flush()
    log.note_committed(4)
    log.close()
    world.files.remove(f"{log.log.directory}/00000000000000000000.log")
    with pytest.raises(LostMetadataError, match="all below offset 4 was on the disk; restore"):
        opened(world)
    log.snapshots.write(SnapshotId(4, 1), [b"x"])
    assert opened(world).end == LogEnd(1, 4)
