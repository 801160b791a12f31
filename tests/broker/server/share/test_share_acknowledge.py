"""ShareAcknowledge, as members of a share group know it."""

from __future__ import annotations

import pytest

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import ACCEPT, REJECT, RELEASE, RENEW, run


def acknowledged_of_ten(batches, **how):
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        return await member.acknowledge(batches, **how)

    return run(main)


def test_what_is_acknowledged_counts():
    assert acknowledged_of_ten({0: [(0, 3, ACCEPT), (4, 5, REJECT), (6, 9, RELEASE)]}) == 0


@pytest.mark.parametrize(
    ("batch", "code"),
    [
        ((5, 4, ACCEPT), ErrorCode.INVALID_REQUEST),
        ((-2, 4, ACCEPT), ErrorCode.INVALID_REQUEST),
        ((0, 4, 9), ErrorCode.INVALID_REQUEST),
        ((0, 50, ACCEPT), ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_makes_no_sense_is_refused(batch, code):
    assert acknowledged_of_ten({0: [batch]}) == code


def test_a_partition_that_is_not_there_is_reported():
    assert acknowledged_of_ten({7: [(0, 1, ACCEPT)]}) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert acknowledged_of_ten({7: []}) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_what_makes_no_sense_is_refused_before_the_partition_is_looked_for():
    assert acknowledged_of_ten({7: [(5, 4, ACCEPT)]}) == ErrorCode.INVALID_REQUEST


def test_a_partition_of_which_nothing_is_acknowledged_is_not_answered():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        await member.acknowledge({0: []})
        return member.last.responses

    assert run(main) == []


def test_without_a_session_nothing_can_be_acknowledged():
    async def main(cluster):
        member = await cluster.member("m")
        begins = await member.acknowledge({0: [(0, 0, ACCEPT)]}, epoch=0)
        return begins, await member.acknowledge({0: [(0, 0, ACCEPT)]}, epoch=1)

    assert run(main) == (
        ErrorCode.INVALID_SHARE_SESSION_EPOCH,
        ErrorCode.SHARE_SESSION_NOT_FOUND,
    )


def test_a_renewed_lock_holds_on():
    async def main(cluster):
        await cluster.produce(1)
        one, other = await cluster.member("a"), await cluster.member("b")
        await one.fetch()
        await cluster.machine.tasks.sleep(20_000)
        renewed = await one.acknowledge({0: [(0, 0, RENEW)]}, renews=True)
        await cluster.machine.tasks.sleep(20_000)
        return renewed, await other.fetch(wait_ms=0), await one.acknowledge({0: [(0, 0, ACCEPT)]})

    assert run(main) == (0, {}, 0)


def test_the_last_word_ends_the_session():
    async def main(cluster):
        await cluster.produce(2)
        one, other = await cluster.member("a"), await cluster.member("b")
        await one.fetch()
        code = await one.acknowledge({0: [(0, 0, ACCEPT)]}, epoch=-1)
        return code, await other.fetch(), len(cluster.node.broker.share_sessions)

    assert run(main) == (0, {0: [(1, 1, 2)]}, 1)
