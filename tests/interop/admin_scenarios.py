"""What administrators do with their clients on three nodes, as programs that wait for its effect.

A change is known to one node after the other, and a client that asks a node which has ceased to
lead gets an error. Programs ask again then, as errors of each client advise, and so do these: every
look has a new client, because some ask their own copy of the metadata for up to 40 seconds. Each
change is asked for once; only what a node has refused as not its own is asked for again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import confluent_kafka
import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, KafkaException, TopicPartition
from confluent_kafka import admin as confluent

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")

Result = TypeVar("Result")
SECONDS_MAX = 60
PAUSE_S = 0.1
PARTITIONS, MORE = 3, 5
RECORDS = 10
DELETED = 6
RETENTION = "3600000"
MOVED = {
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.FENCED_LEADER_EPOCH,
    KafkaError.LEADER_NOT_AVAILABLE,
    KafkaError.NOT_COORDINATOR,
    KafkaError.NOT_LEADER_FOR_PARTITION,
    KafkaError.OFFSET_NOT_AVAILABLE,
    KafkaError.OFFSET_OUT_OF_RANGE,
    KafkaError.UNKNOWN_LEADER_EPOCH,
    KafkaError.UNKNOWN_TOPIC_OR_PART,
}
"""What a node says that does not lead, or has just begun to and does not know all yet."""


def comes_true(what: str, looks: Callable[[], bool]) -> None:
    """Return as soon as it is so."""
    deadline = time.monotonic() + SECONDS_MAX
    while not looks():
        assert time.monotonic() < deadline, f"it never was so: {what}"
        time.sleep(PAUSE_S)


def tried(call: Callable[[], Result], is_moved: Callable[[Exception], bool]) -> Result:
    """What it returns, once a node that leads has answered."""
    deadline = time.monotonic() + SECONDS_MAX
    while True:
        try:
            return call()
        except Exception as error:
            if not is_moved(error) or time.monotonic() > deadline:
                raise
        time.sleep(PAUSE_S)


class Librdkafka:
    """By confluent-kafka."""

    def __init__(self, place: str, topic: str) -> None:
        self._place, self._topic = place, topic
        self._first = TopicPartition(topic, 0)
        self._clients: list[Any] = []
        """They stay to the end: one that goes while its thread hands over a result may crash."""

    def run(self) -> None:
        self._topics()
        self._configs()
        self._records()
        self._group()
        self._asked(lambda client: client.delete_topics([self._topic])[self._topic])
        comes_true("the topic is gone", lambda: not self._partitions())

    def _asked(self, call: Callable[[Any], Any]) -> Any:
        """The result of a future of a new client; an error of a partition is one of the call."""
        found = call(self._client()).result(SECONDS_MAX)
        for place in getattr(found, "topic_partitions", None) or ():
            if place.error is not None:
                raise KafkaException(place.error)
        return found

    def _client(self) -> Any:
        self._clients.append(confluent.AdminClient({"bootstrap.servers": self._place}))
        return self._clients[-1]

    def _tried(self, call: Callable[[Any], Any]) -> Any:
        def is_moved(error: Exception) -> bool:
            return isinstance(error, KafkaException) and error.args[0].code() in MOVED

        return tried(lambda: self._asked(call), is_moved)

    def _partitions(self) -> int:
        topics = self._client().list_topics(timeout=SECONDS_MAX).topics
        return len(topics[self._topic].partitions) if self._topic in topics else 0

    def _topics(self) -> None:
        wanted = confluent.NewTopic(self._topic, PARTITIONS, 3)
        self._asked(lambda client: client.create_topics([wanted])[self._topic])
        comes_true("the topic is there", lambda: self._partitions() == PARTITIONS)
        more = confluent.NewPartitions(self._topic, MORE)
        self._asked(lambda client: client.create_partitions([more])[self._topic])
        comes_true("it has more partitions", lambda: self._partitions() == MORE)
        cluster = self._asked(lambda client: client.describe_cluster())
        assert sorted(node.id for node in cluster.nodes) == [1, 2, 3]

    def _configs(self) -> None:
        entry = confluent.ConfigEntry(
            "retention.ms", RETENTION, incremental_operation=confluent.AlterConfigOpType.SET
        )
        kind = confluent.ConfigResource.Type.TOPIC
        given = confluent.ConfigResource(kind, self._topic, incremental_configs=[entry])
        self._asked(lambda client: client.incremental_alter_configs([given])[given])

        def is_set() -> bool:
            described = self._tried(lambda client: client.describe_configs([given])[given])
            return bool(described["retention.ms"].value == RETENTION)

        comes_true("the setting is changed", is_set)

    def _records(self) -> None:
        producer = confluent_kafka.Producer({"bootstrap.servers": self._place})
        for _ in range(RECORDS):
            producer.produce(self._topic, b"value", partition=0)
        assert producer.flush(SECONDS_MAX) == 0
        assert self._end(confluent.OffsetSpec.latest()) == RECORDS
        place = TopicPartition(self._topic, 0, DELETED)
        deleted = self._tried(lambda client: only(client.delete_records([place])))
        assert deleted.low_watermark == DELETED
        assert self._end(confluent.OffsetSpec.earliest()) == DELETED

    def _end(self, spec: Any) -> int:
        asked = {self._first: spec}
        return int(self._tried(lambda client: only(client.list_offsets(asked))).offset)

    def _group(self) -> None:
        group = f"group-{self._topic}"
        wanted = ConsumerGroupTopicPartitions(group, [TopicPartition(self._topic, 0, 7)])
        self._tried(lambda client: client.alter_consumer_group_offsets([wanted])[group])
        asked = ConsumerGroupTopicPartitions(group)
        offsets = self._tried(lambda client: client.list_consumer_group_offsets([asked])[group])
        assert [(one.partition, one.offset) for one in offsets.topic_partitions] == [(0, 7)]
        self._delete(group)

        def is_gone() -> bool:
            listed = self._tried(lambda client: client.list_consumer_groups())
            return group not in [one.group_id for one in listed.valid]

        comes_true("the group is gone", is_gone)

    def _delete(self, group: str) -> None:
        """A coordinator that moves meanwhile has written it, and says that it leads no more."""
        try:
            self._tried(lambda client: client.delete_consumer_groups([group])[group])
        except KafkaException as error:
            if error.args[0].code() != KafkaError.GROUP_ID_NOT_FOUND:
                raise


class KafkaPython:
    """By kafka-python."""

    def __init__(self, place: str, topic: str) -> None:
        self._place, self._topic = place, topic

    def run(self) -> None:
        self._asked("create_topics", [kafka.admin.NewTopic(self._topic, PARTITIONS, 3)])
        comes_true("the topic is there", lambda: self._partitions() == PARTITIONS)
        self._asked("create_partitions", {self._topic: kafka.admin.NewPartitions(MORE)})
        comes_true("it has more partitions", lambda: self._partitions() == MORE)
        self._group()
        self._asked("delete_topics", [self._topic])
        comes_true("the topic is gone", lambda: not self._partitions())

    def _asked(self, call: str, *given: Any) -> Any:
        """What a new client is answered."""
        client = kafka.KafkaAdminClient(bootstrap_servers=self._place)
        try:
            return getattr(client, call)(*given)
        finally:
            client.close()

    def _tried(self, call: str, *given: Any) -> Any:
        def is_moved(error: Exception) -> bool:
            return isinstance(error, kafka.errors.KafkaError) and bool(error.retriable)

        return tried(lambda: self._asked(call, *given), is_moved)

    def _partitions(self) -> int:
        if self._topic not in self._tried("list_topics"):
            return 0
        (described,) = self._tried("describe_topics", [self._topic])
        return len(described["partitions"])

    def _group(self) -> None:
        group, place = f"group-{self._topic}", kafka.TopicPartition(self._topic, 2)
        producer = kafka.KafkaProducer(bootstrap_servers=self._place, retries=100)
        producer.send(self._topic, b"value", partition=2).get(SECONDS_MAX)
        producer.close()
        consumer = kafka.KafkaConsumer(
            bootstrap_servers=self._place, group_id=group, auto_offset_reset="earliest"
        )
        consumer.assign([place])
        comes_true("the record is read", lambda: bool(consumer.poll(1000)))
        consumer.commit()
        consumer.close()
        listed = self._tried("list_group_offsets", group)
        assert listed[group][place].offset == 1

        def is_gone() -> bool:
            self._tried("delete_groups", [group])  # its answer holds errors, and raises none
            return group not in [one["group_id"] for one in self._tried("list_groups")]

        comes_true("the group is gone", is_gone)


def only(answers: dict[Any, Any]) -> Any:
    (answer,) = answers.values()
    return answer
