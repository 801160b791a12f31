"""DeleteShareGroupOffsets through a broker's handler."""

from __future__ import annotations

from moldau.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.wire.error_codes import ErrorCode
from tests.server.share_town import ACCEPT, run

Topic = DeleteShareGroupOffsetsRequest.DeleteShareGroupOffsetsRequestTopic


async def delete(town, *names):
    topics = [Topic(topic_name=name) for name in names]
    answer = await town.ask(DeleteShareGroupOffsetsRequest(group_id="g", topics=topics), 0)
    return answer.error_code, [one.error_code for one in answer.responses]


def test_what_is_forgotten_begins_anew():
    async def main(town):
        await town.produce(10)
        member = await town.member("m")
        await member.fetch()
        await member.fetch({0: [(0, 9, ACCEPT)]}, epoch=-1)
        await member.beat(-1)
        deleted = await delete(town, "t", "u")
        twice = await delete(town, "t")
        again = await town.member("n")
        return deleted, twice, await again.fetch()

    unknown = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert run(main) == ((0, [0, unknown]), (0, [unknown]), {0: [(0, 9, 1)]})


def test_a_group_with_members_forgets_nothing():
    async def main(town):
        await town.member("m")
        return await delete(town, "t")

    assert run(main)[0] == ErrorCode.NON_EMPTY_GROUP
