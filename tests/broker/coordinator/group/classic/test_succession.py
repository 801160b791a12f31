"""Static members that come back under another id."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import (
    enter,
    heartbeat,
    join,
    subscription,
    sync,
)
from tests.broker.coordinator.group.play import Play


def stable() -> tuple[Play, str, str]:
    """Two static members, `a` leads; their assignments are `1` and `2`."""
    play = Play()
    reply = [enter(play, instance=name)[1] for name in "ab"]
    play.pass_ms(7_000)
    one, two = (each.answer.member_id for each in reply)
    play >> sync(one, assignments={one: b"1", two: b"2"}, instance="a")
    play >> sync(two, instance="b")
    return play, one, two


def test_a_static_member_joins_at_once_under_the_name_of_its_instance():
    _, one, _ = stable()
    assert one.startswith("a-")


def test_a_follower_that_is_back_disturbs_no_other():
    play, one, two = stable()
    reply = play >> join(instance="b")
    assert reply.answer.generation_id == 1
    assert reply.answer.member_id not in ("", two)
    assert (reply.answer.leader, reply.answer.skip_assignment) == (one, False)
    assert play.state() == "Stable"
    assert (play >> sync(reply.answer.member_id, instance="b")).answer.assignment == b"2"


def test_a_leader_that_is_back_leaves_the_assignment_alone():
    play, _, two = stable()
    reply = play >> join(instance="a")
    assert reply.answer.leader == reply.answer.member_id
    assert reply.answer.skip_assignment
    assert [one.member_id for one in reply.answer.members] == [reply.answer.member_id, two]


def test_an_older_leader_learns_that_another_leads():
    play, one, _ = stable()
    reply = play >> join(instance="a", version=8)
    assert (reply.answer.leader, reply.answer.members) == (one, [])
    assert not reply.answer.skip_assignment


def test_the_predecessor_is_fenced():
    play, one, _ = stable()
    play >> join(instance="a")
    fenced = ErrorCode.FENCED_INSTANCE_ID
    assert (play >> heartbeat(one, instance="a")).code == fenced
    assert (play >> sync(one, instance="a")).code == fenced
    assert (play >> join(one, instance="a")).code == fenced


def test_the_new_id_is_written_down():
    play, _, two = stable()
    member_id = (play >> join(instance="a")).answer.member_id
    later = play.restarted()
    assert (later >> heartbeat(member_id, instance="a")).code == 0
    assert (later >> sync(member_id, instance="a")).answer.assignment == b"1"
    assert (later >> heartbeat(two, instance="b")).code == 0


def test_if_the_new_id_cannot_be_written_the_old_one_stays():
    play, one, _ = stable()
    play.broken = ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert (play >> join(instance="a")).code == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert (play >> heartbeat(one, instance="a")).code == 0


def test_where_another_protocol_would_be_chosen_there_is_a_rebalance():
    play = Play()
    ways = ("range", subscription("t")), ("sticky", subscription("t"))
    _, first = enter(play, instance="a", protocols=ways)
    play.pass_ms(3_000)
    play >> sync(first.answer.member_id, assignments={}, instance="a")
    reply = play >> join(instance="a", protocols=ways[::-1])
    assert (reply.answer.generation_id, reply.answer.protocol_name) == (2, "sticky")


def test_a_successor_is_known_with_all_that_it_can_do():
    play = Play()
    ways = ("range", subscription("t")), ("sticky", subscription("t"))
    _, first = enter(play, instance="a", protocols=ways)
    play.pass_ms(3_000)
    play >> sync(first.answer.member_id, assignments={}, instance="a")
    play >> join(instance="a", protocols=ways)
    other = play >> join(instance="b", protocols=ways[1:])
    assert other.is_waiting


def test_before_the_assignment_there_is_a_rebalance():
    play = Play()
    enter(play, instance="a")
    play.pass_ms(3_000)
    reply = play >> join(instance="a")
    assert reply.answer.generation_id == 2


def test_who_waits_under_the_old_id_is_fenced():
    play = Play()
    _, waiting = enter(play, instance="a")
    again = play >> join(instance="a")
    assert waiting.code == ErrorCode.FENCED_INSTANCE_ID
    play.pass_ms(3_000)
    assert again.answer.generation_id == 1


def test_a_leader_that_comes_back_while_a_rebalance_is_prepared_still_leads():
    play, one, two = stable()
    play >> join(one, instance="a", protocols=(("range", b"new"),))
    reply = play >> join(instance="a")
    play >> join(two, instance="b")
    assert reply.answer.leader == reply.answer.member_id
