"""When snapshots are taken, and what they make superfluous."""

from __future__ import annotations

import pytest

from moldau.broker.metadata.snapshot_file import SnapshotFields, decode_snapshot
from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.broker.runtime.quorum.snapshotting import (
    BATCHES_MAX,
    SnapshotSettings,
    Snapshotter,
    contents_of,
)
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord, NoOpRecord
from tests.broker.metadata.full_image import full_image
from tests.broker.runtime.quorum_world import CALL, LOG_DIRECTORY, OneNode, topics

LEVEL = FeatureLevelRecord(name="metadata.version", feature_level=30)
LOG = f"{LOG_DIRECTORY}/__cluster_metadata-0"


def due_after(batches, size, age_ms, settings):
    committed = CommittedMetadata()
    committed.pending.add_records([LEVEL], 0, 1, 1000, size)
    for offset in range(1, batches):
        committed.pending.add_records([NoOpRecord()], offset, 1, 1000, size)
    committed.commit(batches)
    return Snapshotter(settings, None, committed).is_due(1000 + age_ms)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("batches", "size", "age_ms", "due"),
    [(1, 10, 10, False), (2, 500, 10, True), (1, 10, 5000, True), (BATCHES_MAX, 0, 10, True)],
)
def test_bytes_time_and_batches_make_a_snapshot_due(batches, size, age_ms, due):
    settings = SnapshotSettings(bytes_between=1000, interval_ms=5000)
    assert due_after(batches, size, age_ms, settings) is due


def test_time_may_be_switched_off():
    settings = SnapshotSettings(interval_ms=0)
    assert not due_after(1, 10, 10**9, settings)


def test_what_was_never_formatted_has_no_snapshot():
    committed = CommittedMetadata()
    snapshotter = Snapshotter(SnapshotSettings(), None, committed)  # type: ignore[arg-type]
    assert not snapshotter.is_due(10**15)


def test_a_snapshot_holds_the_image():
    fields = SnapshotFields(epoch=5, created_ms=1000)
    contents = b"".join(map(bytes, contents_of(full_image(), fields)))
    assert len(decode_snapshot(contents, "x").records) == 14


def test_it_is_known_when_the_newest_snapshot_was_written():
    async def scene(quorum, tasks):
        began_ms = quorum.snapshot_written_ms
        for number in range(20):
            await quorum.ask(topics(f"topic-{number}"), CALL)
            await tasks.sleep(500)
        return quorum.snapshot_written_ms - began_ms

    assert 2000 <= OneNode(snapshots=SnapshotSettings(interval_ms=2000)).run(scene) <= 10_000


def test_a_log_that_is_too_large_loses_what_a_snapshot_holds():
    async def scene(quorum, tasks):
        for number in range(20):
            await quorum.ask(topics(f"topic-{number}"), CALL)
            await tasks.sleep(500)
        return quorum.node.log.start_offset

    settings = SnapshotSettings(interval_ms=2000, retention_bytes=1)
    node = OneNode(snapshots=settings)
    assert node.run(scene) > 0
    assert sum(name.endswith(".checkpoint") for name in node.files.list(LOG)) == 1
