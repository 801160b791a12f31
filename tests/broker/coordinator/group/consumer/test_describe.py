"""Groups as tools see them."""

from __future__ import annotations

from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from tests.broker.coordinator.group.consumer.conversation import beat, id_of, join, stage
from tests.broker.coordinator.group.coordinator import Asked, Coordinator


def describe(coordinator: Coordinator, group: str = "g"):
    request = ConsumerGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)
    return (coordinator >> Asked(request, 1)).answer.groups[0]


def test_a_member_is_reported_with_what_it_has_and_shall_have():
    coordinator = stage()
    coordinator >> join("a", topics=["t"], rack="r")
    coordinator.pass_ms(1_000)
    coordinator >> join("b")
    coordinator >> beat("a", 2)
    group = describe(coordinator)
    assert (group.group_state, group.group_epoch, group.assignment_epoch) == ("Reconciling", 3, 3)
    first = next(member for member in group.members if member.member_id == "a")
    (owned,), (shall,) = (
        assignment.topic_partitions for assignment in (first.assignment, first.target_assignment)
    )
    assert (owned.topic_id, owned.topic_name) == (id_of("t"), "t")
    assert sorted(owned.partitions) == [0, 1, 2, 3]
    assert sorted(shall.partitions) == [0, 1]
    assert (first.rack_id, first.member_type, first.client_host) == ("r", 1, "/127.0.0.1")


def test_a_group_that_is_not_there_has_no_state():
    group = describe(stage(), "missing")
    assert (group.error_code, group.group_state) == (69, "")


def test_groups_are_listed_with_their_type():
    coordinator = stage()
    coordinator >> join()
    request = ListGroupsRequest(states_filter=["stable"], types_filter=["consumer"])
    (listed,) = (coordinator >> Asked(request, 5)).answer.groups
    assert (listed.group_type, listed.group_state) == ("consumer", "Stable")
