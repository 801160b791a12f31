"""Judge: a follower that is throttled gets records, and then none for a while, as from Kafka.

The follower is this test: it registers itself with the controller, and fetches as replicas do.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from moldau.broker.metadata.features import supported_levels
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from tests.interop.differential.setting_dialogues import BROKER, SET, TOPIC, change
from tests.interop.differential.side import Side
from tests.interop.differential.values import batch
from tests.judges.kafka_node import CLUSTER_ID

pytestmark = [pytest.mark.judge, pytest.mark.timeout(300)]

FOLLOWER = 2
VERSION = 12
RATE = 2_000
"""Bytes a second: a fetch of some ten thousand has to be waited for."""
PATIENCE_S = 20
LISTENER = "CONTROLLER://127.0.0.1:"


def controller_port(node) -> int:
    """As the node's own file says."""
    settings = Path(node.folder, "node.properties").read_text()
    return int(settings.partition(LISTENER)[2].split()[0])


def register(side: Side) -> None:
    of = BrokerRegistrationRequest
    listeners = [of.Listener(name="PLAINTEXT", host="127.0.0.1", port=1, security_protocol=0)]
    features = [
        of.Feature(name=name, min_supported_version=low, max_supported_version=high)
        for name, (low, high) in supported_levels().items()
    ]
    request = of(
        broker_id=FOLLOWER,
        cluster_id=CLUSTER_ID,
        incarnation_id=b"i" * 16,
        listeners=listeners,
        features=features,
        rack=None,
        is_migrating_zk_broker=False,
        log_dirs=[b"d" * 16],
        previous_broker_epoch=-1,
    )
    answer = side.ask(request, 4)
    assert answer.error_code == 0, answer


def make_topic(side: Side) -> None:
    of = CreateTopicsRequest.CreatableTopic
    placed = of.CreatableReplicaAssignment(partition_index=0, broker_ids=[1, FOLLOWER])
    topic = of(
        name="copied", num_partitions=-1, replication_factor=-1, assignments=[placed], configs=[]
    )
    answer = side.ask(CreateTopicsRequest(topics=[topic], timeout_ms=5000), 7)
    assert answer.topics[0].error_code == 0, answer
    data = ProduceRequest.TopicProduceData
    part = data.PartitionProduceData(index=0, records=batch(count=500))
    request = ProduceRequest(
        acks=1, timeout_ms=5000, topic_data=[data(name="copied", partition_data=[part])]
    )
    deadline = time.monotonic() + PATIENCE_S
    while side.ask(request, 9).responses[0].partition_responses[0].error_code:
        assert time.monotonic() < deadline, f"{side.name} takes no records"
        time.sleep(0.1)


def set_to(side: Side, kind: int, name: str, key: str, value: str) -> None:
    request: IncrementalAlterConfigsRequest = change(kind, name, (key, SET, value))
    assert side.ask(request, 1).responses[0].error_code == 0
    time.sleep(0.5)  # until the broker has applied it too


def fetched(side: Side, replica: int, max_wait_ms: int = 0) -> bool:
    """Whether a fetch brings records."""
    of = FetchRequest.FetchTopic
    part = of.FetchPartition(
        partition=0, fetch_offset=0, log_start_offset=0, partition_max_bytes=1 << 20
    )
    request = FetchRequest(
        replica_id=replica,
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        topics=[of(topic="copied", partitions=[part])],
        forgotten_topics_data=[],
        session_epoch=-1,
    )
    answer = side.ask(request, VERSION).responses[0].partitions[0]
    assert answer.error_code == 0, answer
    return bool(answer.records)


def fetches(side: Side) -> list[object]:
    """What a follower gets, with and without a throttle."""
    fetches_seen: list[object] = [fetched(side, FOLLOWER), fetched(side, FOLLOWER)]
    set_to(side, TOPIC, "copied", "leader.replication.throttled.replicas", "0:1")
    fetches_seen.append([fetched(side, FOLLOWER) for _ in range(3)])
    set_to(side, BROKER, "1", "leader.replication.throttled.rate", str(RATE))
    first = fetched(side, FOLLOWER)
    fetches_seen.append([first or fetched(side, FOLLOWER), fetched(side, FOLLOWER)])
    fetches_seen.append(fetched(side, -1))
    began = time.monotonic()
    fetches_seen.append((fetched(side, FOLLOWER, 600), time.monotonic() - began > 0.5))
    set_to(side, TOPIC, "copied", "leader.replication.throttled.replicas", "0:2,1:1")
    fetches_seen.append(fetched(side, FOLLOWER))
    set_to(side, TOPIC, "copied", "leader.replication.throttled.replicas", "*")
    fetches_seen.append(fetched(side, FOLLOWER))
    set_to(side, BROKER, "1", "leader.replication.throttled.rate", str(1 << 40))
    fetches_seen.append(fetched(side, FOLLOWER))
    return fetches_seen


def test_a_follower_is_throttled_alike(new_moldau_node, new_kafka_node):
    outcomes = []
    for node in (new_moldau_node(), new_kafka_node()):
        node.start()
        side, controller = Side("node", node.client_port), Side("node", controller_port(node))
        register(controller)
        make_topic(side)
        outcomes.append(fetches(side))
        side.close()
        controller.close()
        node.kill()
    ours, theirs = outcomes
    assert ours == theirs
