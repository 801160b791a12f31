"""A node whose disk was wiped loads the metadata as a snapshot, in pieces."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from moldau.broker.runtime.quorum.snapshot_store import snapshot_id_of
from tests.cluster.asking import admin, make_topic, until
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.cluster.steady_load import SteadyLoad, Verdict

SETTINGS = {
    "default.replication.factor": "2",
    "offsets.topic.replication.factor": "2",
    "min.insync.replicas": "1",
    "metadata.log.max.record.bytes.between.snapshots": "2000",
    "controller.quorum.fetch.snapshot.max.bytes": "500",
}
METADATA = "__cluster_metadata-0"
MIXED = (pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(200))


def snapshots(data: Path) -> list[int]:
    """The end offsets of those that are whole, but for the one that formatting wrote."""
    found = (snapshot_id_of(path.name) for path in (data / METADATA).iterdir())
    return sorted(one.end_offset for one in found if one is not None and one.end_offset)


def log_starts(data: Path) -> list[int]:
    return sorted(int(path.stem) for path in (data / METADATA).glob("*.log"))


def in_sync(bootstrap: str, topic: str) -> bool:
    parts = admin(bootstrap).list_topics(topic, timeout=9).topics[topic].partitions.values()
    return bool(parts) and all(len(part.isrs) == len(part.replicas) for part in parts)


@pytest.mark.parametrize(
    "kinds",
    [
        (OURS, OURS, OURS),
        pytest.param((APACHE, OURS, OURS), marks=MIXED),
        pytest.param((OURS, OURS, APACHE), marks=MIXED),
    ],
)
def test_a_broker_with_a_wiped_disk_begins_with_a_snapshot_and_gets_its_records_back(
    tmp_path, request, kinds
):
    libs = request.getfixturevalue("kafka_libs") if APACHE in kinds else None
    roles = ["controller", "broker", "broker"]
    with Nodes(tmp_path, roles=roles, kinds=kinds, libs=libs, settings=SETTINGS) as nodes:
        for number in range(20):
            make_topic(nodes[2].bootstrap, f"topic-{number}", 3, 2)
        with SteadyLoad(nodes.bootstrap, "topic-0", 3) as load:
            load.more()
        until(lambda: snapshots(nodes[1].data))
        nodes[3].kill()
        shutil.rmtree(nodes[3].data)
        nodes.change(3, kinds[2])
        assert log_starts(nodes[3].data)[0] in snapshots(nodes[3].data)
        until(lambda: in_sync(nodes[3].bootstrap, "topic-0"))
        nodes[2].kill()
        until(lambda: len(admin(nodes[3].bootstrap).list_topics(timeout=9).brokers) == 1)
        assert load.verdict() == Verdict()


def quorum_leader(nodes: Nodes) -> int:
    state = nodes[1].data / METADATA / "quorum-state"
    leader: int = json.loads(state.read_text())["leaderId"]
    return leader


def test_voters_load_a_snapshot_and_lead_by_it(tmp_path):
    with Nodes(tmp_path, settings=SETTINGS) as nodes:
        for number in range(20):
            make_topic(nodes[1].bootstrap, f"topic-{number}", 3, 3)
        leader = quorum_leader(nodes)
        for node_id in (*({1, 2, 3} - {leader}), leader):  # it sees both others' new disks
            nodes[node_id].kill()
            shutil.rmtree(nodes[node_id].data)
            nodes.change(node_id, OURS)
            until(partial(snapshots, nodes[node_id].data))
        made = {f"topic-{number}" for number in range(20)}
        until(lambda: made <= admin(nodes[3].bootstrap).list_topics(timeout=9).topics.keys())
        until(lambda: len(admin(nodes[3].bootstrap).list_topics(timeout=9).brokers) == 3)
        make_topic(nodes.bootstrap, "after", 3, 3)
