"""Plans are read with care, and proposed ones are even over brokers and racks."""

import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client import TopicPartition
from moldau.client.admin import ClusterNode, Replica
from moldau.platform.simulated.files import SimulatedFiles
from moldau.platform.simulated.randomness import SeededRandom
from moldau.programs.tools.kafka.reassignment_plans import (
    Plan,
    plan_json,
    proposed_plan,
    read_plan,
    read_plan_to_execute,
)
from moldau.programs.tools.kafka.tool import ToolFailedError

ROW = {"topic": "a", "partition": 0, "replicas": [1, 2], "log_dirs": ["any", "/b"]}


def cluster(racks) -> Any:
    nodes = [ClusterNode(number, "h", 1, rack) for number, rack in racks.items()]
    return SimpleNamespace(describe_cluster=lambda: SimpleNamespace(nodes=nodes))


def read(*rows, as_what=read_plan):
    files = SimulatedFiles()
    file = files.open("/plan.json", create=True)
    file.append(json.dumps({"version": 1, "partitions": rows}).encode())
    file.close()
    return as_what(files, "/plan.json")


def test_a_plan_is_read_and_written():
    plan = read(ROW)
    assert plan.replicas == {TopicPartition("a", 0): (1, 2)}
    assert plan.dirs == {Replica("a", 0, 2): "/b"}
    assert json.loads(plan_json(plan)) == {"version": 1, "partitions": [ROW]}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "list cannot be empty"),
        ([ROW | {"replicas": [], "log_dirs": []}], "replica list cannot be empty"),
        ([ROW | {"replicas": [1, 1]}], "a-0 contains multiple entries for 1"),
        ([ROW, ROW], "contains duplicate topic partitions: a-0"),
        ([ROW | {"log_dirs": ["any"]}], "is different from size of log dirs list"),
        ([ROW | {"log_dirs": "any"}], 'Expected `JSON array` value, received "any"'),
    ],
)
def test_a_plan_without_sense_is_refused(rows, message):
    with pytest.raises(ToolFailedError, match=message):
        read(*rows, as_what=read_plan_to_execute)


def test_what_cannot_be_done_can_be_looked_at():
    assert read().replicas == {}
    assert read(ROW, ROW | {"replicas": [1, 1]}).replicas == {TopicPartition("a", 0): (1, 1)}


@pytest.mark.parametrize("by_rack", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_a_proposal_is_even_over_brokers_and_racks(by_rack, seed):
    racks = {1: "x", 2: "x", 3: "y", 4: "y", 5: "z", 6: "z"}
    now = Plan({TopicPartition("a", number): (1, 2, 3) for number in range(12)}, {})
    proposed = proposed_plan(cluster(racks), now, list(racks), SeededRandom(seed), by_rack=by_rack)
    assert set(proposed.replicas) == set(now.replicas)
    leaders = Counter(replicas[0] for replicas in proposed.replicas.values())
    assert set(leaders.values()) == {2}
    for replicas in proposed.replicas.values():
        assert len(set(replicas)) == 3
        assert not by_rack or len({racks[broker] for broker in replicas}) == 3
