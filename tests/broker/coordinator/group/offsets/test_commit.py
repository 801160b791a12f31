"""Committing offsets."""

from __future__ import annotations

import pytest

from moldau.protocol.messages.stored.offsets import OffsetCommitValue
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import SESSION_MS, enter, heartbeat, meet
from tests.broker.coordinator.group.consumer.conversation import Client, id_of, settle, stage
from tests.broker.coordinator.group.coordinator import START_MS, Coordinator
from tests.broker.coordinator.group.offsets.words import (
    codes,
    commit,
    commit_pending,
    fetch,
    offsets,
)

TOPIC_ID = bytes(range(16))


def test_a_committed_offset_is_found_after_a_move():
    coordinator = Coordinator()
    assert codes(coordinator >> commit(7)) == [0]
    assert offsets(coordinator) == offsets(coordinator.restarted()) == {("t", 0): 7}


def test_who_commits_from_outside_makes_a_simple_group():
    coordinator = Coordinator()
    coordinator >> commit(7)
    assert coordinator.state() == "Empty"
    assert [type(record.key).__name__ for record in coordinator.records()] == ["OffsetCommitKey"]


def test_the_record_has_all_that_was_committed():
    coordinator = Coordinator()
    coordinator >> commit(7, topic_id=TOPIC_ID, metadata="m", leader_epoch=3)
    (record,) = coordinator.records()
    assert record.value == OffsetCommitValue(
        offset=7, leader_epoch=3, metadata="m", commit_timestamp=START_MS, topic_id=TOPIC_ID
    )
    assert record.value_version == 4


def test_an_offset_with_a_retention_of_its_own_is_written_in_the_old_form():
    coordinator = Coordinator()
    coordinator >> commit(7, retention_ms=1_000, version=4)
    (record,) = coordinator.records()
    assert isinstance(record.value, OffsetCommitValue)
    assert (record.value_version, record.value.expire_timestamp) == (1, START_MS + 1_000)


def test_missing_metadata_are_empty():
    coordinator = Coordinator()
    coordinator >> commit(7, metadata=None)
    (group,) = (coordinator >> fetch()).answer.groups
    assert group.topics[0].partitions[0].metadata == ""


def test_metadata_that_are_too_long_are_refused_for_their_partition():
    coordinator = Coordinator()
    assert codes(coordinator >> commit(7, metadata="m" * 4_097)) == [
        ErrorCode.OFFSET_METADATA_TOO_LARGE
    ]
    assert codes(coordinator >> commit(7, metadata="m" * 4_096)) == [0]


@pytest.mark.parametrize(("version", "code"), [(8, 22), (9, 69)])
def test_a_member_of_a_group_that_is_not_there_is_refused(version, code):
    assert (Coordinator() >> commit(7, "m", 1, version=version)).code == code


def test_a_member_commits_in_its_generation_and_so_keeps_its_session():
    meeting = meet()
    for _ in range(3):
        meeting.coordinator.pass_ms(SESSION_MS - 1)
        for member in meeting.members:
            assert codes(meeting.coordinator >> commit(7, member, 1)) == [0]
    assert (meeting.coordinator >> heartbeat(meeting.leader)).code == 0


def test_who_is_no_member_is_refused():
    meeting = meet()
    assert (meeting.coordinator >> commit(7, "unknown", 1)).code == ErrorCode.UNKNOWN_MEMBER_ID
    assert (meeting.coordinator >> commit(7)).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_commit_that_cannot_be_written_is_refused_and_leaves_nothing():
    coordinator = Coordinator(broken=ErrorCode.COORDINATOR_NOT_AVAILABLE)
    assert (coordinator >> commit(7)).code == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert coordinator.state() == "Dead"


def test_in_a_transaction_an_offset_counts_when_it_commits():
    coordinator = Coordinator()
    assert codes(coordinator >> commit_pending(7)) == [0]
    assert offsets(coordinator) == {}
    coordinator.end_transaction(9, is_commit=True)
    assert offsets(coordinator) == offsets(coordinator.restarted()) == {("t", 0): 7}


def test_what_is_pending_is_still_pending_after_a_move():
    coordinator = Coordinator()
    coordinator >> commit_pending(7)
    later = coordinator.restarted()
    assert (offsets(later), later.state()) == ({}, "Empty")
    later.end_transaction(9, is_commit=True)
    assert offsets(later) == {("t", 0): 7}


def test_transactions_fence_zombies_by_their_generation():
    meeting = meet()
    assert codes(meeting.coordinator >> commit_pending(7, meeting.leader, 1)) == [0]
    zombie = meeting.coordinator >> commit_pending(7, meeting.leader, 0)
    assert zombie.code == ErrorCode.ILLEGAL_GENERATION
    assert (Coordinator() >> commit_pending(7, "m", 1)).code == ErrorCode.ILLEGAL_GENERATION
    too_long = meeting.coordinator >> commit_pending(7, metadata="m" * 4_097)
    assert codes(too_long) == [ErrorCode.OFFSET_METADATA_TOO_LARGE]


def test_a_transaction_of_a_member_is_checked_partition_by_partition():
    coordinator = stage(t=4)
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    settle(coordinator, a, b)
    assert codes(coordinator >> commit_pending(7, "a", 2)) == [0]
    assert (coordinator >> commit_pending(7, "a", 1)).code == ErrorCode.ILLEGAL_GENERATION
    assert (coordinator >> commit_pending(7, "b", 2)).code == ErrorCode.ILLEGAL_GENERATION
    assert (
        coordinator >> commit_pending(7, "a", 2, topic="x")
    ).code == ErrorCode.ILLEGAL_GENERATION
    assert (coordinator >> commit_pending(7, "x", 2)).code == ErrorCode.UNKNOWN_MEMBER_ID
    assert codes(coordinator >> commit_pending(7)) == [0]


def test_an_epoch_that_is_too_old_for_one_partition_refuses_them_all():
    coordinator = stage(t=4)
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    settle(coordinator, a, b)
    asked = commit(7, "a", 2, topic_id=id_of("t"))
    assert codes(coordinator >> asked) == [0]
    another = commit(7, "a", 2, topic_id=id_of("t"), partition=3)
    asked.request.topics += another.request.topics  # type: ignore[attr-defined]
    assert (coordinator >> asked).code == ErrorCode.STALE_MEMBER_EPOCH


def test_static_members_are_fenced_by_their_successor():
    coordinator = Coordinator()
    _, reply = enter(coordinator, instance="i")
    coordinator.pass_ms(3_000)
    member = reply.answer.member_id
    assert codes(coordinator >> commit_pending(7, member, 1, instance="i")) == [0]
    fenced = coordinator >> commit_pending(7, "unknown", 1, instance="i")
    assert fenced.code == ErrorCode.FENCED_INSTANCE_ID
