"""A membership in a share group, as a conversation."""

from __future__ import annotations

import pytest

from moldau.client.core.consuming.group_state import GroupState
from moldau.client.core.dialogue import Pause
from moldau.client.core.sharing.share_membership import share_membership
from moldau.client.errors import RefusedError, UnreachableError, UnsupportedVersionError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import TOPIC_ID, coordinator, metadata
from tests.client.conversation import Conversation, context

Answer = ShareGroupHeartbeatResponse


def beat(
    epoch: int = 1,
    partitions: tuple[int, ...] | None = None,
    code: int = 0,
    interval_ms: int = 100,
) -> Answer:
    assignment = None
    if partitions is not None:
        row = Answer.TopicPartitions(topic_id=TOPIC_ID, partitions=list(partitions))
        assignment = Answer.Assignment(topic_partitions=[row] if partitions else [])
    return Answer(
        throttle_time_ms=0,
        error_code=code,
        member_epoch=epoch,
        heartbeat_interval_ms=interval_ms,
        assignment=assignment,
    )


class Member:
    """That has joined a group with the topic t."""

    def __init__(self) -> None:
        self.state = GroupState("g", None)
        self.state.topics = frozenset(["t"])
        self.talk = Conversation(share_membership(context(), self.state, "m"))  # type: ignore[arg-type]
        self.talk.receives(coordinator(1))


def test_a_member_joins_and_learns_the_names_of_what_it_reads():
    member = Member()
    first = member.talk.asked[-1][1]
    assert (first.member_epoch, first.subscribed_topic_names) == (0, ["t"])  # type: ignore[attr-defined]
    member.talk.receives(beat(1, (0, 1))).receives(metadata({"t": {0: (1, 1), 1: (1, 1)}}))
    assert member.state.owned == {TopicPartition("t", 0), TopicPartition("t", 1)}
    member.talk.rests()
    second = member.talk.asked[-1][1]
    assert (second.member_epoch, second.subscribed_topic_names) == (1, None)  # type: ignore[attr-defined]


def test_a_member_looks_its_topics_up_first_where_brokers_may_create_them():
    around, state = context(), GroupState("g", None)
    around.creates_topics, state.topics = True, frozenset(["t"])
    talk = Conversation(share_membership(around, state, "m"))  # type: ignore[arg-type]
    assert talk.asked[0][1].allow_auto_topic_creation is True  # type: ignore[attr-defined]
    talk.receives(metadata({"t": {0: (1, 1)}})).receives(coordinator(1))
    assert talk.asked[-1][1].subscribed_topic_names == ["t"]  # type: ignore[attr-defined]


def test_a_member_without_an_assignment_asks_again_soon_and_less_often_each_time():
    member, waits = Member(), []
    for assigned in (None, (), None, None, (0,), None):
        member.talk.receives(beat(1, assigned, interval_ms=300))
        if assigned:
            member.talk.receives(metadata({"t": {0: (1, 1)}}))
        assert isinstance(member.talk.step, Pause)
        waits.append(member.talk.step.duration_ms)
        member.talk.rests()
    assert waits == [50, 100, 200, 300, 300, 300]


def test_a_new_subscription_is_looked_after_soon_too():
    member = Member()
    member.talk.receives(beat(1, interval_ms=5000)).rests().receives(beat(1, interval_ms=5000))
    member.state.topics = frozenset(["t", "u"])
    member.talk.rests().receives(beat(1, interval_ms=5000))
    assert isinstance(member.talk.step, Pause)
    assert member.talk.step.duration_ms == 50


def test_a_fenced_member_joins_again_without_partitions():
    member = Member()
    member.talk.receives(beat(1, (0,))).receives(metadata({"t": {0: (1, 1)}})).rests()
    member.talk.receives(beat(code=ErrorCode.FENCED_MEMBER_EPOCH))
    assert member.state.owned == frozenset()
    member.talk.rests()
    assert member.talk.asked[-1][1].member_epoch == 0  # type: ignore[attr-defined]


def test_a_coordinator_that_is_away_or_has_moved_is_found_anew():
    member = Member()
    member.talk.receives(UnreachableError("b1", "gone")).rests().receives(coordinator(2))
    member.talk.receives(beat(code=ErrorCode.NOT_COORDINATOR)).rests().receives(coordinator(1))
    assert member.talk.asked[-1][0] == 1


def test_after_a_failure_the_subscription_is_sent_again():
    member = Member()
    member.talk.receives(beat(1)).rests()
    member.talk.receives(UnreachableError("b1", "gone")).rests().receives(coordinator(2))
    assert member.talk.asked[-1][1].subscribed_topic_names == ["t"]  # type: ignore[attr-defined]


def test_a_group_that_may_not_be_joined_is_an_error():
    with pytest.raises(RefusedError):
        Member().talk.receives(beat(code=ErrorCode.INVALID_REQUEST))


def test_leaving_is_reported():
    member = Member()
    member.talk.receives(beat(1, ()))
    member.state.is_leaving = True
    member.talk.rests()
    assert member.talk.asked[-1][1].member_epoch == -1  # type: ignore[attr-defined]
    assert member.talk.receives(beat(-1)).is_over


def test_brokers_without_share_groups_end_the_membership_with_the_remedy():
    with pytest.raises(UnsupportedVersionError, match=r"group g .* Kafka 4\.2"):
        Member().talk.receives(UnsupportedVersionError("ShareGroupHeartbeatRequest"))


def test_brokers_that_have_share_groups_switched_off_end_it_likewise():
    with pytest.raises(UnsupportedVersionError, match=r"Kafka 4\.2"):
        Member().talk.receives(beat(code=ErrorCode.UNSUPPORTED_VERSION))
