"""AlterShareGroupOffsets through a broker's handler."""

from __future__ import annotations

from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import ACCEPT, run

Topic = AlterShareGroupOffsetsRequest.AlterShareGroupOffsetsRequestTopic
Partition = Topic.AlterShareGroupOffsetsRequestPartition


async def alter(cluster, topic="t", index=0, start=7, group_id="g"):
    partitions = [Partition(partition_index=index, start_offset=start)]
    topics = [Topic(topic_name=topic, partitions=partitions), Topic(topic_name="v", partitions=[])]
    request = AlterShareGroupOffsetsRequest(group_id=group_id, topics=topics)
    answer = await cluster.ask(request, 0)
    assert all(one.topic_name == topic for one in answer.responses)
    codes = [one.error_code for topic in answer.responses for one in topic.partitions]
    return answer.error_code, codes


def test_an_empty_group_begins_elsewhere():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        await member.fetch({0: [(0, 9, ACCEPT)]}, epoch=-1)
        await member.beat(-1)
        altered = await alter(cluster)
        again = await cluster.member("n")
        return altered, await again.fetch()

    assert run(main) == ((0, [0]), {0: [(7, 9, 1)]})


def test_a_group_with_members_is_left_alone():
    async def main(cluster):
        await cluster.member("m")
        return await alter(cluster)

    assert run(main)[0] == ErrorCode.NON_EMPTY_GROUP


def test_a_topic_that_is_named_twice_is_answered_once():
    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        parts = [Partition(partition_index=index, start_offset=0) for index in (0, 5)]
        topics = [Topic(topic_name="t", partitions=[one]) for one in parts]
        answer = await cluster.ask(AlterShareGroupOffsetsRequest(group_id="g", topics=topics), 0)
        return [[one.error_code for one in topic.partitions] for topic in answer.responses]

    assert run(main) == [[0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]]


def test_a_group_needs_a_name():
    async def main(cluster):
        return await alter(cluster, group_id="")

    assert run(main) == (ErrorCode.INVALID_GROUP_ID, [])


def test_what_is_not_there_cannot_be_begun_at():
    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        return await alter(cluster, topic="u"), await alter(cluster, index=5)

    unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert run(main) == ((0, [unknown]), (0, [unknown]))
