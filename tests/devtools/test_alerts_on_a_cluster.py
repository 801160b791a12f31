"""What an alert names is broken in a cluster of three nodes, and Prometheus fires it.

One scenario after the other on the same nodes; after each all is mended, and no alert is left.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import NewTopic

import moldau.testing
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.records.builder import BatchBuilder, BatchFields
from tests.broker.server.asking import answers_in, frame_of, sized
from tests.cluster.asking import TIMEOUT_S, admin, leaders, until
from tests.cluster.nodes import Nodes
from tests.devtools.alerts_cluster import scraping, until_firing, until_quiet
from tests.devtools.test_alerts import RULES
from tests.small_disk import SmallDisk, small_disk  # noqa: F401

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        shutil.which("prometheus") is None,
        reason="Prometheus is not installed (Debian's package prometheus has it)",
    ),
]
OFTEN = "500"
SETTINGS = {
    "replica.high.watermark.checkpoint.interval.ms": OFTEN,
    "log.flush.offset.checkpoint.interval.ms": OFTEN,
    "broker.session.timeout.ms": "3000",
}
TWO_DISKS = {"log.dirs": "{folder}/data,{folder}/more", "metadata.log.dir": "{folder}/data"}
GROUP, LAG = "readers", 3_000
PRODUCE_VERSION = 9
FLOOD = """
import socket, struct, sys
host, _, port = sys.argv[1].rpartition(":")
body = struct.pack(">hhih", 18, 0, 1, -1)
frames = (struct.pack(">i", len(body)) + body) * 500
with socket.create_connection((host, int(port))) as link:
    while True:
        link.sendall(frames)
        wanted = 500
        while wanted > 0:
            wanted -= link.recv(1 << 20).count(b"\\0\\0\\0\\1\\0\\0")
"""


class Watched(NamedTuple):
    """The nodes, and where Prometheus is asked."""

    nodes: Nodes
    prometheus: str
    folder: Path


@pytest.fixture(scope="module")
def watched(tmp_path_factory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("alerts")
    own = [{}, {}, TWO_DISKS]
    with (
        Nodes(folder, settings=SETTINGS, own=own, shows_metrics=True) as nodes,
        scraping(folder, nodes.metrics_ports) as prometheus,
    ):
        assert until_quiet(prometheus) == set()
        yield Watched(nodes, prometheus, folder)


def make(nodes: Nodes, name: str, placed: list[list[int]], **configs: str) -> None:
    topic: Any = NewTopic(name, len(placed), replica_assignment=placed, config=configs)
    asking = admin(nodes.bootstrap)
    asking.create_topics([topic])[name].result(TIMEOUT_S)
    until(lambda: leaders(nodes.bootstrap, name) == [first for first, *_ in placed])


def send(nodes: Nodes, topic: str, count: int = 1, acks: str = "all") -> None:
    settings = {"bootstrap.servers": nodes.bootstrap, "acks": acks, "linger.ms": 5}
    producer = Producer(settings)
    for _ in range(count):
        producer.produce(topic, b"x" * 10, partition=0)
    assert producer.flush(TIMEOUT_S) == 0


def test_a_group_that_falls_further_behind_has_its_alert(watched):
    make(watched.nodes, "behind", [[1, 2, 3]])
    reader = Consumer({"bootstrap.servers": watched.nodes.bootstrap, "group.id": GROUP})
    reader.commit(offsets=[TopicPartition("behind", 0, 0)], asynchronous=False)

    def goes_on() -> bool:
        send(watched.nodes, "behind", LAG)
        return "KafkaConsumerLagGrows" in until_firing(watched.prometheus)

    until(goes_on)
    reader.commit(offsets=[TopicPartition("behind", 0, 10**6)], asynchronous=False)
    reader.close()
    assert until_quiet(watched.prometheus) == set()


def test_a_node_that_is_killed_has_the_alerts_of_all_that_it_takes_with_it(watched):
    make(watched.nodes, "alone", [[3]])
    make(watched.nodes, "strict", [[1, 2, 3]], **{"min.insync.replicas": "3"})
    watched.nodes[3].kill()
    wanted = {
        "KafkaNodeDown",
        "KafkaOfflinePartitions",
        "KafkaUnderMinIsrPartitions",
        "KafkaUnderReplicatedPartitions",
        "KafkaFencedBroker",
    }
    assert until_firing(watched.prometheus, *wanted) == wanted
    watched.nodes[3].start()
    assert until_quiet(watched.prometheus) == set()


def test_without_a_majority_there_is_no_active_controller(watched):
    watched.nodes[2].kill()
    watched.nodes[3].kill()
    assert "KafkaNoActiveController" in until_firing(watched.prometheus, "KafkaNoActiveController")
    watched.nodes[2].begin()
    watched.nodes[3].begin()
    watched.nodes[2].wait_ready()
    watched.nodes[3].wait_ready()
    assert until_quiet(watched.prometheus) == set()


def test_a_leader_that_was_not_in_sync_has_its_alert(watched):
    nodes = watched.nodes
    risky = {"unclean.leader.election.enable": "true", "min.insync.replicas": "1"}
    make(nodes, "risky", [[2, 3]], **risky)
    nodes[3].kill()
    until(lambda: isr_of(nodes, "risky") == [2])
    send(nodes, "risky")
    nodes[2].kill()
    nodes[3].start()
    seen = until_firing(watched.prometheus, "KafkaUncleanLeaderElection")
    assert "KafkaUncleanLeaderElection" in seen
    nodes[2].start()
    assert until_quiet(watched.prometheus) == set()


def isr_of(nodes: Nodes, topic: str) -> list[int]:
    found = admin(nodes.bootstrap).list_topics(topic, timeout=TIMEOUT_S).topics[topic]
    return list(found.partitions[0].isrs)


def test_records_that_are_gone_at_a_start_have_their_alert(watched):
    nodes = watched.nodes
    send(nodes, "alone", 1_000)
    nodes[3].stop()
    (log,) = (one for one in (watched.folder / "node-3").glob("*/alone-0/*.log"))
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    (log.parent.parent / ".kafka_cleanshutdown").unlink()
    nodes[3].start()
    seen = until_firing(watched.prometheus, "KafkaRecordsLostAtRecovery")
    assert "KafkaRecordsLostAtRecovery" in seen
    nodes[3].stop()
    nodes[3].start()
    assert until_quiet(watched.prometheus) == set()


def test_a_node_that_never_waits_has_its_alert(watched):
    place = watched.nodes[1].bootstrap
    floods = [subprocess.Popen([sys.executable, "-c", FLOOD, place]) for _ in range(3)]
    try:
        assert "KafkaBrokerBusy" in until_firing(watched.prometheus, "KafkaBrokerBusy")
    finally:
        for one in floods:
            one.kill()
            one.wait()
    assert until_quiet(watched.prometheus) == set()


def test_a_log_directory_that_fails_has_its_alert(watched):
    nodes, lost = watched.nodes, watched.folder / "node-3" / "more"
    make(nodes, "spread", [[3, 1]] * 8)
    assert list(lost.glob("spread-*"))
    lost.rename(watched.folder / "taken-away")
    lost.write_text("no directory")
    assert "KafkaLogDirectoryOffline" in until_firing(
        watched.prometheus, "KafkaLogDirectoryOffline"
    )
    nodes[3].stop()
    lost.unlink()
    (watched.folder / "taken-away").rename(lost)
    nodes[3].start()
    assert until_quiet(watched.prometheus) == set()


def test_a_replica_whose_leader_sends_offsets_that_go_back_has_its_alert(watched):
    nodes = watched.nodes
    make(nodes, "spoilt", [[1, 2]], **{"min.insync.replicas": "1"})
    nodes[2].kill()
    until(lambda: isr_of(nodes, "spoilt") == [1])
    for _ in range(2):
        send(nodes, "spoilt")
    move_back_the_last_batch(watched.folder / "node-1")
    nodes[2].start()
    seen = until_firing(watched.prometheus, "KafkaReplicationStopped")
    assert "KafkaReplicationStopped" in seen
    asking = admin(nodes.bootstrap)
    asking.delete_topics(["spoilt"])["spoilt"].result(TIMEOUT_S)
    assert until_quiet(watched.prometheus) == set()


def move_back_the_last_batch(folder: Path) -> None:
    """On the leader's disk: to the offset 0, which no checksum covers."""
    (log,) = folder.glob("*/spoilt-0/*.log")
    data = log.read_bytes()
    place = last = 0
    while place < len(data):
        last, place = place, place + 12 + int.from_bytes(data[place + 8 : place + 12])
    assert last
    with log.open("r+b") as file:
        file.seek(last)
        file.write(bytes(8))


@contextmanager
def one_node(
    folder: Path, data: Path | None = None, **settings: str
) -> Iterator[tuple[moldau.testing.Node, str]]:
    given = {name.replace("_", "."): value for name, value in settings.items()}
    with moldau.testing.Node(data, metrics_port=0, settings=given) as node:
        address = node.node.metrics_address
        assert address is not None
        with scraping(folder, [address.port]) as prometheus:
            assert until_quiet(prometheus) == set()
            yield node, prometheus


def test_a_disk_that_is_nearly_full_has_its_alert(small_disk: SmallDisk, tmp_path):  # noqa: F811
    small_disk.resize("64m")
    with one_node(tmp_path, small_disk.folder / "data") as (_, prometheus):
        full = small_disk.folder / "other"
        full.write_bytes(bytes(60 << 20))
        assert "KafkaDiskNearlyFull" in until_firing(prometheus, "KafkaDiskNearlyFull")
        full.unlink()
        assert until_quiet(prometheus) == set()


def test_a_transaction_that_hangs_has_its_alert(tmp_path):
    longest = {"transaction_max_timeout_ms": "1000", "log_retention_ms": "-1"}
    unchecked = {"transaction_partition_verification_enable": "false"}
    with one_node(tmp_path, None, **longest, **unchecked) as (node, prometheus):
        hang(node)
        node.travel(minutes=10)
        assert "KafkaLateTransactions" in until_firing(prometheus, "KafkaLateTransactions")


def hang(node: moldau.testing.Node) -> None:
    """A record of a transaction that no coordinator knows."""
    asking = admin(node.bootstrap)
    asking.create_topics([NewTopic("hung", 1, 1)])["hung"].result(TIMEOUT_S)
    transactional = BatchFields(
        producer_id=7, producer_epoch=0, base_sequence=0, is_transactional=True
    )
    builder = BatchBuilder(transactional)
    builder.append(time.time_ns() // 1_000_000, b"k", b"v")
    data = ProduceRequest.TopicProduceData
    partition = data.PartitionProduceData(index=0, records=bytes(builder.build()))
    request = ProduceRequest(
        transactional_id="lost",
        acks=-1,
        timeout_ms=10_000,
        topic_data=[data(name="hung", partition_data=[partition])],
    )
    host, _, port = node.bootstrap.rpartition(":")
    with socket.create_connection((host, int(port)), TIMEOUT_S) as link:
        link.sendall(sized(frame_of(request, PRODUCE_VERSION)))
        size = int.from_bytes(link.recv(4, socket.MSG_WAITALL))
        answer = size.to_bytes(4) + link.recv(size, socket.MSG_WAITALL)
    ((_, response),) = answers_in(bytearray(answer), request.KEY, PRODUCE_VERSION)
    assert response.responses[0].partition_responses[0].error_code == 0


def test_every_alert_is_broken_here():
    text = Path(__file__).read_text()
    assert {one["alert"] for one in RULES if f'"{one["alert"]}"' not in text} == set()
