"""ShareFetch, as members of a share group know it."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.share_cluster import ACCEPT, RELEASE, run


def test_records_are_taken_acknowledged_and_not_seen_again():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        first = await member.fetch()
        second = await member.fetch({0: [(0, 9, ACCEPT)]})
        return first, second, member.last.responses[0].partitions[0].acknowledge_error_code

    assert run(main) == ({0: [(0, 9, 1)]}, {}, 0)


def test_the_answer_has_the_batches_that_were_acquired_and_no_others():
    async def main(cluster):
        for _ in range(3):
            await cluster.produce(10)
        member = await cluster.member("m")
        taken = await member.fetch(max_records=15, share_acquire_mode=0)
        size = len(member.last.responses[0].partitions[0].records)
        rest = await member.fetch()
        return taken, rest, size == 2 * len(member.last.responses[0].partitions[0].records)

    assert run(main) == ({0: [(0, 19, 1)]}, {0: [(20, 29, 1)]}, True)


def test_beside_what_is_acknowledged_partitions_that_are_not_there_are_reported():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        await member.fetch({0: [(0, 9, ACCEPT)], 7: []})
        both = [one.acknowledge_error_code for one in member.last.responses[0].partitions]
        await member.fetch({0: [], 7: []}, epoch=-1)
        return sorted(both), member.last.responses

    assert run(main) == ([0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION], [])


def test_two_members_never_have_the_same_record():
    async def main(cluster):
        await cluster.produce(10)
        one, other = await cluster.member("a"), await cluster.member("b")
        first = await one.fetch(max_records=4, share_acquire_mode=1)
        second = await other.fetch(max_records=4, share_acquire_mode=1)
        return first, second

    assert run(main) == ({0: [(0, 3, 1)]}, {0: [(4, 7, 1)]})


def test_who_waits_is_woken_by_a_record():
    async def main(cluster):
        member = await cluster.member("m")
        before_ms = cluster.machine.clock.now_ms()
        cluster.machine.tasks.spawn("later", later(cluster))
        taken = await member.fetch(wait_ms=5_000)
        return taken, cluster.machine.clock.now_ms() - before_ms < 1_000

    async def later(cluster):
        await cluster.machine.tasks.sleep(100)
        await cluster.produce(1)

    assert run(main) == ({0: [(0, 0, 1)]}, True)


def test_who_waits_is_woken_by_what_comes_back():
    async def main(cluster):
        await cluster.produce(2)
        one, other = await cluster.member("a"), await cluster.member("b")
        await one.fetch()

        async def release():
            await cluster.machine.tasks.sleep(100)
            await one.acknowledge({0: [(1, 1, RELEASE)]})

        cluster.machine.tasks.spawn("release", release())
        return await other.fetch(wait_ms=5_000)

    assert run(main) == {0: [(1, 1, 2)]}


def test_a_lock_that_ends_lets_another_member_try():
    async def main(cluster):
        await cluster.produce(1)
        one, other = await cluster.member("a"), await cluster.member("b")
        await one.fetch()
        for _ in range(7):
            taken = await other.fetch(wait_ms=5_000)
            await one.beat(one.member_epoch)
            await other.beat(other.member_epoch)
            if taken:
                return taken, await one.acknowledge({0: [(0, 0, ACCEPT)]})
        return None

    assert run(main) == ({0: [(0, 0, 2)]}, ErrorCode.INVALID_RECORD_STATE)


def test_who_leaves_gives_everything_back():
    async def main(cluster):
        await cluster.produce(3)
        one, other = await cluster.member("a"), await cluster.member("b")
        await one.fetch()
        await one.fetch({0: [(0, 0, ACCEPT)]}, epoch=-1)
        return one.last.error_code, await other.fetch()

    assert run(main) == (0, {0: [(1, 2, 2)]})


def test_who_is_cut_off_gives_everything_back():
    async def main(cluster):
        await cluster.produce(3)
        one, other = await cluster.member("a"), await cluster.member("b")
        await one.fetch()
        one.client.link.abort()
        return await other.fetch(wait_ms=1_000), len(cluster.node.broker.share_sessions)

    assert run(main) == ({0: [(0, 2, 2)]}, 1)


def test_a_session_goes_step_by_step():
    async def main(cluster):
        member = await cluster.member("m")
        codes = []
        for epoch in (5, 0, 1, 1, -1, -1):
            await member.fetch(epoch=epoch, wait_ms=0)
            codes.append(member.last.error_code)
        return codes

    wrong, gone = ErrorCode.INVALID_SHARE_SESSION_EPOCH, ErrorCode.SHARE_SESSION_NOT_FOUND
    assert run(main) == [gone, 0, 0, wrong, 0, gone]


def test_a_session_that_begins_has_nothing_to_acknowledge():
    async def main(cluster):
        member = await cluster.member("m")
        await member.fetch({0: [(0, 0, ACCEPT)]}, epoch=0)
        return member.last.error_code

    assert run(main) == ErrorCode.INVALID_REQUEST


def test_a_new_leader_of_the_same_log_knows_what_was_settled():
    async def main(cluster):
        await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch()
        await member.acknowledge({0: [(0, 4, ACCEPT), (7, 7, ACCEPT)]})
        cluster.node.broker.shares.drop_group("g")
        return await member.fetch()

    assert run(main) == {0: [(5, 6, 1), (8, 9, 1)]}


def test_the_first_answer_names_every_partition():
    async def main(cluster):
        member = await cluster.member("m")
        await member.fetch(wait_ms=0)
        first = [one.partition_index for one in member.last.responses[0].partitions]
        await member.fetch(wait_ms=0)
        return sorted(first), member.last.responses

    assert run(main, partitions=2) == ([0, 1], [])


def test_each_partition_has_its_turn():
    async def main(cluster):
        await cluster.produce(10, 0)
        await cluster.produce(10, 1)
        member = await cluster.member("m")
        first = await member.fetch(max_records=5, share_acquire_mode=1)
        second = await member.fetch(max_records=5, share_acquire_mode=1)
        return list(first), list(second)

    assert run(main, partitions=2) == ([0], [1])
