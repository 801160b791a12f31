"""What becomes of replicas while nodes are away: who is in sync, who leads, what is left over."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import Any

import pytest
from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition
from confluent_kafka.admin import NewTopic, OffsetSpec

from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.messages.topic.describe_topic_partitions import DescribeTopicPartitionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.cluster.asking import TIMEOUT_S, admin, leaders, until
from tests.cluster.nodes import APACHE, OURS, Nodes
from tests.interop.differential.side import Side
from tests.judges.moldau_node import MoldauNode

pytestmark = pytest.mark.timeout(200)

SETTINGS = {
    "leader.imbalance.check.interval.seconds": "1",
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
}
REQUEST_TIMEOUT_MS = 20_000
"""Longer than a session of Apache Kafka."""
OWN = [{"broker.rack": f"rack-{number}"} for number in (1, 2, 3)]
KINDS = [OURS, pytest.param(APACHE, marks=[pytest.mark.long, pytest.mark.judge])]


@pytest.fixture(scope="module", params=KINDS)
def nodes(request, tmp_path_factory):
    """Of ours, and in the long check of Apache Kafka: what is promised here holds for both."""
    libs = None if request.param == OURS else request.getfixturevalue("kafka_libs")
    folder = tmp_path_factory.mktemp("nodes")
    kinds = [request.param] * 3
    with Nodes(folder, kinds=kinds, libs=libs, settings=SETTINGS, own=OWN) as started:
        yield started


def make(nodes: Nodes, name: str, replicas: list[int], **config: str) -> None:
    configs = {key.replace("_", "."): value for key, value in config.items()}
    made: Any = NewTopic(name, 1, replica_assignment=[replicas], config=configs)
    asking = admin(nodes.bootstrap)
    asking.create_topics([made])[name].result(TIMEOUT_S)
    until(lambda: leaders(nodes.bootstrap, name) == [replicas[0]])


def part(nodes: Nodes, through: int, topic: str) -> Any:
    """The only partition, as this node describes it."""
    of = DescribeTopicPartitionsRequest
    request = of(topics=[of.TopicRequest(name=topic)], response_partition_limit=9)
    side = Side("node", nodes[through].client_port)
    (found,) = until(lambda: side.ask(request, 0).topics[0].partitions)
    side.close()
    return found


def sent(nodes: Nodes, topic: str, value: bytes, acks: str = "all") -> KafkaError | None:
    """What became of one record that is sent once."""
    outcome: list[KafkaError | None] = []
    settings = {"bootstrap.servers": nodes.bootstrap, "acks": acks, "retries": 0}
    settings["request.timeout.ms"] = REQUEST_TIMEOUT_MS
    producer = Producer({**settings, "enable.idempotence": False, "log_level": 0})
    producer.produce(topic, value, partition=0, on_delivery=lambda error, _: outcome.append(error))
    assert producer.flush(TIMEOUT_S) == 0
    return outcome[0]


def code(error: KafkaError | None) -> str:
    return "" if error is None else error.name()


def end_offset(nodes: Nodes, topic: str) -> int:
    where = TopicPartition(topic, 0)
    asking = admin(nodes.bootstrap)
    asked = asking.list_offsets({where: OffsetSpec.latest()})
    return int(asked[where].result(TIMEOUT_S).offset)


@contextmanager
def down(nodes: Nodes, *node_ids: int):
    """They stop in order, and are back after."""
    for node_id in node_ids:
        nodes[node_id].stop()
    try:
        yield
    finally:
        for node_id in node_ids:
            if not nodes[node_id].is_up:
                nodes[node_id].start()


def read(nodes: Nodes, topic: str, count: int, **settings: Any) -> list[bytes | None]:
    base = {"bootstrap.servers": nodes.bootstrap, "group.id": "readers"}
    consumer = Consumer({**base, "auto.offset.reset": "earliest", **settings})
    consumer.assign([TopicPartition(topic, 0, 0)])
    found: list[Message] = []

    def more() -> bool:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            found.append(message)
        return len(found) >= count

    until(more)
    consumer.close()
    return [message.value() for message in found]


def test_too_few_replicas_take_nothing_and_who_left_stays_eligible(nodes):
    make(nodes, "few", [1, 2], min_insync_replicas="2")
    assert sent(nodes, "few", b"first") is None
    with down(nodes, 2):
        until(lambda: part(nodes, 3, "few").isr_nodes == [1])
        assert part(nodes, 3, "few").eligible_leader_replicas == [2]
        assert code(sent(nodes, "few", b"refused")) == "NOT_ENOUGH_REPLICAS"
        assert sent(nodes, "few", b"of the leader alone", acks="1") is None
        assert end_offset(nodes, "few") == 1
    until(lambda: sorted(part(nodes, 3, "few").isr_nodes) == [1, 2])
    until(lambda: end_offset(nodes, "few") == 2)
    assert part(nodes, 3, "few").eligible_leader_replicas == []
    assert read(nodes, "few", 2) == [b"first", b"of the leader alone"]


@pytest.mark.long
def test_an_eligible_replica_leads_though_it_was_not_in_sync(nodes):
    make(nodes, "eligible", [1, 2], min_insync_replicas="2")
    assert sent(nodes, "eligible", b"kept") is None
    with down(nodes, 2):
        until(lambda: part(nodes, 3, "eligible").isr_nodes == [1])
        with down(nodes, 1):
            nodes[2].start()
            until(lambda: part(nodes, 3, "eligible").leader_id == 2)
    until(lambda: sorted(part(nodes, 3, "eligible").isr_nodes) == [1, 2])
    assert read(nodes, "eligible", 1) == [b"kept"]


@pytest.mark.long
def test_a_record_whose_replicas_become_too_few_is_not_committed_and_times_out(nodes):
    make(nodes, "waiting", [1, 2], min_insync_replicas="2")
    assert sent(nodes, "waiting", b"first") is None
    nodes[2].pause()
    try:
        assert code(sent(nodes, "waiting", b"x")) == "REQUEST_TIMED_OUT"
        assert part(nodes, 3, "waiting").isr_nodes == [1]
        assert end_offset(nodes, "waiting") == 1
    finally:
        nodes[2].resume()
    until(lambda: sorted(part(nodes, 3, "waiting").isr_nodes) == [1, 2])


def test_a_node_that_was_away_finds_its_topics_made_and_deleted_and_its_leaders(nodes):
    make(nodes, "gone", [3, 1])
    make(nodes, "led", [3, 1])
    (folder,) = nodes[3].data.glob("gone-0")
    with down(nodes, 3):
        until(lambda: leaders(nodes[1].bootstrap, "led") == [1])
        asking = admin(nodes[1].bootstrap)
        asking.delete_topics(["gone"])["gone"].result(TIMEOUT_S)
        made: Any = NewTopic("made", 1, replica_assignment=[[1, 3]])
        asking.create_topics([made])["made"].result(TIMEOUT_S)
        assert folder.exists()
    until(lambda: [one.suffix[-6:] for one in nodes[3].data.glob("gone-0*")] == ["-stray"])
    until(lambda: sorted(part(nodes, 1, "made").isr_nodes) == [1, 3])
    until(lambda: leaders(nodes.bootstrap, "led") == [3])


def test_a_consumer_reads_from_the_replica_in_its_rack(nodes):
    make(nodes, "near", [1, 2])
    for number in range(3):
        assert sent(nodes, "near", b"%d" % number) is None
    fetched: dict[int, int] = {}

    def note(text: str) -> None:
        for broker in json.loads(text)["brokers"].values():
            fetched[broker["nodeid"]] = broker["req"].get("Fetch", 0)

    consumer = Consumer(
        {
            "bootstrap.servers": nodes.bootstrap,
            "group.id": "near",
            "client.rack": "rack-2",
            "auto.offset.reset": "earliest",
            "statistics.interval.ms": 100,
            "stats_cb": note,
        }
    )
    consumer.assign([TopicPartition("near", 0, 0)])
    values: list[bytes | None] = []

    def has_all() -> bool:
        message = consumer.poll(0.1)
        if message is not None and message.error() is None:
            values.append(message.value())
        return len(values) == 3 and fetched.get(2, 0) > 1

    until(has_all)
    consumer.close()
    assert values == [b"0", b"1", b"2"]


@pytest.mark.long
def test_an_unclean_leader_is_elected_where_the_topic_allows_it(nodes):
    allowed = {"min_insync_replicas": "1", "unclean_leader_election_enable": "true"}
    make(nodes, "risky", [1, 2], **allowed)
    nodes[2].kill()
    until(lambda: part(nodes, 3, "risky").isr_nodes == [1])
    assert sent(nodes, "risky", b"lost with node 1") is None
    nodes[1].kill()
    nodes[2].start()
    until(lambda: part(nodes, 3, "risky").leader_id == 2)
    assert sent(nodes, "risky", b"taken") is None
    nodes[1].start()
    until(lambda: sorted(part(nodes, 3, "risky").isr_nodes) == [1, 2])
    assert end_offset(nodes, "risky") == 1


@pytest.mark.long
def test_a_broker_that_is_struck_out_leaves_every_set_and_may_come_back(nodes):
    """Its epoch is another then, with which it is taken into in-sync sets again."""
    make(nodes, "struck", [1, 3])
    assert sent(nodes, "struck", b"before") is None
    with down(nodes, 3):
        asking = Side("node", nodes[1].client_port)
        until(lambda: part(nodes, 1, "struck").isr_nodes == [1])
        struck = UnregisterBrokerRequest(broker_id=3)
        assert asking.ask(struck, 0).error_code == ErrorCode.NONE
        assert asking.ask(struck, 0).error_code == ErrorCode.BROKER_ID_NOT_REGISTERED
        asking.close()
        assert part(nodes, 1, "struck").replica_nodes == [1, 3]
    until(lambda: sorted(part(nodes, 1, "struck").isr_nodes) == [1, 3])


@pytest.mark.long
def test_a_broker_that_is_struck_out_while_it_runs_registers_anew(nodes):
    """One of Apache Kafka has to be started again for that."""
    if not isinstance(nodes[3], MoldauNode):
        return
    make(nodes, "struck-alive", [1, 3])
    nodes[3].pause()
    asking = Side("node", nodes[1].client_port)
    assert asking.ask(UnregisterBrokerRequest(broker_id=3), 0).error_code == ErrorCode.NONE
    asking.close()
    until(lambda: part(nodes, 1, "struck-alive").isr_nodes == [1])
    nodes[3].resume()
    until(lambda: sorted(part(nodes, 1, "struck-alive").isr_nodes) == [1, 3])
