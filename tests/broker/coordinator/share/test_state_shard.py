"""Conversations with the shard that keeps the state of share partitions."""

from __future__ import annotations

from typing import Any

from moldau.broker.coordinator.share.state_shard import DeleteBelow
from moldau.broker.metadata.delta import Delta
from moldau.protocol.messages.stored.metadata_topics import RemoveTopicRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.share.share_coordinator import TOPIC_ID, ShareCoordinator, batches_in


def kinds(coordinator):
    return [type(record.value).__name__ for record in coordinator.log]


def test_what_was_written_is_read_again():
    coordinator = ShareCoordinator()
    assert coordinator.initialize(start=10).error_code == 0
    assert coordinator.write((10, 14, 2, 1), (15, 19, 0, 1), start=10, settled=5).error_code == 0
    answer = coordinator.read()
    assert (answer.start_offset, answer.state_epoch) == (10, 1)
    assert batches_in(answer) == [(10, 14, 2, 1), (15, 19, 0, 1)]


def test_nothing_is_read_or_written_before_it_is_initialized():
    coordinator = ShareCoordinator()
    assert coordinator.write((0, 1, 2, 1)).error_code == ErrorCode.INVALID_REQUEST
    assert coordinator.read().error_code == ErrorCode.INVALID_REQUEST
    assert coordinator.summary().start_offset == -1
    assert coordinator.log == []


def test_a_reader_fences_the_leader_before_it():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    assert coordinator.read(leader_epoch=5).error_code == 0
    assert (
        coordinator.write((0, 1, 2, 1), leader_epoch=4).error_code == ErrorCode.FENCED_LEADER_EPOCH
    )
    assert coordinator.read(leader_epoch=4).error_code == ErrorCode.FENCED_LEADER_EPOCH
    assert coordinator.write((0, 1, 2, 1), leader_epoch=5).error_code == 0


def test_a_read_in_the_known_epoch_writes_nothing():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    coordinator.read(leader_epoch=5)
    length = len(coordinator.log)
    coordinator.read(leader_epoch=5)
    assert len(coordinator.log) == length


def test_a_higher_state_epoch_makes_older_writes_void():
    coordinator = ShareCoordinator()
    coordinator.initialize(epoch=1)
    coordinator.initialize(epoch=2, start=100)
    assert coordinator.write((0, 1, 2, 1), state_epoch=1).error_code == ErrorCode.FENCED_STATE_EPOCH
    assert coordinator.initialize(epoch=1).error_code == ErrorCode.FENCED_STATE_EPOCH
    assert coordinator.read().start_offset == 100


def test_after_enough_updates_a_snapshot_follows():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    for offset in range(8):
        coordinator.write((offset, offset, 2, 1))
    up, snap = "ShareUpdateValue", "ShareSnapshotValue"
    assert kinds(coordinator) == [snap, up, up, up, snap, up, up, up, snap]
    values: list[Any] = [record.value for record in coordinator.log]
    assert [value.snapshot_epoch for value in values] == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert batches_in(coordinator.read()) == [(0, 7, 2, 1)]


def test_a_summary_has_the_start_and_what_is_settled():
    coordinator = ShareCoordinator()
    coordinator.initialize(start=-1)
    assert coordinator.summary().delivery_complete_count == -1
    coordinator.write((7, 9, 2, 1), start=7, settled=3)
    answer = coordinator.summary()
    assert (answer.start_offset, answer.delivery_complete_count, answer.state_epoch) == (7, 3, 1)


def test_what_is_deleted_has_to_be_initialized_again():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    assert coordinator.delete().error_code == 0
    assert coordinator.read().error_code == ErrorCode.INVALID_REQUEST
    assert coordinator.delete().error_code == 0
    assert kinds(coordinator) == ["ShareSnapshotValue", "NoneType"]


def test_what_is_not_in_the_metadata_is_refused():
    coordinator = ShareCoordinator()
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert coordinator.initialize(partition=9).error_code == code
    assert coordinator.summary(partition=9).error_code == code
    assert coordinator.delete(partition=9).error_code == code
    assert coordinator.delete(partition=-1).error_code == ErrorCode.INVALID_REQUEST
    assert coordinator.write(topic_id=bytes(16)).error_code == ErrorCode.INVALID_REQUEST


def test_with_a_topic_its_state_goes():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    delta = Delta(coordinator.image)
    delta.apply(RemoveTopicRecord(topic_id=TOPIC_ID))
    coordinator.carry_out(
        coordinator.shard.metadata_changed(delta, delta.build(), coordinator.now_ms)
    )
    assert coordinator.shard.table.kept == {}


def test_what_is_written_again_later_is_deleted():
    coordinator = ShareCoordinator()
    coordinator.initialize(partition=0)
    coordinator.initialize(partition=1)
    coordinator.initialize(partition=0, epoch=2)
    coordinator.pass_ms(299_999)
    assert coordinator.effects == []
    coordinator.pass_ms(1)
    assert coordinator.effects == [DeleteBelow(1)]


def test_silence_ends_in_one_more_snapshot():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    coordinator.write((0, 4, 2, 1))
    coordinator.pass_ms(300_000)
    assert kinds(coordinator)[2:] == ["ShareSnapshotValue"]
    coordinator.pass_ms(900_000)
    assert len(coordinator.log) == 3
    assert batches_in(coordinator.restarted().read()) == [(0, 4, 2, 1)]
