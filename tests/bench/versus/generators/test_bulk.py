"""A large log is written in batches for all partitions at once, at least as large as asked."""

from __future__ import annotations

import asyncio

from bench.versus.asking import Asker
from bench.versus.generators.bulk import MEGABYTE, write
from moldau import testing
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse

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
    with Asker(port) as asker:
        asker.create_topic("t", PARTITIONS, {})
        written = write(asker, "t", PARTITIONS, 1.0)
        request = ListOffsetsRequest(replica_id=-1, topics=[Topic(name="t", partitions=wanted)])
        (topic,) = asker.ask(request, ListOffsetsResponse, 7).topics
    return written, {one.offset for one in topic.partitions}
