"""Judge: clients with the same quotas owe the same time, and wait for it, as with Kafka.

A client produces, fetches and connects faster than it may, in the same steps on both nodes. What is
compared is the time that answers name, that the connection is not read from for as long, what a
consumer gets that may never have a whole answer, and how many connections are let in. Times differ
by what the machine takes between two steps, and by how long the two windows at the edges are.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass, field

import pytest

from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.protocol.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from tests.floods.attacked_node import batch_of, create_topic, fetch_request
from tests.interop.differential.side import CLIENT_ID, HOST, Side

pytestmark = [pytest.mark.judge, pytest.mark.long, pytest.mark.timeout(400)]

TOPIC = "letters"
BYTES = 20_000
"""Of the value of a record."""
RATE = 9_000.0
"""Bytes in a second: the windows of ten seconds have room for four such records."""
SENDS = 8
TOLERANCE = 0.25
SLACK_MS = 1_500
"""Of the time owed: one more window, or a second in which the other node was slower."""
CONNECTIONS_RATE = 2.0
ATTEMPTS = 40
FETCHES = 50
PATIENCE_S = 30


@dataclass
class Seen:
    """What a client sees of one node."""

    produce_ms: list[int] = field(default_factory=list)
    muted_ms: float = 0
    owed_ms: int = 0
    fetched: int = 0
    owed_by_consumer_ms: int = 0
    let_in: int = 0
    let_in_by_node: int = 0


def set_quota(side: Side, kind: str, name: str, key: str, value: float | None) -> None:
    of = AlterClientQuotasRequest.EntryData
    entity = of.EntityData(entity_type=kind, entity_name=name)
    change = of.OpData(key=key, value=value or 0.0, remove=value is None)
    request = AlterClientQuotasRequest(
        entries=[of(entity=[entity], ops=[change])], validate_only=False
    )
    assert [one.error_code for one in side.ask(request, 1).entries] == [0]
    time.sleep(1)  # until the broker has it from its metadata


def set_rate(side: Side, rate: str | None) -> None:
    resource = IncrementalAlterConfigsRequest.AlterConfigsResource
    name = "max.connection.creation.rate"
    operation = 1 if rate is None else 0
    change = resource.AlterableConfig(name=name, config_operation=operation, value=rate)
    one = resource(resource_type=4, resource_name="", configs=[change])
    request = IncrementalAlterConfigsRequest(resources=[one], validate_only=False)
    assert [one.error_code for one in side.ask(request, 1).responses] == [0]
    time.sleep(1)


def send(side: Side) -> int:
    """The time that the producer owes for one more record."""
    data = ProduceRequest.TopicProduceData
    one = data.PartitionProduceData(index=0, records=batch_of([b"x" * BYTES]))
    asked = ProduceRequest(
        acks=-1, timeout_ms=10_000, topic_data=[data(name=TOPIC, partition_data=[one])]
    )
    answer = side.ask(asked, 9)
    assert answer.responses[0].partition_responses[0].error_code == 0
    return int(answer.throttle_time_ms)


def produce(side: Side, seen: Seen) -> None:
    """The first sends on connections of their own, so that none waits for the muting of one."""
    set_quota(side, "client-id", CLIENT_ID, "producer_byte_rate", RATE)
    for _ in range(SENDS):
        seen.produce_ms.append(send(side))
        if seen.produce_ms[-1]:
            side.close()
    seen.owed_ms = send(side)
    began = time.monotonic()
    side.ask(ApiVersionsRequest(), 0)
    seen.muted_ms = 1000 * (time.monotonic() - began)
    set_quota(side, "client-id", CLIENT_ID, "producer_byte_rate", None)


def fetch(side: Side, seen: Seen) -> None:
    """Much more is there than the quota ever lets pass at a time.

    Kafka counts the answer's head, too, and needs some milliseconds more before it lets one pass.
    """
    for _ in range(30):
        send(side)
    set_quota(side, "client-id", CLIENT_ID, "consumer_byte_rate", RATE)
    for _ in range(FETCHES):
        answer = side.ask(fetch_request(TOPIC, 0, 1 << 20), 11)
        records = answer.responses[0].partitions[0].records if answer.responses else b""
        if seen.fetched:
            seen.owed_by_consumer_ms = int(answer.throttle_time_ms)
            break
        if records:
            seen.fetched = len(records)
    side.close()
    set_quota(side, "client-id", CLIENT_ID, "consumer_byte_rate", None)


def is_let_in(port: int) -> bool:
    """Whether a connection that comes now is served, and not closed after a pause."""
    with socket.create_connection((HOST, port), PATIENCE_S) as made:
        made.settimeout(0.2)
        made.sendall(b"\0\0\0\x0e\0\x12\0\0\0\0\0\x01\0\x04over")
        try:
            return bool(made.recv(100))
        except (TimeoutError, ConnectionError):
            return False


def connect(side: Side, seen: Seen) -> None:
    set_quota(side, "ip", HOST, "connection_creation_rate", CONNECTIONS_RATE)
    seen.let_in = sum(is_let_in(side.port) for _ in range(ATTEMPTS))
    set_quota(side, "ip", HOST, "connection_creation_rate", None)
    time.sleep(12)
    side.ask(ApiVersionsRequest(), 0)
    set_rate(side, "2")
    seen.let_in_by_node = sum(is_let_in(side.port) for _ in range(ATTEMPTS))


def outcomes(node) -> Seen:
    node.start()
    side, seen = Side("node", node.client_port), Seen()
    create_topic(side, TOPIC)
    produce(side, seen)
    fetch(side, seen)
    connect(side, seen)
    side.close()
    node.stop()
    return seen


def close(ours: float, theirs: float) -> bool:
    return abs(ours - theirs) <= SLACK_MS + TOLERANCE * theirs


def test_the_same_quotas_cost_the_same_time(new_moldau_node, new_kafka_node):
    ours, theirs = outcomes(new_moldau_node()), outcomes(new_kafka_node())
    print(f"ours   {ours}\ntheirs {theirs}")
    assert theirs.owed_ms > 0
    assert [ms > 0 for ms in ours.produce_ms] == [ms > 0 for ms in theirs.produce_ms]
    assert all(map(close, ours.produce_ms, theirs.produce_ms))
    assert close(ours.owed_ms, theirs.owed_ms)
    for one in (ours, theirs):
        assert one.muted_ms > one.owed_ms - 1000
    assert ours.fetched == theirs.fetched
    assert 0 < ours.fetched <= 10 * RATE
    assert theirs.owed_by_consumer_ms > SLACK_MS
    assert close(ours.owed_by_consumer_ms, theirs.owed_by_consumer_ms)
    assert 0 < theirs.let_in < ATTEMPTS
    assert abs(ours.let_in - theirs.let_in) <= 4
    assert abs(ours.let_in_by_node - theirs.let_in_by_node) <= 4
