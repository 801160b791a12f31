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
from tests.broker.coordinator.group.coordinator import Coordinator


def stable() -> tuple[Coordinator, str, str]:
    """Two static members, `a` leads; their assignments are `1` and `2`."""
    coordinator = Coordinator()
    reply = [enter(coordinator, instance=name)[1] for name in "ab"]
    coordinator.pass_ms(7_000)
    one, two = (each.answer.member_id for each in reply)
    coordinator >> sync(one, assignments={one: b"1", two: b"2"}, instance="a")
    coordinator >> sync(two, instance="b")
    return coordinator, one, two


def test_a_static_member_joins_at_once_under_the_name_of_its_instance():
    _, one, _ = stable()
    assert one.startswith("a-")


def test_a_follower_that_is_back_disturbs_no_other():
    coordinator, one, two = stable()
    reply = coordinator >> join(instance="b")
    assert reply.answer.generation_id == 1
    assert reply.answer.member_id not in ("", two)
    assert (reply.answer.leader, reply.answer.skip_assignment) == (one, False)
    assert coordinator.state() == "Stable"
    assert (coordinator >> sync(reply.answer.member_id, instance="b")).answer.assignment == b"2"


def test_a_leader_that_is_back_leaves_the_assignment_alone():
    coordinator, _, two = stable()
    reply = coordinator >> join(instance="a")
    assert reply.answer.leader == reply.answer.member_id
    assert reply.answer.skip_assignment
    assert [one.member_id for one in reply.answer.members] == [reply.answer.member_id, two]


def test_an_older_leader_learns_that_another_leads():
    coordinator, one, _ = stable()
    reply = coordinator >> join(instance="a", version=8)
    assert (reply.answer.leader, reply.answer.members) == (one, [])
    assert not reply.answer.skip_assignment


def test_the_predecessor_is_fenced():
    coordinator, one, _ = stable()
    coordinator >> join(instance="a")
    fenced = ErrorCode.FENCED_INSTANCE_ID
    assert (coordinator >> heartbeat(one, instance="a")).code == fenced
    assert (coordinator >> sync(one, instance="a")).code == fenced
    assert (coordinator >> join(one, instance="a")).code == fenced


def test_the_new_id_is_written_down():
    coordinator, _, two = stable()
    member_id = (coordinator >> join(instance="a")).answer.member_id
    later = coordinator.restarted()
    assert (later >> heartbeat(member_id, instance="a")).code == 0
    assert (later >> sync(member_id, instance="a")).answer.assignment == b"1"
    assert (later >> heartbeat(two, instance="b")).code == 0


def test_if_the_new_id_cannot_be_written_the_old_one_stays():
    coordinator, one, _ = stable()
    coordinator.broken = ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert (coordinator >> join(instance="a")).code == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert (coordinator >> heartbeat(one, instance="a")).code == 0


def test_where_another_protocol_would_be_chosen_there_is_a_rebalance():
    coordinator = Coordinator()
    ways = ("range", subscription("t")), ("sticky", subscription("t"))
    _, first = enter(coordinator, instance="a", protocols=ways)
    coordinator.pass_ms(3_000)
    coordinator >> sync(first.answer.member_id, assignments={}, instance="a")
    reply = coordinator >> join(instance="a", protocols=ways[::-1])
    assert (reply.answer.generation_id, reply.answer.protocol_name) == (2, "sticky")


def test_a_successor_is_known_with_all_that_it_can_do():
    coordinator = Coordinator()
    ways = ("range", subscription("t")), ("sticky", subscription("t"))
    _, first = enter(coordinator, instance="a", protocols=ways)
    coordinator.pass_ms(3_000)
    coordinator >> sync(first.answer.member_id, assignments={}, instance="a")
    coordinator >> join(instance="a", protocols=ways)
    other = coordinator >> join(instance="b", protocols=ways[1:])
    assert other.is_waiting


def test_before_the_assignment_there_is_a_rebalance():
    coordinator = Coordinator()
    enter(coordinator, instance="a")
    coordinator.pass_ms(3_000)
    reply = coordinator >> join(instance="a")
    assert reply.answer.generation_id == 2


def test_who_waits_under_the_old_id_is_fenced():
    coordinator = Coordinator()
    _, waiting = enter(coordinator, instance="a")
    again = coordinator >> join(instance="a")
    assert waiting.code == ErrorCode.FENCED_INSTANCE_ID
    coordinator.pass_ms(3_000)
    assert again.answer.generation_id == 1


def test_a_leader_that_comes_back_while_a_rebalance_is_prepared_still_leads():
    coordinator, one, two = stable()
    coordinator >> join(one, instance="a", protocols=(("range", b"new"),))
    reply = coordinator >> join(instance="a")
    coordinator >> join(two, instance="b")
    assert reply.answer.leader == reply.answer.member_id
