"""Streams groups beside other groups on one shard."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.streams_group import StreamsGroupMetadataKey
from tests.broker.coordinator.group.classic.conversation import enter, leave
from tests.broker.coordinator.group.classic.conversation import join as join_classic
from tests.broker.coordinator.group.consumer.conversation import join as join_consumer
from tests.broker.coordinator.group.streams.conversation import beat, group_of, join, stage


def test_groups_of_other_types_are_not_joined():
    play = stage()
    play >> join_consumer("c")
    assert (play >> join("s")).code == 69
    other = stage()
    other >> join("s")
    assert (other >> join_consumer("c")).code == 69
    assert (other >> join_classic()).code == 23


def test_empty_groups_give_way_to_each_other():
    play = stage()
    play >> join("s")
    play >> beat("s", -1)
    member_id, _ = enter(play)
    assert isinstance(play.shard.groups.by_id["g"], ClassicGroup)
    play.pass_ms(3_000)
    play >> leave(member_id)
    assert (play >> join("s")).code == 0
    assert play.restarted().state() == "Stable"


def test_tombstones_of_what_is_not_there_begin_nothing():
    play = stage()
    play.shard.apply(StoredRecord(StreamsGroupMetadataKey(group_id="g"), None), 0, 0)
    assert play.state() == "Dead"


def test_a_new_coordinator_goes_on_where_the_old_one_was():
    play = stage()
    play >> join()
    later = play.restarted()
    assert group_of(later).members == group_of(play).members
    assert (later >> beat("m", 2)).code == 0
