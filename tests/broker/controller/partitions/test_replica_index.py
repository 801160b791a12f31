"""The index agrees with a look at every partition, whatever has happened to them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.controller.partitions.replica_index import ReplicaIndex
from moldau.broker.metadata.topics import Topics, TopicsDelta
from moldau.protocol.messages.stored.metadata_topics import (
    PartitionChangeRecord,
    PartitionRecord,
    RemoveTopicRecord,
    TopicRecord,
)

BROKERS = range(1, 5)
TOPICS = st.integers(0, 2)
INDEXES = st.integers(0, 1)
LEADERS = st.sampled_from([-1, *BROKERS])
REPLICAS = st.lists(st.sampled_from(BROKERS), min_size=1, max_size=3, unique=True)
ELIGIBLE = st.lists(st.sampled_from(BROKERS), max_size=2, unique=True)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), TOPICS, INDEXES, REPLICAS, LEADERS, ELIGIBLE),
        st.tuples(st.just("change"), TOPICS, INDEXES, REPLICAS, LEADERS, ELIGIBLE),
        st.tuples(st.just("delete"), TOPICS, INDEXES, REPLICAS, LEADERS, ELIGIBLE),
    ),
    max_size=12,
)

APPLIERS: dict[type, Any] = {
    TopicRecord: TopicsDelta.apply_topic,
    PartitionRecord: TopicsDelta.apply_partition,
    PartitionChangeRecord: TopicsDelta.apply_partition_change,
    RemoveTopicRecord: TopicsDelta.apply_remove_topic,
}


def topic_id(number: int) -> bytes:
    return number.to_bytes(16, "big")


def records(step, topics: Topics):
    """What the step writes, if it is possible."""
    kind, number, index, replicas, leader, eligible = step
    key = topic_id(number)
    if kind == "create" and key not in topics.by_id:
        yield TopicRecord(name=f"t{number}", topic_id=key)
        for one in range(index + 1):
            yield PartitionRecord(
                partition_id=one,
                topic_id=key,
                replicas=replicas,
                isr=replicas,
                removing_replicas=[],
                adding_replicas=[],
                leader=replicas[0],
                leader_epoch=0,
                partition_epoch=0,
            )
    elif kind == "change" and key in topics.by_id and index in topics.by_id[key].partitions:
        change = PartitionChangeRecord(topic_id=key, partition_id=index, leader=leader)
        change.replicas = change.isr = replicas
        change.eligible_leader_replicas = eligible
        yield change
    elif kind == "delete" and key in topics.by_id:
        yield RemoveTopicRecord(topic_id=key)


def applied(topics: Topics, step) -> tuple[TopicsDelta, Topics]:
    delta = TopicsDelta(topics)
    for record in records(step, topics):
        APPLIERS[type(record)](delta, record)
    return delta, delta.build()


def names(places) -> set[tuple[str, int]]:
    return {(topic.name, index) for topic, index, _ in places}


def scanned(topics: Topics, belongs) -> set[tuple[str, int]]:
    return {
        (topic.name, index)
        for topic in topics.by_id.values()
        for index, state in topic.partitions.items()
        if belongs(state)
    }


@given(STEPS, st.integers(0, 12))
def test_the_index_finds_what_a_look_at_all_partitions_finds(steps, first_look):
    topics = Topics()
    index = ReplicaIndex(topics)
    for number, step in enumerate(steps):
        delta, topics = applied(topics, step)
        index.follow(delta, topics)
        if number < first_look:
            continue
        for broker_id in BROKERS:
            there = scanned(topics, lambda state, broker_id=broker_id: broker_id in state.replicas)
            assert names(index.on_broker(broker_id)) == there
            eligible = scanned(
                topics,
                lambda state, broker_id=broker_id: broker_id in state.eligible_leader_replicas,
            )
            assert names(index.eligible(broker_id)) == eligible
        assert names(index.leaderless()) == scanned(topics, lambda state: state.leader == -1)
        moved = scanned(topics, lambda state: state.leader != state.replicas[0])
        assert names(index.moved()) == moved


def test_it_names_topics_in_the_order_in_which_they_came():
    """Records that follow from it are the same in every run."""
    topics = Topics()
    index = ReplicaIndex(topics)
    assert names(index.on_broker(1)) == set()
    for number in (2, 0, 1):
        delta, topics = applied(topics, ("create", number, 0, [1], 1, []))
        index.follow(delta, topics)
    assert [topic.name for topic, _, _ in index.on_broker(1)] == ["t2", "t0", "t1"]
    assert "1 brokers" in repr(index)
