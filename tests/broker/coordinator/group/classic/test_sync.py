"""Getting the assignment of a generation."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.sync import RebalanceCompleted
from moldau.protocol.messages.stored.classic_group import GroupMetadataValue
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import enter, join, meet, sync
from tests.broker.coordinator.group.coordinator import Coordinator


def completing() -> tuple[Coordinator, str, str]:
    """A group whose leader has not brought the assignment yet."""
    coordinator = Coordinator()
    (one, _), (two, _) = enter(coordinator), enter(coordinator)
    coordinator.pass_ms(7_000)
    return coordinator, one, two


def test_who_asks_early_waits_for_the_leader():
    coordinator, one, two = completing()
    early = coordinator >> sync(two)
    assert early.is_waiting
    brought = coordinator >> sync(one, assignments={one: b"1", two: b"2"})
    assert (brought.answer.assignment, early.answer.assignment) == (b"1", b"2")
    assert (early.answer.protocol_type, early.answer.protocol_name) == ("consumer", "range")


def test_a_rebalance_is_complete_when_the_assignment_is_written():
    coordinator, one, two = completing()
    coordinator.broken = ErrorCode.NOT_COORDINATOR
    coordinator >> sync(one, assignments={one: b"1"})
    assert coordinator.effects == []
    coordinator, one, two = completing()
    coordinator >> sync(one, assignments={one: b"1", two: b"2"})
    coordinator >> sync(two)
    assert coordinator.effects == [RebalanceCompleted("g")]


def test_who_asks_late_gets_it_at_once():
    coordinator, one, two = completing()
    coordinator >> sync(one, assignments={one: b"1", two: b"2"})
    assert (coordinator >> sync(two)).answer.assignment == b"2"


def test_whom_the_leader_forgets_gets_nothing():
    coordinator, one, two = completing()
    coordinator >> sync(one, assignments={one: b"1"})
    assert (coordinator >> sync(two)).answer.assignment == b""


def test_the_assignment_is_written_before_any_member_gets_it():
    coordinator, one, two = completing()
    coordinator >> sync(one, assignments={one: b"1", two: b"2"})
    value = coordinator.records()[-1].value
    assert isinstance(value, GroupMetadataValue)
    assert (value.generation, value.protocol, value.leader) == (1, "range", one)
    assert {member.member_id: member.assignment for member in value.members} == {
        one: b"1",
        two: b"2",
    }


def test_an_assignment_that_cannot_be_written_calls_all_back():
    coordinator, one, two = completing()
    waiting = coordinator >> sync(two)
    coordinator.broken = ErrorCode.COORDINATOR_NOT_AVAILABLE
    brought = coordinator >> sync(one, assignments={one: b"1", two: b"2"})
    assert waiting.code == brought.code == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert coordinator.state() == "PreparingRebalance"


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"generation": 2}, ErrorCode.ILLEGAL_GENERATION),
        ({"protocol_type": "connect"}, ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        ({"protocol_name": "sticky"}, ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        ({"protocol_name": None}, ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        ({"instance": "i"}, ErrorCode.UNKNOWN_MEMBER_ID),
        ({"group": "other"}, ErrorCode.UNKNOWN_MEMBER_ID),
        ({"group": ""}, ErrorCode.INVALID_GROUP_ID),
    ],
)
def test_who_may_not_ask_learns_why(how, code):
    coordinator, one, _ = completing()
    assert (coordinator >> sync(one, **how)).code == code


def test_an_old_client_need_not_name_the_protocol():
    coordinator, one, _ = completing()
    reply = coordinator >> sync(
        one, assignments={}, protocol_type=None, protocol_name=None, version=4
    )
    assert reply.code == ErrorCode.NONE


def test_while_a_rebalance_is_prepared_there_is_nothing_to_get():
    meeting = meet()
    meeting.coordinator >> join(meeting.leader)
    reply = meeting.coordinator >> sync(meeting.members[1])
    assert reply.code == ErrorCode.REBALANCE_IN_PROGRESS


def test_who_waits_for_the_leader_is_called_back_when_the_group_changes():
    coordinator, one, two = completing()
    waiting = coordinator >> sync(two)
    coordinator >> join(one, protocols=(("range", b"new"),))
    assert waiting.code == ErrorCode.REBALANCE_IN_PROGRESS


def test_who_asks_twice_waits_once():
    coordinator, _, two = completing()
    first = coordinator >> sync(two)
    second = coordinator >> sync(two)
    assert (first.code, second.is_waiting) == (ErrorCode.REBALANCE_IN_PROGRESS, True)
