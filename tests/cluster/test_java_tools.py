"""Apache Kafka's own tools, asked of three nodes of ours."""

from __future__ import annotations

import re
import time

import pytest

from tests.cluster.nodes import Nodes
from tests.judges.kafka_tools import KafkaTools

RECENT_MS = 600_000
"""Longer than the tests run: what is wrong by a clock is wrong by years."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with Nodes(tmp_path_factory.mktemp("nodes")) as started:
        yield started


@pytest.fixture(scope="module")
def tools(kafka_libs, nodes, tmp_path_factory):
    with KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), nodes[3].bootstrap) as running:
        yield running


def test_any_node_describes_the_quorum_as_its_leader_sees_it(tools):
    status = tools.run("metadata-quorum", "describe --status")
    assert re.search(r"LeaderId:\s+[123]\n", status)
    assert [status.count(f'"id": {number}') for number in (1, 2, 3)] == [1, 1, 1]
    rows = tools.run("metadata-quorum", "describe --replication").splitlines()[1:]
    columns = [row.split() for row in rows if row.strip()]
    now_ms = time.time() * 1000
    assert sorted(row[-1] for row in columns) == ["Follower", "Follower", "Leader"]
    assert all(abs(now_ms - int(row[4])) < RECENT_MS for row in columns)


def test_topics_and_features_are_changed_through_any_node(tools):
    tools.run("topics", "--create --topic spread --partitions 3 --replication-factor 3")
    output = tools.run("topics", "--describe --topic spread")
    assert sorted(re.findall(r"Leader: (\d)", output)) == ["1", "2", "3"]
    assert re.search(
        r"metadata\.version.*FinalizedVersionLevel: 4\.3", tools.run("features", "describe")
    )
