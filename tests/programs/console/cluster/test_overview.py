"""The cluster at a glance."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from moldau.client.admin import ClusterNode
from moldau.programs.console.cluster.overview import FENCED, Overview
from moldau.programs.http.messages import HttpError

THERE = "There is no broker {}; the page Cluster has those that there are"


def test_a_cluster_shows_brokers_quorum_features_and_directories(console):
    found = console.get("/cluster")
    (broker,) = found["brokers"]
    assert f"{broker['host']}:{broker['port']}" == console.bootstrap
    assert (found["quorum"]["leader"], found["quorum"]["voters"][0]["lag"]) == (broker["id"], 0)
    assert broker["log_dirs"][0]["total_bytes"] > 0
    assert {"metadata.version"} <= {one["name"] for one in found["features"]}


def test_the_map_has_the_partitions_of_one_topic(console, topic):
    found = console.get(f"/map?topic={topic}")
    (part,) = found["partitions"]
    assert part["isr"] == part["replicas"] == [found["brokers"][0]["id"]]
    assert console.get("/map")["partitions"] == []


def test_a_broker_shows_its_settings(console):
    names = {one["name"] for one in console.get("/brokers/1/configs")}
    assert "num.partitions" in names


def test_what_is_no_broker_is_not_found(console):
    assert console.refusal("GET", "/brokers/x/configs") == (404, THERE.format("x"))
    assert console.refusal("GET", "/brokers/77/configs") == (404, THERE.format(77))


def test_a_fenced_broker_says_so_in_place_of_its_settings():
    nodes = tuple(ClusterNode(one, "h", 1, is_fenced=one == 2) for one in (1, 2))
    reach: Any = SimpleNamespace(admin=AdminOf(nodes))
    request: Any = SimpleNamespace(parameters={"broker": "2"})
    with pytest.raises(HttpError) as refused:
        asyncio.run(Overview(reach).configs(request))
    assert (refused.value.status, str(refused.value)) == (503, FENCED.format(2))


class AdminOf:
    """A cluster of these nodes."""

    def __init__(self, nodes):
        self._nodes = nodes

    async def describe_cluster(self, *, fenced_brokers):
        assert fenced_brokers
        return SimpleNamespace(nodes=self._nodes)
