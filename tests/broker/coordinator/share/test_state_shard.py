"""Conversations with the shard that keeps the state of share partitions."""

from __future__ import annotations

from typing import Any

from moldau.broker.coordinator.share.state_shard import DeleteBelow
from moldau.broker.metadata.delta import Delta
from moldau.protocol.messages.stored.metadata_topics import RemoveTopicRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.share.state_play import TOPIC_ID, StatePlay, batches_in


def kinds(play):
    return [type(record.value).__name__ for record in play.log]


def test_what_was_written_is_read_again():
    play = StatePlay()
    assert play.initialize(start=10).error_code == 0
    assert play.write((10, 14, 2, 1), (15, 19, 0, 1), start=10, settled=5).error_code == 0
    answer = play.read()
    assert (answer.start_offset, answer.state_epoch) == (10, 1)
    assert batches_in(answer) == [(10, 14, 2, 1), (15, 19, 0, 1)]


def test_nothing_is_read_or_written_before_it_is_initialized():
    play = StatePlay()
    assert play.write((0, 1, 2, 1)).error_code == ErrorCode.INVALID_REQUEST
    assert play.read().error_code == ErrorCode.INVALID_REQUEST
    assert play.summary().start_offset == -1
    assert play.log == []


def test_a_reader_fences_the_leader_before_it():
    play = StatePlay()
    play.initialize()
    assert play.read(leader_epoch=5).error_code == 0
    assert play.write((0, 1, 2, 1), leader_epoch=4).error_code == ErrorCode.FENCED_LEADER_EPOCH
    assert play.read(leader_epoch=4).error_code == ErrorCode.FENCED_LEADER_EPOCH
    assert play.write((0, 1, 2, 1), leader_epoch=5).error_code == 0


def test_a_read_in_the_known_epoch_writes_nothing():
    play = StatePlay()
    play.initialize()
    play.read(leader_epoch=5)
    length = len(play.log)
    play.read(leader_epoch=5)
    assert len(play.log) == length


def test_a_higher_state_epoch_makes_older_writes_void():
    play = StatePlay()
    play.initialize(epoch=1)
    play.initialize(epoch=2, start=100)
    assert play.write((0, 1, 2, 1), state_epoch=1).error_code == ErrorCode.FENCED_STATE_EPOCH
    assert play.initialize(epoch=1).error_code == ErrorCode.FENCED_STATE_EPOCH
    assert play.read().start_offset == 100


def test_after_enough_updates_a_snapshot_follows():
    play = StatePlay()
    play.initialize()
    for offset in range(8):
        play.write((offset, offset, 2, 1))
    up, snap = "ShareUpdateValue", "ShareSnapshotValue"
    assert kinds(play) == [snap, up, up, up, snap, up, up, up, snap]
    values: list[Any] = [record.value for record in play.log]
    assert [value.snapshot_epoch for value in values] == [0, 0, 0, 0, 1, 1, 1, 1, 2]
    assert batches_in(play.read()) == [(0, 7, 2, 1)]


def test_a_summary_has_the_start_and_what_is_settled():
    play = StatePlay()
    play.initialize(start=-1)
    assert play.summary().delivery_complete_count == -1
    play.write((7, 9, 2, 1), start=7, settled=3)
    answer = play.summary()
    assert (answer.start_offset, answer.delivery_complete_count, answer.state_epoch) == (7, 3, 1)


def test_what_is_deleted_has_to_be_initialized_again():
    play = StatePlay()
    play.initialize()
    assert play.delete().error_code == 0
    assert play.read().error_code == ErrorCode.INVALID_REQUEST
    assert play.delete().error_code == 0
    assert kinds(play) == ["ShareSnapshotValue", "NoneType"]


def test_what_is_not_in_the_metadata_is_refused():
    play = StatePlay()
    code = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert play.initialize(partition=9).error_code == code
    assert play.summary(partition=9).error_code == code
    assert play.delete(partition=9).error_code == code
    assert play.delete(partition=-1).error_code == ErrorCode.INVALID_REQUEST
    assert play.write(topic_id=bytes(16)).error_code == ErrorCode.INVALID_REQUEST


def test_with_a_topic_its_state_goes():
    play = StatePlay()
    play.initialize()
    delta = Delta(play.image)
    delta.apply(RemoveTopicRecord(topic_id=TOPIC_ID))
    play.carry_out(play.shard.metadata_changed(delta, delta.build(), play.now_ms))
    assert play.shard.table.kept == {}


def test_what_is_written_again_later_is_deleted():
    play = StatePlay()
    play.initialize(partition=0)
    play.initialize(partition=1)
    play.initialize(partition=0, epoch=2)
    play.pass_ms(299_999)
    assert play.effects == []
    play.pass_ms(1)
    assert play.effects == [DeleteBelow(1)]


def test_silence_ends_in_one_more_snapshot():
    play = StatePlay()
    play.initialize()
    play.write((0, 4, 2, 1))
    play.pass_ms(300_000)
    assert kinds(play)[2:] == ["ShareSnapshotValue"]
    play.pass_ms(900_000)
    assert len(play.log) == 3
    assert batches_in(play.restarted().read()) == [(0, 4, 2, 1)]
