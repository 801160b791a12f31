"""How far a pipeline is behind the end of its topic."""

from __future__ import annotations

import pytest

from moldau.client import TopicPartition
from moldau.programs.pipelines.lag import lag_behind
from moldau.programs.pipelines.route import Route


@pytest.fixture(scope="module")
def topic(topics):
    return topics.make(2, 10)


def route_of(bootstrap, topic):
    return Route(bootstrap=bootstrap, topic=topic, lake="lake", checkpoint="checkpoint")


def test_what_no_batch_has_taken_waits_in_all_partitions(broker, topic):
    route = route_of(broker.bootstrap, topic)
    assert lag_behind(route, {TopicPartition(topic, 0): 2}) == 8
    assert lag_behind(route, {TopicPartition(topic, part): 5 for part in range(2)}) == 0


def test_where_ends_or_brokers_are_missing_nothing_is_shown(topic):
    nowhere = route_of("127.0.0.1:1", topic)
    assert lag_behind(nowhere, {}) is None
    assert lag_behind(nowhere, {TopicPartition(topic, 0): 2}) is None
