"""Leaders are killed under our own producer and a group of our own consumers: nothing is lost.

Each record is acknowledged by all in sync, and killed brokers come back, so every one has to be in
the log once and in the order of its producer, and the group has to have read it.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import count

import pytest

from moldau.client import Consumer, Producer
from moldau.client.admin import Admin, NewTopic
from moldau.testing import Cluster
from tests.present import present

pytestmark = pytest.mark.long

TOPIC = "orders"
PARTITIONS = 3
KILLS = 12
RECORDS_A_ROUND = 2000
SETTINGS = {
    "min.insync.replicas": 2,
    "offsets.topic.replication.factor": 3,
    "broker.session.timeout.ms": 3000,
    "broker.heartbeat.interval.ms": 500,
}
POLLS_MAX = 3000
BEFORE_REQUESTS_TIME_OUT_S = 20
"""`request.timeout.ms` is 30 s."""


def read_to(consumer: Consumer, ends: dict[int, int]) -> dict[int, list[bytes]]:
    """What it returns until it has seen the end of each partition."""
    found: dict[int, list[bytes]] = defaultdict(list)
    reached = dict.fromkeys(ends, 0)
    for _ in range(POLLS_MAX):
        for record in consumer.poll(0.2):
            found[record.partition].append(record.value)
            reached[record.partition] = record.offset + 1
        if all(reached[partition] >= end for partition, end in present(ends.items())):
            return found
    raise AssertionError(f"{reached} of {ends}")


def test_every_acknowledged_record_is_there_once_after_many_leaders_were_killed():
    with Cluster(nodes=3, settings=SETTINGS) as cluster:
        with Admin(cluster.bootstrap) as admin:
            admin.create_topics([NewTopic(TOPIC, PARTITIONS, 3)]).all()
        sent: dict[int, list[bytes]] = defaultdict(list)
        numbers = count()
        given = {"group_id": "billing", "auto_offset_reset": "earliest"}
        with (
            Consumer(cluster.bootstrap, **given) as member,
            Producer(cluster.bootstrap, delivery_timeout_ms=600_000) as producer,
        ):
            member.subscribe(TOPIC)
            seen = set()
            for kill in range(KILLS):
                deliveries = []
                for index in range(RECORDS_A_ROUND):
                    value = b"%d" % next(numbers)
                    deliveries.append((producer.send(TOPIC, value), value))
                    if index == RECORDS_A_ROUND // 2:
                        killed = cluster.kill_leader(TOPIC, kill % PARTITIONS)
                    if index % 100 == 0:
                        seen |= {record.value for record in member.poll(0.02)}
                for delivery, value in deliveries:
                    sent[delivery.result(300).partition].append(value)
                cluster.restart(killed)
            with Consumer(cluster.bootstrap, auto_offset_reset="earliest") as reader:
                reader.assign(TOPIC)
                ends = {part.partition: end for part, end in reader.end_offsets(TOPIC).items()}
                log = read_to(reader, ends)
            wanted = {value for values in sent.values() for value in values}
            for _ in range(POLLS_MAX):
                if seen >= wanted:
                    break
                seen |= {record.value for record in member.poll(0.2)}
    assert log == sent
    assert seen == wanted


def test_records_arrive_while_their_leader_is_stopped_with_its_connections_open():
    with Cluster(nodes=3, settings={"min.insync.replicas": 2}) as cluster:
        with Admin(cluster.bootstrap) as admin:
            admin.create_topics([NewTopic(TOPIC, 1, 3)]).all()
        with Producer(cluster.bootstrap) as producer:
            values = [b"%d" % number for number in range(6)]
            producer.send(TOPIC, values[0]).result()
            leader = cluster.leader(TOPIC)
            cluster.pause(leader)
            for delivery in [producer.send(TOPIC, value) for value in values[1:]]:
                delivery.result(BEFORE_REQUESTS_TIME_OUT_S)
            cluster.resume(leader)
        with Consumer(cluster.bootstrap, auto_offset_reset="earliest") as reader:
            reader.assign(TOPIC)
            ends = {part.partition: end for part, end in reader.end_offsets(TOPIC).items()}
            found = read_to(reader, ends)
    assert found[0] == values
