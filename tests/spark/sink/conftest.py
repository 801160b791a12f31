"""A node of ours that allows two-phase commit, and topics on it that librdkafka makes and reads.

- `cluster` is the node, the same for all tests of a process; `new_topic()` makes a topic on it.
- `committed(topic)` is what librdkafka reads of a topic with read_committed.
"""

from __future__ import annotations

import pytest

from tests.judges.moldau_node import MoldauNode
from tests.spark.sink.reading import read_committed
from tests.spark.topics import Topics

TWO_PHASES = {"transaction.two.phase.commit.enable": "true"}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    node = MoldauNode(tmp_path_factory.mktemp("two-phases"), settings=TWO_PHASES)
    node.start()
    yield node
    node.stop()


@pytest.fixture(scope="session")
def two_phase_topics(cluster):
    made = Topics(cluster.bootstrap)
    yield made
    made.close()


@pytest.fixture
def new_topic(two_phase_topics):
    return two_phase_topics.make


@pytest.fixture
def committed(cluster):
    return lambda topic: read_committed(cluster.bootstrap, topic)
