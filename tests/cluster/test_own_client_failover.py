"""Leaders are killed under our own producers and groups of our own consumers: nothing is lost.

Each record is acknowledged by all in sync, and killed brokers come back, so every one has to be in
the log once, where it was acknowledged and in the order of its producer, and read by each group.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from moldau.client import Consumer, Producer
from moldau.client.admin import Admin, NewTopic
from moldau.testing import Cluster
from tests.cluster.own_load import OwnLoad, Verdict
from tests.present import present

TOPIC = "orders"
PARTITIONS = 3
KILLS = 2
KILLS_LONG = 700
"""Ten minutes, where nothing else runs."""
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


@pytest.mark.timeout(3_600)
def test_every_record_is_there_once_and_read_after_many_leaders_were_killed(seed, volume):
    draw = Random(seed)
    with Cluster(nodes=3, settings=SETTINGS) as cluster:
        with Admin(cluster.bootstrap) as admin:
            admin.create_topics([NewTopic(TOPIC, PARTITIONS, 3)]).all()
        with OwnLoad(cluster.bootstrap, TOPIC) as load:
            for _ in range(volume(KILLS, KILLS_LONG)):
                load.more()
                killed = cluster.kill_leader(TOPIC, draw.randrange(PARTITIONS))
                if draw.randrange(2):
                    load.more()  # under other leaders; else it comes back as soon as it can
                cluster.restart(killed)
    assert load.verdict() == Verdict()


@pytest.mark.long
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
