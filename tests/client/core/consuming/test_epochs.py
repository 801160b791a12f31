"""A membership in a group of KIP-848, as a member."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.client.core.consuming.epochs import epoch_membership
from moldau.client.core.consuming.group_state import Await, GroupState
from moldau.client.core.coordinators import KeyType
from moldau.client.core.dialogue import Asks, Pause, Received
from moldau.client.errors import (
    FencedError,
    NameTakenError,
    UnreachableError,
    UnsupportedVersionError,
)
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatResponse
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import TOPIC_ID, metadata
from tests.client.conversation import context

FIRST, SECOND = TopicPartition("t", 0), TopicPartition("t", 1)
LONG_AGO_MS = -300_000
Answer = ConsumerGroupHeartbeatResponse


class Member:
    """A membership, and the responses of its coordinator, broker 1."""

    def __init__(self, instance_id: str | None = None, max_poll_interval_ms: int = 300_000) -> None:
        settings = ConsumerSettings.of(
            {
                "bootstrap.servers": "b1:9092",
                "group.id": "g",
                "max.poll.interval.ms": f"{max_poll_interval_ms}",
            }
        )
        self.context = context()
        self.context.coordinators[KeyType.GROUP, "g"] = 1
        self.context.cluster.apply_metadata(metadata({"t": {0: (1, 3), 1: (1, 3)}}), 0)
        self.state = GroupState("g", instance_id)
        self.state.topics = frozenset({"t"})
        self._dialogue = epoch_membership(self.context, settings, self.state, "me")
        self.step: Any = next(self._dialogue)

    @property
    def request(self) -> Any:
        assert isinstance(self.step, Asks), self.step
        return self.step.asks[0].request

    def receives(self, *answers: Any) -> Member:
        self.step = self._dialogue.send(Received(0, answers))
        return self

    def beats(
        self, epoch: int, *parts: int, code: ErrorCode = ErrorCode.NONE, has: bool = True
    ) -> Member:
        rows = [Answer.TopicPartitions(topic_id=TOPIC_ID, partitions=list(parts))] if parts else []
        assignment = Answer.Assignment(topic_partitions=rows) if has else None
        answer = Answer(
            throttle_time_ms=0,
            error_code=code,
            member_id="me",
            member_epoch=epoch,
            heartbeat_interval_ms=100,
            assignment=assignment,
        )
        return self.receives(answer)

    def settles(self) -> Any:
        assert isinstance(self.step, Await), self.step
        change = self.step.change
        self.state.is_settled = True
        self.receives()
        return change

    def rests(self) -> Member:
        assert isinstance(self.step, Pause), self.step
        return self.receives()


def test_a_member_joins_with_all_it_wants_and_then_says_what_it_owns():
    member = Member()
    assert (member.request.member_epoch, member.request.subscribed_topic_names) == (0, ["t"])
    member.beats(1, 0, 1)
    assert member.settles().assigned == {FIRST, SECOND}
    member.rests()
    assert member.request.topic_partitions[0].partitions == [0, 1]
    assert member.request.subscribed_topic_names is None


def test_what_is_to_go_is_given_up_and_reported():
    member = Member().beats(1, 0, 1)
    member.settles()
    member.rests().beats(2, 0)
    assert member.settles().revoked == {SECOND}
    assert member.rests().request.topic_partitions[0].partitions == [0]


def test_a_topic_known_only_by_its_id_is_asked_for():
    member = Member()
    member.context.cluster.topics.clear()
    member.beats(1, 0)
    assert isinstance(member.request, MetadataRequest)
    member.receives(metadata({"t": {0: (1, 3)}}))
    assert member.settles().assigned == {FIRST}


def test_a_member_that_is_fenced_has_lost_what_it_had_and_joins_anew():
    member = Member().beats(1, 0)
    member.settles()
    member.rests().beats(1, code=ErrorCode.FENCED_MEMBER_EPOCH)
    change = member.settles()
    assert (change.revoked, change.is_loss) == ({FIRST}, True)
    assert member.rests().request.member_epoch == 0


def test_a_member_that_is_not_polled_leaves_until_it_is():
    member = Member().beats(1, 0)
    member.settles()
    member.rests().beats(1, has=False)
    member.state.polled_ms = LONG_AGO_MS
    assert member.rests().request.member_epoch == -1
    member.beats(-1, has=False)
    assert member.receives().step.change.is_loss, "it does not join before it is polled"
    member.state.polled_ms = None
    change = member.settles()
    assert (change.revoked, change.is_loss) == ({FIRST}, True)
    assert member.request.member_epoch == 0
    assert isinstance(member.beats(2, has=False).step, Pause), "no assignment came"


def test_a_member_that_was_never_polled_leaves_too():
    member = Member().beats(1, 0)
    member.state.polled_ms = LONG_AGO_MS
    assert member.receives().request.member_epoch == -1
    member.beats(-1, has=False)
    member.state.polled_ms = None
    assert member.settles().revoked == frozenset()
    assert member.rests().request.member_epoch == 0


def test_a_member_looks_as_often_as_it_has_to_be_polled():
    member = Member(max_poll_interval_ms=50).beats(1, 0)
    assert member.step.duration_ms == 50
    member.settles()
    member.rests().beats(1, has=False)
    assert member.step.duration_ms == 50


def test_after_a_failure_everything_is_reported_again():
    member = Member().beats(1, 0)
    member.settles()
    member.rests().receives(UnreachableError("b1:9092", "gone"))
    member.context.coordinators[KeyType.GROUP, "g"] = 1
    request = member.rests().request
    assert request.subscribed_topic_names == ["t"]
    assert request.topic_partitions[0].partitions == [0]
    assert request.rebalance_timeout_ms > 0, "without it brokers do not repeat the assignment"
    assert member.beats(1, has=False).rests().request.rebalance_timeout_ms == -1


def test_an_assignment_that_comes_before_the_last_one_is_settled_is_obeyed_after_it():
    member = Member().beats(1, 0)
    member.receives()
    assert member.request.member_epoch == 1
    member.beats(2, 0, 1)
    assert isinstance(member.step, Await)
    assert member.settles().assigned == {FIRST}
    assert member.rests().request.member_epoch == 2
    assert member.beats(2, has=False).settles().assigned == {SECOND}


def test_an_error_that_comes_before_a_change_is_settled_is_met_after_it():
    member = Member().beats(1, 0)
    member.receives()
    member.beats(0, code=ErrorCode.UNKNOWN_MEMBER_ID)
    assert member.settles().assigned == {FIRST}
    change = member.rests().beats(0, code=ErrorCode.UNKNOWN_MEMBER_ID).settles()
    assert (change.revoked, change.is_loss) == ({FIRST}, True)


def test_what_was_to_come_is_not_taken_if_another_assignment_has_come_meanwhile():
    member = Member().beats(1, 0)
    member.settles()
    member.rests().beats(2, 1)
    member.receives().beats(3, 0)
    assert member.settles().revoked == {FIRST}
    assert member.rests().beats(3, has=False).settles().assigned == {FIRST}


@pytest.mark.parametrize(("name", "epoch"), [(None, -1), ("i", -2)])
def test_a_member_that_leaves_says_whether_it_comes_back(name, epoch):
    member = Member(name).beats(1, has=False)
    member.state.is_leaving = True
    assert member.rests().request.member_epoch == epoch


def test_a_name_that_is_taken_ends_it_and_the_error_says_that_another_one_has_it():
    with pytest.raises(NameTakenError, match=r"group g has the name i .* its session has ended"):
        Member("i").beats(0, code=ErrorCode.UNRELEASED_INSTANCE_ID)


def test_a_name_that_was_taken_over_ends_it():
    with pytest.raises(FencedError, match=r"member \(i\) was fenced"):
        Member("i").beats(0, code=ErrorCode.FENCED_INSTANCE_ID)


def test_brokers_without_the_protocol_end_the_membership_with_the_remedy():
    member = Member()
    with pytest.raises(UnsupportedVersionError, match=r"group g .* group\.protocol=classic"):
        member.receives(UnsupportedVersionError("ConsumerGroupHeartbeatRequest"))


def test_so_do_those_that_know_the_request_and_refuse_it():
    """Kafka 3.7 to 3.9, where the protocol was not for use yet."""
    with pytest.raises(UnsupportedVersionError, match=r"group g .* group\.protocol=classic"):
        Member().beats(0, code=ErrorCode.UNSUPPORTED_VERSION, has=False)
