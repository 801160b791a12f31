"""Nodes to write to, and topics on them that librdkafka makes and reads.

- `cluster` is a node of ours that allows two-phase commit, and then one of Apache Kafka, which
  lacks it (`has_two_phases`): each test that asks for it runs on both.
- `new_topic()` makes a topic on it.
- `committed(topic)` is what librdkafka reads of a topic with read_committed.
"""

from __future__ import annotations

import pytest

from tests.judges.moldau_node import MoldauNode
from tests.spark.sink.reading import read_committed
from tests.spark.topics import Topics

TWO_PHASES = {"transaction.two.phase.commit.enable": "true"}


@pytest.fixture(scope="session")
def two_phase_node(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("two-phases"), settings=TWO_PHASES)
    node.start()
    yield node
    node.stop()


@pytest.fixture(
    scope="module", params=["two_phase_node", "running_kafka"], ids=["Moldau", "Apache Kafka"]
)
def cluster(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def has_two_phases(cluster, two_phase_node):
    return cluster is two_phase_node


@pytest.fixture(scope="module")
def cluster_topics(cluster):
    made = Topics(cluster.bootstrap)
    yield made
    made.close()


@pytest.fixture
def new_topic(cluster_topics):
    return cluster_topics.make


@pytest.fixture
def committed(cluster):
    return lambda topic: read_committed(cluster.bootstrap, topic)
