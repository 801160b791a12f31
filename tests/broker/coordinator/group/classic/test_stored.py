"""Classic groups as records."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.stored import first_record, group_record
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey, GroupMetadataValue
from tests.broker.coordinator.group.classic.test_member import member


def test_a_record_holds_the_group_and_its_members():
    group = ClassicGroup("g", 77)
    group.add(member("range"), "consumer")
    group.begin_generation("range")
    key, value, version = group_record(group, group.members.values(), {"m": b"all"})
    assert (key, version) == (GroupMetadataKey(group="g"), 3)
    assert isinstance(value, GroupMetadataValue)
    assert (value.protocol_type, value.generation, value.protocol) == ("consumer", 1, "range")
    assert (value.leader, value.current_state_timestamp) == ("m", 77)
    assert (value.members[0].subscription, value.members[0].assignment) == (b"range", b"all")


def test_who_was_forgotten_is_stored_with_nothing():
    group = ClassicGroup("g", 77)
    _, value, _ = group_record(group, [member("range")], {})
    assert isinstance(value, GroupMetadataValue)
    assert value.members[0].assignment == b""


def test_the_first_record_says_nothing_but_that_the_group_is_there():
    _, value, version = first_record(ClassicGroup("g", 77))
    assert isinstance(value, GroupMetadataValue)
    assert (value.protocol_type, value.generation, value.members) == ("", 0, [])
    assert (value.current_state_timestamp, version) == (77, 3)
