"""One image, and those who follow it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from moldau.broker.metadata.snapshot_file import Snapshot
from moldau.broker.quorum.log_view import SnapshotId
from moldau.broker.runtime.quorum.committed import CommittedMetadata
from moldau.protocol.messages.stored.metadata_cluster import FeatureLevelRecord, NoOpRecord
from moldau.protocol.messages.stored.metadata_topics import TopicRecord

LEVEL = FeatureLevelRecord(name="metadata.version", feature_level=30)
ORDERS = TopicRecord(name="orders", topic_id=b"o" * 16)
CLICKS = TopicRecord(name="clicks", topic_id=b"c" * 16)


def committed(*batches):
    made = CommittedMetadata()
    changes: list[Any] = []
    made.subscribe(lambda delta, image: changes.append((delta, image)))
    for offset, records in enumerate(batches):
        made.pending.add_records(records, offset, 1, 1000 + offset, 50)
    return made, changes


def test_batches_that_are_committed_together_are_one_change():
    made, changes = committed([LEVEL], [ORDERS], [CLICKS])
    made.commit(2)
    ((delta, image),) = changes
    assert set(image.topics.by_name) == {"orders"}
    assert delta.changed_topics == {b"o" * 16}
    assert made.image.offset == 1


def test_a_holder_always_has_the_image():
    made, _ = committed([LEVEL], [ORDERS], [NoOpRecord()])
    made.commit(1)
    holder: Any = SimpleNamespace()
    made.keep_image_of(holder)
    offsets = [holder.image.offset]
    for end in (2, 3):
        made.commit(end)
        offsets.append(holder.image.offset)
    made.set_kraft_version(1)
    assert offsets == [0, 1, 2]
    assert holder.image is made.image
    made.load_snapshot(Snapshot([ORDERS], 7), SnapshotId(9, 1))
    assert holder.image is made.image
    assert holder.image.offset == 8


def test_without_changes_none_is_notified():
    made, changes = committed([NoOpRecord()], [NoOpRecord()])
    made.commit(2)
    made.commit(2)
    assert changes == []
    assert made.image.offset == 1


def test_bytes_and_times_are_counted_for_the_next_snapshot():
    made, _ = committed([LEVEL], [ORDERS])
    assert made.commit(2) == 2
    assert made.commit(2) == 0
    assert (made.bytes_since_snapshot, made.batches_since_snapshot) == (100, 2)
    assert (made.snapshot_ms, made.last_contained_ms) == (1000, 1001)
    made.snapshot_taken(1001)
    assert (made.bytes_since_snapshot, made.snapshot_ms) == (0, 1001)


def test_a_snapshot_shows_what_is_gone_too():
    made, changes = committed([LEVEL, ORDERS])
    made.commit(1)
    made.load_snapshot(Snapshot([LEVEL, CLICKS]), SnapshotId(10, 2))
    delta, image = changes[-1]
    assert made.snapshots_loaded == 1
    assert set(image.topics.by_name) == {"clicks"}
    assert delta.deleted_topics == {b"o" * 16}
    assert (image.offset, image.epoch) == (9, 2)


def test_who_comes_late_gets_all_there_is():
    made, _ = committed([LEVEL, ORDERS])
    made.commit(1)
    late: list[Any] = []
    made.subscribe(lambda delta, image: late.append((delta, image)))
    ((delta, image),) = late
    assert (delta.changed_topics, image) == ({b"o" * 16}, made.image)


def test_the_quorums_own_level_is_shown():
    made, _ = committed()
    made.set_kraft_version(1)
    assert made.image.features.level("kraft.version") == 1
    assert not made.in_transaction
