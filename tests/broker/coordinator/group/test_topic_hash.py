"""The hash of topics shows whether one of them has changed; a judge holds it against Kafka's."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.coordinator.group.topic_hash import group_hash, topic_hash
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.stored.metadata_brokers import RegisterBrokerRecord
from tests.broker.coordinator.group.consumer.conversation import with_topics


def image_of(**topics: int) -> Image:
    return with_topics(Image(), "", **topics).build()


def with_rack(image: Image, rack: str) -> Image:
    delta = Delta(image)
    record = RegisterBrokerRecord(
        broker_id=1,
        incarnation_id=bytes(16),
        broker_epoch=1,
        end_points=[],
        features=[],
        rack=rack,
        fenced=False,
    )
    delta.apply(record)
    return delta.build()


def test_no_topic_has_the_hash_zero():
    assert group_hash([], image_of(t=1), {}) == 0
    assert group_hash(["missing"], image_of(t=1), {}) == 0


def test_topics_that_are_missing_do_not_count():
    assert group_hash(["t", "missing"], image_of(t=1), {}) == group_hash(["t"], image_of(t=1), {})


def test_the_order_of_the_topics_does_not_matter():
    image = image_of(t=1, u=2)
    assert group_hash(["t", "u"], image, {}) == group_hash(["u", "t"], image, {})


def test_partitions_id_and_racks_matter():
    image = image_of(t=2)
    hashes = {
        group_hash(["t"], image, {}),
        group_hash(["t"], image_of(t=3), {}),
        group_hash(["t"], with_topics(Image(), "again", t=2).build(), {}),
        group_hash(["t"], with_rack(image, "east"), {}),
        group_hash(["t"], with_rack(image, "west"), {}),
    }
    assert len(hashes) == 5


def test_hashes_are_remembered_by_name():
    known: dict[str, int] = {}
    image = image_of(t=2)
    group_hash(["t"], image, known)
    assert known == {"t": topic_hash(image.topics.by_name["t"], image)}
    renamed = replace(image.topics.by_name["t"], partitions={})
    assert topic_hash(renamed, image) != known["t"]
