"""A topic with encryption at rest on several nodes: who leads changes, keys change, replicas move.

Each node is a process with a file of keys of its own, as people have it; the fourth is given the
topic's keys only when it already leads.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import NewTopic

from tests.cluster.asking import TIMEOUT_S, admin, leaders, until
from tests.cluster.nodes import BOTH, Nodes
from tests.cluster.steady_load import SteadyLoad, Verdict

pytestmark = [pytest.mark.long, pytest.mark.timeout(400)]

NUMBERS, CARDS = "numbers", "cards"
SECRET = b"4111-1111-1111-1111"
SETTINGS = {
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
    "segment.bytes": "1048576",
}
OWN = [
    {"moldau.encryption.at.rest.key.file": "{folder}/keys", "broker.rack": f"rack-{number}"}
    for number in (1, 2, 3, 4)
]
ADDED = 4


def key_line(name: str, version: int) -> str:
    return f"{name}.{version} = {b64encode(bytes([version]) * 32).decode()}\n"


class EncryptedCluster:
    """Nodes, and their keys and disks as files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for number in (1, 2, 3):
            self.give_key(number, "orders", 1)
        self.give_key(ADDED, "others", 1)
        roles = [BOTH, BOTH, BOTH, "broker"]
        self.nodes = Nodes(folder, 4, roles=roles, settings=SETTINGS, own=OWN)

    def give_key(self, node_id: int, name: str, version: int) -> None:
        home = self.folder / f"node-{node_id}"
        home.mkdir(exist_ok=True)
        with (home / "keys").open("a") as keys:
            keys.write(key_line(name, version))

    def make(self, topic: str, assignment: list[list[int]]) -> None:
        config = {"encryption.at.rest": "orders"}
        made: Any = NewTopic(topic, len(assignment), replica_assignment=assignment, config=config)
        asking = admin(self.nodes.bootstrap)
        asking.create_topics([made])[topic].result(TIMEOUT_S)
        until(lambda: leaders(self.nodes.bootstrap, topic) == [one[0] for one in assignment])

    def move(self, topic: str, replicas: list[int]) -> None:
        """Partition 0, by the tool; returns when it is done."""
        file = self.folder / "plan.json"
        parts = [{"topic": topic, "partition": 0, "replicas": replicas}]
        file.write_text(json.dumps({"version": 1, "partitions": parts}))
        flags = ("--bootstrap-server", self.nodes.bootstrap, "--reassignment-json-file", file)
        self.nodes[2].run("reassign-partitions", *flags, "--execute")
        until(lambda: "complete" in self.nodes[2].run("reassign-partitions", *flags, "--verify"))

    def stored(self, node_id: int, topic: str) -> bytes:
        logs = (self.folder / f"node-{node_id}/data").glob(f"{topic}-*/*.log")
        return b"".join(log.read_bytes() for log in logs)

    def node_log(self, node_id: int) -> str:
        return (self.folder / f"node-{node_id}/moldau.broker.log").read_text()


@pytest.fixture
def cluster(tmp_path):
    made = EncryptedCluster(tmp_path)
    with made.nodes:
        yield made


def send_secret(cluster: EncryptedCluster) -> None:
    producer = Producer({"bootstrap.servers": cluster.nodes.bootstrap})
    producer.produce(CARDS, SECRET, SECRET, partition=0)
    assert producer.flush(TIMEOUT_S) == 0


def read_near(cluster: EncryptedCluster, rack: str, node_id: int, count: int) -> list[bytes]:
    """What a consumer reads of `CARDS` when that node, which does not lead, has answered it."""
    fetched: dict[int, int] = {}

    def note(text: str) -> None:
        for broker in json.loads(text)["brokers"].values():
            fetched[broker["nodeid"]] = broker["req"].get("Fetch", 0)

    consumer = Consumer(
        {
            "bootstrap.servers": cluster.nodes.bootstrap,
            "group.id": "near",
            "client.rack": rack,
            "auto.offset.reset": "earliest",
            "statistics.interval.ms": 100,
            "stats_cb": note,
        }
    )
    consumer.assign([TopicPartition(CARDS, 0, 0)])
    values: list[bytes] = []

    def has_all() -> bool:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            values.append(message.value() or b"")
        return len(values) >= count and fetched.get(node_id, 0) > 1

    until(has_all)
    consumer.close()
    return values


def test_leaders_die_keys_change_and_replicas_move_without_losing_a_record(cluster):
    nodes = cluster.nodes
    cluster.make(NUMBERS, [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    cluster.make(CARDS, [[1, 2, 3]])
    send_secret(cluster)
    with SteadyLoad(nodes.bootstrap, NUMBERS, 3) as load:
        load.more()
        for node_id in (1, 2, 3):
            cluster.give_key(node_id, "orders", 2)
        until(lambda: b"orders.2" in cluster.stored(2, NUMBERS))
        nodes[1].kill()
        until(lambda: 1 not in leaders(nodes.bootstrap, NUMBERS))
        load.more()
        send_secret(cluster)
        nodes[1].start()
        cluster.move(NUMBERS, [2, 3, ADDED])
        load.more()
    assert load.verdict() == Verdict()
    until(lambda: cluster.stored(ADDED, NUMBERS) == _first(cluster, 2))
    leader = leaders(nodes.bootstrap, CARDS)[0]
    near = 2 if leader != 2 else 3
    assert read_near(cluster, f"rack-{near}", near, 2) == [SECRET] * 2
    for node_id in (1, 2, 3, ADDED):
        disk = cluster.folder / f"node-{node_id}/data"
        files = [path for path in disk.rglob("*") if path.is_file()]
        assert not [path for path in files if SECRET in path.read_bytes()]


def _first(cluster: EncryptedCluster, node_id: int) -> bytes:
    logs = (cluster.folder / f"node-{node_id}/data").glob(f"{NUMBERS}-0/*.log")
    return b"".join(log.read_bytes() for log in sorted(logs))


def test_a_leader_without_the_key_loses_nothing_until_it_is_given_it(cluster):
    nodes = cluster.nodes
    cluster.make(NUMBERS, [[1, 2, 3]])
    with SteadyLoad(nodes.bootstrap, NUMBERS, 1) as load:
        load.more()
        cluster.move(NUMBERS, [ADDED, 2, 3])
        until(lambda: "has no key 'orders'" in cluster.node_log(ADDED))
        before = len(load.acknowledged)
        assert leaders(nodes.bootstrap, NUMBERS) == [ADDED]
        cluster.give_key(ADDED, "orders", 1)
        load.more()
        assert len(load.acknowledged) > before
    assert load.verdict() == Verdict()
