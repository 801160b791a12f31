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
from tests.broker.coordinator.group.play import Play


def test_a_new_member_calls_the_others_back():
    meeting = meet()
    _, late = enter(meeting.play)
    assert late.is_waiting
    again = [meeting.play >> join(member) for member in meeting.members]
    assert {one.answer.generation_id for one in (late, *again)} == {2}
    assert len(again[0].answer.members) == 3


def test_members_that_do_not_ask_for_their_assignment_are_dropped():
    play = Play()
    (one, _), (two, _) = enter(play, session_ms=100_000), enter(play, session_ms=100_000)
    play.pass_ms(7_000)
    play >> sync(one, assignments={one: b"1", two: b"2"})
    play.pass_ms(REBALANCE_MS)
    assert (play >> heartbeat(two)).code == ErrorCode.UNKNOWN_MEMBER_ID
    assert (play >> heartbeat(one)).code == ErrorCode.REBALANCE_IN_PROGRESS


def test_a_leader_that_brings_no_assignment_is_dropped():
    play = Play()
    (one, _), (two, _) = enter(play, session_ms=100_000), enter(play, session_ms=100_000)
    play.pass_ms(7_000)
    waiting = play >> sync(two)
    play.pass_ms(REBALANCE_MS)
    assert waiting.code == ErrorCode.REBALANCE_IN_PROGRESS
    assert (play >> join(two)).answer.leader == two
    assert (play >> join(one)).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_once_all_have_their_assignment_the_time_for_it_counts_no_more():
    meeting = meet(2, session_ms=1_000_000)
    meeting.play.pass_ms(2 * REBALANCE_MS)
    assert meeting.play.state() == "Stable"


def test_a_static_member_that_is_late_keeps_its_place():
    play = Play()
    enter(play, instance="a", session_ms=400_000)
    enter(play, instance="b", session_ms=400_000)
    play.pass_ms(7_000)
    members = list(play.shard.groups.by_id["g"].members)  # type: ignore[attr-defined]
    reply = play >> join(members[0], instance="a", session_ms=400_000)
    play.pass_ms(REBALANCE_MS)
    assert [one.group_instance_id for one in reply.answer.members] == ["a", "b"]


def test_if_only_late_static_members_are_left_the_rebalance_goes_on():
    play = Play()
    enter(play, instance="a", session_ms=400_000)
    member, _ = enter(play, session_ms=100_000)
    play.pass_ms(7_000)
    static = next(iter(play.shard.groups.by_id["g"].members))  # type: ignore[attr-defined]
    play >> sync(static, assignments={})
    play >> sync(member)
    play >> join(member, protocols=(("range", b"new"),), session_ms=100_000)
    play.shard.groups.by_id["g"].members[member].joining = None  # type: ignore[attr-defined]
    play.pass_ms(REBALANCE_MS)
    assert play.state() == "PreparingRebalance"
    again = play >> join(static, instance="a", session_ms=400_000)
    assert again.answer.generation_id == 2
