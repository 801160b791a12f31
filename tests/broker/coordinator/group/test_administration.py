"""What tools ask about groups."""

from __future__ import annotations

from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest
from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import join, meet
from tests.broker.coordinator.group.coordinator import Asked, Coordinator, Reply
from tests.broker.coordinator.group.offsets.words import commit, commit_pending, offsets


def describe(*groups: str, version: int = 6) -> Asked:
    request = DescribeGroupsRequest(groups=list(groups), include_authorized_operations=False)
    return Asked(request, version)


def list_groups(states: tuple[str, ...] = (), types: tuple[str, ...] = ()) -> Asked:
    return Asked(ListGroupsRequest(states_filter=list(states), types_filter=list(types)), 5)


def delete(*groups: str) -> Asked:
    return Asked(DeleteGroupsRequest(groups_names=list(groups)), 2)


def named(reply: Reply) -> list[str]:
    return [group.group_id for group in reply.answer.groups]


def test_a_stable_group_is_described_with_what_its_members_have():
    meeting = meet()
    (group,) = (meeting.coordinator >> describe("g")).answer.groups
    assert (group.group_state, group.protocol_type) == ("Stable", "consumer")
    assert group.protocol_data == "range"
    first = group.members[0]
    assert (first.member_id, first.client_id) == (meeting.leader, "client")
    assert (first.client_host, first.member_assignment) == ("/127.0.0.1", b"0")
    assert first.member_metadata != b""


def test_while_it_rebalances_nothing_is_reported_assignments():
    meeting = meet()
    meeting.coordinator >> join(meeting.leader)
    (group,) = (meeting.coordinator >> describe("g")).answer.groups
    assert (group.group_state, group.protocol_data) == ("PreparingRebalance", "")
    assert {member.member_assignment for member in group.members} == {b""}
    assert {member.member_metadata for member in group.members} == {b""}


def test_a_group_that_is_not_there_is_dead():
    (old,) = (Coordinator() >> describe("x", version=5)).answer.groups
    assert (old.group_state, old.error_code, old.error_message) == ("Dead", 0, None)
    (today,) = (Coordinator() >> describe("x")).answer.groups
    assert today.error_code == ErrorCode.GROUP_ID_NOT_FOUND
    assert today.error_message == "Group x not found."


def test_groups_are_listed_by_state_and_type():
    coordinator = meet().coordinator
    coordinator >> commit(7, group="simple")
    assert named(coordinator >> list_groups()) == ["g", "simple"]
    assert named(coordinator >> list_groups(states=("sTaBlE",))) == ["g"]
    assert named(coordinator >> list_groups(types=("consumer",))) == []
    assert named(coordinator >> list_groups(("Empty",), ("Classic",))) == ["simple"]
    (group, _) = (coordinator >> list_groups()).answer.groups
    assert (group.protocol_type, group.group_state, group.group_type) == (
        "consumer",
        "Stable",
        "classic",
    )


def test_an_empty_group_is_deleted_with_its_offsets():
    coordinator = Coordinator()
    coordinator >> commit(7)
    coordinator >> commit_pending(8)
    reply = coordinator >> delete("g", "g", "x")
    codes = [(one.group_id, one.error_code) for one in reply.answer.results]
    assert codes == [("g", 0), ("x", ErrorCode.GROUP_ID_NOT_FOUND)]
    later = coordinator.restarted()
    assert (coordinator.state(), later.state(), offsets(later)) == ("Dead", "Dead", {})


def test_a_group_with_members_stays():
    meeting = meet()
    reply = meeting.coordinator >> delete("g")
    assert reply.answer.results[0].error_code == ErrorCode.NON_EMPTY_GROUP
    assert meeting.coordinator.state() == "Stable"
