"""The table is what the records say, and knows which of them are not needed any more."""

from __future__ import annotations

from tests.broker.coordinator.share.share_coordinator import ShareCoordinator


def test_epochs_are_the_highest_that_were_learned():
    coordinator = ShareCoordinator()
    coordinator.initialize(epoch=4)
    coordinator.read(leader_epoch=9)
    coordinator.initialize(epoch=5)
    (kept,) = coordinator.shard.table.kept.values()
    assert (kept.state.leader_epoch, kept.leader_epoch, kept.state_epoch) == (0, 9, 5)


def test_a_restart_finds_the_same_table():
    coordinator = ShareCoordinator()
    coordinator.initialize()
    for offset in range(7):
        coordinator.write((offset, offset, 2, 1), settled=offset + 1)
    assert coordinator.restarted().shard.table.kept == coordinator.shard.table.kept


def test_the_oldest_of_the_newest_snapshots_is_still_needed():
    coordinator = ShareCoordinator()
    coordinator.initialize(partition=0)
    coordinator.initialize(partition=1)
    assert coordinator.shard.table.redundant_below == 0
    coordinator.initialize(partition=0)
    assert coordinator.shard.table.redundant_below == 1


def test_where_nothing_is_left_the_last_tombstone_is_enough():
    coordinator = ShareCoordinator()
    assert coordinator.shard.table.redundant_below == 0
    coordinator.initialize()
    coordinator.delete()
    assert coordinator.shard.table.redundant_below == 1
