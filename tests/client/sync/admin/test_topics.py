"""Topics, partitions, records and offsets, with either broker."""

from __future__ import annotations

import pytest

import moldau
from moldau.client import RefusedError, UnknownTopicError
from moldau.client.admin import (
    Admin,
    NewPartitions,
    NewTopic,
    OffsetPlace,
    Outcomes,
    TopicView,
)
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.sync.admin.settling import settled

NO_ID = "AAAAAAAAAAAAAAAAAAAAAQ"


def code_of(error: object) -> ErrorCode:
    assert isinstance(error, RefusedError), error
    return error.error


def view_of(admin: Admin, topic: str, count: int) -> TopicView:
    """The topic, once all brokers know that it has so many partitions."""

    def is_there(views: Outcomes[str, TopicView]) -> bool:
        return topic in views.values and len(views[topic].partitions) == count

    return settled(lambda: admin.describe_topics(topic), is_there)[topic]


def fill(broker: str, topic: str, count: int = 10) -> None:
    """Timestamps from 1000 on."""
    with moldau.Producer(broker) as producer:
        for number in range(count):
            producer.send(topic, b"v", partition=0, timestamp=1000 + number).result()


def test_a_topic_is_created_as_wished(admin: Admin, topic):
    new = NewTopic(topic, 3, 1, {"cleanup.policy": "compact"})
    made = admin.create_topics([new])[topic]
    assert (made.partitions, made.replication_factor) == (3, 1)
    assert made.configs is not None
    assert made.configs["cleanup.policy"] == "compact"
    view = view_of(admin, topic, 3)
    assert view.topic_id == made.topic_id
    assert view.partitions[2].replicas == view.partitions[2].isr == (view.partitions[2].leader,)


def test_of_three_topics_each_has_its_own_outcome(admin: Admin, topic):
    outcomes = admin.create_topics([topic, NewTopic("a b"), NewTopic(f"{topic}-x", 0)])
    assert list(outcomes.values) == [topic]
    assert code_of(outcomes.errors["a b"]) is ErrorCode.INVALID_TOPIC_EXCEPTION
    assert code_of(outcomes.errors[f"{topic}-x"]) is ErrorCode.INVALID_PARTITIONS
    with pytest.raises(RefusedError, match="a b"):
        outcomes.all()


def test_deleting_three_of_which_one_is_unknown(admin: Admin, topic):
    names = [topic, f"{topic}-2", f"{topic}-none"]
    admin.create_topics(names[:2]).all()
    outcomes = admin.delete_topics(names)
    assert set(outcomes.values) == set(names[:2])
    assert code_of(outcomes.errors[names[2]]) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert topic not in settled(admin.list_topics, lambda found: topic not in found)


def test_validating_creates_nothing(admin: Admin, topic):
    assert topic in admin.create_topics(topic, validate_only=True).all()
    assert topic not in admin.list_topics()


def test_a_topic_is_placed_by_hand(admin: Admin, topic):
    node = admin.describe_cluster().nodes[0].node_id
    admin.create_topics(NewTopic(topic, assignments={0: [node], 1: [node]})).all()
    assert view_of(admin, topic, 2).partitions[1].leader == node
    wrong = admin.create_topics(NewTopic(f"{topic}-x", assignments={0: [node + 77]}))
    assert code_of(wrong.errors[f"{topic}-x"]) is ErrorCode.INVALID_REPLICA_ASSIGNMENT


def test_topics_are_listed_with_or_without_internal_ones(admin: Admin, broker, topic):
    admin.create_topics(topic).all()
    with moldau.Consumer(broker, group_id=topic) as consumer:
        consumer.commit({(topic, 0): 0})
    assert "__consumer_offsets" not in admin.list_topics()
    assert admin.list_topics(internal=True)["__consumer_offsets"].is_internal


def test_topics_are_described_and_deleted_by_id(admin: Admin, topic):
    topic_id = admin.create_topics(NewTopic(topic, 1))[topic].topic_id
    view_of(admin, topic, 1)
    views = admin.describe_topics_by_id([topic_id, NO_ID])
    assert views[topic_id].name == topic
    assert code_of(views.errors[NO_ID]) is ErrorCode.UNKNOWN_TOPIC_ID
    gone = admin.delete_topics_by_id([topic_id, NO_ID])
    assert (list(gone.values), list(gone.errors)) == ([topic_id], [NO_ID])


def test_what_the_caller_may_do_is_described_only_if_it_is_wanted(admin: Admin, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    assert view_of(admin, topic, 1).operations is None
    operations = admin.describe_topics(topic, operations=True)[topic].operations
    assert operations is not None


def test_an_unknown_topic_is_its_own_error(admin: Admin, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    view_of(admin, topic, 1)
    views = admin.describe_topics([f"{topic}-x", topic])
    assert list(views.values) == [topic]
    assert code_of(views.errors[f"{topic}-x"]) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_partitions_are_added(admin: Admin, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    node = admin.describe_cluster().nodes[0].node_id
    outcomes = admin.create_partitions({topic: NewPartitions(3, [[node], [node]]), "no-such": 2})
    assert code_of(outcomes.errors["no-such"]) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert view_of(admin, topic, 3).partitions[2].leader == node
    fewer = admin.create_partitions({topic: 2})
    assert code_of(fewer.errors[topic]) is ErrorCode.INVALID_PARTITIONS


def test_offsets_of_places_and_times(admin: Admin, broker, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    fill(broker, topic)
    part = (topic, 0)

    def offset(wanted: int) -> int | None:
        return admin.list_offsets({part: wanted}).all()[TopicPartition(*part)].offset

    assert offset(OffsetPlace.EARLIEST) == 0
    assert offset(OffsetPlace.LATEST) == 10
    assert offset(1005) == 5
    assert offset(5000) is None
    assert offset(OffsetPlace.EARLIEST_LOCAL) == 0
    assert offset(OffsetPlace.LATEST_TIERED) is None
    newest = admin.list_offsets({part: OffsetPlace.MAX_TIMESTAMP}).all()[TopicPartition(*part)]
    assert (newest.offset, newest.timestamp) == (9, 1009)


def test_partitions_that_are_not_there_have_no_offsets(admin: Admin, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    places = {(topic, 0): OffsetPlace.LATEST, (topic, 7): OffsetPlace.LATEST, ("no-such", 0): 0}
    outcomes = admin.list_offsets(places)
    assert list(outcomes.values) == [(topic, 0)]
    with pytest.raises(UnknownTopicError, match="no partition 7: it has 1"):
        outcomes[TopicPartition(topic, 7)]
    with pytest.raises(UnknownTopicError, match="does not exist"):
        outcomes[TopicPartition("no-such", 0)]


def test_records_are_deleted_up_to_an_offset_or_all(admin: Admin, broker, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    fill(broker, topic)
    part = TopicPartition(topic, 0)
    assert admin.delete_records({part: 4}).all() == {part: 4}
    assert admin.list_offsets({part: OffsetPlace.EARLIEST})[part].offset == 4
    beyond = admin.delete_records({part: 99})
    assert code_of(beyond.errors[part]) is ErrorCode.OFFSET_OUT_OF_RANGE
    assert admin.delete_records({part: None}).all() == {part: 10}


def test_an_election_that_is_not_needed_has_its_own_error(admin: Admin, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    outcomes = admin.elect_leaders([(topic, 0), ("no-such", 0)])
    assert code_of(outcomes.errors[TopicPartition(topic, 0)]) is ErrorCode.ELECTION_NOT_NEEDED
    missing = outcomes.errors[TopicPartition("no-such", 0)]
    assert code_of(missing) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert not admin.elect_leaders(election="unclean").errors


def test_moves_are_begun_listed_and_given_up(admin: Admin, topic):
    admin.create_topics(NewTopic(topic, 1)).all()
    part, node = TopicPartition(topic, 0), admin.describe_cluster().nodes[0].node_id
    admin.alter_partition_reassignments({part: [node]}).all()
    assert admin.list_partition_reassignments([part]) == {}
    none = admin.alter_partition_reassignments({part: None})
    assert code_of(none.errors[part]) is ErrorCode.NO_REASSIGNMENT_IN_PROGRESS
    wrong = admin.alter_partition_reassignments({part: [node + 77]})
    assert code_of(wrong.errors[part]) is ErrorCode.INVALID_REPLICA_ASSIGNMENT
