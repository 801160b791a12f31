"""Replicas are read where they lie, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.replica_batches import read_replicas
from moldau.client.errors import UnreachableError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import TOPIC_ID, metadata
from tests.client.batches import data_batch
from tests.client.core.admin.asking import call, talk

ONE = TopicPartition("t", 0)
Topic = FetchResponse.FetchableTopicResponse


def holding(records: bytes, code: ErrorCode = ErrorCode.NONE) -> FetchResponse:
    row = Topic.PartitionData(
        partition_index=0,
        error_code=code,
        high_watermark=9,
        records=records,
        aborted_transactions=[],
    )
    topics = [Topic(topic_id=TOPIC_ID, partitions=[row])]
    return FetchResponse(throttle_time_ms=0, error_code=0, session_id=0, responses=topics)


def asking(*brokers: int):
    wanted = {broker: {ONE: 4} for broker in brokers}
    held = talk(read_replicas(call(), wanted, max_bytes=100, max_wait_ms=5))
    return held.receives(metadata({"t": {0: (1, 0)}}))


def test_each_broker_is_asked_for_its_own_replica():
    held = asking(1, 2)
    assert [node for node, _ in held.asked[1:]] == [1, 2]
    (topic,) = held.asked[1][1].topics
    assert (topic.topic_id, topic.partitions[0].fetch_offset) == (TOPIC_ID, 4)


def test_headers_of_whole_batches_are_found_and_a_torn_one_is_left_out():
    whole = data_batch(4, 1) + data_batch(5, 2)
    held = asking(1, 2).receives(holding(whole + whole[:70]), holding(whole[:-1]))
    first, second = held.result[1][ONE], held.result[2][ONE]
    assert [one.last_offset for one in first.headers] == [4, 6]
    assert [one.last_offset for one in second.headers] == [4]
    assert (first.high_watermark, first.error) == (9, None)


def test_what_cannot_be_read_has_its_error():
    refused = holding(b"", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    held = asking(1, 2).receives(refused, UnreachableError("b2", "gone"))
    assert "t-0" in str(held.result[1][ONE].error)
    assert "gone" in str(held.result[2][ONE].error)
    assert held.result[2][ONE].high_watermark == -1
