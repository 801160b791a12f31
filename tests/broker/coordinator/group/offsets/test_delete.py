"""Deleting offsets."""

from __future__ import annotations

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.stored.metadata_topics import RemoveTopicRecord, TopicRecord
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import meet
from tests.broker.coordinator.group.coordinator import Coordinator
from tests.broker.coordinator.group.offsets.words import (
    codes,
    commit,
    commit_pending,
    delete,
    offsets,
)

TOPIC_ID = bytes(range(16))


def test_a_deleted_offset_is_gone_for_good():
    coordinator = Coordinator()
    coordinator >> commit(7)
    coordinator >> commit(8, partition=1)
    assert codes(coordinator >> delete(0, 5)) == [0, 0]
    assert offsets(coordinator) == offsets(coordinator.restarted()) == {("t", 1): 8}


def test_what_is_not_there_needs_no_record():
    coordinator = Coordinator()
    coordinator >> commit(7)
    coordinator >> delete(5)
    assert len(coordinator.log) == 1


def test_offsets_that_a_member_reads_are_kept():
    meeting = meet()
    meeting.coordinator >> commit(7, meeting.leader, 1)
    meeting.coordinator >> commit(7, meeting.leader, 1, topic="u")
    refused = meeting.coordinator >> delete(0)
    assert codes(refused) == [ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC]
    assert codes(meeting.coordinator >> delete(0, topic="u")) == [0]
    assert offsets(meeting.coordinator) == {("t", 0): 7}


def test_of_an_unknown_group_nothing_is_deleted():
    assert (Coordinator() >> delete(0)).code == ErrorCode.GROUP_ID_NOT_FOUND


def test_a_pending_offset_is_deleted_too():
    coordinator = Coordinator()
    coordinator >> commit_pending(7)
    assert codes(coordinator >> delete(0)) == [0]
    coordinator.end_transaction(9, is_commit=True)
    assert offsets(coordinator) == offsets(coordinator.restarted()) == {}


def test_the_offsets_of_a_deleted_topic_go_with_it():
    coordinator = Coordinator()
    coordinator >> commit(7)
    coordinator >> commit(7, topic="u")
    born = Delta(Image())
    born.apply(TopicRecord(name="t", topic_id=TOPIC_ID))
    gone = Delta(born.build())
    gone.apply(RemoveTopicRecord(topic_id=TOPIC_ID))
    coordinator.carry_out(
        coordinator.shard.metadata_changed(gone, gone.build(), coordinator.now_ms)
    )
    assert offsets(coordinator) == {("u", 0): 7}
