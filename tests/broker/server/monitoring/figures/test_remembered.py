"""What one reading of the metrics leaves for the next."""

from types import SimpleNamespace

from moldau.broker.metadata.topics import PartitionState, Topics, TopicState
from moldau.broker.server.monitoring.figures.remembered import (
    TOPICS_PER_PIECE,
    InOrder,
    Remembered,
    TopicCounts,
)


def state(replicas, isr, leader, **more):
    return PartitionState(replicas, (bytes(16),) * len(replicas), isr, leader=leader, **more)


def topic(name, *partitions):
    return TopicState(name, name.encode().ljust(16), dict(enumerate(partitions)))


def topics(*them):
    return Topics({one.name: one for one in them}, {one.topic_id: one for one in them})


def partition(name, index):
    return SimpleNamespace(name=(name, index), topic=name, index=index)


def test_partitions_are_counted_for_the_broker_and_for_all():
    known = Remembered(1)
    one = topic("t", state((1, 2), (1,), 1), state((2, 1), (2, 1), 2), state((3,), (3,), -1))
    two = topic("u", state((2, 1), (2, 1), 1, adding_replicas=(4,)))
    list(known.count(topics(one, two)))
    assert known.counts == {
        "PartitionCount": 3,
        "LeaderCount": 2,
        "UnderReplicatedPartitions": 1,
        "ReassigningPartitions": 1,
        "GlobalPartitionCount": 4,
        "OfflinePartitionsCount": 1,
        "PreferredReplicaImbalanceCount": 2,
    }
    assert known.assigned == {("t", 0), ("t", 1), ("u", 0)}


def test_a_change_counts_and_what_is_gone_does_not():
    known = Remembered(1)
    stays, changes, goes = (topic(name, state((1,), (1,), 1)) for name in "abc")
    list(known.count(topics(stays, changes, goes)))
    assert known.counts["LeaderCount"] == 3
    list(known.count(topics(stays, topic("b", state((1,), (1,), -1)))))
    assert (known.counts["LeaderCount"], known.counts["OfflinePartitionsCount"]) == (1, 1)
    assert known.assigned == {("a", 0), ("b", 0)}
    list(known.count(topics()))
    assert set(known.counts.values()) == {0}


def test_topics_that_are_as_they_were_are_not_counted_again(monkeypatch):
    counted: list[str] = []

    class Noted(TopicCounts):
        def __init__(self, topic, node_id):
            counted.append(topic.name)
            super().__init__(topic, node_id)

    monkeypatch.setattr(f"{TopicCounts.__module__}.TopicCounts", Noted)
    known, first = Remembered(1), topic("a", state((1,), (1,), 1))
    list(known.count(topics(first)))
    list(known.count(topics(first, topic("b", state((1,), (1,), 1)))))
    assert counted == ["a", "b"]


def test_many_topics_are_counted_with_pauses():
    many = [topic(f"{number}", state((1,), (1,), 1)) for number in range(10 * TOPICS_PER_PIECE)]
    assert len(list(Remembered(1).count(topics(*many)))) == 10


def test_partitions_are_ordered_anew_only_where_others_are_there():
    some = [partition("b", 0), partition("a", 10), partition("a", 9)]
    first = InOrder(some)
    assert first.places == (("a", "9"), ("a", "10"), ("b", "0"))
    assert [one.name for one in first.partitions] == [("a", 9), ("a", 10), ("b", 0)]
    assert first.of(list(some)) is first
    assert first.of(some[:2]).places == (("a", "10"), ("b", "0"))
    assert first.places == (("a", "9"), ("a", "10"), ("b", "0"))  # a page may hold it
