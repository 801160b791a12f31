"""Covers moldau.broker.server.monitoring.figures.assigned."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ConsumerMember, owned_since
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.member import ShareMember
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import Topics, TopicState
from moldau.broker.server.monitoring.figures.assigned import Assigned
from moldau.protocol.messages.stored.consumer_protocol import ConsumerProtocolAssignment
from moldau.protocol.wire.compile import encode

A, B, GONE = (bytes(15) + bytes([number]) for number in (1, 2, 3))
IMAGE = Image(
    topics=Topics(by_id={A: TopicState("a", A, {}), B: TopicState("b", B, {})}),
)
OWNED = [{A: [0, 1], B: [0]}, {A: [2], B: [], GONE: [0]}, {}]
"""Of three members."""


def embedded(topics):
    found = ConsumerProtocolAssignment.TopicPartition
    rows = [found(topic=name, partitions=partitions) for name, partitions in topics.items()]
    return bytes(2) + encode(ConsumerProtocolAssignment(assigned_partitions=rows), 0)


def classic(protocol_type, *assignments):
    group = ClassicGroup("g", 0)
    group.group_protocol_type = protocol_type
    for number, assignment in enumerate(assignments):
        member = ClassicMember(str(number), None, "", "", 0, 0, (), assignment)
        group.members[member.member_id] = member
    return group


def of_consumers():
    group = ConsumerGroup("g")
    for number, owned in enumerate(OWNED):
        group.members[str(number)] = ConsumerMember(str(number), assigned=owned_since(1, owned))
    return group


def of_share_consumers():
    group = ShareGroup("g")
    for number, owned in enumerate(OWNED):
        group.members[str(number)] = ShareMember(str(number), assigned=owned)
    return group


def of_classic_consumers():
    named = [{"a": [0, 1], "b": [0]}, {"a": [2], "b": []}, {}]
    return classic("consumer", *(embedded(topics) for topics in named))


@pytest.mark.parametrize("group", [of_consumers, of_share_consumers, of_classic_consumers])
def test_members_and_partitions_are_counted_by_topic(group):
    found = Assigned.of(group(), IMAGE)
    assert found.empty_members == 1
    assert found.members == {"a": 2, "b": 1}
    assert found.partitions == {"a": 3, "b": 1}


def test_an_assignment_that_cannot_be_read_is_none():
    found = Assigned.of(classic("consumer", b"", b"\0", b"\0\0\xff\xff\xff\x7f"), IMAGE)
    assert found.empty_members == 3
    assert not found.partitions


@pytest.mark.parametrize("group", [classic("connect", b"workers"), StreamsGroup("g")])
def test_where_no_partitions_are_assigned_nothing_is_counted(group):
    assert Assigned.of(group, IMAGE) == Assigned()
