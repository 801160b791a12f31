"""ShareGroupHeartbeat through a broker's handler."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import run


def test_a_member_joins_and_leaves():
    async def main(cluster):
        member = await cluster.member("m")
        left = await member.beat(-1)
        gone = await member.beat(1)
        return member.partitions, left.error_code, gone.error_code

    assert run(main) == ([0], 0, ErrorCode.UNKNOWN_MEMBER_ID)


def test_a_first_heartbeat_needs_topics():
    async def main(cluster):
        member = await cluster.member("m")
        answer = await member.beat(0, [])
        return answer.error_code

    assert run(main) == ErrorCode.INVALID_REQUEST
