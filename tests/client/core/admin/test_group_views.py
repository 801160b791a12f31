"""Describing groups, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.choices import GroupType
from moldau.client.core.admin.cluster import ClusterNode
from moldau.client.core.admin.group_views import (
    coordinator_of,
    describe_consumer_groups,
    describe_share_groups,
)
from moldau.client.core.consuming.protocol import write_assignment
from moldau.client.errors import UnsupportedVersionError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeResponse
from moldau.protocol.messages.group.describe_groups import DescribeGroupsResponse
from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, coordinators, talk

PARTS = (TopicPartition("t", 0), TopicPartition("t", 1))
Consumer = ConsumerGroupDescribeResponse
Classic = DescribeGroupsResponse.DescribedGroup
Share = ShareGroupDescribeResponse


def not_found(name: str) -> ConsumerGroupDescribeResponse:
    row = Consumer.DescribedGroup(
        error_code=ErrorCode.GROUP_ID_NOT_FOUND,
        group_id=name,
        group_state="",
        group_epoch=0,
        assignment_epoch=0,
        assignor_name="",
        members=[],
    )
    return Consumer(throttle_time_ms=0, groups=[row])


def classic(name: str, protocol: str = "consumer") -> DescribeGroupsResponse:
    member = Classic.DescribedGroupMember(
        member_id="m",
        client_id="c",
        client_host="/h",
        member_metadata=b"",
        member_assignment=write_assignment(PARTS) if protocol == "consumer" else b"\x01",
    )
    row = Classic(
        error_code=0,
        group_id=name,
        group_state="Stable",
        protocol_type=protocol,
        protocol_data="range",
        members=[member],
    )
    return DescribeGroupsResponse(throttle_time_ms=0, groups=[row])


def test_a_group_that_is_none_of_kip_848_is_asked_for_as_a_classic_one():
    held = talk(describe_consumer_groups(call(), "g")).receives(coordinators({"g": 1}))
    held.receives(not_found("g")).receives(classic("g"))
    view = held.result["g"]
    assert (view.type, view.assignor, view.members[0].assignment) == (
        GroupType.CLASSIC,
        "range",
        PARTS,
    )
    assert view.coordinator == ClusterNode(1, "b1", 9092)


def test_brokers_before_kip_848_are_asked_the_old_way():
    held = talk(describe_consumer_groups(call(), "g")).receives(coordinators({"g": 1}))
    held.receives(UnsupportedVersionError("too old")).receives(classic("g"))
    assert held.result["g"].state == "Stable"


def test_a_group_of_connect_is_no_group_of_consumers():
    held = talk(describe_consumer_groups(call(), "g")).receives(coordinators({"g": 1}))
    held.receives(not_found("g")).receives(classic("g", "connect"))
    assert "describe_classic_groups" in str(held.result.errors["g"])


def test_a_share_groups_members_have_what_they_read():
    topics = [Share.TopicPartitions(topic_id=bytes(16), topic_name="t", partitions=[1, 0])]
    member = Share.DescribedGroup.Member(
        member_id="m",
        member_epoch=3,
        client_id="c",
        client_host="/h",
        subscribed_topic_names=["t"],
        assignment=Share.Assignment(topic_partitions=topics),
    )
    row = Share.DescribedGroup(
        error_code=0,
        group_id="g",
        group_state="Stable",
        group_epoch=3,
        assignment_epoch=3,
        assignor_name="simple",
        members=[member],
    )
    held = talk(describe_share_groups(call(), ["g"])).receives(coordinators({"g": 1}))
    held.receives(Share(throttle_time_ms=0, groups=[row]))
    view = held.result["g"]
    assert (view.type, view.epoch, view.members[0].assignment) == (GroupType.SHARE, 3, PARTS)


def test_a_coordinator_that_is_not_known_is_none():
    assert coordinator_of(call(), "g") is None
