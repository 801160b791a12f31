"""The settings of several nodes on one machine."""

from __future__ import annotations

import pytest

from moldau.broker.node.several_nodes import plan_nodes, ports_in_a_row
from moldau.config.refusals import SettingError


def test_each_node_has_its_ports_its_directory_and_the_same_voters():
    nodes = plan_nodes(ports_in_a_row(3, 9092), "d", {})
    assert [node.address for node in nodes] == [f"127.0.0.1:{port}" for port in (9092, 9093, 9094)]
    assert [node.data for node in nodes] == ["d/node-1", "d/node-2", "d/node-3"]
    (voters,) = {node.settings["controller.quorum.voters"] for node in nodes}
    assert voters == "1@127.0.0.1:19092,2@127.0.0.1:19093,3@127.0.0.1:19094"
    assert nodes[1].settings["listeners"] == (
        "PLAINTEXT://127.0.0.1:9093,CONTROLLER://127.0.0.1:19093"
    )


@pytest.mark.parametrize(
    ("count", "replicas", "in_sync"), [(1, 1, 1), (2, 2, 1), (3, 3, 2), (5, 3, 2)]
)
def test_topics_have_three_replicas_where_there_are_as_many_nodes(count, replicas, in_sync):
    settings = plan_nodes(ports_in_a_row(count, 9092), "d", {})[0].settings
    assert settings["default.replication.factor"] == str(replicas)
    assert settings["offsets.topic.replication.factor"] == str(replicas)
    assert settings["min.insync.replicas"] == str(in_sync)


def test_a_rack_for_each_node_only_where_it_is_asked_for():
    assert "broker.rack" not in plan_nodes(ports_in_a_row(2, 9092), "d", {})[0].settings
    racks = [
        node.settings["broker.rack"]
        for node in plan_nodes(ports_in_a_row(2, 9092), "d", {}, racks=True)
    ]
    assert racks == ["rack-1", "rack-2"]


def test_what_is_assigned_wins_on_every_node():
    nodes = plan_nodes(
        ports_in_a_row(2, 9092), "d", {"num.partitions": "4", "min.insync.replicas": "2"}
    )
    assert {node.settings["num.partitions"] for node in nodes} == {"4"}
    assert {node.settings["min.insync.replicas"] for node in nodes} == {"2"}


def test_the_file_has_a_line_for_each_setting():
    node = plan_nodes(ports_in_a_row(1, 9092), "d", {})[0]
    lines = dict(line.split("=", 1) for line in node.properties.splitlines())
    assert lines == dict(node.settings)


def test_controllers_of_high_ports_are_below():
    voters = plan_nodes(ports_in_a_row(1, 60_000), "d", {})[0].settings["controller.quorum.voters"]
    assert voters == "1@127.0.0.1:50000"


@pytest.mark.parametrize("port", [0, 65_535])
def test_ports_that_there_are_not_are_refused(port):
    with pytest.raises(SettingError, match="2 nodes need 2 ports in a row from"):
        plan_nodes(ports_in_a_row(2, port), "d", {})
