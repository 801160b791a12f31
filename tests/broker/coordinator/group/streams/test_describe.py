"""Streams groups as tools see them."""

from __future__ import annotations

from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.messages.streams.streams_group_describe import StreamsGroupDescribeRequest
from tests.broker.coordinator.group.coordinator import Asked, Coordinator
from tests.broker.coordinator.group.streams.conversation import beat, join, part, stage, topology


def describe(coordinator: Coordinator, group: str = "g"):
    request = StreamsGroupDescribeRequest(group_ids=[group], include_authorized_operations=False)
    return (coordinator >> Asked(request, 0)).answer.groups[0]


def test_a_group_is_reported_with_its_topology_and_tasks():
    coordinator = stage(t=2, c=2)
    coordinator >> join("m", topology(part("0", "t", changelogs=("c",))), endpoint=("host", 1))
    coordinator >> beat("m", 2)
    group = describe(coordinator)
    assert (group.group_state, group.group_epoch, group.assignment_epoch) == ("Stable", 2, 2)
    (found,) = group.topology.subtopologies
    assert (found.source_topics, found.state_changelog_topics[0].partitions) == (["t"], 2)
    (member,) = group.members
    assert member.assignment == member.target_assignment
    assert (member.user_endpoint.host, member.process_id) == ("host", "m")


def test_a_group_that_is_not_there_is_dead():
    group = describe(stage(), "missing")
    assert (group.error_code, group.group_state) == (69, "")


def test_groups_are_listed_with_their_type():
    coordinator = stage()
    coordinator >> join()
    request = ListGroupsRequest(states_filter=[], types_filter=["streams"])
    (listed,) = (coordinator >> Asked(request, 5)).answer.groups
    assert (listed.group_type, listed.protocol_type) == ("streams", "streams")
