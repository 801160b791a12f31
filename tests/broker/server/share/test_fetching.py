"""What share groups see of transactions depends on what they are configured to see."""

from __future__ import annotations

from moldau.broker.log.append_origin import AppendOrigin
from moldau.protocol.records.control import EndMarker, build_marker_batch
from tests.broker.log.batches import batch
from tests.broker.server.share_cluster import run

TRANSACTIONAL = 16
PRODUCER = 900
ALL_WINDOWS_MS = 11_000
"""After which a quota has forgotten what was taken."""


def transaction(cluster, *values, is_commit):
    """Records of a transaction that has ended, straight into the log."""
    partition = cluster.node.broker.replicas.leader("t", 0)
    now_ms = cluster.machine.clock.now_ms()
    records = batch(0, values, now_ms, attributes=TRANSACTIONAL, producer=(PRODUCER, 0, 0))
    producers = partition.log.producers
    guard = producers.begin_verification(PRODUCER, 0, 0, now_ms, supports_epoch_bump=True)
    partition.append(records, guard=guard)
    marker = build_marker_batch(
        EndMarker(is_commit=is_commit, coordinator_epoch=0),
        producer_id=PRODUCER, producer_epoch=0, timestamp=now_ms,
    )  # fmt: skip
    partition.append(marker, origin=AppendOrigin.COORDINATOR)


def test_a_group_that_reads_committed_is_not_given_what_was_aborted():
    async def main(cluster):
        await cluster.configure(share_isolation_level="read_committed")
        transaction(cluster, b"a", b"b", is_commit=False)
        await cluster.produce(3)
        member = await cluster.member("m")
        return await member.fetch()

    assert run(main) == {0: [(2, 5, 1)]}


def test_a_fetch_whose_time_is_up_has_expired():
    async def main(cluster):
        member = await cluster.member("m")
        await member.fetch(wait_ms=100)
        return cluster.node.broker.purgatory.expired

    assert run(main) == {"ShareFetch": 1}


def test_a_fetch_leaves_its_figures_with_the_group_and_the_partition():
    async def main(cluster):
        member, shares = await cluster.member("m"), cluster.node.broker.shares
        await member.fetch(wait_ms=100)
        await cluster.produce(3)
        await member.fetch()
        (of_group,), (led,) = [one for _, one in shares.figures()], list(shares)
        assert shares.load_times.count == 1
        ratio, sizes = of_group.fetch_ratio, led.figures.batch_sizes
        assert (ratio.count, ratio.total) == (2, 200)
        assert (sizes.count, sizes.total) == (1, 3)
        assert led.figures.lock_times.count == led.figures.lock_ratio.count == 3
        waited_ms = of_group.acquire_times.maximum * of_group.acquire_times.scale
        shares.drop_group("g")
        return of_group.acquire_times.count, waited_ms >= 100, shares.figures()

    assert run(main) == (3, True, [])


def test_partitions_that_can_hand_out_nothing_are_not_in_the_ratio():
    async def main(cluster):
        await cluster.produce(3, 0)
        member, shares = await cluster.member("m"), cluster.node.broker.shares
        await member.fetch()
        (led,) = (one for one in shares if one.key.partition == 0)
        led.settings = lambda: Full()
        led.share.limits = lambda: Full()
        await member.fetch(wait_ms=0)
        ((_, of_group),) = shares.figures()
        return of_group.fetch_ratio.total - 100

    assert run(main, partitions=2) == 50


class Full:
    """Limits that are reached."""

    locks_max = 0
    reads_committed = False


def test_who_waits_at_a_share_partition_that_is_reset_gets_nothing_of_the_old_one():
    async def main(cluster):
        member = await cluster.member("m")

        async def reset():
            await cluster.machine.tasks.sleep(50)
            cluster.node.broker.shares.drop_group("g")
            await cluster.produce(3)

        cluster.machine.tasks.spawn("reset", reset())
        return await member.fetch(wait_ms=500), await member.fetch()

    assert run(main) == ({}, {0: [(0, 2, 1)]})


def test_a_group_that_reads_uncommitted_is_given_everything():
    async def main(cluster):
        transaction(cluster, b"a", b"b", is_commit=False)
        await cluster.produce(3)
        member = await cluster.member("m")
        return await member.fetch()

    assert run(main) == {0: [(0, 5, 1)]}


def test_what_a_quota_keeps_back_is_not_acquired_and_comes_later():
    async def main(cluster):
        await cluster.limit(20.0)
        for _ in range(4):
            await cluster.produce(10)
        member = await cluster.member("m")
        first = await member.fetch(max_records=10, share_acquire_mode=0)
        kept_back = await member.fetch(wait_ms=0)
        owed_ms = member.last.throttle_time_ms
        await cluster.machine.tasks.sleep(ALL_WINDOWS_MS)
        later = await member.fetch(max_records=10, share_acquire_mode=0)
        return first, kept_back, owed_ms > 0, later

    assert run(main) == ({0: [(0, 9, 1)]}, {}, True, {0: [(10, 19, 1)]})


def test_who_is_too_fast_does_not_wait_for_records():
    async def main(cluster):
        await cluster.limit(1.0)
        await cluster.produce(10)
        member = await cluster.member("m")
        before_ms = cluster.machine.clock.now_ms()
        taken = await member.fetch(wait_ms=20_000)
        return taken, cluster.machine.clock.now_ms() - before_ms < 1_000

    assert run(main) == ({}, True)


def test_of_what_is_read_only_what_leaves_counts():
    async def main(cluster):
        await cluster.limit(1_000_000.0)
        for _ in range(3):
            await cluster.produce(10)
        member = await cluster.member("m")
        await member.fetch(max_records=10, share_acquire_mode=0)
        size = len(member.last.responses[0].partitions[0].records)
        (measured,) = cluster.node.broker.quotas.measured()
        return (
            size / 11 < measured.rate <= size / 10,
            cluster.node.broker.traffic.total.bytes_out.count == size,
        )

    assert run(main) == (True, True)
