"""Offsets of groups, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.group_offsets import (
    CommittedOffset,
    alter_group_offsets,
    delete_group_offsets,
    list_group_offsets,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.offset_commit import OffsetCommitResponse
from moldau.protocol.messages.group.offset_delete import OffsetDeleteResponse
from moldau.protocol.messages.group.offset_fetch import OffsetFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, coordinators, talk

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
Group = OffsetFetchResponse.OffsetFetchResponseGroup
Topic = Group.OffsetFetchResponseTopics
Committed = OffsetCommitResponse.OffsetCommitResponseTopic


def fetched(group: str, code: int = 0, epoch: int = -1, **offsets: int) -> OffsetFetchResponse:
    rows = [
        Topic.OffsetFetchResponsePartitions(
            partition_index=int(name[1:]),
            committed_offset=offset,
            committed_leader_epoch=epoch,
            metadata="",
            error_code=code,
        )
        for name, offset in offsets.items()
    ]
    return OffsetFetchResponse(
        groups=[Group(group_id=group, topics=[Topic(name="t", partitions=rows)])]
    )


def test_each_coordinator_is_asked_for_its_groups_by_names_of_topics():
    held = talk(list_group_offsets(call(), {"g": [ONE, TWO], "h": None}, require_stable=True))
    held.receives(coordinators({"g": 1, "h": 2}))
    assert [(ask.node_id, ask.newest) for ask in held.step.asks] == [(1, 9), (2, 9)]
    assert held.asked[1][1].require_stable
    assert held.asked[2][1].groups[0].topics is None
    held.receives(fetched("g", p0=5, p1=-1, epoch=3), fetched("h"))
    assert held.result["g"] == {ONE: CommittedOffset(5, 3), TWO: None}
    assert held.result["h"] == {}


def test_an_offset_that_a_transaction_may_change_is_waited_for():
    held = talk(list_group_offsets(call(), {"g": None})).receives(coordinators({"g": 1}))
    held.receives(fetched("g", ErrorCode.UNSTABLE_OFFSET_COMMIT, p0=-1)).rests()
    held.receives(coordinators({"g": 1})).receives(fetched("g", p0=5))
    assert held.result["g"] == {ONE: CommittedOffset(5)}


def test_offsets_are_set_from_outside_of_the_group():
    wanted: dict[TopicPartition, CommittedOffset | int] = {
        ONE: CommittedOffset(5, 3, "note"),
        TWO: 7,
    }
    held = talk(alter_group_offsets(call(), "g", wanted)).receives(coordinators({"g": 1}))
    request = held.asked[-1][1]
    assert (request.member_id, request.generation_id_or_member_epoch) == ("", -1)
    rows = [
        Committed.OffsetCommitResponsePartition(partition_index=0, error_code=0),
        Committed.OffsetCommitResponsePartition(
            partition_index=1, error_code=ErrorCode.UNKNOWN_MEMBER_ID
        ),
    ]
    held.receives(OffsetCommitResponse(topics=[Committed(name="t", partitions=rows)]))
    assert (list(held.result.values), list(held.result.errors)) == ([ONE], [TWO])


def test_an_error_of_the_group_is_each_partitions():
    held = talk(delete_group_offsets(call(), "g", [ONE, TWO])).receives(coordinators({"g": 1}))
    held.receives(OffsetDeleteResponse(error_code=ErrorCode.GROUP_ID_NOT_FOUND, topics=[]))
    assert set(held.result.errors) == {ONE, TWO}
