"""From one generation to the next."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import (
    REBALANCE_MS,
    enter,
    heartbeat,
    join,
    meet,
    sync,
)
from tests.broker.coordinator.group.coordinator import Coordinator


def test_a_new_member_calls_the_others_back():
    meeting = meet()
    _, late = enter(meeting.coordinator)
    assert late.is_waiting
    again = [meeting.coordinator >> join(member) for member in meeting.members]
    assert {one.answer.generation_id for one in (late, *again)} == {2}
    assert len(again[0].answer.members) == 3


def test_members_that_do_not_ask_for_their_assignment_are_dropped():
    coordinator = Coordinator()
    (one, _), (two, _) = (
        enter(coordinator, session_ms=100_000),
        enter(coordinator, session_ms=100_000),
    )
    coordinator.pass_ms(7_000)
    coordinator >> sync(one, assignments={one: b"1", two: b"2"})
    coordinator.pass_ms(REBALANCE_MS)
    assert (coordinator >> heartbeat(two)).code == ErrorCode.UNKNOWN_MEMBER_ID
    assert (coordinator >> heartbeat(one)).code == ErrorCode.REBALANCE_IN_PROGRESS


def test_a_leader_that_brings_no_assignment_is_dropped():
    coordinator = Coordinator()
    (one, _), (two, _) = (
        enter(coordinator, session_ms=100_000),
        enter(coordinator, session_ms=100_000),
    )
    coordinator.pass_ms(7_000)
    waiting = coordinator >> sync(two)
    coordinator.pass_ms(REBALANCE_MS)
    assert waiting.code == ErrorCode.REBALANCE_IN_PROGRESS
    assert (coordinator >> join(two)).answer.leader == two
    assert (coordinator >> join(one)).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_once_all_have_their_assignment_the_time_for_it_counts_no_more():
    meeting = meet(2, session_ms=1_000_000)
    meeting.coordinator.pass_ms(2 * REBALANCE_MS)
    assert meeting.coordinator.state() == "Stable"


def test_a_static_member_that_is_late_keeps_its_place():
    coordinator = Coordinator()
    enter(coordinator, instance="a", session_ms=400_000)
    enter(coordinator, instance="b", session_ms=400_000)
    coordinator.pass_ms(7_000)
    members = list(coordinator.shard.groups.by_id["g"].members)  # type: ignore[attr-defined]
    reply = coordinator >> join(members[0], instance="a", session_ms=400_000)
    coordinator.pass_ms(REBALANCE_MS)
    assert [one.group_instance_id for one in reply.answer.members] == ["a", "b"]


def test_if_only_late_static_members_are_left_the_rebalance_goes_on():
    coordinator = Coordinator()
    enter(coordinator, instance="a", session_ms=400_000)
    member, _ = enter(coordinator, session_ms=100_000)
    coordinator.pass_ms(7_000)
    static = next(iter(coordinator.shard.groups.by_id["g"].members))  # type: ignore[attr-defined]
    coordinator >> sync(static, assignments={})
    coordinator >> sync(member)
    coordinator >> join(member, protocols=(("range", b"new"),), session_ms=100_000)
    coordinator.shard.groups.by_id["g"].members[member].joining = None  # type: ignore[attr-defined]
    coordinator.pass_ms(REBALANCE_MS)
    assert coordinator.state() == "PreparingRebalance"
    again = coordinator >> join(static, instance="a", session_ms=400_000)
    assert again.answer.generation_id == 2
