"""The table is what the records say, and knows which of them are not needed any more."""

from __future__ import annotations

from tests.broker.coordinator.share.state_play import StatePlay


def test_epochs_are_the_highest_that_were_learned():
    play = StatePlay()
    play.initialize(epoch=4)
    play.read(leader_epoch=9)
    play.initialize(epoch=5)
    (kept,) = play.shard.table.kept.values()
    assert (kept.state.leader_epoch, kept.leader_epoch, kept.state_epoch) == (0, 9, 5)


def test_a_restart_finds_the_same_table():
    play = StatePlay()
    play.initialize()
    for offset in range(7):
        play.write((offset, offset, 2, 1), settled=offset + 1)
    assert play.restarted().shard.table.kept == play.shard.table.kept


def test_the_oldest_of_the_newest_snapshots_is_still_needed():
    play = StatePlay()
    play.initialize(partition=0)
    play.initialize(partition=1)
    assert play.shard.table.redundant_below == 0
    play.initialize(partition=0)
    assert play.shard.table.redundant_below == 1


def test_where_nothing_is_left_the_last_tombstone_is_enough():
    play = StatePlay()
    assert play.shard.table.redundant_below == 0
    play.initialize()
    play.delete()
    assert play.shard.table.redundant_below == 1
