"""Judge: Kafka computes the same hashes of topics, which both keep in the records of groups."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.topic_hash import group_hash, topic_hash
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.stored.metadata_brokers import RegisterBrokerRecord
from moldau.protocol.messages.stored.metadata_topics import PartitionRecord, TopicRecord
from moldau.protocol.wire.uuids import uuid_text
from tests.judges.java_programs import run_java

pytestmark = pytest.mark.judge

RACKS = ("east", "", "west")
TOPICS: dict[str, list[tuple[int, ...]]] = {
    "t": [(1,)],
    "a-topic": [(1, 2), (3, 1), (2,)],
    "many": [(3, 2, 1)] * 120,
    "Z.z": [(2,)] * 40,
}


def image_of() -> Image:
    delta = Delta(Image())
    for broker_id, rack in enumerate(RACKS, 1):
        record = RegisterBrokerRecord(
            broker_id=broker_id,
            incarnation_id=bytes(16),
            broker_epoch=1,
            end_points=[],
            features=[],
            rack=rack or None,
            fenced=False,
        )
        delta.apply(record)
    for name, partitions in TOPICS.items():
        delta.apply(TopicRecord(name=name, topic_id=id_of(name)))
        for index, replicas in enumerate(partitions):
            delta.apply(partition(id_of(name), index, replicas))
    return delta.build()


def id_of(name: str) -> bytes:
    return (name.encode() * 16)[:16]


def partition(topic_id: bytes, index: int, replicas: tuple[int, ...]) -> PartitionRecord:
    return PartitionRecord(
        partition_id=index,
        topic_id=topic_id,
        replicas=list(replicas),
        isr=list(replicas),
        removing_replicas=[],
        adding_replicas=[],
        leader=replicas[0],
        leader_epoch=0,
        partition_epoch=0,
    )


def test_kafka_has_the_same_hashes(kafka_libs):
    arguments = [f"broker:{rack}" for rack in RACKS] + [
        f"{name}:{uuid_text(id_of(name))}:"
        + "/".join(",".join(map(str, replicas)) for replicas in partitions)
        for name, partitions in TOPICS.items()
    ]
    ran = run_java(kafka_libs, "JudgeTopicHashes", *arguments)
    assert ran.returncode == 0, ran.stderr
    image = image_of()
    ours = [topic_hash(image.topics.by_name[name], image) for name in TOPICS]
    signed = [one - (1 << 64) if one >> 63 else one for one in ours]
    assert [int(line) for line in ran.stdout.split()] == [*signed, group_hash(TOPICS, image, {})]
