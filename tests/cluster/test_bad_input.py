"""Nodes that cannot be part of a cluster: a line names the cause, and the others serve on."""

from __future__ import annotations

import time

import pytest
from confluent_kafka import Producer

from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from tests.cluster.asking import TIMEOUT_S, admin, make_topic, until
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.interop.differential.side import Side

CONTROLLER_AND_BROKERS = ["controller", "broker", "broker"]
TWO_COPIES = {
    "default.replication.factor": "2",
    "offsets.topic.replication.factor": "2",
    "min.insync.replicas": "1",
}
CREATE_VERSION = 7
UNSTABLE = {"unstable.feature.versions.enable": "true"}
OUTAGE = "The metadata quorum has no leader"
SETTLED_S = 7
"""Longer than an outage takes to be reported once more, if it were."""
JUDGED = pytest.param(APACHE, marks=pytest.mark.judge)


def lines(node, text: str) -> list[str]:
    return [line for line in node.last_words().splitlines() if text in line]


def rewrite(path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_quorum_without_a_majority_is_one_line_and_so_is_its_end(tmp_path):
    with Nodes(tmp_path) as nodes:
        make_topic(nodes.bootstrap, "before", 1, 3)
        for node_id in (2, 3):
            nodes[node_id].kill()
        until(lambda: lines(nodes[1], OUTAGE))
        time.sleep(SETTLED_S)
        (line,) = lines(nodes[1], OUTAGE)
        assert "Needed: 2 of the voters 1, 2, 3." in line
        assert f"{nodes.controller(2)}: connection refused" in line
        nodes[2].start()
        until(lambda: lines(nodes[1], "leads the metadata quorum"))
        assert len(lines(nodes[1], OUTAGE)) == 1
        make_topic(nodes[1].bootstrap, "after", 1, 2)


@pytest.mark.parametrize("controller", [OURS, JUDGED])
def test_a_broker_of_another_cluster_stays_out_and_knows_why(tmp_path, request, controller):
    libs = request.getfixturevalue("kafka_libs") if controller == APACHE else None
    kinds = (controller, OURS)
    with Nodes(tmp_path, roles=CONTROLLER_AND_BROKERS[:2], kinds=kinds, libs=libs) as nodes:
        nodes[2].stop()
        properties = nodes[2].data / "meta.properties"
        rewrite(properties, "cluster.id=bW9sZGF1", "cluster.id=AW9sZGF1")
        nodes[2].begin()
        line = until(lambda: lines(nodes[2], OUTAGE))[0]
        assert f"{nodes.controller(1)}: it belongs to another cluster" in line
        nodes[2].kill()
        rewrite(properties, "cluster.id=AW9sZGF1", "cluster.id=bW9sZGF1")
        nodes[2].start()
        assert len(admin(nodes[2].bootstrap).list_topics(timeout=TIMEOUT_S).brokers) == 1


def test_a_second_node_of_one_id_waits_and_the_first_serves_on(tmp_path):
    with Nodes(tmp_path, roles=CONTROLLER_AND_BROKERS, settings=TWO_COPIES) as nodes:
        nodes[3].stop()
        rewrite(nodes[3].settings_file, "node.id=3", "node.id=2")
        rewrite(nodes[3].data / "meta.properties", "node.id=3", "node.id=2")
        nodes[3].begin()
        until(lambda: lines(nodes[3], "Another broker 2 is alive"))
        assert lines(nodes[1], "another process is alive as broker 2")
        make_topic(nodes[2].bootstrap, "on", 1, 1)
        brokers = admin(nodes[2].bootstrap).list_topics(timeout=TIMEOUT_S).brokers
        assert brokers[2].port == nodes[2].client_port


def test_a_broker_with_fewer_features_than_the_cluster_stays_out_and_says_what_it_lacks(tmp_path):
    own = [UNSTABLE, UNSTABLE, {"initial.broker.registration.timeout.ms": "3000"}]
    nodes = Nodes(tmp_path, roles=CONTROLLER_AND_BROKERS, settings=TWO_COPIES, own=own)
    try:
        for node_id in (1, 2, 3):
            nodes[node_id].begin()
        until(lambda: not nodes[3].is_up)
        (line,) = lines(nodes[3], "lacks a feature that the cluster uses")
        assert "metadata.version is 31 there, and 7 to 30 are supported here" in line
        assert "unstable.feature.versions.enable" in line
        make_topic(nodes[2].bootstrap, "on", 1, 1)
        assert list(admin(nodes[2].bootstrap).list_topics(timeout=TIMEOUT_S).brokers) == [2]
    finally:
        nodes.kill()


def test_the_directory_of_another_node_is_refused_with_a_sentence(tmp_path):
    nodes = Nodes(tmp_path, 2)
    rewrite(nodes[2].data / "meta.properties", "node.id=2", "node.id=1")
    nodes[2].begin()
    until(lambda: not nodes[2].is_up)
    assert "the directory belongs to node 1, this is node 2" in nodes[2].last_words()
    nodes.kill()


def creation(name, partitions, replicas):
    topic = CreateTopicsRequest.CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        assignments=[],
        configs=[],
    )
    return CreateTopicsRequest(topics=[topic], timeout_ms=10_000, validate_only=False)


def led_by(nodes, node_id, topic):
    """Partitions that the node says it leads."""
    found = (
        admin(nodes[node_id].bootstrap)
        .list_topics(topic, timeout=TIMEOUT_S)
        .topics[topic]
        .partitions
    )
    return [part.id for part in found.values() if part.leader == node_id]


def test_an_advertised_name_that_does_not_resolve_is_a_line_and_costs_only_its_replicas(tmp_path):
    nodes = Nodes(tmp_path, roles=CONTROLLER_AND_BROKERS, settings=TWO_COPIES)
    place = f"no-such-host.invalid:{nodes[3].client_port}"
    with nodes[3].settings_file.open("a") as settings:
        settings.write(f"advertised.listeners=PLAINTEXT://{place}\n")
    with nodes:
        side = Side("broker 2", nodes[2].client_port)  # others may be led to broker 3 by Metadata
        for name, partitions, replicas in (("wide", 2, 2), ("narrow", 6, 1)):
            side.ask(creation(name, partitions, replicas), CREATE_VERSION)
        side.close()
        until(lambda: lines(nodes[2], f"Broker 3 cannot be fetched from: {place}"))
        until(lambda: led_by(nodes, 2, "narrow"))  # it learns of topics after their creator does
        here = led_by(nodes, 2, "narrow")
        producer = Producer({"bootstrap.servers": nodes[2].bootstrap, "log_level": 0})
        errors: list[object] = []
        producer.produce(
            "narrow", b"x", partition=here[0], on_delivery=lambda error, _: errors.append(error)
        )
        producer.flush(TIMEOUT_S)
        assert errors == [None]
        assert len(lines(nodes[2], "Broker 3 cannot be fetched from")) == 1
