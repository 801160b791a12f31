"""Fixtures of pytest: a node, a cluster, a topic, a producer and a consumer.

    def test_it(kafka_node, kafka_topic, kafka_consumer):
        my_program(kafka_node.bootstrap, kafka_topic)
        assert kafka_consumer.poll(5.0)[0].value == b"done"

- `kafka_node` runs for all tests of a session; a topic of its own keeps a test to itself.
- `fresh_kafka_node` runs for one test: for those that move its clock, or look at all topics.
- `kafka_cluster` has three nodes, each a process that may be killed; it runs for a session.
- `kafka_topic` is the name of a topic with one partition, which goes with the test.
- `kafka_producer` and `kafka_consumer` are Moldau's; the consumer reads that topic from its start.
- `kafka_settings` is what nodes are started with; a conftest.py may have its own.

Any client works with `kafka_node.bootstrap`. Nothing runs, and neither clients nor the node are
loaded, before a test asks for it: pytest loads this module wherever Moldau is installed. A checkout
that is merely on the path of Python has `pytest_plugins = ["moldau.testing.fixtures"]` in a
conftest.py; where it is installed, too, that line does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pytest

import moldau
from moldau import testing
from moldau.client import admin as administration
from moldau.platform.system.randomness import SystemRandom

if TYPE_CHECKING:
    from moldau import Consumer, Producer
    from moldau.testing import Cluster, Node

__all__ = [
    "fresh_kafka_node",
    "kafka_cluster",
    "kafka_consumer",
    "kafka_node",
    "kafka_producer",
    "kafka_settings",
    "kafka_topic",
]

QUICK = {
    "group.initial.rebalance.delay.ms": "0",
    "log.initial.task.delay.ms": "100",
    "log.retention.check.interval.ms": "200",
    "log.segment.delete.delay.ms": "0",
    "offsets.retention.check.interval.ms": "200",
}
"""What a test would wait for is done soon."""


@pytest.fixture(scope="session")
def kafka_settings() -> Mapping[str, object]:
    """By Kafka's names, beside those that make tests quick."""
    return {}


@pytest.fixture(scope="session")
def kafka_node(kafka_settings: Mapping[str, object]) -> Iterator[Node]:
    """One node, for all tests."""
    with testing.Node(settings={**QUICK, **kafka_settings}) as node:
        yield node


@pytest.fixture
def fresh_kafka_node(kafka_settings: Mapping[str, object]) -> Iterator[Node]:
    """A node without topics, for one test."""
    with testing.Node(settings={**QUICK, **kafka_settings}) as node:
        yield node


@pytest.fixture(scope="session")
def kafka_cluster(kafka_settings: Mapping[str, object]) -> Iterator[Cluster]:
    """Three nodes, each a process of its own, for all tests."""
    with testing.Cluster(nodes=3, settings={**QUICK, **kafka_settings}) as cluster:
        yield cluster


@pytest.fixture
def kafka_topic(kafka_node: Node) -> Iterator[str]:
    """The name of a topic that no other test has."""
    name = f"test-{SystemRandom().randbytes(6).hex()}"
    with moldau.Admin(kafka_node.bootstrap) as admin:
        admin.create_topics(administration.NewTopic(name, 1)).all()
        yield name
        admin.delete_topics(name)


@pytest.fixture
def kafka_producer(kafka_node: Node) -> Iterator[Producer]:
    """Closed, and with that flushed, after the test."""
    with moldau.Producer(kafka_node.bootstrap) as producer:
        yield producer


@pytest.fixture
def kafka_consumer(kafka_node: Node, kafka_topic: str) -> Iterator[Consumer]:
    """Reads the topic of the test from its beginning."""
    given = {"group_id": kafka_topic, "auto_offset_reset": "earliest"}
    with moldau.Consumer(kafka_node.bootstrap, **given) as consumer:
        consumer.subscribe(kafka_topic)
        yield consumer
