"""Sessions of classic members."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.sessions import NEW_MEMBER_SESSION_MS
from moldau.protocol.messages.stored.classic_group import GroupMetadataValue
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import (
    SESSION_MS,
    enter,
    heartbeat,
    join,
    meet,
    sync,
)
from tests.broker.coordinator.group.coordinator import Coordinator


def test_a_silent_member_is_dropped_and_the_others_are_called():
    meeting = meet()
    meeting.coordinator.pass_ms(SESSION_MS - 1)
    meeting.coordinator >> heartbeat(meeting.leader)
    meeting.coordinator.pass_ms(1)
    assert (
        meeting.coordinator >> heartbeat(meeting.members[1])
    ).code == ErrorCode.UNKNOWN_MEMBER_ID
    assert (
        meeting.coordinator >> heartbeat(meeting.leader)
    ).code == ErrorCode.REBALANCE_IN_PROGRESS


def test_when_all_are_silent_the_group_is_empty():
    meeting = meet()
    meeting.coordinator.pass_ms(SESSION_MS + 60_000)
    assert meeting.coordinator.state() == "Empty"
    value = meeting.coordinator.records()[-1].value
    assert isinstance(value, GroupMetadataValue)
    assert (value.generation, value.protocol, value.leader, value.members) == (2, None, None, [])
    assert value.protocol_type == "consumer"


def test_a_member_that_waits_for_others_need_not_beat():
    meeting = meet(2, session_ms=7_000, rebalance_ms=60_000)
    reply = meeting.coordinator >> join(meeting.leader, session_ms=7_000)
    for _ in range(9):
        meeting.coordinator.pass_ms(5_000)
        meeting.coordinator >> heartbeat(meeting.members[1])
    assert reply.is_waiting
    meeting.coordinator >> join(meeting.members[1], session_ms=7_000)
    assert reply.answer.generation_id == 2


def test_a_member_that_waits_for_the_leader_need_not_beat():
    coordinator = Coordinator()
    (one, _), (two, _) = enter(coordinator), enter(coordinator)
    coordinator.pass_ms(7_000)
    waiting = coordinator >> sync(two)
    for _ in range(8):
        coordinator.pass_ms(SESSION_MS // 2)
        coordinator >> heartbeat(one)
    assert waiting.is_waiting


def test_a_new_client_that_waits_too_long_has_to_ask_again():
    meeting = meet(1, rebalance_ms=400_000)
    member = meeting.leader
    _, reply = enter(meeting.coordinator, rebalance_ms=400_000)
    for _ in range(NEW_MEMBER_SESSION_MS // 5_000):
        meeting.coordinator.pass_ms(5_000)
        meeting.coordinator >> heartbeat(member)
    assert reply.code == ErrorCode.UNKNOWN_MEMBER_ID
    assert reply.answer.member_id == ""
