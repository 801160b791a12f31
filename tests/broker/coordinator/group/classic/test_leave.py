"""Leaving a classic group."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import enter, heartbeat, join, leave, meet
from tests.broker.coordinator.group.coordinator import Coordinator


def codes(reply) -> list[int]:
    return [member.error_code for member in reply.answer.members]


def test_who_leaves_calls_the_others_together():
    meeting = meet()
    reply = meeting.coordinator >> leave(meeting.members[1])
    assert (reply.code, codes(reply)) == (0, [0])
    beat = meeting.coordinator >> heartbeat(meeting.leader)
    assert beat.code == ErrorCode.REBALANCE_IN_PROGRESS


def test_the_last_one_leaves_an_empty_group():
    meeting = meet(1)
    meeting.coordinator >> leave(meeting.leader)
    assert meeting.coordinator.state() == "Empty"
    assert meeting.coordinator.restarted().state() == "Empty"


def test_several_leave_at_once_and_each_is_answered():
    meeting = meet()
    reply = meeting.coordinator >> leave(meeting.leader, "unknown", (meeting.members[1], "i"))
    unknown = ErrorCode.UNKNOWN_MEMBER_ID
    assert codes(reply) == [0, unknown, unknown]
    assert [member.member_id for member in reply.answer.members][1] == "unknown"


def test_an_old_client_has_its_code_at_the_top():
    meeting = meet()
    assert (meeting.coordinator >> leave("unknown", version=2)).code == ErrorCode.UNKNOWN_MEMBER_ID
    reply = meeting.coordinator >> leave(meeting.leader, version=2)
    assert (reply.code, reply.answer.members) == (0, [])


def test_an_administrator_removes_a_static_member_by_its_instance():
    coordinator = Coordinator()
    enter(coordinator, instance="a")
    coordinator.pass_ms(3_000)
    reply = coordinator >> leave(("", "a"), ("", "b"))
    assert codes(reply) == [0, ErrorCode.UNKNOWN_MEMBER_ID]
    assert coordinator.state() == "Empty"


def test_who_waits_for_a_join_and_is_removed_is_answered():
    meeting = meet()
    _, late = enter(meeting.coordinator)
    waiting = meeting.coordinator >> join(meeting.leader)
    meeting.coordinator >> leave(meeting.leader)
    assert waiting.code == ErrorCode.UNKNOWN_MEMBER_ID
    assert late.is_waiting
    meeting.coordinator >> leave(meeting.members[1])
    assert late.answer.generation_id == 2


def test_an_id_that_was_never_used_can_be_given_back():
    coordinator = Coordinator()
    member_id = (coordinator >> join()).answer.member_id
    assert codes(coordinator >> leave(member_id)) == [0]
    assert (coordinator >> join(member_id)).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_no_member_leaves_a_group_that_is_not_there():
    assert codes(Coordinator() >> leave("one", "two")) == [25, 25]
    assert (Coordinator() >> leave("one", version=0)).code == 25
    assert (Coordinator() >> leave("one", group="")).code == ErrorCode.INVALID_GROUP_ID
