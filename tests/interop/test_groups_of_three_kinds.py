"""One group of three members: ours, librdkafka's and Java's, by both protocols."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from threading import Thread
from typing import Any

import confluent_kafka
import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from moldau.client import Consumer
from tests.judges.kafka_tools import KafkaTools

pytestmark = [pytest.mark.judge, pytest.mark.long]

PARTITIONS = 6
RECORDS = 600
POLLS_MAX = 600
JAVA = "org.apache.kafka.clients.consumer"
PROTOCOLS = {
    "range": ({"partition.assignment.strategy": "range"}, f"{JAVA}.RangeAssignor"),
    "roundrobin": ({"partition.assignment.strategy": "roundrobin"}, f"{JAVA}.RoundRobinAssignor"),
    "cooperative": (
        {"partition.assignment.strategy": "cooperative-sticky"},
        f"{JAVA}.CooperativeStickyAssignor",
    ),
    "consumer": ({"group.protocol": "consumer"}, None),
}
"""By name, the settings of ours and librdkafka's, and Java's class."""


class JavaMember:
    """Kafka's verifiable consumer, whose events are read while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.assigned: set[int] = set()
        self.read: dict[int, set[int]] = defaultdict(set)
        """Offsets by partition."""
        self._process = process
        self._reading = Thread(target=self._read)
        self._reading.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                self._take(json.loads(line))

    def _take(self, event: dict[str, Any]) -> None:
        partitions = event.get("partitions", [])
        if event["name"] == "partitions_assigned":
            self.assigned |= {one["partition"] for one in partitions}
        elif event["name"] == "partitions_revoked":
            self.assigned -= {one["partition"] for one in partitions}
        elif event["name"] == "records_consumed":
            for one in partitions:
                offsets = range(one["minOffset"], one["maxOffset"] + 1)
                self.read[one["partition"]].update(offsets)

    def end(self) -> None:
        self._process.terminate()
        self._reading.join(60)


class Mixed:
    """The three members, polled in turns."""

    def __init__(self, own: Consumer, theirs: confluent_kafka.Consumer, java: JavaMember) -> None:
        self.own, self.theirs, self.java = own, theirs, java
        self.read: dict[int, set[int]] = defaultdict(set)

    def shares(self) -> list[set[int]]:
        own = {part.partition for part in self.own.assignment()}
        theirs = {part.partition for part in self.theirs.assignment()}
        return [own, theirs, set(self.java.assigned)]

    def poll(self) -> None:
        for record in self.own.poll(0.05):
            self.read[record.partition].add(record.offset)
        for message in self.theirs.consume(100, 0.05):
            assert message.error() is None, message.error()
            partition, offset = message.partition(), message.offset()
            assert partition is not None
            assert offset is not None
            self.read[partition].add(offset)

    def poll_until_each_has_two(self) -> None:
        for _ in range(POLLS_MAX):
            self.poll()
            shares = self.shares()
            if [len(share) for share in shares] == [2, 2, 2]:
                assert set().union(*shares) == set(range(PARTITIONS))
                return
        raise AssertionError(f"{self.shares()}")

    def poll_until_all_is_read(self, wanted: dict[int, set[int]]) -> None:
        for _ in range(POLLS_MAX):
            self.poll()
            read = {part: self.read[part] | self.java.read[part] for part in wanted}
            if read == wanted:
                return
        raise AssertionError({part: len(offsets) for part, offsets in read.items()})


def produce(place: str, topic: str) -> None:
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    for number in range(RECORDS):
        producer.produce(topic, b"v%d" % number, partition=number % PARTITIONS)
    assert producer.flush(30) == 0


@pytest.mark.parametrize("name", PROTOCOLS)
def test_all_share_the_partitions_and_every_record_is_read(
    tools: KafkaTools, place: str, topic: str, name: str
) -> None:
    settings, strategy = PROTOCOLS[name]
    admin = AdminClient({"bootstrap.servers": place})
    admin.create_topics([NewTopic(topic, PARTITIONS, 1)])[topic].result(30)
    given = {"bootstrap.servers": place, "group.id": topic, "auto.offset.reset": "earliest"}
    words = f"--topic {topic} --group-id {topic} --reset-policy earliest"
    words += f" --assignment-strategy {strategy}" if strategy else " --group-protocol consumer"
    with (
        tools.started("verifiable-consumer", words) as process,
        Consumer({**given, **settings}) as own,
    ):
        java, theirs = JavaMember(process), confluent_kafka.Consumer({**given, **settings})
        try:
            own.subscribe(topic)
            theirs.subscribe([topic])
            mixed = Mixed(own, theirs, java)
            produce(place, topic)
            mixed.poll_until_each_has_two()
            produce(place, topic)
            offsets = set(range(2 * RECORDS // PARTITIONS))
            mixed.poll_until_all_is_read(dict.fromkeys(range(PARTITIONS), offsets))
        finally:
            theirs.close()
            java.end()
