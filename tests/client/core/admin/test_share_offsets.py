"""Offsets of share groups, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.share_offsets import (
    ShareOffset,
    alter_share_group_offsets,
    delete_share_group_offsets,
    list_share_group_offsets,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsResponse
from moldau.protocol.messages.share.delete_share_group_offsets import (
    DeleteShareGroupOffsetsResponse,
)
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, coordinators, talk

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
Group = DescribeShareGroupOffsetsResponse.DescribeShareGroupOffsetsResponseGroup
Topic = Group.DescribeShareGroupOffsetsResponseTopic
Row = Topic.DescribeShareGroupOffsetsResponsePartition
AlteredTopic = AlterShareGroupOffsetsResponse.AlterShareGroupOffsetsResponseTopic


def test_a_partition_that_has_not_begun_is_none():
    held = talk(list_share_group_offsets(call(), {"g": [ONE, TWO]})).receives(
        coordinators({"g": 1})
    )
    rows = [
        Row(partition_index=0, start_offset=4, leader_epoch=2, lag=6, error_code=0),
        Row(partition_index=1, start_offset=-1, leader_epoch=0, error_code=0),
    ]
    group = Group(
        group_id="g",
        error_code=0,
        topics=[Topic(topic_name="t", topic_id=bytes(16), partitions=rows)],
    )
    held.receives(DescribeShareGroupOffsetsResponse(throttle_time_ms=0, groups=[group]))
    assert held.result["g"] == {ONE: ShareOffset(4, 2, 6), TWO: None}


def test_an_error_of_the_group_is_each_parts():
    held = talk(alter_share_group_offsets(call(), "g", {ONE: 1, TWO: 2}))
    held.receives(coordinators({"g": 1}))
    code = ErrorCode.NON_EMPTY_GROUP
    held.receives(AlterShareGroupOffsetsResponse(throttle_time_ms=0, error_code=code, responses=[]))
    assert set(held.result.errors) == {ONE, TWO}
    held = talk(delete_share_group_offsets(call(), "g", ["t"])).receives(coordinators({"g": 1}))
    held.receives(
        DeleteShareGroupOffsetsResponse(throttle_time_ms=0, error_code=code, responses=[])
    )
    assert list(held.result.errors) == ["t"]


def test_offsets_are_asked_for_again_while_a_partition_is_between_leaders():
    held = talk(list_share_group_offsets(call(), {"g": [ONE]})).receives(coordinators({"g": 1}))
    for code in (ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.NONE):
        row = Row(partition_index=0, start_offset=4, leader_epoch=2, lag=6, error_code=code)
        topic = Topic(topic_name="t", topic_id=bytes(16), partitions=[row])
        group = Group(group_id="g", error_code=0, topics=[topic])
        held.receives(DescribeShareGroupOffsetsResponse(throttle_time_ms=0, groups=[group]))
        if code:
            held.rests().receives(coordinators({"g": 1}))
    assert held.result["g"] == {ONE: ShareOffset(4, 2, 6)}


def test_offsets_are_set_again_while_a_partition_is_between_leaders():
    held = talk(alter_share_group_offsets(call(), "g", {ONE: 1})).receives(coordinators({"g": 1}))
    for code in (ErrorCode.LEADER_NOT_AVAILABLE, ErrorCode.NONE):
        row = AlteredTopic.AlterShareGroupOffsetsResponsePartition(
            partition_index=0, error_code=code
        )
        topic = AlteredTopic(topic_name="t", topic_id=bytes(16), partitions=[row])
        held.receives(
            AlterShareGroupOffsetsResponse(throttle_time_ms=0, error_code=0, responses=[topic])
        )
        if code:
            held.rests().receives(coordinators({"g": 1}))
    assert held.result.all() == {ONE: None}
