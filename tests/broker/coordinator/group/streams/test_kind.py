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
    coordinator = stage()
    coordinator >> join_consumer("c")
    assert (coordinator >> join("s")).code == 69
    other = stage()
    other >> join("s")
    assert (other >> join_consumer("c")).code == 69
    assert (other >> join_classic()).code == 23


def test_empty_groups_give_way_to_each_other():
    coordinator = stage()
    coordinator >> join("s")
    coordinator >> beat("s", -1)
    member_id, _ = enter(coordinator)
    assert isinstance(coordinator.shard.groups.by_id["g"], ClassicGroup)
    coordinator.pass_ms(3_000)
    coordinator >> leave(member_id)
    assert (coordinator >> join("s")).code == 0
    assert coordinator.restarted().state() == "Stable"


def test_tombstones_of_what_is_not_there_begin_nothing():
    coordinator = stage()
    coordinator.shard.apply(StoredRecord(StreamsGroupMetadataKey(group_id="g"), None), 0, 0)
    assert coordinator.state() == "Dead"


def test_a_new_coordinator_goes_on_where_the_old_one_was():
    coordinator = stage()
    coordinator >> join()
    later = coordinator.restarted()
    assert group_of(later).members == group_of(coordinator).members
    assert (later >> beat("m", 2)).code == 0
