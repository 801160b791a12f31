"""DescribeShareGroupOffsets through a broker's handler."""

from __future__ import annotations

from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
)
from tests.broker.server.share_cluster import ACCEPT, run

Group = DescribeShareGroupOffsetsRequest.DescribeShareGroupOffsetsRequestGroup
Topic = Group.DescribeShareGroupOffsetsRequestTopic


async def describe(cluster, group_id="g", topics=None):
    request = DescribeShareGroupOffsetsRequest(groups=[Group(group_id=group_id, topics=topics)])
    (group,) = (await cluster.ask(request, 1)).groups
    offsets = {
        (topic.topic_name, one.partition_index): (one.start_offset, one.lag)
        for topic in group.topics
        for one in topic.partitions
    }
    return group.error_code, offsets


def test_the_lag_is_what_is_not_settled():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        before = await describe(cluster)
        await member.fetch()
        await member.acknowledge({0: [(0, 3, ACCEPT), (6, 6, ACCEPT)]})
        return before, await describe(cluster)

    assert run(main) == ((0, {("t", 0): (-1, -1)}), (0, {("t", 0): (0, 5)}))


def test_what_is_named_is_reported_even_if_it_is_not_there():
    async def main(cluster):
        await cluster.member("m")
        topics = [Topic(topic_name="t", partitions=[0]), Topic(topic_name="u", partitions=[3])]
        return await describe(cluster, topics=topics)

    assert run(main) == (0, {("t", 0): (-1, -1), ("u", 3): (-1, -1)})


def test_a_topic_that_is_named_twice_is_reported_once():
    async def main(cluster):
        await cluster.member("m")
        topics = [Topic(topic_name="t", partitions=[0, 0]), Topic(topic_name="t", partitions=[0])]
        request = DescribeShareGroupOffsetsRequest(groups=[Group(group_id="g", topics=topics)])
        (group,) = (await cluster.ask(request, 1)).groups
        return [[one.partition_index for one in topic.partitions] for topic in group.topics]

    assert run(main) == [[0]]


def test_a_group_that_is_not_there_has_nothing():
    async def main(cluster):
        await cluster.member("m")
        return await describe(cluster, "gone")

    assert run(main) == (0, {})
