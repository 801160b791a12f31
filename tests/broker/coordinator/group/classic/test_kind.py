"""Classic groups as a kind: loaded, unloaded, deleted."""

from __future__ import annotations

from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import (
    SESSION_MS,
    enter,
    heartbeat,
    join,
    meet,
    sync,
)
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, SomeSettings


def test_another_coordinator_takes_the_group_over_as_it_was():
    meeting = meet()
    later = meeting.coordinator.restarted()
    assert later.state() == "Stable"
    for number, member in enumerate(meeting.members):
        assert (later >> heartbeat(member)).code == 0
        assert (later >> sync(member)).answer.assignment == str(number).encode()


def test_after_a_move_members_have_a_full_session_to_find_their_coordinator():
    meeting = meet()
    meeting.coordinator.pass_ms(SESSION_MS - 1)
    later = meeting.coordinator.restarted()
    later.pass_ms(SESSION_MS - 1)
    assert (later >> heartbeat(meeting.leader)).code == 0
    later.pass_ms(1)
    assert (later >> heartbeat(meeting.members[1])).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_group_that_has_become_too_large_begins_anew():
    meeting = meet()
    meeting.coordinator.settings = SomeSettings(group_max_size=1)
    assert meeting.coordinator.restarted().state() == "PreparingRebalance"


def test_what_was_volatile_is_gone_after_a_move():
    coordinator = Coordinator()
    member_id, _ = enter(coordinator)
    later = coordinator.restarted()
    assert later.state() == "Empty"
    assert (later >> join(member_id)).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_the_last_word_is_that_the_coordinator_has_moved():
    meeting = meet()
    meeting.coordinator >> join(meeting.leader)
    (reply,) = meeting.coordinator.shard.unloaded()
    assert reply.response.error_code == ErrorCode.NOT_COORDINATOR  # type: ignore[attr-defined]


def test_a_deleted_group_is_gone():
    meeting = meet(1)
    meeting.coordinator.pass_ms(SESSION_MS)
    meeting.coordinator >> Asked(DeleteGroupsRequest(groups_names=["g"]), 2)
    assert meeting.coordinator.state() == "Dead"
    assert meeting.coordinator.restarted().state() == "Dead"
