"""A large log is written in batches for all partitions at once, at least as large as asked."""

from __future__ import annotations

import asyncio

import pytest

from bench.versus.asking import AskingError, Connection
from bench.versus.generators.bulk import MEGABYTE, request, write, write_once
from moldau import testing
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.error_codes import ErrorCode

PARTITIONS = 2
Topic = ListOffsetsRequest.ListOffsetsTopic


def test_every_partition_gets_as_much():
    async def conversation():
        async with testing.Node() as node:
            port = int(node.bootstrap.rpartition(":")[2])
            return await asyncio.to_thread(fill, port)

    written, ends = asyncio.run(conversation())
    assert written >= MEGABYTE
    assert ends == {500}


def fill(port):
    """What was written, and where the partitions end."""
    wanted = [
        Topic.ListOffsetsPartition(partition_index=index, timestamp=-1)
        for index in range(PARTITIONS)
    ]
    with Connection(port) as connection:
        connection.create_topic("t", PARTITIONS, {})
        written = write(connection, "t", PARTITIONS, 1.0)
        request = ListOffsetsRequest(replica_id=-1, topics=[Topic(name="t", partitions=wanted)])
        (topic,) = connection.ask(request, ListOffsetsResponse, 7).topics
    return written, {one.offset for one in topic.partitions}


class Busy(Connection):
    """A node that refuses one partition, once."""

    def __init__(self, index: int, code: ErrorCode) -> None:
        self.asked: list[list[int]] = []
        self._refused = {index: code}

    def ask(self, request, response, version):
        (data,) = request.topic_data
        self.asked.append([one.index for one in data.partition_data])
        topic = ProduceResponse.TopicProduceResponse
        answers = [
            topic.PartitionProduceResponse(
                index=index, error_code=self._refused.pop(index, 0), base_offset=0
            )
            for index in self.asked[-1]
        ]
        return ProduceResponse(responses=[topic(name="t", partition_responses=answers)])


def test_what_waits_for_a_late_replica_is_sent_again():
    busy = Busy(1, ErrorCode.NOT_ENOUGH_REPLICAS)
    write_once(busy, request("t", 3, -1))
    assert busy.asked == [[0, 1, 2], [1]]


def test_any_other_refusal_is_named():
    busy = Busy(2, ErrorCode.NOT_LEADER_OR_FOLLOWER)
    with pytest.raises(AskingError, match="2: NOT_LEADER_OR_FOLLOWER"):
        write_once(busy, request("t", 3, -1))
