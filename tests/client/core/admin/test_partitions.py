"""Records, elections and moves, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.choices import ElectionType
from moldau.client.core.admin.partitions import (
    alter_partition_reassignments,
    by_topic,
    delete_records,
    elect_leaders,
    list_partition_reassignments,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.delete_records import DeleteRecordsResponse
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsResponse,
)
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata
from tests.client.core.admin.asking import call, talk

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
Topic = DeleteRecordsResponse.DeleteRecordsTopicResult
Moving = ListPartitionReassignmentsResponse.OngoingTopicReassignment


def deleted(partition: int, code: ErrorCode = ErrorCode.NONE) -> DeleteRecordsResponse:
    row = Topic.DeleteRecordsPartitionResult(
        partition_index=partition, low_watermark=5, error_code=code
    )
    return DeleteRecordsResponse(throttle_time_ms=0, topics=[Topic(name="t", partitions=[row])])


def test_partitions_are_gathered_by_topic():
    assert by_topic([ONE, TWO, TopicPartition("u", 0)])["t"] == [ONE, TWO]


def test_records_are_deleted_by_each_leader_and_by_a_new_one_where_it_moved():
    held = talk(delete_records(call(), {ONE: 5, TWO: None}))
    held.receives(metadata({"t": {0: (1, 1), 1: (2, 1)}}))
    assert [node for node, _ in held.asked[1:]] == [1, 2]
    assert held.asked[2][1].topics[0].partitions[0].offset == -1
    held.receives(deleted(0), deleted(1, ErrorCode.NOT_LEADER_OR_FOLLOWER)).rests()
    held.receives(metadata({"t": {0: (1, 1), 1: (1, 2)}})).receives(deleted(1))
    assert (held.asked[-1][0], held.result.all()) == (1, {ONE: 5, TWO: 5})


def test_an_election_is_asked_for_in_a_version_that_has_its_type():
    (ask,) = talk(elect_leaders(call(), None, ElectionType.UNCLEAN)).step.asks
    assert (ask.oldest, ask.request.election_type, ask.request.topic_partitions) == (1, 1, None)
    assert talk(elect_leaders(call(), [ONE])).step.asks[0].oldest == 0


def test_an_error_of_all_moves_is_each_partitions_error():
    held = talk(alter_partition_reassignments(call(), {ONE: [1, 2], TWO: None}))
    rows = held.asked[0][1].topics[0].partitions
    assert [row.replicas for row in rows] == [[1, 2], None]
    held.receives(
        AlterPartitionReassignmentsResponse(
            throttle_time_ms=0,
            error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED,
            error_message=None,
            responses=[],
        )
    )
    assert set(held.result.errors) == {ONE, TWO}


def test_what_is_moving_is_listed():
    row = Moving.OngoingPartitionReassignment(
        partition_index=1, replicas=[1, 2], adding_replicas=[2], removing_replicas=[1]
    )
    held = talk(list_partition_reassignments(call(), [TWO]))
    held.receives(
        ListPartitionReassignmentsResponse(
            throttle_time_ms=0,
            error_code=0,
            error_message=None,
            topics=[Moving(name="t", partitions=[row])],
        )
    )
    assert held.result[TWO].adding == (2,)
