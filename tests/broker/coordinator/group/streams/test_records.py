"""Records of streams groups, there and back."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.coordinator.group.streams.member import StreamsMember, StreamsState
from moldau.broker.coordinator.group.streams.records import (
    current_record,
    group_record,
    group_tombstones,
    member_record,
    owned_tasks,
)
from moldau.broker.coordinator.group.streams.replay import APPLIERS
from moldau.broker.coordinator.group.streams.tasks import OwnedTasks
from moldau.broker.coordinator.record_codec import GROUP_RECORDS, decode_stored, encode_stored
from moldau.protocol.messages.stored.streams_group import StreamsGroupCurrentMemberAssignmentValue

MEMBER = StreamsMember(
    "m",
    epoch=4,
    previous_epoch=3,
    state=StreamsState.UNREVOKED,
    rack_id="r",
    rebalance_timeout_ms=7,
    client_id="c",
    client_host="/h",
    topology_epoch=2,
    process_id="p",
    endpoint=("host", 9),
    client_tags={"a": "b"},
    assigned=OwnedTasks({"0": {1: 3}}, {"0": frozenset({2})}),
    to_revoke=OwnedTasks({"1": {0: 1}}),
)


def test_a_member_is_read_again_as_it_was():
    group = StreamsGroup("g")
    written = (
        member_record("g", MEMBER),
        current_record("g", MEMBER),
        group_record("g", 4, 77, 2, {"x": "1"}),
    )
    for record in written:
        stored = decode_stored(GROUP_RECORDS, *encode_stored(record))
        assert stored is not None
        APPLIERS[type(stored.key)](group, stored.key, stored.value)
    assert group.members == {"m": MEMBER}
    assert (group.epoch, group.metadata_hash, group.assignment_configs) == (4, 77, {"x": "1"})


def test_tasks_without_epochs_get_their_members():
    entry = StreamsGroupCurrentMemberAssignmentValue.TaskIds(subtopology_id="0", partitions=[1])
    assert owned_tasks([entry], [], [], 6).active == {"0": {1: 6}}


def test_tombstones_take_members_before_their_group():
    kinds = [type(record.key).__name__ for record in group_tombstones("g", ["m"])]
    assert kinds[-2:] == ["StreamsGroupMetadataKey", "StreamsGroupTopologyKey"]
    assert len(kinds) == 6
