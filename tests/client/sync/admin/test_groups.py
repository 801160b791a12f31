"""Groups and their offsets, with either broker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import moldau
from moldau.client.admin import Admin, CommittedOffset, GroupType, MemberToRemove, NewTopic
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.sync.admin.settling import settled
from tests.client.sync.admin.test_topics import code_of

POLLS_MAX = 200


@pytest.fixture
def filled(admin: Admin, broker: str, topic: str) -> str:
    admin.create_topics(NewTopic(topic, 2)).all()
    with moldau.Producer(broker) as producer:
        for number in range(10):
            producer.send(topic, b"v", partition=number % 2)
    return topic


@pytest.fixture(params=["classic", "consumer"])
def member(request, broker, filled) -> Iterator[moldau.Consumer]:
    """That has read and committed everything, in the group of the topic's name."""
    with moldau.Consumer(
        broker,
        group_id=filled,
        group_protocol=request.param,
        auto_offset_reset="earliest",
        client_id="reader",
    ) as consumer:
        consumer.subscribe(filled)
        found = 0
        for _ in range(POLLS_MAX):
            found += len(consumer.poll(0.1))
            if found == 10:
                break
        consumer.commit()
        yield consumer


def test_a_group_is_listed_and_described_with_its_members(admin: Admin, member, filled):
    listed = admin.list_groups(protocol_types=["consumer"]).all()[filled]
    assert listed.state == "Stable"
    assert listed.type is GroupType.of(member.settings.group_protocol)
    assert not listed.is_simple
    view = admin.describe_consumer_groups(filled, operations=True)[filled]
    assert (view.type, view.state) == (listed.type, "Stable")
    assert view.coordinator == admin.describe_cluster().nodes[0]
    (found,) = view.members
    assert found.client_id == "reader"
    assert found.assignment == (TopicPartition(filled, 0), TopicPartition(filled, 1))
    assert view.operations


def test_groups_are_filtered_by_type_and_state(admin: Admin, member, filled):
    protocol = member.settings.group_protocol
    other = {"classic": "consumer", "consumer": "classic"}[protocol]
    assert filled in admin.list_groups(types=[protocol], states=["Stable"])
    assert filled not in admin.list_groups(types=[other])
    assert filled not in admin.list_groups(states=["Empty"])
    assert filled not in admin.list_groups(protocol_types=["connect"])


def test_a_group_with_members_is_not_deleted_nor_are_its_offsets(admin: Admin, member, filled):
    outcomes = admin.delete_groups([filled, "no-such"])
    assert code_of(outcomes.errors[filled]) is ErrorCode.NON_EMPTY_GROUP
    assert code_of(outcomes.errors["no-such"]) is ErrorCode.GROUP_ID_NOT_FOUND
    part = TopicPartition(filled, 0)
    kept = admin.delete_consumer_group_offsets(filled, [part])
    assert code_of(kept.errors[part]) is ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC
    assert code_of(admin.alter_consumer_group_offsets(filled, {part: 1}).errors[part])


def test_offsets_are_listed_set_and_forgotten(admin: Admin, filled):
    first, second = TopicPartition(filled, 0), TopicPartition(filled, 1)
    group = f"{filled}-g"
    note = CommittedOffset(4, metadata="note")
    wanted: dict[TopicPartition, CommittedOffset | int] = {first: 3, second: note}
    admin.alter_consumer_group_offsets(group, wanted).all()
    found = admin.list_consumer_group_offsets(group)[group]
    assert found == {first: CommittedOffset(3), second: CommittedOffset(4, metadata="note")}
    assert admin.list_groups()[group].is_simple
    admin.delete_consumer_group_offsets(group, [first]).all()
    asked = admin.list_consumer_group_offsets({group: [first, second], "no-such": None})
    assert asked[group] == {first: None, second: CommittedOffset(4, metadata="note")}
    assert asked["no-such"] == {}
    assert admin.delete_groups([group]).all() == {group: None}
    assert group not in admin.list_groups()


def test_offsets_of_what_is_not_there_are_refused(admin: Admin, filled):
    part = TopicPartition(f"{filled}-x", 0)
    outcomes = admin.alter_consumer_group_offsets(f"{filled}-g", {part: 1})
    assert code_of(outcomes.errors[part]) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_an_unknown_group_is_its_own_error(admin: Admin, filled):
    views = admin.describe_consumer_groups([f"{filled}-x"])
    assert code_of(views.errors[f"{filled}-x"]) is ErrorCode.GROUP_ID_NOT_FOUND
    for describe in (
        admin.describe_classic_groups,
        admin.describe_share_groups,
        admin.describe_streams_groups,
    ):
        code = code_of(describe(f"{filled}-x").errors[f"{filled}-x"])
        assert code is ErrorCode.GROUP_ID_NOT_FOUND


def test_members_of_a_classic_group_are_removed(admin: Admin, broker, filled):
    with moldau.Consumer(broker, group_id=filled) as consumer:
        consumer.subscribe(filled)
        for _ in range(POLLS_MAX):
            consumer.poll(0.1)
            if consumer.assignment():
                break
        wrong = MemberToRemove(instance_id="no-such")
        outcomes = admin.remove_members_from_consumer_group(filled, [wrong])
        assert code_of(outcomes.errors[wrong]) is ErrorCode.UNKNOWN_MEMBER_ID
        assert len(admin.remove_members_from_consumer_group(filled).all()) == 1
        assert admin.describe_classic_groups(filled)[filled].state == "Empty"


def test_a_share_group_begins_where_it_is_set(admin: Admin, filled):
    group, part = f"{filled}-s", TopicPartition(filled, 0)
    admin.alter_share_group_offsets(group, {part: 2}).all()

    def begins() -> int | None:
        found = admin.list_share_group_offsets({group: [part]})[group][part]
        return None if found is None else found.start_offset

    assert settled(begins, (2).__eq__) == 2
    assert admin.list_groups(types=["share"])[group].type is GroupType.SHARE
    view = admin.describe_share_groups(group)[group]
    assert (view.state, view.members) == ("Empty", ())
    missing = admin.alter_share_group_offsets(group, {(f"{filled}-x", 0): 1})
    assert len(missing.errors) == 1
    admin.delete_share_group_offsets(group, [filled]).all()
    assert admin.delete_groups(group).all() == {group: None}
