"""Topics for tests of Spark: made and filled by librdkafka."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import count

from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic

PATIENCE_S = 30
PIECE = 50_000
"""librdkafka's queue holds twice as many."""
NUMBERS = count(1)
"""Of the topics of all brokers: some tests share one."""
FIRST_MS = 1_700_000_000_000
"""The time of the first record of every topic; each is a second later than the one before."""


class Topics:
    """Makes topics whose records are numbered, so that every one differs from all others."""

    def __init__(self, bootstrap: str) -> None:
        self.bootstrap = bootstrap
        self._admin = AdminClient({"bootstrap.servers": bootstrap})
        self._producer = self._new_producer()

    def _new_producer(self) -> Producer:
        return Producer({"bootstrap.servers": self.bootstrap, "compression.type": "lz4"})

    def close(self) -> None:
        self._producer.flush(PATIENCE_S)

    def make(
        self, partitions: int = 3, records: int = 0, settings: Mapping[str, str] | None = None
    ) -> str:
        """A new topic with so many records, dealt out in turn."""
        name = f"topic-{next(NUMBERS)}"
        topic = NewTopic(name, partitions, config={"retention.ms": "-1", **(settings or {})})
        for done in self._admin.create_topics([topic]).values():
            done.result(PATIENCE_S)
        self.write(name, range(records), partitions)
        return name

    def write(self, topic: str, numbers: range, partitions: int = 3) -> None:
        """Records `k0: v0`, `k1: v1` and so on, number n in partition n modulo their count."""
        for number in numbers:
            self._producer.produce(
                topic,
                key=f"k{number}",
                value=f"v{number}",
                partition=number % partitions,
                timestamp=FIRST_MS + 1_000 * number,
                headers=[("number", str(number).encode())],
            )
            if number % PIECE == 0:
                self._producer.flush(PATIENCE_S)
        assert self._producer.flush(PATIENCE_S) == 0

    def names(self) -> set[str]:
        return set(self._admin.list_topics(timeout=PATIENCE_S).topics)

    def grow(self, topic: str, partitions: int) -> None:
        for done in self._admin.create_partitions([NewPartitions(topic, partitions)]).values():
            done.result(PATIENCE_S)
        deadline = time.monotonic() + PATIENCE_S
        while len(self._admin.list_topics(topic).topics[topic].partitions) < partitions:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        self._producer = self._new_producer()  # the old one learns of them in minutes

    def trim(self, topic: str, partition: int, offset: int) -> None:
        """Delete what is before the offset, as retention does."""
        asked = self._admin.delete_records([TopicPartition(topic, partition, offset)])
        for done in asked.values():
            done.result(PATIENCE_S)

    def drop(self, topic: str) -> None:
        for done in self._admin.delete_topics([topic]).values():
            done.result(PATIENCE_S)
