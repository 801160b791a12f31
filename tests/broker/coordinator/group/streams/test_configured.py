"""A topology in front of topics."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.configured import Status, configure
from moldau.broker.coordinator.group.streams.topology import topology_of
from moldau.broker.metadata.image import Image
from tests.broker.coordinator.group.consumer.conversation import with_topics
from tests.broker.coordinator.group.streams.conversation import part, topology

TOPOLOGY = topology_of(topology(part("0", "t", changelogs=("c",))))


def configured(**topics: int):
    return configure(TOPOLOGY, with_topics(Image(), "", **topics).build())


def test_with_all_topics_it_is_ready():
    found = configured(t=3, c=3)
    assert (found.is_ready, found.task_counts, found.to_create) == (True, {"0": 3}, ())


def test_missing_sources_are_not_made():
    found = configured(c=3)
    assert found.status is not None
    assert found.status == (Status.MISSING_SOURCE_TOPICS, "Source topics t are missing.")
    assert found.to_create == ()


def test_missing_internal_topics_are_to_be_made():
    found = configured(t=3)
    (topic,) = found.to_create
    assert found.status is not None
    assert found.status[0] is Status.MISSING_INTERNAL_TOPICS
    assert (topic.name, topic.num_partitions, topic.replication_factor) == ("c", 3, -1)


def test_internal_topics_of_the_wrong_size_do_not_fit():
    found = configured(t=3, c=2)
    assert found.status is not None
    assert found.status[0] is Status.INCORRECTLY_PARTITIONED_TOPICS
    assert found.task_counts == {}
