"""DeleteShareGroupOffsets through a broker's handler."""

from __future__ import annotations

from moldau.protocol.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import ACCEPT, run

Topic = DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic


async def delete(cluster, *names, group_id="g"):
    topics = [Topic(topic_name=name) for name in names]
    answer = await cluster.ask(DeleteShareGroupOffsetsRequest(group_id=group_id, topics=topics), 0)
    return answer.error_code, [one.error_code for one in answer.responses]


def test_what_is_forgotten_begins_anew():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        await member.fetch({0: [(0, 9, ACCEPT)]}, epoch=-1)
        await member.beat(-1)
        deleted = await delete(cluster, "t", "u")
        twice = await delete(cluster, "t")
        again = await cluster.member("n")
        return deleted, twice, await again.fetch()

    unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert run(main) == ((0, [0, unknown]), (0, [unknown]), {0: [(0, 9, 1)]})


def test_a_group_with_members_forgets_nothing():
    async def main(cluster):
        await cluster.member("m")
        return await delete(cluster, "t"), await delete(cluster)

    assert [code for code, _ in run(main)] == [ErrorCode.NON_EMPTY_GROUP] * 2


def test_a_group_is_asked_even_where_no_topic_is_named():
    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        nothing, fetched = await delete(cluster), await delete(cluster, "t")
        return nothing, fetched, await delete(cluster, group_id="gone")

    assert run(main) == ((0, []), (0, [0]), (ErrorCode.GROUP_ID_NOT_FOUND, []))


def test_what_is_deleted_is_answered_once_and_what_is_not_as_often_as_it_was_named():
    async def main(cluster):
        member = await cluster.member("m")
        await member.beat(-1)
        return await delete(cluster, "t", "t", "u", "u")

    unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert run(main) == (0, [0, unknown, unknown])


def test_a_group_needs_a_name():
    async def main(cluster):
        return await delete(cluster, "t", group_id="")

    assert run(main) == (ErrorCode.INVALID_GROUP_ID, [])
