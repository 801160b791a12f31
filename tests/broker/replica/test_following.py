"""A follower takes its leader's batches, and cuts what the leader does not have."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.following import (
    Cut,
    LeaderEnds,
    append_fetched,
    begin_in_range,
    cut_for,
    truncate,
)
from moldau.broker.replica.partition import Partition
from tests.broker.log.batches import batch
from tests.broker.replica.broker_world import Broker, with_partition

FOLLOWER: dict[str, Any] = {
    "replicas": (1, 2),
    "isr": (1, 2),
    "leader": 2,
    "leader_epoch": 7,
    "directories": (bytes(16), bytes(16)),
}


def filled(partition: Partition) -> None:
    """Epoch 3 holds offsets 0 and 1, epoch 5 holds 2 to 4."""
    for base_offset, epoch in enumerate((3, 3, 5, 5, 5)):
        append_fetched(partition, batch(base_offset, leader_epoch=epoch), LeaderEnds(0, 0))


@pytest.mark.parametrize(("leaders", "own"), [(0, 0), (3, 3), (9, 5)])
def test_the_high_watermark_is_the_leaders_as_far_as_the_log_goes(leaders, own):
    def act(partition: Partition):
        filled(partition)
        append_fetched(partition, b"", LeaderEnds(leaders, 0))
        return partition.high_watermark, partition.log_end_offset

    assert with_partition(act, **FOLLOWER) == (own, 5)


def test_the_log_starts_where_the_leaders_does_but_not_beyond_the_watermark():
    def act(partition: Partition):
        filled(partition)
        append_fetched(partition, b"", LeaderEnds(3, 4))
        return partition.log_start_offset

    assert with_partition(act, **FOLLOWER) == 3


def test_batches_of_a_later_epoch_than_was_asked_with_are_left_out():
    def act(partition: Partition):
        return append_fetched(partition, batch(0, leader_epoch=8), LeaderEnds(0, 0))

    assert with_partition(act, **FOLLOWER) is None


def test_readers_of_a_follower_are_woken():
    def act(partition: Partition):
        woken: list[Partition] = []
        partition.watch(woken.append)
        append_fetched(partition, batch(), LeaderEnds(1, 0))
        append_fetched(partition, b"", LeaderEnds(1, 0))
        return len(woken)

    assert with_partition(act, **FOLLOWER) == 1


@pytest.mark.parametrize(
    ("divergence", "cut"),
    [
        (Divergence(5, 4), Cut(4, is_final=True)),
        (Divergence(3, 9), Cut(2, is_final=True)),
        (Divergence(4, 3), Cut(2, is_final=False)),
        (Divergence(6, 3), Cut(3, is_final=True)),
        (Divergence(-1, 1), Cut(1, is_final=True)),
    ],
)
def test_the_cut_is_where_both_logs_agree(divergence, cut):
    def act(partition: Partition):
        filled(partition)
        return cut_for(partition, divergence)

    assert with_partition(act, **FOLLOWER) == cut


def after(work: Any) -> Any:
    """End of the log, its start, and how often checkpoints were written."""
    broker = Broker()
    broker.add_topic(None, **FOLLOWER)
    written: list[int] = []

    async def checkpoint() -> None:
        written.append(1)

    async def act(manager, tasks):
        partition = manager.partition("topic", 0)
        filled(partition)
        await work(manager, partition, checkpoint)
        return partition.log_end_offset, partition.log_start_offset, len(written)

    return broker.run(act)


def test_a_cut_is_written_down_before_anything_is_appended():
    assert after(lambda *known: truncate(known[0], known[1], 2, known[2])) == (2, 0, 1)


@pytest.mark.parametrize(
    ("leader", "expected"), [((0, 3), (3, 0, 1)), ((9, 12), (9, 9, 1)), ((2, 9), (5, 0, 0))]
)
def test_out_of_range_a_follower_cuts_begins_anew_or_goes_on(leader, expected):
    assert after(lambda *known: begin_in_range(known[0], known[1], leader, known[2])) == expected
