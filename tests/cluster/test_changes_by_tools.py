"""Replicas move and leaders change by Apache Kafka's tools, and nodes restart, under a load.

The load is idempotent and waits for all replicas in sync; every number is counted afterwards.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.cluster.asking import until
from tests.cluster.nodes import Nodes
from tests.cluster.steady_load import SteadyLoad, Verdict
from tests.judges.kafka_tools import KafkaTools

TIMEOUT_S = 60
POLL_S = 0.2
SLOW_BYTES_PER_S = 1


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    with Nodes(tmp_path_factory.mktemp("nodes")) as started:
        yield started


@pytest.fixture(scope="module")
def tools(kafka_libs, nodes, tmp_path_factory):
    with KafkaTools(kafka_libs, tmp_path_factory.mktemp("tools"), nodes.bootstrap) as running:
        yield running


def make_topic(nodes: Nodes, name: str, assignment: list[list[int]], **config: str) -> None:
    made: Any = NewTopic(name, len(assignment), replica_assignment=assignment, config=config)
    admin = AdminClient({"bootstrap.servers": nodes.bootstrap})
    admin.create_topics([made])[name].result(TIMEOUT_S)


def described(tools: KafkaTools, name: str) -> list[tuple[int, list[int], list[int]]]:
    """Leader, replicas and in-sync replicas of each partition."""
    text = tools.run("topics", f"--describe --topic {name}")
    found = re.findall(r"Leader: (\S+)\s+Replicas: ([\d,]+)\s+Isr: ([\d,]*)", text)
    return [
        (
            -1 if leader == "none" else int(leader),
            [int(one) for one in replicas.split(",")],
            sorted(int(one) for one in isr.split(",") if one),
        )
        for leader, replicas, isr in found
    ]


def plan(folder: Path, topic: str, replicas: list[int]) -> Path:
    path = folder / f"{topic}.json"
    parts = [{"topic": topic, "partition": 0, "replicas": replicas}]
    path.write_text(json.dumps({"version": 1, "partitions": parts}))
    return path


def test_replicas_move_under_a_load_and_the_throttle_is_taken_back(nodes, tools, tmp_path):
    make_topic(nodes, "moved", [[1, 2]])
    file = plan(tmp_path, "moved", [2, 3])
    with SteadyLoad(nodes.bootstrap, "moved", 1) as load:
        load.more()
        words = f"--execute --throttle 50000000 --reassignment-json-file {file}"
        assert "Successfully started" in tools.run("reassign-partitions", words)
        verify = f"--verify --reassignment-json-file {file}"
        until(lambda: "is completed" in tools.run("reassign-partitions", verify))
        load.more()
    assert load.verdict() == Verdict()
    assert [(replicas, isr) for _, replicas, isr in described(tools, "moved")] == [([2, 3], [2, 3])]
    settings = tools.run("configs", "--describe --entity-type topics --entity-name moved")
    assert "throttled.replicas" not in settings


def test_a_move_that_is_too_slow_is_cancelled_and_leaves_what_was(nodes, tools, tmp_path):
    make_topic(nodes, "stays", [[1, 2]])
    file = plan(tmp_path, "stays", [3, 2])
    with SteadyLoad(nodes.bootstrap, "stays", 1) as load:
        load.more()
        words = f"--execute --throttle {SLOW_BYTES_PER_S} --reassignment-json-file {file}"
        tools.run("reassign-partitions", words)
        assert "stays-0" in tools.run("reassign-partitions", "--list")
        cancelled = tools.run("reassign-partitions", f"--cancel --reassignment-json-file {file}")
        assert "Successfully cancelled partition reassignment for: stays-0" in cancelled
        load.more()
    assert load.verdict() == Verdict()
    assert [sorted(replicas) for _, replicas, _ in described(tools, "stays")] == [[1, 2]]
    assert "No partition reassignments" in tools.run("reassign-partitions", "--list")


def test_leaders_go_back_to_preferred_replicas_by_the_tool(nodes, tools):
    make_topic(nodes, "led", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    nodes[1].stop()
    nodes[1].start()
    until(lambda: [isr for _, _, isr in described(tools, "led")] == [[1, 2, 3]] * 3)
    if described(tools, "led")[0][0] != 1:
        words = "--election-type preferred --all-topic-partitions"
        assert "led-0" in tools.run("leader-election", words)
    until(lambda: [leader for leader, _, _ in described(tools, "led")] == [1, 2, 3])


def test_an_unclean_leader_is_elected_only_by_call(nodes, tools):
    make_topic(nodes, "risked", [[1, 2]], **{"min.insync.replicas": "1"})
    with SteadyLoad(nodes.bootstrap, "risked", 1) as load:
        load.more()
        nodes[2].kill()
        until(lambda: described(tools, "risked")[0][2] == [1])
        load.more()
    nodes[1].kill()
    nodes[2].start()
    until(lambda: described(tools, "risked")[0][0] == -1)
    words = "--election-type unclean --topic risked --partition 0"
    tools.run("leader-election", words)
    until(lambda: described(tools, "risked")[0][0] == 2)
    nodes[1].start()
    until(lambda: described(tools, "risked")[0][2] == [1, 2])


def test_nodes_restart_in_order_one_after_the_other_without_one_failed_record(nodes):
    make_topic(nodes, "rolled", [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    with SteadyLoad(nodes.bootstrap, "rolled", 3) as load:
        for node in nodes:
            load.more()
            node.stop()
            node.start()
        load.more()
    assert load.verdict() == Verdict()
