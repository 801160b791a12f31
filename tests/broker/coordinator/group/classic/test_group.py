"""What a classic group says of itself."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.group import NO_TIME_MS, ClassicGroup
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.group import GroupType
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import enter, join, meet, subscription
from tests.broker.coordinator.group.coordinator import Coordinator


def group_of(coordinator: Coordinator) -> ClassicGroup:
    group = coordinator.shard.groups.by_id["g"]
    assert isinstance(group, ClassicGroup)
    return group


def commit_code(group: ClassicGroup, member="", instance=None, epoch=-1, *, pending=False) -> int:
    try:
        group.check_commit(member, instance, epoch, is_transactional=pending, version=9)
    except KafkaError as error:
        return error.code
    return 0


def test_a_group_shows_itself():
    group = ClassicGroup("g", 0)
    assert repr(group) == "ClassicGroup('g', Empty, generation 0, 0 members)"
    assert (group.group_type, group.protocol_type) == (GroupType.CLASSIC, "")


def test_members_commit_in_their_generation():
    meeting = meet()
    group = group_of(meeting.coordinator)
    assert commit_code(group, meeting.leader, epoch=1) == 0
    assert commit_code(group, meeting.leader, epoch=0) == ErrorCode.ILLEGAL_GENERATION
    assert commit_code(group, "unknown", epoch=1) == ErrorCode.UNKNOWN_MEMBER_ID
    assert commit_code(group, meeting.leader, "i", epoch=1) == ErrorCode.UNKNOWN_MEMBER_ID


def test_from_outside_one_commits_only_to_an_empty_group():
    assert commit_code(ClassicGroup("g", 0)) == 0
    assert commit_code(group_of(meet().coordinator)) == ErrorCode.UNKNOWN_MEMBER_ID


def test_old_transactions_from_outside_may_commit_to_any_group():
    assert commit_code(group_of(meet().coordinator), pending=True) == 0


def test_before_the_assignment_no_member_commits_but_in_transactions():
    coordinator = Coordinator()
    member, _ = enter(coordinator)
    coordinator.pass_ms(3_000)
    group = group_of(coordinator)
    assert commit_code(group, member, epoch=1) == ErrorCode.REBALANCE_IN_PROGRESS
    assert commit_code(group, member, epoch=1, pending=True) == 0


def test_a_group_with_members_is_not_deleted():
    with pytest.raises(KafkaError, match="not empty"):
        group_of(meet().coordinator).check_delete()


def test_offsets_of_a_group_that_is_not_of_consumers_are_not_deleted():
    group_of(meet().coordinator).check_offset_delete()
    connect = meet(protocol_type="connect", protocols=(("x", b""),)).coordinator
    with pytest.raises(KafkaError, match="not empty"):
        group_of(connect).check_offset_delete()


def test_the_topics_of_consumers_are_known():
    group = group_of(meet(1, protocols=(("range", subscription("a", "b")),)).coordinator)
    assert group.is_subscribed_to("a")
    assert not group.is_subscribed_to("c")


def test_of_what_cannot_be_read_every_topic_may_be_read():
    assert group_of(meet(1, protocols=(("range", b"?"),)).coordinator).is_subscribed_to("c")


def test_groups_that_are_not_of_consumers_read_nothing_that_we_know():
    connect = meet(1, protocol_type="connect", protocols=(("x", b""),)).coordinator
    assert not group_of(connect).is_subscribed_to("a")


def test_the_age_of_offsets_counts_from_when_the_group_was_empty():
    group = ClassicGroup("g", 50)
    simple = group.offset_age()
    assert simple is not None
    assert simple(7) == 7
    group.group_protocol_type = "consumer"
    emptied = group.offset_age()
    assert emptied is not None
    assert emptied(7) == 50
    group.state_since_ms = NO_TIME_MS
    unknown = group.offset_age()
    assert unknown is not None
    assert unknown(7) == 7


def test_in_a_living_group_offsets_age_only_while_it_is_stable():
    meeting = meet()
    age = group_of(meeting.coordinator).offset_age()
    assert age is not None
    assert age(7) == 7
    meeting.coordinator >> join(meeting.leader)
    assert group_of(meeting.coordinator).offset_age() is None


def test_a_state_follows_only_those_that_it_may():
    with pytest.raises(AssertionError, match="cannot become Stable"):
        ClassicGroup("g", 0).move_to(ClassicState.STABLE, 0)
