"""Heartbeats of classic members."""

from __future__ import annotations

import pytest

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import (
    SESSION_MS,
    enter,
    heartbeat,
    join,
    meet,
)
from tests.broker.coordinator.group.coordinator import Coordinator


def test_a_member_that_beats_stays():
    meeting = meet()
    for _ in range(5):
        meeting.coordinator.pass_ms(SESSION_MS - 1)
        for member in meeting.members:
            assert (meeting.coordinator >> heartbeat(member)).code == ErrorCode.NONE
    assert meeting.coordinator.state() == "Stable"


def test_a_member_is_called_back_by_its_heartbeat():
    meeting = meet()
    meeting.coordinator >> join(meeting.leader)
    reply = meeting.coordinator >> heartbeat(meeting.members[1])
    assert reply.code == ErrorCode.REBALANCE_IN_PROGRESS


def test_before_the_assignment_a_heartbeat_is_fine():
    coordinator = Coordinator()
    member, _ = enter(coordinator)
    coordinator.pass_ms(3_000)
    assert (coordinator >> heartbeat(member)).code == ErrorCode.NONE


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"generation": 0}, ErrorCode.ILLEGAL_GENERATION),
        ({"instance": "i"}, ErrorCode.UNKNOWN_MEMBER_ID),
        ({"group": "other"}, ErrorCode.UNKNOWN_MEMBER_ID),
        ({"group": ""}, ErrorCode.INVALID_GROUP_ID),
    ],
)
def test_who_does_not_belong_learns_why(how, code):
    meeting = meet()
    assert (meeting.coordinator >> heartbeat(meeting.leader, **how)).code == code
    assert (meeting.coordinator >> heartbeat("unknown")).code == ErrorCode.UNKNOWN_MEMBER_ID
