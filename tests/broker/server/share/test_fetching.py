"""What share groups see of transactions depends on what they were told to see."""

from __future__ import annotations

from moldau.broker.log.append_origin import AppendOrigin
from moldau.protocol.records.control import EndMarker, build_marker_batch
from tests.broker.log.batches import batch
from tests.broker.server.share_town import run

TRANSACTIONAL = 16
PRODUCER = 900


def transaction(town, *values, is_commit):
    """Records of a transaction that has ended, straight into the log."""
    partition = town.node.broker.replicas.leader("t", 0)
    now_ms = town.play.clock.now_ms()
    records = batch(0, values, now_ms, attributes=TRANSACTIONAL, producer=(PRODUCER, 0, 0))
    producers = partition.log.producers
    guard = producers.begin_verification(PRODUCER, 0, 0, now_ms, supports_epoch_bump=True)
    partition.append(records, guard=guard)
    marker = build_marker_batch(
        EndMarker(is_commit=is_commit, coordinator_epoch=0),
        producer_id=PRODUCER, producer_epoch=0, timestamp=now_ms,
    )  # fmt: skip
    partition.append(marker, origin=AppendOrigin.COORDINATOR)


def test_whoever_reads_committed_is_not_given_what_was_aborted():
    async def main(town):
        await town.configure(share_isolation_level="read_committed")
        transaction(town, b"a", b"b", is_commit=False)
        await town.produce(3)
        member = await town.member("m")
        return await member.fetch()

    assert run(main) == {0: [(2, 5, 1)]}


def test_who_waits_at_a_share_partition_that_is_reset_gets_nothing_of_the_old_one():
    async def main(town):
        member = await town.member("m")

        async def reset():
            await town.play.tasks.sleep(50)
            town.node.broker.shares.drop_group("g")
            await town.produce(3)

        town.play.tasks.spawn("reset", reset())
        return await member.fetch(wait_ms=500), await member.fetch()

    assert run(main) == ({}, {0: [(0, 2, 1)]})


def test_whoever_reads_uncommitted_is_given_everything():
    async def main(town):
        transaction(town, b"a", b"b", is_commit=False)
        await town.produce(3)
        member = await town.member("m")
        return await member.fetch()

    assert run(main) == {0: [(0, 5, 1)]}
